/* haenyeo.html._surroundings: the words before and after each of many links, as `surroundings.py` takes them. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#define FARTHEST 11264 /* characters looked at on each side */

typedef struct {
    PyObject *string;
    int kind;
    const void *data;
    Py_ssize_t length;
} Text;

static inline int is_blank(const Text *text, Py_ssize_t at)
{
    return Py_UNICODE_ISSPACE(PyUnicode_READ(text->kind, text->data, at));
}

/* The words between two places with one blank between any two. */
static PyObject *joined(const Text *text, Py_ssize_t start, Py_ssize_t end)
{
    int uneven = 0;
    for (Py_ssize_t i = start + 1; i < end && !uneven; i++)
        uneven = is_blank(text, i) && (PyUnicode_READ(text->kind, text->data, i) != ' ' || is_blank(text, i - 1));
    if (!uneven)
        return PyUnicode_Substring(text->string, start, end);
    PyObject *part = PyUnicode_Substring(text->string, start, end);
    PyObject *words = part ? PyUnicode_Split(part, NULL, -1) : NULL;
    PyObject *blank = words ? PyUnicode_FromOrdinal(' ') : NULL;
    PyObject *line = blank ? PyUnicode_Join(blank, words) : NULL;
    Py_XDECREF(part);
    Py_XDECREF(words);
    Py_XDECREF(blank);
    return line;
}

static PyObject *words_before(const Text *text, Py_ssize_t end, Py_ssize_t words)
{
    Py_ssize_t first = end > FARTHEST ? end - FARTHEST : 0, at = end, start;
    while (at > first && is_blank(text, at - 1))
        at--;
    for (end = start = at; words > 0 && at > first; words--) {
        while (at > first && !is_blank(text, at - 1))
            at--;
        start = at;
        while (at > first && is_blank(text, at - 1))
            at--;
    }
    return joined(text, start, end);
}

static PyObject *words_after(const Text *text, Py_ssize_t start, Py_ssize_t words)
{
    Py_ssize_t last = text->length - start > FARTHEST ? start + FARTHEST : text->length, at = start, end;
    while (at < last && is_blank(text, at))
        at++;
    for (start = end = at; words > 0 && at < last; words--) {
        while (at < last && !is_blank(text, at))
            at++;
        end = at;
        while (at < last && is_blank(text, at))
            at++;
    }
    return joined(text, start, end);
}

static PyObject *window(const Text *text, PyObject *bounds, Py_ssize_t words)
{
    Py_ssize_t start, end;
    if (!PyTuple_Check(bounds) || !PyArg_ParseTuple(bounds, "nn", &start, &end))
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_TypeError, "a link has a start and an end");
    if (start < 0 || end < start || end > text->length)
        return PyErr_Format(PyExc_ValueError, "a link must lie within the text");
    PyObject *before = words_before(text, start, words), *after = before ? words_after(text, end, words) : NULL;
    PyObject *both = after ? PyTuple_Pack(2, before, after) : NULL;
    Py_XDECREF(before);
    Py_XDECREF(after);
    return both;
}

static PyObject *windows(PyObject *module, PyObject *arguments)
{
    PyObject *links;
    Text text = {0};
    Py_ssize_t words;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "UO!n", &text.string, &PyList_Type, &links, &words))
        return NULL;
    text.kind = PyUnicode_KIND(text.string);
    text.data = PyUnicode_DATA(text.string);
    text.length = PyUnicode_GET_LENGTH(text.string);
    PyObject *found = PyList_New(PyList_GET_SIZE(links));
    for (Py_ssize_t i = 0; found && i < PyList_GET_SIZE(links); i++) {
        PyObject *both = window(&text, PyList_GET_ITEM(links, i), words);
        if (!both)
            Py_CLEAR(found);
        else
            PyList_SET_ITEM(found, i, both);
    }
    return found;
}

static PyMethodDef METHODS[] = {
    {"windows", windows, METH_VARARGS,
     "windows(text, links, words)\n\nThe words before and after each link, which is given by its start and its end."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_surroundings", NULL, -1, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__surroundings(void)
{
    return PyModule_Create(&MODULE);
}
