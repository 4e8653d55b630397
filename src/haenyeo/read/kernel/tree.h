/* How paths hang together: all their prefixes, numbered; the same as `read.page.tree` finds in Python. */
#ifndef HAENYEO_READ_TREE_H
#define HAENYEO_READ_TREE_H

#include "places.h"

typedef struct {
    PyObject *numbers, *prefixes; /* {prefix: number}, and the prefixes in order; owned */
    int32_t *parents;
    uint8_t *may_contain;
    Py_ssize_t count, most;
} PathTree;

/* Is the last step of a prefix one that only stands in texts? */
static int is_inner(PyObject *prefix)
{
    char tag[LONGEST_NAME + 1];
    Text text = text_of(prefix);
    Py_ssize_t start = PyUnicode_FindChar(prefix, '>', 0, text.length, -1) + 1, length = 0;
    for (Py_ssize_t i = start; i < text.length && at(&text, i) != '.'; i++) {
        if (length >= LONGEST_NAME || at(&text, i) > 127)
            return 0;
        tag[length++] = (char)at(&text, i);
    }
    return number_of(&known_places.inner, tag, length) >= 0;
}

static int number_prefix(PathTree *tree, PyObject *prefix, int32_t parent)
{
    PyObject *number = PyLong_FromSsize_t(tree->count);
    int done = number && !PyDict_SetItem(tree->numbers, prefix, number) && !PyList_Append(tree->prefixes, prefix);
    Py_XDECREF(number);
    tree->parents[tree->count] = parent;
    tree->may_contain[tree->count] = !is_inner(prefix);
    tree->count += done;
    return done;
}

/* The unknown prefixes of a path, the longest first: a new list; `known` is the number of the next. */
static PyObject *unknown_prefixes(const PathTree *tree, PyObject *path, int32_t *known)
{
    PyObject *unknown = PyList_New(0), *prefix = Py_NewRef(path), *number = NULL;
    while (unknown && prefix && !(number = PyDict_GetItemWithError(tree->numbers, prefix)) && !PyErr_Occurred()) {
        Py_ssize_t border = PyUnicode_FindChar(prefix, '>', 0, PyUnicode_GET_LENGTH(prefix), -1);
        if (PyList_Append(unknown, prefix))
            Py_CLEAR(unknown);
        Py_SETREF(prefix, PyUnicode_Substring(prefix, 0, border > 0 ? border : 0));
    }
    if (number)
        *known = (int32_t)PyLong_AsLong(number);
    else
        Py_CLEAR(unknown);
    Py_XDECREF(prefix);
    return unknown;
}

/* The number of a path, or of its longest prefix if there is no room for more; -1 with an error set. */
static int32_t number_path(PathTree *tree, PyObject *path)
{
    int32_t number = 0;
    PyObject *unknown = unknown_prefixes(tree, path, &number);
    if (!unknown)
        return -1;
    for (Py_ssize_t i = PyList_GET_SIZE(unknown) - 1; number >= 0 && i >= 0 && tree->count < tree->most; i--)
        number = number_prefix(tree, PyList_GET_ITEM(unknown, i), number) ? (int32_t)(tree->count - 1) : -1;
    Py_DECREF(unknown);
    return number;
}

#endif
