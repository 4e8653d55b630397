/* How paths hang together: all their prefixes, numbered; the same as `read.page.tree` finds in Python. */
#ifndef HAENYEO_READ_TREE_H
#define HAENYEO_READ_TREE_H

#include "places.h"

typedef struct {
    PyObject *numbers, *prefixes; /* {prefix: number}, and the prefixes in order; owned */
    VIEW(int32_t) parents;
    VIEW(uint8_t) may_contain;
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

/* There must be room for it; returns 0 with an error set. */
static int number_prefix(PathTree *tree, PyObject *prefix, int32_t parent)
{
    PyObject *number = PyLong_FromSsize_t(tree->count);
    int done = number && !PyDict_SetItem(tree->numbers, prefix, number) && !PyList_Append(tree->prefixes, prefix);
    Py_XDECREF(number);
    if (done) {
        tree->parents.items[tree->count] = parent;
        tree->may_contain.items[tree->count++] = !is_inner(prefix);
    }
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

/* Where paths end among their prefixes, and what is around each prefix. */
typedef struct {
    VIEW(const int32_t) ends;
    VIEW(const int32_t) parents;
} Ways;

static int are_numbers(const int32_t *numbers, Py_ssize_t count, Py_ssize_t below)
{
    for (Py_ssize_t i = 0; i < count; i++)
        if (numbers[i] < 0 || numbers[i] >= below)
            return 0;
    return 1;
}

/* Parents come before what is in them, so every way ends at the first prefix. */
static int are_parents(const int32_t *parents, Py_ssize_t count)
{
    for (Py_ssize_t i = 1; i < count; i++)
        if (parents[i] < 0 || parents[i] >= i)
            return 0;
    return count > 0;
}

/* Take the ways of paths; returns 0 with an error set if a number leads to no prefix. */
static int take_ways(Views *views, PyObject *ends, PyObject *parents, Ways *ways)
{
    TAKE(views, ends, &ways->ends);
    TAKE(views, parents, &ways->parents);
    if (PyErr_Occurred())
        return 0;
    if (are_parents(ways->parents.items, ways->parents.count) && are_numbers(ways->ends.items, ways->ends.count, ways->parents.count))
        return 1;
    PyErr_SetString(PyExc_ValueError, "a number leads to no prefix");
    return 0;
}

/* The prefixes nearest above the end of each path, a row for each level, and how deep each prefix is. */
static void fill_rows(const Ways *ways, Py_ssize_t levels, Py_ssize_t *up, float *depth)
{
    depth[0] = 0;
    for (Py_ssize_t i = 1; i < ways->parents.count; i++)
        depth[i] = depth[ways->parents.items[i]] + 1;
    for (Py_ssize_t path = 0; path < ways->ends.count; path++) {
        int32_t prefix = ways->ends.items[path];
        for (Py_ssize_t level = 0; level < levels; level++) {
            up[level * ways->ends.count + path] = prefix;
            prefix = prefix ? ways->parents.items[prefix] : 0;
        }
    }
}

/* The sums of values of paths for each prefix that they lead through. */
static void sum_up(const Ways *ways, const float *values, double *sums)
{
    Py_ssize_t prefixes = ways->parents.count;
    memset(sums, 0, (size_t)prefixes * sizeof *sums);
    for (Py_ssize_t path = 0; path < ways->ends.count; path++)
        sums[ways->ends.items[path]] += values[path];
    for (Py_ssize_t i = prefixes - 1; i > 0; i--)
        sums[ways->parents.items[i]] += sums[i];
}

/* How many steps each prefix has in common with one of them; `steps` has a zero for each. */
static void share_steps(const Ways *ways, int32_t with, float *steps)
{
    for (int32_t prefix = with; prefix; prefix = ways->parents.items[prefix])
        steps[prefix] = 1;
    for (Py_ssize_t i = 1; i < ways->parents.count; i++)
        steps[i] += steps[ways->parents.items[i]];
}

#endif
