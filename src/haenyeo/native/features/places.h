/* Features as places of the table: the CRC-32 of a feature's UTF-8, as zlib has it, modulo the size of the table. */
#ifndef HAENYEO_FEATURE_PLACES_H
#define HAENYEO_FEATURE_PLACES_H

#include <math.h>

#include "../checked/growing.h"
#include "../checked/objects.h"
#include "../checked/views.h"

#define TABLE (1 << 18)
#define CRC_START 0xFFFFFFFFu

static uint32_t crc_steps[256];

static void fill_crc_steps(void)
{
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t crc = byte;
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
        crc_steps[byte] = crc;
    }
}

static inline uint32_t crc_byte(uint32_t crc, uint32_t byte)
{
    return crc_steps[(crc ^ byte) & 0xFF] ^ crc >> 8;
}

static inline uint32_t crc_code(uint32_t crc, uint32_t code)
{
    if (code < 0x80)
        return crc_byte(crc, code);
    if (code < 0x800)
        crc = crc_byte(crc, 0xC0 | code >> 6);
    else {
        if (code < 0x10000)
            crc = crc_byte(crc, 0xE0 | code >> 12);
        else {
            crc = crc_byte(crc, 0xF0 | code >> 18);
            crc = crc_byte(crc, 0x80 | (code >> 12 & 0x3F));
        }
        crc = crc_byte(crc, 0x80 | (code >> 6 & 0x3F));
    }
    return crc_byte(crc, 0x80 | (code & 0x3F));
}

static uint32_t crc_ascii(uint32_t crc, const char *text)
{
    while (*text)
        crc = crc_byte(crc, (uint8_t)*text++);
    return crc;
}

static uint32_t crc_number(uint32_t crc, Py_ssize_t number)
{
    char digits[24];
    PyOS_snprintf(digits, sizeof digits, "%zd", number);
    return crc_ascii(crc, digits);
}

static uint32_t crc_codes(uint32_t crc, const Py_UCS4 *codes, Py_ssize_t count)
{
    for (Py_ssize_t i = 0; i < count; i++)
        crc = crc_code(crc, codes[i]);
    return crc;
}

static inline int32_t place(uint32_t crc)
{
    return (int32_t)((crc ^ 0xFFFFFFFFu) % (TABLE - 1)) + 1;
}

/* A list of numbers that grows; once there was no memory for more, it takes no more. There are no more than an int32 can
   count, for that is what says where lists end. */
typedef struct {
    int32_t *items;
    Py_ssize_t count, room;
    int failed;
} Ids;

static void add_id(Ids *ids, int32_t id)
{
    if (ids->count == ids->room) {
        Py_ssize_t more = ids->room ? 1 : 1024;
        int32_t *items = ids->count == INT32_MAX ? NULL : grown(ids->items, ids->count, &ids->room, more, sizeof *items);
        if (!items) {
            ids->failed = 1;
            return;
        }
        ids->items = items;
    }
    ids->items[ids->count++] = id;
}

#define FEW 32 /* ids, among which one is sooner looked for than marked */

static uint8_t marked[TABLE]; /* ids of a list that has many; all zero between calls */

/* Add an id unless it is among those from `first` on. When all were added, `forget_marks` must be called. */
static void add_new_id(Ids *ids, Py_ssize_t first, int32_t id)
{
    Py_ssize_t few = ids->count - first < FEW ? ids->count : first + FEW;
    for (Py_ssize_t i = first; i < few; i++)
        if (ids->items[i] == id)
            return;
    if (few - first == FEW && marked[id])
        return;
    Py_ssize_t count = ids->count;
    add_id(ids, id);
    marked[id] |= count - first >= FEW && ids->count > count;
}

static void forget_marks(const Ids *ids, Py_ssize_t first)
{
    for (Py_ssize_t i = first + FEW; i < ids->count; i++)
        marked[ids->items[i]] = 0;
}

static PyObject *as_bytes(const Ids *ids)
{
    if (ids->failed)
        return PyErr_NoMemory();
    return PyBytes_FromStringAndSize((const char *)ids->items, ids->count * (Py_ssize_t)sizeof *ids->items);
}

/* Code points of a text, in room that is used again for the next. */
typedef struct {
    Py_UCS4 *codes;
    Py_ssize_t count, room;
} Text;

static int make_room(Text *text, Py_ssize_t count)
{
    Py_UCS4 *codes = grown(text->codes, 0, &text->room, count, sizeof *codes);
    if (!codes) {
        PyErr_NoMemory();
        return -1;
    }
    text->codes = codes;
    return 0;
}

/* The code points from `start` up to `end` of a string. */
static int copy_text(Text *text, PyObject *string, Py_ssize_t start, Py_ssize_t end)
{
    text->count = 0;
    if (make_room(text, end - start) < 0)
        return -1;
    if (PyUnicode_KIND(string) == PyUnicode_1BYTE_KIND) {
        const Py_UCS1 *data = PyUnicode_1BYTE_DATA(string);
        for (Py_ssize_t i = start; i < end; i++)
            text->codes[text->count++] = data[i];
    } else {
        int kind = PyUnicode_KIND(string);
        const void *data = PyUnicode_DATA(string);
        for (Py_ssize_t i = start; i < end; i++)
            text->codes[text->count++] = PyUnicode_READ(kind, data, i);
    }
    return 0;
}

#endif
