/* Attributes of values of one type, read where they stand: to look a name up in a type takes longer than all else that is
   done with a block or a link. */
#ifndef HAENYEO_CHECKED_FIELDS_H
#define HAENYEO_CHECKED_FIELDS_H

#include "objects.h"
#include <structmember.h>

/* Where values of a type have an attribute; 0 if it must be asked for. The type is owned, so that no other takes its place. */
typedef struct {
    PyTypeObject *type;
    Py_ssize_t offset;
} Field;

/* Where all values of a type have an attribute as a slot of their own; 0 if they do not. */
static inline Py_ssize_t offset_in(PyTypeObject *type, PyObject *name)
{
    Py_ssize_t offset = 0;
    if (type->tp_getattro != PyObject_GenericGetAttr)
        return 0;
    PyObject *found = PyObject_GetAttr((PyObject *)type, name);
    if (!found)
        PyErr_Clear();
    else if (Py_IS_TYPE(found, &PyMemberDescr_Type) && PyType_IsSubtype(type, PyDescr_TYPE(found))) {
        const PyMemberDef *member = ((PyMemberDescrObject *)found)->d_member;
        int is_inside = member->offset >= (Py_ssize_t)sizeof(PyObject) && member->offset <= type->tp_basicsize - (Py_ssize_t)sizeof(PyObject *);
        offset = member->type == T_OBJECT_EX && is_inside ? member->offset : 0;
    }
    Py_XDECREF(found);
    return offset;
}

/* An attribute of a value, a new reference; NULL with an error set. `field` is what is known of it from the values before. */
static inline PyObject *field_of(PyObject *object, PyObject *name, Field *field)
{
    if (Py_TYPE(object) != field->type) {
        if (PyErr_Occurred())
            return NULL;
        PyTypeObject *type = Py_TYPE(object), *before = field->type;
        Py_INCREF(type);
        *field = (Field){type, offset_in(type, name)};
        Py_XDECREF(before);
    }
    PyObject *value = field->offset ? *(PyObject **)((char *)object + field->offset) : NULL;
    return value ? Py_NewRef(value) : PyObject_GetAttr(object, name);
}

#endif
