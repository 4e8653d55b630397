/* What an address says about the page behind it: what `addresses.py` does. */
#ifndef HAENYEO_FEATURE_ADDRESSES_H
#define HAENYEO_FEATURE_ADDRESSES_H

#include "links.h"

#define MOST_STEPS 16 /* folders that are looked at */

typedef struct {
    const Py_UCS4 *codes;
    Py_ssize_t length;
} Step;

typedef struct {
    PyObject *host; /* in lower case */
    Text path;      /* in lower case, without escapes, digits as zeros */
    Step steps[MOST_STEPS];
    Py_ssize_t count;
    int is_folder;
} Way;

static int is_letter(Py_UCS4 code)
{
    return Py_UNICODE_ISALNUM(code) && !Py_UNICODE_ISDECIMAL(code);
}

static void cut_steps(Way *way)
{
    const Text *path = &way->path;
    way->count = 0;
    way->is_folder = path->count > 0 && path->codes[path->count - 1] == '/';
    for (Py_ssize_t i = 0; i < path->count && way->count < MOST_STEPS;) {
        Py_ssize_t start = i;
        while (i < path->count && path->codes[i] != '/')
            i++;
        if (i > start)
            way->steps[way->count++] = (Step){path->codes + start, i - start};
        i++;
    }
}

static uint32_t start_of(const Way *way, const char *kind)
{
    uint32_t crc = crc_ascii(CRC_START, kind);
    return crc_string(crc, way->host, 0, PyUnicode_GET_LENGTH(way->host));
}

/* A step with letters as one a and four zeros as one. */
static uint32_t crc_shape(uint32_t crc, Step step)
{
    for (Py_ssize_t i = 0; i < step.length;) {
        Py_ssize_t start = i;
        Py_UCS4 code = step.codes[i];
        if (is_letter(code)) {
            while (i < step.length && is_letter(step.codes[i]))
                i++;
            crc = crc_byte(crc, 'a');
        } else if (code == '0') {
            while (i < step.length && step.codes[i] == '0')
                i++;
            for (Py_ssize_t zeros = (i - start + 3) / 4; zeros; zeros--)
                crc = crc_byte(crc, '0');
        } else {
            crc = crc_code(crc, code);
            i++;
        }
    }
    return crc;
}

static void add_parts(Ids *ids, Py_ssize_t first, Step step)
{
    for (Py_ssize_t i = 0; i < step.length;) {
        Py_ssize_t start = i;
        if (is_letter(step.codes[i]))
            while (i < step.length && is_letter(step.codes[i]))
                i++;
        else
            while (i < step.length && step.codes[i] == '0')
                i++;
        if (i > start)
            add_new_id(ids, first, place(crc_codes(crc_byte(CRC_START, '/'), step.codes + start, i - start)));
        else
            i++;
    }
}

static int32_t kind_of_file(const Way *way)
{
    uint32_t crc = crc_ascii(CRC_START, "/kind ");
    if (!way->count)
        return place(crc);
    Step last = way->steps[way->count - 1];
    for (Py_ssize_t dot = last.length; dot > 0; dot--)
        if (last.codes[dot - 1] == '.')
            return place(crc_codes(crc, last.codes + dot, last.length - dot));
    return place(crc);
}

static void add_address(Ids *ids, Way *way)
{
    Py_ssize_t first = ids->count;
    cut_steps(way);
    Py_ssize_t folders = way->is_folder || !way->count ? way->count : way->count - 1;
    uint32_t folder = crc_byte(start_of(way, "/folder "), '/'), top = crc_byte(start_of(way, "/top "), '/');
    uint32_t shape = crc_ascii(CRC_START, "/shape ");
    for (Py_ssize_t s = 0; s < way->count; s++) {
        if (s < folders)
            folder = crc_codes(s ? crc_byte(folder, '/') : folder, way->steps[s].codes, way->steps[s].length);
        shape = crc_shape(s ? crc_byte(shape, '/') : shape, way->steps[s]);
    }
    if (way->count > 1)
        top = crc_codes(top, way->steps[0].codes, way->steps[0].length);
    add_id(ids, place(start_of(way, "/host ")));
    add_new_id(ids, first, place(folder));
    add_new_id(ids, first, place(top));
    add_new_id(ids, first, place(crc_number(crc_ascii(CRC_START, "/depth "), way->count)));
    add_new_id(ids, first, place(crc_ascii(shape, way->is_folder ? "True" : "False")));
    add_new_id(ids, first, kind_of_file(way));
    for (Py_ssize_t s = 0; s < way->count; s++) {
        uint32_t step = crc_ascii(CRC_START, "/step ");
        add_new_id(ids, first, place(crc_codes(step, way->steps[s].codes, way->steps[s].length)));
        add_parts(ids, first, way->steps[s]);
    }
    forget_marks(ids, first);
}

#endif
