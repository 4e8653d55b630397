/* haenyeo.native._weighing: what a page's words and links amount to, and all links that are known.
 *
 * The same as the Python code beside it does with arrays, one link after the other. Features come as lists end to end: the
 * row of a link has four kinds of them one behind the other, `ends` says where each kind ends; the row of an address has
 * one.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "buffers.h"
#include "sums.h"
#include "evidence.h"
#include "fitting.h"
#include "tables.h"
#include "mentions.h"

/* Features out of five arrays: flat and ends of links, flat and ends of addresses, targets. */
static Features features_of(Buffers *buffers, PyObject **arrays)
{
    Features features = {
        {taken(buffers, arrays[0], PyBUF_SIMPLE), taken(buffers, arrays[1], PyBUF_SIMPLE)},
        {taken(buffers, arrays[2], PyBUF_SIMPLE), taken(buffers, arrays[3], PyBUF_SIMPLE)},
        taken(buffers, arrays[4], PyBUF_SIMPLE),
    };
    return features;
}

static PyObject *weigh(PyObject *module, PyObject *arguments)
{
    PyObject *arrays[5], *word_table, *weight_table, *out;
    Py_ssize_t first, last;
    Buffers buffers = {0};
    (void)module;
    if (!PyArg_ParseTuple(arguments, "(OOOOO)OOnnO", &arrays[0], &arrays[1], &arrays[2], &arrays[3], &arrays[4], &word_table, &weight_table, &first, &last, &out))
        return NULL;
    Features features = features_of(&buffers, arrays);
    const Pair *words = taken(&buffers, word_table, PyBUF_SIMPLE), *weights = taken(&buffers, weight_table, PyBUF_SIMPLE);
    double *found = taken(&buffers, out, PyBUF_WRITABLE);
    for (Py_ssize_t row = first; found && row < last; row++)
        if (features.targets[row] >= 0)
            weigh_link(&features, row, words, weights, found + (row - first) * COLUMNS);
    give_back(&buffers);
    if (PyErr_Occurred())
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *fit_rows(PyObject *module, PyObject *arguments)
{
    PyObject *arrays[5], *row_numbers, *wanted, *weight_table, *results;
    Buffers buffers = {0};
    Fit fit = {0};
    int rounds;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "(OOOOO)OOOOiddd", &arrays[0], &arrays[1], &arrays[2], &arrays[3], &arrays[4], &row_numbers, &wanted, &weight_table, &results, &rounds, &fit.penalty, &fit.step, &fit.least_curvature))
        return NULL;
    Features features = features_of(&buffers, arrays);
    const int64_t *rows = taken(&buffers, row_numbers, PyBUF_SIMPLE);
    Py_ssize_t count = rows ? buffers.views[buffers.count - 1].len / (Py_ssize_t)sizeof *rows : 0;
    fit.wanted = taken(&buffers, wanted, PyBUF_SIMPLE);
    Pair *weights = taken(&buffers, weight_table, PyBUF_WRITABLE);
    fit.offsets = taken(&buffers, results, PyBUF_WRITABLE);
    if (!PyErr_Occurred()) {
        fit.shares = fit.wanted + 2 * count;
        fit.expected = fit.offsets + 2;
        run(&fit, &features, rows, count, rounds, weights);
    }
    give_back(&buffers);
    if (PyErr_Occurred())
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *add_evidence(PyObject *module, PyObject *arguments)
{
    PyObject *arrays[5], *source, *group, *described, *relevance, *followed, *words, *weights, *numbers, *sums, *links;
    Py_ssize_t first;
    Buffers buffers = {0};
    (void)module;
    if (!PyArg_ParseTuple(arguments, "(OOOOO)(OOOOO)(OOO)n" "OO", &arrays[0], &arrays[1], &arrays[2], &arrays[3], &arrays[4], &source, &group, &described, &relevance, &followed, &words, &weights, &numbers, &first, &sums, &links))
        return NULL;
    Known known = {.features = features_of(&buffers, arrays)};
    known.source = taken(&buffers, source, PyBUF_SIMPLE);
    Py_ssize_t last = known.source ? buffers.views[buffers.count - 1].len / (Py_ssize_t)sizeof *known.source : 0;
    known.group = taken(&buffers, group, PyBUF_SIMPLE);
    known.described = taken(&buffers, described, PyBUF_SIMPLE);
    known.relevance = taken(&buffers, relevance, PyBUF_SIMPLE);
    known.followed = taken(&buffers, followed, PyBUF_SIMPLE);
    Held held = {taken(&buffers, words, PyBUF_SIMPLE), taken(&buffers, weights, PyBUF_SIMPLE), taken(&buffers, numbers, PyBUF_SIMPLE)};
    double *to_sums = taken(&buffers, sums, PyBUF_WRITABLE);
    int64_t *to_links = taken(&buffers, links, PyBUF_WRITABLE);
    if (!PyErr_Occurred() && first >= 0 && first < last)
        add_evidence_of(&known, &held, first, last, to_sums, to_links);
    give_back(&buffers);
    if (PyErr_Occurred())
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *page_evidence(PyObject *module, PyObject *arguments)
{
    PyObject *all_sums, *all_links, *numbers, *out;
    double mean;
    Buffers buffers = {0};
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOOdO", &all_sums, &all_links, &numbers, &mean, &out))
        return NULL;
    const double *sums = taken(&buffers, all_sums, PyBUF_SIMPLE);
    const int64_t *links = taken(&buffers, all_links, PyBUF_SIMPLE), *pages = taken(&buffers, numbers, PyBUF_SIMPLE);
    Py_ssize_t count = pages ? buffers.views[buffers.count - 1].len / (Py_ssize_t)sizeof *pages : 0;
    double *evidence = taken(&buffers, out, PyBUF_WRITABLE);
    for (Py_ssize_t i = 0; evidence && i < count; i++)
        page_evidence_of(sums + EVIDENCE * pages[i], links[pages[i]], mean, evidence + EVIDENCE * i);
    give_back(&buffers);
    if (PyErr_Occurred())
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *add(PyObject *module, PyObject *arguments)
{
    PyObject *table, *places;
    float value;
    Buffers buffers = {0};
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOf", &table, &places, &value))
        return NULL;
    float *sums = taken(&buffers, table, PyBUF_WRITABLE);
    const int32_t *at = taken(&buffers, places, PyBUF_SIMPLE);
    if (at)
        add_to_table(sums, at, buffers.views[buffers.count - 1].len / (Py_ssize_t)sizeof *at, value);
    give_back(&buffers);
    if (PyErr_Occurred())
        return NULL;
    Py_RETURN_NONE;
}

/* A page out of three arrays: places and weights of its words, and the table that says how rare words are. */
static WordsOfPage words_of(Buffers *buffers, PyObject **arrays)
{
    WordsOfPage page = {.places = taken(buffers, arrays[0], PyBUF_SIMPLE)};
    page.count = page.places ? buffers->views[buffers->count - 1].len / (Py_ssize_t)sizeof *page.places : 0;
    page.weights = taken(buffers, arrays[1], PyBUF_SIMPLE);
    page.idf = taken(buffers, arrays[2], PyBUF_SIMPLE);
    return page;
}

static PyObject *match(PyObject *module, PyObject *arguments)
{
    PyObject *arrays[3], *direction;
    Buffers buffers = {0};
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOOO", &arrays[0], &arrays[1], &arrays[2], &direction))
        return NULL;
    WordsOfPage page = words_of(&buffers, arrays);
    const float *towards = taken(&buffers, direction, PyBUF_SIMPLE);
    double found = towards ? match_of(&page, towards) : 0;
    give_back(&buffers);
    return PyErr_Occurred() ? NULL : PyFloat_FromDouble(found);
}

static PyObject *add_vector(PyObject *module, PyObject *arguments)
{
    PyObject *arrays[3], *table;
    double share;
    Buffers buffers = {0};
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOOOd", &table, &arrays[0], &arrays[1], &arrays[2], &share))
        return NULL;
    float *sums = taken(&buffers, table, PyBUF_WRITABLE);
    WordsOfPage page = words_of(&buffers, arrays);
    if (!PyErr_Occurred())
        add_vector_to(sums, &page, share);
    give_back(&buffers);
    if (PyErr_Occurred())
        return NULL;
    Py_RETURN_NONE;
}

static Py_ssize_t items_of(const Buffers *buffers)
{
    return buffers->views[buffers->count - 1].len / (Py_ssize_t)sizeof(int64_t);
}

static PyObject *worth_describing(PyObject *module, PyObject *arguments)
{
    PyObject *numbers, *all_mentions, *relevances, *found = NULL;
    Py_ssize_t all_described, rarely;
    Buffers buffers = {0};
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOOnn", &numbers, &all_mentions, &relevances, &all_described, &rarely))
        return NULL;
    const int64_t *targets = taken(&buffers, numbers, PyBUF_SIMPLE), settings[] = {all_described, rarely};
    Py_ssize_t count = targets ? items_of(&buffers) : 0;
    int64_t *mentions = taken(&buffers, all_mentions, PyBUF_WRITABLE);
    const double *relevance = taken(&buffers, relevances, PyBUF_SIMPLE);
    int64_t *places = PyMem_Malloc((size_t)(2 * count + 1) * sizeof *places);
    if (!places)
        PyErr_NoMemory();
    if (!PyErr_Occurred()) {
        Py_ssize_t chosen = choose_places(targets, count, mentions, relevance, settings, places);
        count_mentions(targets, count, mentions, places + count);
        found = PyBytes_FromStringAndSize((const char *)places, chosen * (Py_ssize_t)sizeof *places);
    }
    PyMem_Free(places);
    give_back(&buffers);
    return found;
}

static PyObject *note_doors(PyObject *module, PyObject *arguments)
{
    PyObject *numbers, *all_homes, *folders, *all_doors;
    Buffers buffers = {0};
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOOO", &numbers, &all_homes, &folders, &all_doors))
        return NULL;
    const int64_t *targets = taken(&buffers, numbers, PyBUF_SIMPLE);
    Py_ssize_t count = targets ? items_of(&buffers) : 0;
    const int64_t *homes = taken(&buffers, all_homes, PyBUF_SIMPLE), *around = taken(&buffers, folders, PyBUF_SIMPLE);
    Py_ssize_t depth = around ? items_of(&buffers) : 0;
    uint8_t *doors = taken(&buffers, all_doors, PyBUF_WRITABLE);
    if (doors)
        mark_doors(targets, count, homes, around, depth, doors);
    give_back(&buffers);
    if (PyErr_Occurred())
        return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef METHODS[] = {
    {"worth_describing", worth_describing, METH_VARARGS,
     "worth_describing(targets, mentions, relevance, all_described, rarely)\n\nThe places of some targets, as bytes of int64; counts "
     "all of them."},
    {"mark_doors", note_doors, METH_VARARGS, "mark_doors(targets, homes, around, doors)\n\nMarks targets whose home is not around."},
    {"weigh", weigh, METH_VARARGS,
     "weigh(features, words, weights, first, last, out)\n\nFive sums for each link; one whose target is below 0 is left out."},
    {"fit", fit_rows, METH_VARARGS,
     "fit(features, rows, wanted, weights, results, rounds, penalty, step, least_curvature)\n\n"
     "Moves the weights. `wanted` has two outcomes a row, then the rows' shares; `results` two offsets, then, when done,\n"
     "the log-odds expected of each row."},
    {"add_evidence", add_evidence, METH_VARARGS,
     "add_evidence(features, columns, held, first, sums, links)\n\n"
     "Adds the evidence of links, from the link `first` on, to the sums of the pages they lead to. `columns` are source,\n"
     "group and described of links, relevance and followed of pages; `held` are words, weights, and mean and offsets."},
    {"page_evidence", page_evidence, METH_VARARGS,
     "page_evidence(sums, links, pages, mean, out)\n\nThe evidence of some pages, a row each."},
    {"add", add, METH_VARARGS, "add(table, places, value)\n\nAdds a value at some places of a table."},
    {"add_vector", add_vector, METH_VARARGS,
     "add_vector(table, places, weights, idf, share)\n\nAdds a page to a table, its words being a vector of this length."},
    {"match", match, METH_VARARGS,
     "match(places, weights, idf, direction)\n\nHow far a page with these words goes in a direction."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_weighing", NULL, -1, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__weighing(void)
{
    return PyModule_Create(&MODULE);
}
