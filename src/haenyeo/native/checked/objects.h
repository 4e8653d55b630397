/* Lists that Python code may change while they are read: what is read is a copy. */
#ifndef HAENYEO_CHECKED_OBJECTS_H
#define HAENYEO_CHECKED_OBJECTS_H

#include "sizes.h"

/* The items of a list or tuple as a tuple of their own, a new reference; NULL with an error set. */
static inline PyObject *items_of(PyObject *sequence)
{
    if (PyTuple_CheckExact(sequence))
        return Py_NewRef(sequence);
    return PyList_Check(sequence) ? PyList_AsTuple(sequence) : PySequence_Tuple(sequence);
}

/* What a function without a result returns: None, or NULL if an error is set. */
static inline PyObject *none_unless_error(void)
{
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

/* Is this a string? Returns 0 with an error set that says what should have been one. */
static inline int is_string(PyObject *object, const char *what)
{
    if (object && PyUnicode_Check(object))
        return 1;
    if (!PyErr_Occurred())
        PyErr_Format(PyExc_TypeError, "%s must be a string", what);
    return 0;
}

#endif
