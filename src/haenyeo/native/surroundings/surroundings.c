/* haenyeo.native._surroundings: the words before and after each of many links, as `html/surroundings.py` takes them. */
#include "../checked/fields.h"

#define FARTHEST 11264 /* characters looked at on each side */
#define BOUNDS 6       /* of a link, the words before and those after it */

static struct {
    PyObject *text, *block, *start, *end;
} names; /* of attributes */

typedef struct {
    PyObject *string;
    int kind;
    const void *data;
    Py_ssize_t length;
} Text;

/* Whether there is a blank; Hangul and the characters of China, where there is none, are known without asking. */
static inline int is_blank(const Text *text, Py_ssize_t at)
{
    Py_UCS4 code = PyUnicode_READ(text->kind, text->data, at);
    return (code < 0x3001 || code > 0xD7FF) && Py_UNICODE_ISSPACE(code);
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

typedef struct {
    Py_ssize_t start, end;
} Span;

static Span words_before(const Text *text, Py_ssize_t end, Py_ssize_t words)
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
    return (Span){start, end};
}

static Span words_after(const Text *text, Py_ssize_t start, Py_ssize_t words)
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
    return (Span){start, end};
}

static PyObject *window(const Text *text, PyObject *bounds, Py_ssize_t words)
{
    Py_ssize_t start, end;
    if (!PyTuple_Check(bounds) || !PyArg_ParseTuple(bounds, "nn", &start, &end))
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_TypeError, "a link has a start and an end");
    if (start < 0 || end < start || end > text->length)
        return PyErr_Format(PyExc_ValueError, "a link must lie within the text");
    Span front = words_before(text, start, words), back = words_after(text, end, words);
    PyObject *before = joined(text, front.start, front.end), *after = before ? joined(text, back.start, back.end) : NULL;
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
    PyObject *bounds = items_of(links), *found = bounds ? PyList_New(PyTuple_GET_SIZE(bounds)) : NULL;
    for (Py_ssize_t i = 0; found && i < PyTuple_GET_SIZE(bounds); i++) {
        PyObject *both = window(&text, PyTuple_GET_ITEM(bounds, i), words);
        if (!both)
            Py_CLEAR(found);
        else
            PyList_SET_ITEM(found, i, both);
    }
    Py_XDECREF(bounds);
    return found;
}

/* A whole number that is an attribute; -1 if it failed. */
static Py_ssize_t number_of(PyObject *object, PyObject *name, Field *field)
{
    PyObject *number = field_of(object, name, field);
    Py_ssize_t value = number ? PyLong_AsSsize_t(number) : -1;
    Py_XDECREF(number);
    return value;
}

/* Where in the text each block begins, and where the one behind the last would. */
static int64_t *starts_of(PyObject *blocks)
{
    Py_ssize_t count = PyTuple_GET_SIZE(blocks);
    int64_t *starts = room_for(count, sizeof *starts); /* and for the one behind the last */
    static Field texts;
    if (!starts)
        return NULL;
    starts[0] = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *block = field_of(PyTuple_GET_ITEM(blocks, i), names.text, &texts);
        Py_ssize_t length = is_string(block, "the text of a block") ? PyUnicode_GET_LENGTH(block) : -1;
        Py_XDECREF(block);
        if (length < 0) {
            PyMem_Free(starts);
            return NULL;
        }
        starts[i + 1] = starts[i] + length + 1;
    }
    return starts;
}

/* Write where a link, the words before and those after it begin and end; -1 six times for one outside of all blocks. */
static int write_spans(const Text *text, PyObject *outlink, const int64_t *starts, Py_ssize_t blocks, Py_ssize_t words, int32_t *out)
{
    static Field places, beginnings, ends;
    Py_ssize_t block = number_of(outlink, names.block, &places), start = number_of(outlink, names.start, &beginnings);
    Py_ssize_t end = number_of(outlink, names.end, &ends);
    if (PyErr_Occurred())
        return -1;
    for (int i = 0; i < BOUNDS; i++)
        out[i] = -1;
    if (block < 0)
        return 0;
    if (block >= blocks || start < 0 || end < start || starts[block] > text->length || end > text->length - starts[block]) {
        PyErr_SetString(PyExc_ValueError, "a link must lie within the text");
        return -1;
    }
    Span link = {starts[block] + start, starts[block] + end};
    Span before = words_before(text, link.start, words), after = words_after(text, link.end, words);
    const Py_ssize_t bounds[] = {link.start, link.end, before.start, before.end, after.start, after.end};
    for (int i = 0; i < BOUNDS; i++)
        out[i] = (int32_t)bounds[i];
    return 0;
}

static PyObject *spans_of(const Text *text, PyObject *blocks, PyObject *outlinks, Py_ssize_t words)
{
    Py_ssize_t count = PyTuple_GET_SIZE(outlinks);
    int64_t *starts = starts_of(blocks);
    PyObject *found = starts ? PyBytes_FromStringAndSize(NULL, size_product(count, BOUNDS * sizeof(int32_t))) : NULL;
    for (Py_ssize_t i = 0; found && i < count; i++) {
        int32_t out[BOUNDS];
        if (write_spans(text, PyTuple_GET_ITEM(outlinks, i), starts, PyTuple_GET_SIZE(blocks), words, out) < 0)
            Py_CLEAR(found);
        else
            memcpy(PyBytes_AS_STRING(found) + i * (Py_ssize_t)sizeof out, out, sizeof out);
    }
    PyMem_Free(starts);
    return found;
}

static PyObject *spans(PyObject *module, PyObject *arguments)
{
    PyObject *string, *blocks, *outlinks;
    Py_ssize_t words;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "UO!O!n", &string, &PyTuple_Type, &blocks, &PyList_Type, &outlinks, &words))
        return NULL;
    Text text = {string, PyUnicode_KIND(string), PyUnicode_DATA(string), PyUnicode_GET_LENGTH(string)};
    if (text.length > INT32_MAX)
        return PyErr_Format(PyExc_ValueError, "the text is too long");
    PyObject *links = items_of(outlinks), *found = links ? spans_of(&text, blocks, links, words) : NULL;
    Py_XDECREF(links);
    return found;
}

static PyMethodDef METHODS[] = {
    {"spans", spans, METH_VARARGS,
     "spans(text, blocks, outlinks, words)\n\n"
     "Where in the text of the blocks, each on its line, links and the words before and after each begin and end: six int32 a\n"
     "link, all of them -1 for one that stands in no block."},
    {"windows", windows, METH_VARARGS,
     "windows(text, links, words)\n\nThe words before and after each link, which is given by its start and its end."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_surroundings", NULL, -1, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__surroundings(void)
{
    names.text = PyUnicode_InternFromString("text");
    names.block = PyUnicode_InternFromString("block");
    names.start = PyUnicode_InternFromString("start");
    names.end = PyUnicode_InternFromString("end");
    if (!names.text || !names.block || !names.start || !names.end)
        return NULL;
    return PyModule_Create(&MODULE);
}
