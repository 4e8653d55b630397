/* The text of blocks; the same as `read.documents` says in Python. */
#ifndef HAENYEO_JOINED_H
#define HAENYEO_JOINED_H

#include "../checked/fields.h"
#include "texts.h"

/* Does this path end in a list or a table? -1 with an error set. */
static int is_close(PyObject *path, PyObject *known, PyObject *ask)
{
    PyObject *close = PyDict_GetItemWithError(known, path);
    if (close || PyErr_Occurred())
        return close ? PyObject_IsTrue(close) : -1;
    close = PyObject_CallOneArg(ask, path);
    int answer = close ? PyObject_IsTrue(close) : -1;
    Py_XDECREF(close);
    return answer;
}

typedef struct {
    PyObject **texts;  /* owned */
    uint8_t *breaks;   /* line breaks before each */
    Py_ssize_t count, length;
    Py_UCS4 largest;
} Joining;

static int take_texts(Joining *joining, PyObject *blocks, PyObject *known, PyObject *ask)
{
    static Field texts, paths;
    int was_close = 0;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(blocks); i++) {
        PyObject *block = PyTuple_GET_ITEM(blocks, i);
        PyObject *text = field_of(block, names.text, &texts), *path = text ? field_of(block, names.path, &paths) : NULL;
        int close = path ? is_close(path, known, ask) : -1;
        Py_XDECREF(path);
        if (text)
            joining->texts[joining->count++] = text;
        if (close < 0 || !is_string(text, "a text"))
            return 0;
        joining->breaks[i] = i == 0 ? 0 : close && was_close ? 1 : 2;
        joining->length = size_sum(joining->length, size_sum(joining->breaks[i], PyUnicode_GET_LENGTH(text)));
        if (PyUnicode_MAX_CHAR_VALUE(text) > joining->largest)
            joining->largest = PyUnicode_MAX_CHAR_VALUE(text);
        was_close = close;
    }
    return 1;
}

static PyObject *joined_text(const Joining *joining)
{
    PyObject *whole = joining->length < 0 ? PyErr_NoMemory() : PyUnicode_New(joining->length, joining->largest);
    Py_ssize_t at = 0;
    for (Py_ssize_t i = 0; whole && i < joining->count; i++) {
        for (int line = 0; line < joining->breaks[i]; line++)
            PyUnicode_WRITE(PyUnicode_KIND(whole), PyUnicode_DATA(whole), at++, '\n');
        Py_ssize_t length = PyUnicode_GET_LENGTH(joining->texts[i]);
        if (length && PyUnicode_CopyCharacters(whole, at, joining->texts[i], 0, length) < 0)
            Py_CLEAR(whole);
        at += length;
    }
    return whole;
}

#endif
