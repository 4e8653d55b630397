/* How often does a page have a sign? Looked for by the rarest of its bytes, which the C library finds many at a time. */
#ifndef HAENYEO_SCANNER_SIGNS_H
#define HAENYEO_SCANNER_SIGNS_H

#include "../checked/sizes.h"

typedef struct {
    const char *bytes;
    Py_ssize_t length, rare; /* which of the bytes is rare */
} Sign;

/* Where the sign stands first from `at` up to `end`, NULL if it does not. */
static const char *next_sign(const Sign *sign, const char *at, const char *end)
{
    while (end - at >= sign->length) {
        const char *rare = memchr(at + sign->rare, sign->bytes[sign->rare], (size_t)(end - at - sign->length + 1));
        if (!rare)
            return NULL;
        at = rare - sign->rare;
        if (!memcmp(at, sign->bytes, (size_t)sign->length))
            return at;
        at++;
    }
    return NULL;
}

/* What stands behind the first signs, so many bytes at most; NULL with an error set. */
static PyObject *pieces_behind(const Sign *sign, const char *at, const char *end, Py_ssize_t most, Py_ssize_t length)
{
    PyObject *found = PyList_New(0);
    while (found && PyList_GET_SIZE(found) < most && (at = next_sign(sign, at, end))) {
        at += sign->length;
        PyObject *piece = PyBytes_FromStringAndSize(at, end - at < length ? end - at : length);
        if (!piece || PyList_Append(found, piece))
            Py_CLEAR(found);
        Py_XDECREF(piece);
    }
    return found;
}

static Py_ssize_t count_of(const Sign *sign, const char *at, const char *end, Py_ssize_t most)
{
    Py_ssize_t found = 0;
    while (found < most && (at = next_sign(sign, at, end))) {
        found++;
        at += sign->length;
    }
    return found;
}

#endif
