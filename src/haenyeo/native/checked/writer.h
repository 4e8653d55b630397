/* Bytes that are written one behind the other into room of a size that was foreseen, and never past it. */
#ifndef HAENYEO_CHECKED_WRITER_H
#define HAENYEO_CHECKED_WRITER_H

#include "sizes.h"

typedef struct {
    char *at;
    const char *end;
    int is_full; /* something did not fit and was left out */
} Writer;

static inline void put(Writer *to, const char *data, Py_ssize_t size)
{
    if (size < 0 || size > to->end - to->at) {
        to->is_full = 1;
        return;
    }
    copy_bytes(to->at, data, size);
    to->at += size;
}

static inline void put_text(Writer *to, const char *text)
{
    put(to, text, (Py_ssize_t)strlen(text));
}

#endif
