/* What the texts of blocks are by themselves: how long, how made, which; the same as `read.page.texts` says in Python. */
#ifndef HAENYEO_TEXTS_H
#define HAENYEO_TEXTS_H

#include "../checked/objects.h"
#include "../checked/views.h"

#define SHORT 60 /* characters of a text in which numbers are likely to be dates and counters */
#define OPENING 4

static struct {
    PyObject *digest;   /* of bytes */
    PyObject *text_key; /* in Python, for any text */
    PyObject *istitle, *isupper; /* names of methods */
} texts;

static struct {
    PyObject *text, *path, *signs; /* names of the attributes of blocks */
} names;

typedef struct {
    int kind;
    const void *data;
    Py_ssize_t length;
} Text;

static inline Text text_of(PyObject *string)
{
    return (Text){PyUnicode_KIND(string), PyUnicode_DATA(string), PyUnicode_GET_LENGTH(string)};
}

static inline Py_UCS4 at(const Text *text, Py_ssize_t place)
{
    return PyUnicode_READ(text->kind, text->data, place);
}

/* The first `most` characters with a 0 in place of each number; returns how many are left. */
static Py_ssize_t without_numbers(const Text *text, Py_ssize_t most, Py_UCS4 *to)
{
    Py_ssize_t length = 0;
    int in_number = 0;
    for (Py_ssize_t i = 0; i < text->length && i < most; i++) {
        Py_UCS4 code = at(text, i);
        int is_digit = code < 128 ? code >= '0' && code <= '9' : Py_UNICODE_ISDECIMAL(code);
        if (!is_digit)
            to[length++] = code;
        else if (!in_number)
            to[length++] = '0';
        in_number = is_digit;
    }
    return length;
}

static int has_number(const Text *text)
{
    for (Py_ssize_t i = 0; i < text->length; i++)
        if (Py_UNICODE_ISDECIMAL(at(text, i)))
            return 1;
    return 0;
}

/* Were we told whom to ask for keys? Returns 0 with an error set if not. */
static int knows_keys(void)
{
    if (!texts.digest)
        PyErr_SetString(PyExc_RuntimeError, "configure_texts() has not been called");
    return texts.digest != NULL;
}

/* A number that equal texts share; returns 0 with an error set. */
static int find_key(PyObject *string, uint64_t *key)
{
    Text text = text_of(string);
    PyObject *plain = NULL, *found = NULL;
    if (text.length < SHORT && has_number(&text)) {
        Py_UCS4 codes[SHORT];
        plain = PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, codes, without_numbers(&text, SHORT, codes));
    } else {
        plain = Py_NewRef(string);
    }
    PyObject *bytes = plain ? PyUnicode_AsUTF8String(plain) : NULL;
    if (bytes) {
        found = PyObject_CallOneArg(texts.digest, bytes);
    } else if (plain && PyErr_ExceptionMatches(PyExc_UnicodeError)) {
        PyErr_Clear();
        found = PyObject_CallOneArg(texts.text_key, string);
    }
    Py_XDECREF(bytes);
    Py_XDECREF(plain);
    int done = found != NULL;
    if (found) {
        *key = PyLong_AsUnsignedLongLong(found);
        done = *key != UINT64_MAX || !PyErr_Occurred();
    }
    Py_XDECREF(found);
    return done;
}

static uint16_t opening_key(const Text *text)
{
    Py_UCS4 codes[OPENING];
    Py_ssize_t length = without_numbers(text, OPENING, codes);
    uint32_t key = 0;
    for (Py_ssize_t i = 0; i < length && codes[i] != ' '; i++)
        key = (key + codes[i]) * 0x9E3779B1u;
    return (uint16_t)(key >> 16);
}

/* Is this a character of Chinese or Japanese, which is a word of its own? */
static inline int is_unspaced(Py_UCS4 code)
{
    return (code >= 0x3040 && code <= 0x30FF) || (code >= 0x3400 && code <= 0x9FFF) || (code >= 0xF900 && code <= 0xFAFF);
}

static inline int is_full_stop(Py_UCS4 code)
{
    return code == 0x3002 || code == 0xFF01 || code == 0xFF1F;
}

static inline int is_stop(Py_UCS4 code)
{
    return code == '.' || code == '!' || code == '?' || code == 0x2026;
}

static inline int is_closing(Py_UCS4 code)
{
    return is_stop(code) || is_full_stop(code) || code == '"' || code == ':' || code == 0x201D || code == 0x2019;
}

static inline int is_quotation_end(Py_UCS4 code)
{
    return code == '"' || code == '\'' || code == ')' || code == ']' || code == 0x201D || code == 0x2019;
}

static int ends_sentence(const Text *text, Py_ssize_t place)
{
    Py_ssize_t next = place + 1;
    if (next < text->length && is_quotation_end(at(text, next)))
        next++;
    return next >= text->length || Py_UNICODE_ISSPACE(at(text, next));
}

typedef struct {
    Py_ssize_t words, sentences;
} Counts;

static Counts count_in(const Text *text)
{
    Counts counts = {1, 0};
    for (Py_ssize_t i = 0; i < text->length; i++) {
        Py_UCS4 code = at(text, i);
        if (code >= 'A' && code < 0x2026)
            continue;
        counts.words += code == ' ' || code == '\n' || (code > 127 && is_unspaced(code));
        counts.sentences += is_full_stop(code) || (is_stop(code) && ends_sentence(text, i));
    }
    return counts;
}

/* -1 with an error set. */
static int is_true(PyObject *string, PyObject *method)
{
    PyObject *answer = PyObject_CallMethodNoArgs(string, method);
    int is = answer ? PyObject_IsTrue(answer) : -1;
    Py_XDECREF(answer);
    return is;
}

/* Only a text whose first letter is large can be all capitals or a title. -1 with an error set. */
static int is_capital(PyObject *string, const Text *text)
{
    Py_ssize_t i = 0;
    while (i < text->length && at(text, i) < 128 && !((at(text, i) | 32) >= 'a' && (at(text, i) | 32) <= 'z'))
        i++;
    if (i == text->length || (at(text, i) >= 'a' && at(text, i) <= 'z'))
        return 0;
    int is_title = is_true(string, texts.istitle);
    return is_title ? is_title : is_true(string, texts.isupper);
}

/* Columns of what is found, a cell for each text. */
typedef struct {
    uint64_t *keys;
    uint16_t *openings;
    float *characters, *words, *sentences, *closed, *capitals, *numeric;
} TextColumns;

static int measure_text(PyObject *string, const TextColumns *to, Py_ssize_t place)
{
    if (!is_string(string, "a text"))
        return 0;
    Text text = text_of(string);
    Counts counts = count_in(&text);
    to->openings[place] = opening_key(&text);
    to->characters[place] = (float)text.length;
    to->words[place] = (float)counts.words;
    to->sentences[place] = (float)counts.sentences;
    to->closed[place] = text.length && is_closing(at(&text, text.length - 1));
    to->numeric[place] = text.length && Py_UNICODE_ISDIGIT(at(&text, 0)) && Py_UNICODE_ISDIGIT(at(&text, text.length - 1));
    int is_large = is_capital(string, &text);
    to->capitals[place] = (float)is_large;
    return is_large >= 0 && find_key(string, &to->keys[place]);
}

#endif
