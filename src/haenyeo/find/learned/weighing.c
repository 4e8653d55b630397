/* haenyeo.find.learned._weighing: sums of weights over the features of many links, and the regression's rounds.
 *
 * The same as the Python code of `evidence.py` and `regression.py` does with arrays, one link after the other and for
 * both outcomes at once. Features come as lists end to end: the row of a link has four kinds of them one behind the
 * other, `ends` says where each kind ends; the row of an address has one.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#define TABLE (1 << 18)
#define KINDS 4
#define COLUMNS 5 /* of what `weigh` gives for each link */
#define AROUND_MASK 0x15A5A
#define TINY 1e-6

enum { ANCHOR, PIECES, SHAPE, AROUND };

static const float IN_KIND[KINDS] = {1.0f, 0.4f, 0.6f, 0.3f};
static const float IN_ADDRESS = 0.4f;

typedef struct {
    const int32_t *flat;
    const int64_t *ends;
} Lists;

typedef struct {
    float first, second;
} Pair;

typedef struct {
    Lists links, addresses;
    const int64_t *targets;
} Features;

static Pair sum(const int32_t *at, const int32_t *end, const Pair *weights, int32_t mask)
{
    Pair total = {0, 0};
    for (; at < end; at++) {
        Pair weight = weights[*at ^ mask];
        total.first += weight.first;
        total.second += weight.second;
    }
    return total;
}

static const int32_t *begin_of(const Lists *lists, int64_t row, int kinds)
{
    return lists->flat + (row ? lists->ends[row * kinds - 1] : 0);
}

/* The bounds of the four kinds of a link's features, and of its target's address. */
static void bounds_of(const Features *features, int64_t row, const int32_t **bounds, const int32_t **address)
{
    int64_t target = features->targets[row];
    bounds[0] = begin_of(&features->links, row, KINDS);
    for (int kind = 0; kind < KINDS; kind++)
        bounds[kind + 1] = features->links.flat + features->links.ends[row * KINDS + kind];
    address[0] = begin_of(&features->addresses, target, 1);
    address[1] = features->addresses.flat + features->addresses.ends[target];
}

static double norm_of(const int32_t **bounds, const int32_t **address)
{
    double squares = IN_ADDRESS * IN_ADDRESS * (double)(address[1] - address[0]);
    for (int kind = 0; kind < KINDS; kind++)
        squares += IN_KIND[kind] * IN_KIND[kind] * (double)(bounds[kind + 1] - bounds[kind]);
    return 1 / sqrt(squares + TINY);
}

static void weigh_link(const Features *features, int64_t row, const Pair *words, const Pair *weights, double *found)
{
    const int32_t *bounds[KINDS + 1], *address[2];
    bounds_of(features, row, bounds, address);
    Pair anchor = sum(bounds[ANCHOR], bounds[ANCHOR + 1], words, 0);
    Pair around = sum(bounds[AROUND], bounds[AROUND + 1], words, 0);
    Pair outcome = sum(address[0], address[1], weights, 0);
    double known = IN_ADDRESS * outcome.first, leads = IN_ADDRESS * outcome.second;
    for (int kind = 0; kind < KINDS; kind++) {
        outcome = sum(bounds[kind], bounds[kind + 1], weights, kind == AROUND ? AROUND_MASK : 0);
        known += IN_KIND[kind] * outcome.first;
        leads += IN_KIND[kind] * outcome.second;
    }
    double anchored = (double)(bounds[ANCHOR + 1] - bounds[ANCHOR]) + 1, norm = norm_of(bounds, address);
    found[0] = anchor.first / anchored;
    found[1] = around.first / ((double)(bounds[AROUND + 1] - bounds[AROUND]) + 1);
    found[2] = anchor.second / sqrt(anchored);
    found[3] = known * norm;
    found[4] = leads * norm;
}

/* The buffers of one call; all are given back together. */
#define MOST_BUFFERS 9

typedef struct {
    Py_buffer views[MOST_BUFFERS];
    int count;
} Buffers;

static void *taken(Buffers *buffers, PyObject *object, int flags)
{
    Py_buffer *view = &buffers->views[buffers->count];
    if (PyErr_Occurred() || PyObject_GetBuffer(object, view, flags) < 0)
        return NULL;
    buffers->count++;
    return view->buf;
}

static void give_back(Buffers *buffers)
{
    while (buffers->count)
        PyBuffer_Release(&buffers->views[--buffers->count]);
}

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

/* A feature in use: its weights for both outcomes, and the slope and bend of the loss along each. */
typedef struct {
    Pair weight, slope, bend;
    int32_t place;
} Used;

typedef struct {
    int32_t used;
    float value;
} Entry;

typedef struct {
    Entry *entries;
    Used *used;
    int64_t *ends;
    Py_ssize_t entry_count, used_count, rows;
    const double *wanted, *shares; /* two outcomes a row; how much a row counts, all together 1 */
    double *offsets, *expected;
    double penalty, step, least_curvature;
} Fit;

static int32_t used_at[TABLE]; /* 1 + the number of the feature in use at a place; all zero between calls */

static void add_entry(Fit *fit, const Pair *weights, int32_t place, float value)
{
    if (!used_at[place]) {
        fit->used[fit->used_count] = (Used){.weight = weights[place], .place = place};
        used_at[place] = (int32_t)++fit->used_count;
    }
    fit->entries[fit->entry_count++] = (Entry){used_at[place] - 1, value};
}

static void add_row(Fit *fit, const Features *features, int64_t row, const Pair *weights)
{
    const int32_t *bounds[KINDS + 1], *address[2];
    bounds_of(features, row, bounds, address);
    double norm = norm_of(bounds, address);
    for (int kind = 0; kind < KINDS; kind++)
        for (const int32_t *at = bounds[kind]; at < bounds[kind + 1]; at++)
            add_entry(fit, weights, kind == AROUND ? *at ^ AROUND_MASK : *at, (float)(IN_KIND[kind] * norm));
    for (const int32_t *at = address[0]; at < address[1]; at++)
        add_entry(fit, weights, *at, (float)(IN_ADDRESS * norm));
    fit->ends[fit->rows++] = fit->entry_count;
}

static Pair row_sum(const Fit *fit, Py_ssize_t row)
{
    Pair total = {0, 0};
    for (int64_t i = row ? fit->ends[row - 1] : 0; i < fit->ends[row]; i++) {
        const Entry entry = fit->entries[i];
        total.first += fit->used[entry.used].weight.first * entry.value;
        total.second += fit->used[entry.used].weight.second * entry.value;
    }
    return total;
}

static double logistic(double log_odds)
{
    return 1 / (1 + exp(-fmin(fmax(log_odds, -30), 30)));
}

typedef struct {
    double slope[2], curve[2];
} Totals;

/* Add what one row says to the slopes and bends of its features. */
static void add_slopes(Fit *fit, Py_ssize_t row, Totals *totals)
{
    Pair log_odds = row_sum(fit, row);
    double share = fit->shares[row];
    double one = logistic(log_odds.first + fit->offsets[0]), other = logistic(log_odds.second + fit->offsets[1]);
    double slopes[2] = {(one - fit->wanted[2 * row]) * share, (other - fit->wanted[2 * row + 1]) * share};
    double curves[2] = {fmax(one * (1 - one), fit->least_curvature) * share, fmax(other * (1 - other), fit->least_curvature) * share};
    for (int outcome = 0; outcome < 2; outcome++) {
        totals->slope[outcome] += slopes[outcome];
        totals->curve[outcome] += curves[outcome];
    }
    Pair slope = {(float)slopes[0], (float)slopes[1]}, curve = {(float)curves[0], (float)curves[1]};
    for (int64_t i = row ? fit->ends[row - 1] : 0; i < fit->ends[row]; i++) {
        const Entry entry = fit->entries[i];
        Used *used = &fit->used[entry.used];
        used->slope.first += slope.first * entry.value;
        used->slope.second += slope.second * entry.value;
        used->bend.first += curve.first * entry.value;
        used->bend.second += curve.second * entry.value;
    }
}

static float moved(float weight, float slope, float bend, const Fit *fit)
{
    return (float)(weight - fit->step * (slope + fit->penalty * weight) / (bend + 4 * fit->penalty));
}

static void do_round(Fit *fit)
{
    Totals totals = {{0, 0}, {0, 0}};
    for (Py_ssize_t row = 0; row < fit->rows; row++)
        add_slopes(fit, row, &totals);
    for (Py_ssize_t i = 0; i < fit->used_count; i++) {
        Used *used = &fit->used[i];
        used->weight.first = moved(used->weight.first, used->slope.first, used->bend.first, fit);
        used->weight.second = moved(used->weight.second, used->slope.second, used->bend.second, fit);
        used->slope = used->bend = (Pair){0, 0};
    }
    for (int outcome = 0; outcome < 2; outcome++)
        fit->offsets[outcome] -= totals.slope[outcome] / totals.curve[outcome] / 2;
}

static void finish(Fit *fit, Pair *weights)
{
    for (Py_ssize_t i = 0; i < fit->used_count; i++) {
        weights[fit->used[i].place] = fit->used[i].weight;
        used_at[fit->used[i].place] = 0;
    }
    for (Py_ssize_t row = 0; row < fit->rows; row++) {
        Pair log_odds = row_sum(fit, row);
        fit->expected[2 * row] = log_odds.first + fit->offsets[0];
        fit->expected[2 * row + 1] = log_odds.second + fit->offsets[1];
    }
}

static Py_ssize_t count_entries(const Features *features, const int64_t *rows, Py_ssize_t count)
{
    Py_ssize_t entries = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        const int32_t *bounds[KINDS + 1], *address[2];
        bounds_of(features, rows[i], bounds, address);
        entries += bounds[KINDS] - bounds[0] + address[1] - address[0];
    }
    return entries;
}

static void run(Fit *fit, const Features *features, const int64_t *rows, Py_ssize_t count, int rounds, Pair *weights)
{
    Py_ssize_t entries = count_entries(features, rows, count);
    fit->entries = PyMem_Malloc((size_t)(entries + 1) * sizeof *fit->entries);
    fit->used = PyMem_Malloc((size_t)((entries < TABLE ? entries : TABLE) + 1) * sizeof *fit->used);
    fit->ends = PyMem_Malloc((size_t)(count + 1) * sizeof *fit->ends);
    if (fit->entries && fit->used && fit->ends) {
        for (Py_ssize_t i = 0; i < count; i++)
            add_row(fit, features, rows[i], weights);
        while (rounds--)
            do_round(fit);
        finish(fit, weights);
    } else
        PyErr_NoMemory();
    PyMem_Free(fit->entries);
    PyMem_Free(fit->used);
    PyMem_Free(fit->ends);
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

static PyMethodDef METHODS[] = {
    {"weigh", weigh, METH_VARARGS,
     "weigh(features, words, weights, first, last, out)\n\nFive sums for each link; one whose target is below 0 is left out."},
    {"fit", fit_rows, METH_VARARGS,
     "fit(features, rows, wanted, weights, results, rounds, penalty, step, least_curvature)\n\n"
     "Moves the weights. `wanted` has two outcomes a row, then the rows' shares; `results` two offsets, then, when done,\n"
     "the log-odds expected of each row."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_weighing", NULL, -1, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__weighing(void)
{
    return PyModule_Create(&MODULE);
}
