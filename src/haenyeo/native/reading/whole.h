/* What the kind of a page shows in, beside its blocks one by one; the same as `read.page.kinds` says in Python. */
#ifndef HAENYEO_READ_WHOLE_H
#define HAENYEO_READ_WHOLE_H

#include <math.h>

#include "../checked/sizes.h"
#include "../checked/views.h"

/* How many numbers there are beside the shares of the places. */
#define NUMBERS_OF_PAGE 6

static int compare_floats(const void *one, const void *other)
{
    float first = *(const float *)one, second = *(const float *)other;
    return first < second ? -1 : first > second;
}

/* The value below which a share of all lies; between two values a part of the way. */
static float at_share(const float *in_order, Py_ssize_t count, double share)
{
    double place = (double)(count - 1) * share;
    Py_ssize_t before = (Py_ssize_t)place, behind = before + 1 < count ? before + 1 : count - 1;
    double low = in_order[before], high = in_order[behind];
    return (float)(low + (high - low) * (place - (double)before));
}

/* Of all characters of the page, how many stand within each of the first elements, and near each of the names behind them. */
static void share_places(const float *places, Py_ssize_t tags, Py_ssize_t rows, const float *characters, Py_ssize_t size, float far, float *shares)
{
    double all = 1;
    for (Py_ssize_t i = 0; i < size; i++)
        all += characters[i];
    for (Py_ssize_t row = 0; row < rows; row++, places += size) {
        double sum = 0;
        for (Py_ssize_t i = 0; i < size; i++)
            sum += row < tags ? places[i] * characters[i] : places[i] < far ? characters[i] : 0;
        shares[row] = (float)(sum / all);
    }
}

static void number_page(const float *characters, const float *links, const float *sentences, const float *in_order, Py_ssize_t size, float *to)
{
    double ended = 0, linked = 0;
    Py_ssize_t paragraphs = 0, lines = 0;
    for (Py_ssize_t i = 0; i < size; i++) {
        ended += sentences[i];
        linked += links[i];
        paragraphs += characters[i] > 200;
        lines += characters[i] < 40 && links[i] < 0.5f;
    }
    to[0] = (float)log1p(ended);
    to[1] = (float)paragraphs;
    to[2] = (float)((double)lines / (double)size);
    to[3] = at_share(in_order, size, 0.5);
    to[4] = at_share(in_order, size, 0.9);
    to[5] = (float)(linked / (double)size);
}

static PyObject *page_numbers(PyObject *module, PyObject *arguments)
{
    PyObject *of_places, *of_characters, *of_links, *of_sentences, *of_numbers;
    Py_ssize_t tags, rows;
    double far;
    Views views = {0};
    VIEW(const float) places, characters, links, sentences;
    VIEW(float) numbers;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O(nn)dOOOO", &of_places, &tags, &rows, &far, &of_characters, &of_links, &of_sentences, &of_numbers))
        return NULL;
    TAKE(&views, of_places, &places);
    TAKE(&views, of_characters, &characters);
    TAKE(&views, of_links, &links);
    TAKE(&views, of_sentences, &sentences);
    TAKE_TO_WRITE(&views, of_numbers, &numbers);
    Py_ssize_t size = characters.count, least_cells = size_product(rows, size);
    int done = has_items(links.count, size) && has_items(sentences.count, size) && has_items(numbers.count, size_sum(rows, NUMBERS_OF_PAGE));
    if (done && (!size || least_cells < 0 || places.count < least_cells)) {
        PyErr_SetString(PyExc_ValueError, "a page has blocks, and each has a place");
        done = 0;
    }
    float *in_order = done ? room_for(size, sizeof *in_order) : NULL;
    if (in_order) {
        memcpy(in_order, characters.items, (size_t)size * sizeof *in_order);
        qsort(in_order, (size_t)size, sizeof *in_order, compare_floats);
        share_places(places.items, tags, rows, characters.items, size, (float)far, numbers.items);
        number_page(characters.items, links.items, sentences.items, in_order, size, numbers.items + rows);
    }
    PyMem_Free(in_order);
    give_back(&views);
    return none_unless_error();
}

#endif
