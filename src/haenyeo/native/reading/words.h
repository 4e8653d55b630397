/* What the words in names and labels tell of; the same as `read.page.kinds` and `read.page.sections` say in Python. */
#ifndef HAENYEO_READING_WORDS_H
#define HAENYEO_READING_WORDS_H

#include "../checked/fields.h"
#include "../checked/views.h"
#include "texts.h"

#define LONGEST_WORD 40

typedef struct {
    const char *at, *end;
    char letters[LONGEST_WORD]; /* small ones */
    Py_ssize_t length;
    int parted; /* do humps part words? */
} Word;

/* The next word of an ASCII text; returns 0 at its end. */
static int read_word(Word *word)
{
    int was_small = 0;
    word->length = 0;
    while (word->at < word->end && !Py_ISALPHA((unsigned char)*word->at))
        word->at++;
    for (; word->at < word->end && Py_ISALPHA((unsigned char)*word->at); word->at++) {
        int is_small = *word->at >= 'a';
        if (word->parted && was_small && !is_small)
            break;
        if (word->length < LONGEST_WORD)
            word->letters[word->length] = (char)(*word->at | 32);
        word->length++;
        was_small = is_small;
    }
    return word->length > 0;
}

/* The number that is known of a word, or -1; -2 with an error set. */
static long known_of(PyObject *known, const Word *word)
{
    if (word->length > LONGEST_WORD)
        return -1;
    PyObject *name = PyUnicode_FromStringAndSize(word->letters, word->length);
    PyObject *number = name ? PyDict_GetItemWithError(known, name) : NULL;
    Py_XDECREF(name);
    if (!number)
        return PyErr_Occurred() ? -2 : -1;
    long bits = PyLong_AsLong(number);
    if (bits < 0 && !PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "a word's number is negative");
    return bits < 0 ? -2 : bits;
}

/* All bits that the words of a name have; -1 with an error set. */
static long bits_in(PyObject *name, PyObject *known, PyObject *ask)
{
    if (!is_string(name, "a name"))
        return -1;
    if (!PyUnicode_IS_ASCII(name)) {
        PyObject *said = PyObject_CallOneArg(ask, name);
        long bits = said ? PyLong_AsLong(said) : -1;
        Py_XDECREF(said);
        if (bits < 0 && !PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "a name's number is negative");
        return bits < 0 ? -1 : bits;
    }
    const char *text = PyUnicode_DATA(name);
    Word word = {.at = text, .end = text + PyUnicode_GET_LENGTH(name), .parted = 1};
    long bits = 0;
    while (read_word(&word)) {
        long some = known_of(known, &word);
        if (some < -1)
            return -1;
        bits |= some < 0 ? 0 : some;
    }
    return bits;
}

static PyObject *named(PyObject *module, PyObject *arguments)
{
    PyObject *given, *known, *ask;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!O!O", &PyList_Type, &given, &PyDict_Type, &known, &ask))
        return NULL;
    PyObject *steps = items_of(given), *found = steps ? PyList_New(0) : NULL;
    for (Py_ssize_t i = 0; found && i < PyTuple_GET_SIZE(steps); i++) {
        long bits = bits_in(PyTuple_GET_ITEM(steps, i), known, ask);
        PyObject *number = bits < 0 ? NULL : PyLong_FromLong(bits);
        if (!number || PyList_Append(found, number))
            Py_CLEAR(found);
        Py_XDECREF(number);
    }
    Py_XDECREF(steps);
    return found;
}

/* What is known of labels: of telling words the kinds that they name, maybe none; up to so many words are a label. */
typedef struct {
    PyObject *known, *ask;
    Py_ssize_t longest, most;
} Labels;

/* The kinds that an ASCII text names as a heading or as another label; -1 with an error set. */
static long kinds_of_label(const Labels *labels, PyObject *text, int is_heading)
{
    const char *letters = PyUnicode_DATA(text);
    Word word = {.at = letters, .end = letters + PyUnicode_GET_LENGTH(text)};
    long kinds = 0;
    Py_ssize_t count = 0, telling = 0;
    while (read_word(&word)) {
        long some = known_of(labels->known, &word);
        if (some < -1)
            return -1;
        count++;
        telling += some >= 0;
        kinds |= some < 0 ? 0 : some;
        if (count > labels->most || (!is_heading && telling < count))
            return 0;
    }
    return 2 * telling >= count ? kinds : 0;
}

/* The same of any text. */
static long label_of(const Labels *labels, PyObject *text, int is_heading)
{
    if (PyUnicode_GET_LENGTH(text) > labels->longest)
        return 0;
    if (PyUnicode_IS_ASCII(text))
        return kinds_of_label(labels, text, is_heading);
    PyObject *said = PyObject_CallFunction(labels->ask, "Oi", text, is_heading);
    long kinds = said ? PyLong_AsLong(said) : -1;
    Py_XDECREF(said);
    if (kinds < 0 && !PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "the number of a label is negative");
    return kinds < 0 ? -1 : kinds;
}

/* Note a block if it is a heading, or a label that names a kind; returns 0 with an error set. */
static int note_label(PyObject *found, const Labels *labels, PyObject *block, Py_ssize_t number, float level)
{
    static Field field;
    PyObject *text = field_of(block, names.text, &field);
    long kinds = is_string(text, "a text") ? label_of(labels, text, level > 0) : -1;
    Py_XDECREF(text);
    if (kinds < 0 || (!kinds && level <= 0))
        return kinds >= 0;
    PyObject *label = Py_BuildValue("ndl", number, (double)level, kinds);
    int done = label && !PyList_Append(found, label);
    Py_XDECREF(label);
    return done;
}

static PyObject *find_labels(PyObject *module, PyObject *arguments)
{
    PyObject *blocks, *of_levels, *of_may_be;
    Labels labels;
    Views views = {0};
    VIEW(const float) levels;
    VIEW(const uint8_t) may_be;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!OOO!nnO", &PyTuple_Type, &blocks, &of_levels, &of_may_be, &PyDict_Type, &labels.known, &labels.longest, &labels.most, &labels.ask))
        return NULL;
    TAKE(&views, of_levels, &levels);
    TAKE(&views, of_may_be, &may_be);
    Py_ssize_t size = PyTuple_GET_SIZE(blocks);
    PyObject *found = has_items(levels.count, size) && has_items(may_be.count, size) ? PyList_New(0) : NULL;
    for (Py_ssize_t i = 0; found && i < size; i++)
        if (may_be.items[i] && !note_label(found, &labels, PyTuple_GET_ITEM(blocks, i), i, levels.items[i]))
            Py_CLEAR(found);
    give_back(&views);
    return found;
}

#endif
