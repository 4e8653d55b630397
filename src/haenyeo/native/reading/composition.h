/* What texts are made of, and what they share with a title; the same as `read.page.composition` and `read.page.sections`
   say in Python. */
#ifndef HAENYEO_COMPOSITION_H
#define HAENYEO_COMPOSITION_H

#include "texts.h"

#define MOST_TITLE_WORDS 64
#define MOST_TEXT_WORDS 512

/* Rows of what is counted, a cell for each text. */
typedef struct {
    float *digits, *capitals, *commas, *questions, *colons, *signs, *begins_small, *price;
} Composition;

static inline int is_currency(Py_UCS4 code)
{
    return code == '$' || code == 0xA3 || code == 0xA5 || code == 0x20A9 || code == 0x20AC || code == 0x20B9;
}

static void compose_text(const Text *text, const Composition *to, Py_ssize_t place)
{
    Py_ssize_t digits = 0, capitals = 0, commas = 0, questions = 0, colons = 0, signs = 0;
    int has_currency = 0;
    for (Py_ssize_t i = 0; i < text->length; i++) {
        Py_UCS4 code = at(text, i);
        if ((code >= 'a' && code <= 'z') || code == ' ')
            continue;
        if (code > 126 || code < 33) {
            has_currency |= is_currency(code);
            continue;
        }
        int is_digit = code >= '0' && code <= '9', is_capital = code >= 'A' && code <= 'Z';
        digits += is_digit;
        capitals += is_capital;
        signs += !(is_digit || is_capital);
        commas += code == ',';
        questions += code == '?';
        colons += code == ':';
        has_currency |= code == '$';
    }
    to->digits[place] = (float)digits;
    to->capitals[place] = (float)capitals;
    to->commas[place] = (float)commas;
    to->questions[place] = (float)questions;
    to->colons[place] = (float)colons;
    to->signs[place] = (float)signs;
    to->begins_small[place] = text->length && at(text, 0) >= 'a' && at(text, 0) <= 'z';
    to->price[place] = digits && has_currency;
}

static PyObject *compose(PyObject *module, PyObject *arguments)
{
    PyObject *given, *of_numbers;
    Views views = {0};
    VIEW(float) numbers;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!O", &PyList_Type, &given, &of_numbers))
        return NULL;
    PyObject *strings = items_of(given);
    Py_ssize_t size = strings ? PyTuple_GET_SIZE(strings) : 0;
    TAKE_TO_WRITE(&views, of_numbers, &numbers);
    if (has_items(numbers.count, size_product(8, size))) {
        float *row = numbers.items;
        Composition to = {row, row + size, row + 2 * size, row + 3 * size, row + 4 * size, row + 5 * size, row + 6 * size, row + 7 * size};
        for (Py_ssize_t i = 0; i < size && is_string(PyTuple_GET_ITEM(strings, i), "a text"); i++) {
            Text text = text_of(PyTuple_GET_ITEM(strings, i));
            compose_text(&text, &to, i);
        }
    }
    give_back(&views);
    Py_XDECREF(strings);
    return none_unless_error();
}

/* The words of a text, each once, as numbers that different words hardly ever share. */
typedef struct {
    uint64_t *words;
    Py_ssize_t count, most;
} WordSet;

static int has_word(const WordSet *set, uint64_t word)
{
    for (Py_ssize_t i = 0; i < set->count; i++)
        if (set->words[i] == word)
            return 1;
    return 0;
}

static void add_word(WordSet *set, uint64_t word)
{
    if (set->count < set->most && !has_word(set, word))
        set->words[set->count++] = word;
}

static inline int is_of_word(Py_UCS4 code)
{
    return code < 128 ? (code >= 'a' && code <= 'z') || (code >= '0' && code <= '9') || (code >= 'A' && code <= 'Z') || code == '_'
                      : Py_UNICODE_ISALNUM(code);
}

/* The next word of a text in small letters from a place on, which moves behind it; 0 if there is none. */
static uint64_t next_word(const Text *text, Py_ssize_t *place)
{
    uint64_t word = 0xCBF29CE484222325u;
    while (*place < text->length && !is_of_word(at(text, *place)))
        ++*place;
    if (*place == text->length)
        return 0;
    for (; *place < text->length && is_of_word(at(text, *place)); ++*place) {
        Py_UCS4 code = at(text, *place);
        word = (word ^ (code >= 'A' && code <= 'Z' ? code | 32 : code)) * 0x100000001B3u;
    }
    word ^= word >> 29;
    return word ? word : 1;
}

/* Of all words of a text and of a title, how many stand in both; nothing is counted until one does. */
static float overlap_of(const Text *text, const WordSet *title, WordSet *own)
{
    int is_shared = 0;
    uint64_t word;
    for (Py_ssize_t place = 0; !is_shared && (word = next_word(text, &place));)
        is_shared = has_word(title, word);
    if (!is_shared)
        return 0;
    own->count = 0;
    for (Py_ssize_t place = 0; (word = next_word(text, &place));)
        add_word(own, word);
    Py_ssize_t shared = 0;
    for (Py_ssize_t i = 0; i < own->count; i++)
        shared += has_word(title, own->words[i]);
    return (float)((double)shared / (double)(own->count + title->count - shared));
}

/* A new reference to the text in small letters; those that are all ASCII are folded as they are read. */
static PyObject *in_small(PyObject *string)
{
    return PyUnicode_IS_ASCII(string) ? Py_NewRef(string) : PyObject_CallMethod(string, "lower", NULL);
}

static int take_title(PyObject *string, WordSet *title)
{
    PyObject *small = in_small(string);
    if (!small || !is_string(small, "a title")) {
        Py_XDECREF(small);
        return 0;
    }
    Text text = text_of(small);
    uint64_t word;
    for (Py_ssize_t place = 0; (word = next_word(&text, &place));)
        add_word(title, word);
    Py_DECREF(small);
    return 1;
}

static int find_overlap(PyObject *string, const WordSet *title, WordSet *own, Py_ssize_t longest, float *to)
{
    if (!is_string(string, "a text"))
        return 0;
    *to = 0;
    if (PyUnicode_GET_LENGTH(string) >= longest)
        return 1;
    PyObject *small = in_small(string);
    int done = small && is_string(small, "a text");
    if (done) {
        Text text = text_of(small);
        *to = overlap_of(&text, title, own);
    }
    Py_XDECREF(small);
    return done;
}

static PyObject *overlaps(PyObject *module, PyObject *arguments)
{
    PyObject *given, *of_title, *of_shares;
    Py_ssize_t longest;
    uint64_t title_words[MOST_TITLE_WORDS], own_words[MOST_TEXT_WORDS];
    WordSet title = {title_words, 0, MOST_TITLE_WORDS}, own = {own_words, 0, MOST_TEXT_WORDS};
    Views views = {0};
    VIEW(float) shares;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!UnO", &PyList_Type, &given, &of_title, &longest, &of_shares))
        return NULL;
    PyObject *strings = items_of(given);
    Py_ssize_t size = strings ? PyTuple_GET_SIZE(strings) : 0;
    TAKE_TO_WRITE(&views, of_shares, &shares);
    if (has_items(shares.count, size) && take_title(of_title, &title))
        for (Py_ssize_t i = 0; i < size && find_overlap(PyTuple_GET_ITEM(strings, i), &title, &own, longest, &shares.items[i]); i++)
            ;
    give_back(&views);
    Py_XDECREF(strings);
    return none_unless_error();
}

#endif
