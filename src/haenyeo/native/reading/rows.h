/* Rows of numbers about the blocks of a page: sums by place, sums over neighbours, distances; as `read.page.tree` has them. */
#ifndef HAENYEO_READ_ROWS_H
#define HAENYEO_READ_ROWS_H

#include "../checked/sizes.h"
#include "../checked/views.h"

static PyObject *sums_by_place(PyObject *module, PyObject *arguments)
{
    PyObject *of_where, *of_values, *of_sums;
    Py_ssize_t rows, places;
    Views views = {0};
    VIEW(const Py_ssize_t) where;
    VIEW(const float) values;
    VIEW(float) sums;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOnnO", &of_where, &of_values, &rows, &places, &of_sums))
        return NULL;
    TAKE(&views, of_where, &where);
    TAKE(&views, of_values, &values);
    TAKE_TO_WRITE(&views, of_sums, &sums);
    int done = has_items(values.count, size_product(rows, where.count)) && has_items(sums.count, size_product(rows, places));
    for (Py_ssize_t i = 0; done && i < where.count; i++)
        if (!is_place(where.items[i], places)) {
            PyErr_SetString(PyExc_ValueError, "a block stands at a place that there is not");
            done = 0;
        }
    double *row_sums = done ? room_for(places, sizeof *row_sums) : NULL;
    for (Py_ssize_t row = 0; row_sums && row < rows; row++) {
        const float *own = values.items + row * where.count;
        memset(row_sums, 0, (size_t)places * sizeof *row_sums);
        for (Py_ssize_t i = 0; i < where.count; i++)
            row_sums[where.items[i]] += own[i];
        for (Py_ssize_t place = 0; place < places; place++)
            sums.items[row * places + place] = (float)row_sums[place];
    }
    PyMem_Free(row_sums);
    give_back(&views);
    return none_unless_error();
}

/* Fill in the sums over each block and `reach` blocks on either side; `until` has the sums up to each block. */
static void sum_window(const double *until, Py_ssize_t count, Py_ssize_t reach, float *sums)
{
    for (Py_ssize_t i = 0; i < count; i++) {
        Py_ssize_t before = i > reach ? i - reach : 0, behind = reach < count - 1 - i ? i + reach + 1 : count;
        sums[i] = (float)(until[behind] - until[before]);
    }
}

static PyObject *windows(PyObject *module, PyObject *arguments)
{
    PyObject *of_values, *of_reaches, *of_sums;
    Py_ssize_t rows;
    Views views = {0};
    VIEW(const float) values;
    VIEW(const Py_ssize_t) reaches;
    VIEW(float) sums;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OnOO", &of_values, &rows, &of_reaches, &of_sums))
        return NULL;
    TAKE(&views, of_values, &values);
    TAKE(&views, of_reaches, &reaches);
    TAKE_TO_WRITE(&views, of_sums, &sums);
    Py_ssize_t count = rows > 0 ? values.count / rows : 0;
    int done = has_items(values.count, size_product(rows, count)) && has_items(sums.count, size_product(reaches.count, values.count));
    for (Py_ssize_t i = 0; done && i < reaches.count; i++)
        if (reaches.items[i] < 0) {
            PyErr_SetString(PyExc_ValueError, "a window reaches in both directions");
            done = 0;
        }
    double *until = done ? room_for(count + 1, sizeof *until) : NULL;
    for (Py_ssize_t row = 0; until && row < rows; row++) {
        until[0] = 0;
        for (Py_ssize_t i = 0; i < count; i++)
            until[i + 1] = until[i] + values.items[row * count + i];
        for (Py_ssize_t reach = 0; reach < reaches.count; reach++)
            sum_window(until, count, reaches.items[reach], sums.items + (reach * rows + row) * count);
    }
    PyMem_Free(until);
    give_back(&views);
    return none_unless_error();
}

static PyObject *distances(PyObject *module, PyObject *arguments)
{
    PyObject *of_marked, *of_steps;
    double limit;
    Views views = {0};
    VIEW(const uint8_t) marked;
    VIEW(float) steps;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OdO", &of_marked, &limit, &of_steps))
        return NULL;
    TAKE(&views, of_marked, &marked);
    TAKE_TO_WRITE(&views, of_steps, &steps);
    if (has_items(steps.count, size_product(2, marked.count))) {
        float far = (float)limit, since = far;
        for (Py_ssize_t i = 0; i < marked.count; i++) {
            since = marked.items[i] ? 0 : since + 1 < far ? since + 1 : far;
            steps.items[i] = since;
        }
        since = far;
        for (Py_ssize_t i = marked.count; i-- > 0;) {
            since = marked.items[i] ? 0 : since + 1 < far ? since + 1 : far;
            steps.items[marked.count + i] = since;
        }
    }
    give_back(&views);
    return none_unless_error();
}

#endif
