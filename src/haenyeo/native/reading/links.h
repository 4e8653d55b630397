/* Which blocks are links, may they be bars or menus, and how long are texts? As `read.page.signposts`, `read.site.menus` and
   `read.site.kinds` say in Python. */
#ifndef HAENYEO_READING_LINKS_H
#define HAENYEO_READING_LINKS_H

#include "../checked/fields.h"
#include "texts.h"

typedef struct {
    PyObject *text; /* owned */
    Py_ssize_t linked;
} LinkedBlock;

/* Have how much of a block is linked and, if anything is, its text; returns 0 with an error set. */
static int take_linked(PyObject *block, LinkedBlock *to)
{
    static PyObject *name;
    static Field linked, text;
    *to = (LinkedBlock){NULL, 0};
    if (!name && !(name = PyUnicode_InternFromString("linked")))
        return 0;
    PyObject *number = field_of(block, name, &linked);
    to->linked = number ? PyLong_AsSsize_t(number) : -1;
    Py_XDECREF(number);
    if (PyErr_Occurred())
        return 0;
    if (!to->linked)
        return 1;
    to->text = field_of(block, names.text, &text);
    if (to->text && is_string(to->text, "a text"))
        return 1;
    Py_CLEAR(to->text);
    return 0;
}

/* Does a string have this code point? -1 with an error set. */
static int has_code(PyObject *string, Py_UCS4 code)
{
    Py_ssize_t at = PyUnicode_FindChar(string, code, 0, PyUnicode_GET_LENGTH(string), 1);
    return at < -1 ? -1 : at >= 0;
}

/* Is this text one of some, or does it begin or end with one of these letters? -1 with an error set. */
static int may_be_way(PyObject *text, PyObject *ways, Py_ssize_t longest, PyObject *first, PyObject *last)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    int may = length ? has_code(first, PyUnicode_READ_CHAR(text, 0)) : 0;
    if (may == 0 && length)
        may = has_code(last, PyUnicode_READ_CHAR(text, length - 1));
    return may || length > longest ? may : PySet_Contains(ways, text);
}

static PyObject *perhaps_ways(PyObject *module, PyObject *arguments)
{
    PyObject *given, *ways, *first, *last;
    Py_ssize_t longest;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OO!nUU", &given, &PyFrozenSet_Type, &ways, &longest, &first, &last))
        return NULL;
    PyObject *blocks = items_of(given), *found = blocks ? PyList_New(0) : NULL;
    for (Py_ssize_t i = 0; found && i < PyTuple_GET_SIZE(blocks); i++) {
        LinkedBlock block;
        int may = take_linked(PyTuple_GET_ITEM(blocks, i), &block) ? 0 : -1;
        if (block.text)
            may = may_be_way(block.text, ways, longest, first, last);
        Py_XDECREF(block.text);
        PyObject *number = may > 0 ? PyLong_FromSsize_t(i) : NULL;
        if (may < 0 || (may && (!number || PyList_Append(found, number) < 0)))
            Py_CLEAR(found);
        Py_XDECREF(number);
    }
    Py_XDECREF(blocks);
    return found;
}

static PyObject *has_link_run(PyObject *module, PyObject *arguments)
{
    PyObject *given, *of_numbers;
    Py_ssize_t wanted, run = 0;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OO!n", &given, &PyList_Type, &of_numbers, &wanted))
        return NULL;
    PyObject *blocks = items_of(given), *numbers = blocks ? items_of(of_numbers) : NULL;
    for (Py_ssize_t i = 0; numbers && run < wanted && i < PyTuple_GET_SIZE(numbers); i++) {
        Py_ssize_t number = PyLong_AsSsize_t(PyTuple_GET_ITEM(numbers, i));
        LinkedBlock block = {NULL, 0};
        if (!PyErr_Occurred() && !is_place(number, PyTuple_GET_SIZE(blocks)))
            PyErr_SetString(PyExc_ValueError, "there is no block of this number");
        if (PyErr_Occurred() || !take_linked(PyTuple_GET_ITEM(blocks, number), &block))
            Py_CLEAR(numbers);
        run = block.text && block.linked > PyUnicode_GET_LENGTH(block.text) / 2 ? run + 1 : 0;
        Py_XDECREF(block.text);
    }
    int is_found = numbers && run >= wanted;
    Py_XDECREF(numbers);
    Py_XDECREF(blocks);
    return PyErr_Occurred() ? NULL : PyBool_FromLong(is_found);
}

static Py_ssize_t count_blanks(PyObject *text)
{
    const void *data = PyUnicode_DATA(text);
    Py_ssize_t size = PyUnicode_GET_LENGTH(text), found = 0;
    if (PyUnicode_KIND(text) == PyUnicode_1BYTE_KIND)
        for (Py_ssize_t i = 0; i < size; i++)
            found += ((const Py_UCS1 *)data)[i] == ' ';
    else if (PyUnicode_KIND(text) == PyUnicode_2BYTE_KIND)
        for (Py_ssize_t i = 0; i < size; i++)
            found += ((const Py_UCS2 *)data)[i] == ' ';
    else
        for (Py_ssize_t i = 0; i < size; i++)
            found += ((const Py_UCS4 *)data)[i] == ' ';
    return found;
}

/* How long texts are together. */
typedef struct {
    Py_ssize_t letters, blanks, linked;
} TextSizes;

/* Count a block; returns 0 with an error set. */
static int add_sizes(TextSizes *sizes, PyObject *block)
{
    static PyObject *name;
    static Field linked, of_text;
    if (!name && !(name = PyUnicode_InternFromString("linked")))
        return 0;
    PyObject *text = field_of(block, names.text, &of_text), *number = text ? field_of(block, name, &linked) : NULL;
    Py_ssize_t count = number ? PyLong_AsSsize_t(number) : -1;
    if (!PyErr_Occurred() && is_string(text, "a text")) {
        sizes->letters = size_sum(sizes->letters, PyUnicode_GET_LENGTH(text));
        sizes->blanks = size_sum(sizes->blanks, count_blanks(text));
        sizes->linked = size_sum(sizes->linked, count);
        if (sizes->letters < 0 || sizes->blanks < 0 || sizes->linked < 0)
            PyErr_SetString(PyExc_OverflowError, "texts are longer than there can be");
    }
    Py_XDECREF(number);
    Py_XDECREF(text);
    return !PyErr_Occurred();
}

static PyObject *text_sizes(PyObject *module, PyObject *arguments)
{
    PyObject *given, *of_numbers;
    TextSizes sizes = {0, 0, 0};
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OO!", &given, &PyList_Type, &of_numbers))
        return NULL;
    PyObject *blocks = items_of(given), *numbers = blocks ? items_of(of_numbers) : NULL;
    int done = numbers != NULL;
    for (Py_ssize_t i = 0; done && i < PyTuple_GET_SIZE(numbers); i++) {
        Py_ssize_t number = PyLong_AsSsize_t(PyTuple_GET_ITEM(numbers, i));
        if (!PyErr_Occurred() && !is_place(number, PyTuple_GET_SIZE(blocks)))
            PyErr_SetString(PyExc_ValueError, "there is no block of this number");
        done = !PyErr_Occurred() && add_sizes(&sizes, PyTuple_GET_ITEM(blocks, number));
    }
    Py_XDECREF(numbers);
    Py_XDECREF(blocks);
    return done ? Py_BuildValue("nnn", sizes.letters, sizes.blanks, sizes.linked) : NULL;
}

#endif
