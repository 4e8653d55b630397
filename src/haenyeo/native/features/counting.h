/* How often does each word of a page occur? */
#ifndef HAENYEO_FEATURE_COUNTING_H
#define HAENYEO_FEATURE_COUNTING_H

#include "links.h"

#define LONGEST_PAGE 1250 /* words */
#define PAGE_ROOM (8 * LONGEST_PAGE) /* characters */
#define TITLE_ROOM 1000
#define IN_TITLE 0x2AAAA /* turns a word's place into that of the same word in a title */
#define COUNT_SLOTS 4096 /* for up to LONGEST_PAGE words and those of a title */

typedef struct {
    Ids ids, counts;
    int16_t slots[COUNT_SLOTS]; /* 1 + the place among the ids */
} Counts;

static void count_word(Counts *counts, int32_t id, int32_t times)
{
    uint32_t slot = (uint32_t)id * 2654435761u >> 20;
    while (counts->slots[slot] && counts->ids.items[counts->slots[slot] - 1] != id)
        slot = (slot + 1) % COUNT_SLOTS;
    if (!counts->slots[slot]) {
        add_id(&counts->ids, id);
        add_id(&counts->counts, 0);
        if (counts->ids.failed || counts->counts.failed)
            return;
        counts->slots[slot] = (int16_t)counts->ids.count;
    }
    counts->counts.items[counts->slots[slot] - 1] += times;
}

/* Count the words of the title twice, then those of the text; how many different ones the title has, -1 if it failed. */
static Py_ssize_t count_words(Counts *counts, PyObject *title, PyObject *text)
{
    Ids ids = {0};
    Text room = {0};
    Py_ssize_t titled = -1;
    if (add_words_of(&ids, title, 0, smaller(PyUnicode_GET_LENGTH(title), TITLE_ROOM), &room) == 0) {
        for (Py_ssize_t i = 0; i < ids.count; i++)
            count_word(counts, ids.items[i], 2);
        titled = counts->ids.count;
        ids.count = 0;
        if (add_words_up_to(&ids, text, 0, smaller(PyUnicode_GET_LENGTH(text), PAGE_ROOM), &room, LONGEST_PAGE) < 0)
            titled = -1;
        for (Py_ssize_t i = 0; titled >= 0 && i < ids.count && i < LONGEST_PAGE; i++)
            count_word(counts, ids.items[i], 1);
    }
    if (ids.failed || counts->ids.failed || counts->counts.failed) {
        PyErr_NoMemory();
        titled = -1;
    }
    PyMem_Free(ids.items);
    PyMem_Free(room.codes);
    return titled;
}

/* The places of the words and then those of the title's words in a title, as bytes. */
static PyObject *places_of(const Counts *counts, Py_ssize_t titled)
{
    Py_ssize_t count = counts->ids.count;
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (count + titled) * (Py_ssize_t)sizeof(int32_t));
    if (bytes) {
        int32_t *places = (int32_t *)PyBytes_AS_STRING(bytes);
        for (Py_ssize_t i = 0; i < count + titled; i++)
            places[i] = i < count ? counts->ids.items[i] : counts->ids.items[i - count] ^ IN_TITLE;
    }
    return bytes;
}

/* The weights of the same: 1 for a word that occurs once, and for those in a title. */
static PyObject *weights_of(const Counts *counts, Py_ssize_t titled)
{
    Py_ssize_t count = counts->ids.count;
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (count + titled) * (Py_ssize_t)sizeof(float));
    if (bytes) {
        float *weights = (float *)PyBytes_AS_STRING(bytes);
        for (Py_ssize_t i = 0; i < count + titled; i++)
            weights[i] = i < count && counts->counts.items[i] > 1 ? (float)(1 + log(counts->counts.items[i])) : 1;
    }
    return bytes;
}

#endif
