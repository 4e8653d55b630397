/* Which blocks stand at some of all places? As `html.blocks` says in Python. */
#ifndef HAENYEO_SCANNER_AT_PLACES_H
#define HAENYEO_SCANNER_AT_PLACES_H

#include "../checked/fields.h"

/* Is this path one of the wanted ones, as far as `known` says, else by asking? -1 with an error set. */
static int is_wanted_path(PyObject *path, PyObject *known, PyObject *ask)
{
    PyObject *answer = PyDict_GetItemWithError(known, path);
    if (!answer && PyErr_Occurred())
        return -1;
    answer = answer ? Py_NewRef(answer) : PyObject_CallOneArg(ask, path);
    int is = answer ? PyObject_IsTrue(answer) : -1;
    Py_XDECREF(answer);
    return is;
}

static int append_number(PyObject *list, Py_ssize_t number)
{
    PyObject *object = PyLong_FromSsize_t(number);
    int result = object ? PyList_Append(list, object) : -1;
    Py_XDECREF(object);
    return result;
}

static PyObject *numbers_at(PyObject *module, PyObject *arguments)
{
    static PyObject *name;
    static Field paths;
    PyObject *given, *known, *ask, *last = NULL;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OO!O", &given, &PyDict_Type, &known, &ask) || (!name && !(name = PyUnicode_InternFromString("path"))))
        return NULL;
    PyObject *blocks = items_of(given), *found = blocks ? PyList_New(0) : NULL;
    int is = 0;
    for (Py_ssize_t i = 0; found && i < PyTuple_GET_SIZE(blocks); i++) {
        PyObject *path = field_of(PyTuple_GET_ITEM(blocks, i), name, &paths);
        if (path && path != last) /* neighbours often stand at one place */
            is = is_wanted_path(path, known, ask);
        Py_XSETREF(last, path);
        if (!path || is < 0 || (is && append_number(found, i) < 0))
            Py_CLEAR(found);
    }
    Py_XDECREF(last);
    Py_XDECREF(blocks);
    return found;
}

#endif
