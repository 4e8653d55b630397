/* haenyeo.native._weighing: what a page's words and links amount to, and all links that are known.
 *
 * The same as the Python code beside it does with arrays, one link after the other. Features come as lists end to end: the
 * row of a link has four kinds of them one behind the other, `ends` says where each kind ends; the row of an address has
 * one.
 */
#include "evidence.h"
#include "fitting.h"
#include "mentions.h"
#include "tables.h"

/* Features out of five arrays: flat and ends of links, flat and ends of addresses, targets. */
static Features features_of(Views *views, PyObject **arrays)
{
    Features features;
    TAKE(views, arrays[0], &features.links.flat);
    TAKE(views, arrays[1], &features.links.ends);
    TAKE(views, arrays[2], &features.addresses.flat);
    TAKE(views, arrays[3], &features.addresses.ends);
    TAKE(views, arrays[4], &features.targets);
    return features;
}

static PyObject *weigh(PyObject *module, PyObject *arguments)
{
    PyObject *arrays[5], *word_table, *weight_table, *out;
    Py_ssize_t first, last;
    Views views = {0};
    VIEW(double) found;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "(OOOOO)OOnnO", &arrays[0], &arrays[1], &arrays[2], &arrays[3], &arrays[4], &word_table, &weight_table, &first, &last, &out))
        return NULL;
    Features features = features_of(&views, arrays);
    const Pair *words = pairs_of(&views, word_table, 0), *weights = pairs_of(&views, weight_table, 0);
    TAKE_TO_WRITE(&views, out, &found);
    int done = !PyErr_Occurred() && has_items(last, features.targets.count)
               && has_items(found.count, first < 0 || first > last ? -1 : size_product(last - first, COLUMNS));
    for (Py_ssize_t row = first; done && row < last; row++)
        if (features.targets.items[row] >= 0)
            done = weigh_link(&features, row, words, weights, found.items + (row - first) * COLUMNS);
    give_back(&views);
    return none_unless_error();
}

static PyObject *fit_rows(PyObject *module, PyObject *arguments)
{
    PyObject *arrays[5], *row_numbers, *wanted_of_rows, *weight_table, *found;
    Views views = {0};
    Numbers rows;
    Doubles wanted;
    VIEW(double) results;
    Fit fit = {0};
    int rounds;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "(OOOOO)OOOOiddd", &arrays[0], &arrays[1], &arrays[2], &arrays[3], &arrays[4], &row_numbers, &wanted_of_rows, &weight_table, &found, &rounds, &fit.penalty, &fit.step, &fit.least_curvature))
        return NULL;
    if (rounds > MOST_ROUNDS)
        return PyErr_Format(PyExc_ValueError, "more than %d rounds would take too long", MOST_ROUNDS);
    Features features = features_of(&views, arrays);
    TAKE(&views, row_numbers, &rows);
    TAKE(&views, wanted_of_rows, &wanted);
    Pair *weights = pairs_of(&views, weight_table, PyBUF_WRITABLE);
    TAKE_TO_WRITE(&views, found, &results);
    if (has_items(wanted.count, size_product(3, rows.count)) && has_items(results.count, size_sum(2, size_product(2, rows.count)))) {
        fit.wanted = wanted.items;
        fit.shares = wanted.items + 2 * rows.count;
        fit.offsets = results.items;
        fit.expected = results.items + 2;
        run(&fit, &features, rows, rounds, weights);
    }
    give_back(&views);
    return none_unless_error();
}

static PyObject *add_evidence(PyObject *module, PyObject *arguments)
{
    PyObject *arrays[5], *columns[5], *words, *weights, *numbers, *sums, *links;
    Py_ssize_t first;
    Views views = {0};
    Known known;
    Held held;
    Added to;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "(OOOOO)(OOOOO)(OOO)n" "OO", &arrays[0], &arrays[1], &arrays[2], &arrays[3], &arrays[4], &columns[0], &columns[1], &columns[2], &columns[3], &columns[4], &words, &weights, &numbers, &first, &sums, &links))
        return NULL;
    known.features = features_of(&views, arrays);
    TAKE(&views, columns[0], &known.source);
    TAKE(&views, columns[1], &known.group);
    TAKE(&views, columns[2], &known.described);
    TAKE(&views, columns[3], &known.relevance);
    TAKE(&views, columns[4], &known.followed);
    held.words = pairs_of(&views, words, 0);
    held.weights = pairs_of(&views, weights, 0);
    TAKE(&views, numbers, &held.numbers);
    TAKE_TO_WRITE(&views, sums, &to.sums);
    TAKE_TO_WRITE(&views, links, &to.links);
    if (has_items(held.numbers.count, 3) && are_columns(&known, &to, first))
        add_evidence_of(&known, &held, first, &to);
    give_back(&views);
    return none_unless_error();
}

static PyObject *page_evidence(PyObject *module, PyObject *arguments)
{
    PyObject *columns[4], *numbers, *out;
    double mean;
    Views views = {0};
    Gathered gathered;
    Numbers pages;
    VIEW(double) evidence;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "(OOOO)OdO", &columns[0], &columns[1], &columns[2], &columns[3], &numbers, &mean, &out))
        return NULL;
    TAKE(&views, columns[0], &gathered.sums);
    TAKE(&views, columns[1], &gathered.links);
    TAKE(&views, columns[2], &gathered.named);
    TAKE(&views, columns[3], &gathered.beside);
    TAKE(&views, numbers, &pages);
    TAKE_TO_WRITE(&views, out, &evidence);
    if (are_gathered(&gathered) && has_items(evidence.count, size_product(pages.count, ALL_EVIDENCE)) && are_pages(pages, gathered.links.count))
        for (Py_ssize_t i = 0; i < pages.count; i++)
            all_evidence_of(&gathered, pages.items[i], mean, evidence.items + ALL_EVIDENCE * i);
    give_back(&views);
    return none_unless_error();
}

static PyObject *add(PyObject *module, PyObject *arguments)
{
    PyObject *sums, *words;
    float value;
    Views views = {0};
    Table table;
    Places places;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOf", &sums, &words, &value))
        return NULL;
    TAKE_TO_WRITE(&views, sums, &table);
    TAKE(&views, words, &places);
    if (!PyErr_Occurred() && are_places(places, table.count))
        add_to_table(table, places, value);
    give_back(&views);
    return none_unless_error();
}

/* A page out of three arrays: places and weights of its words, and the table that says how rare words are; an error is
   set if they do not lie in another table of so many places, too. */
static WordsOfPage words_of(Views *views, PyObject **arrays, Py_ssize_t table)
{
    WordsOfPage page;
    TAKE(views, arrays[0], &page.places);
    TAKE(views, arrays[1], &page.weights);
    TAKE(views, arrays[2], &page.idf);
    if (has_items(page.weights.count, page.places.count))
        are_places(page.places, table < page.idf.count ? table : page.idf.count);
    return page;
}

static PyObject *match(PyObject *module, PyObject *arguments)
{
    PyObject *arrays[3], *direction;
    Views views = {0};
    Floats towards;
    double found = 0;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOOO", &arrays[0], &arrays[1], &arrays[2], &direction))
        return NULL;
    TAKE(&views, direction, &towards);
    WordsOfPage page = words_of(&views, arrays, towards.count);
    if (!PyErr_Occurred())
        found = match_of(&page, towards);
    give_back(&views);
    return PyErr_Occurred() ? NULL : PyFloat_FromDouble(found);
}

static PyObject *add_vector(PyObject *module, PyObject *arguments)
{
    PyObject *arrays[3], *sums;
    double share;
    Views views = {0};
    Table table;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOOOd", &sums, &arrays[0], &arrays[1], &arrays[2], &share))
        return NULL;
    TAKE_TO_WRITE(&views, sums, &table);
    WordsOfPage page = words_of(&views, arrays, table.count);
    if (!PyErr_Occurred())
        add_vector_to(table, &page, share);
    give_back(&views);
    return none_unless_error();
}

static PyObject *sketch(PyObject *module, PyObject *arguments)
{
    PyObject *arrays[3], *out;
    Views views = {0};
    Table numbers;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOOO", &arrays[0], &arrays[1], &arrays[2], &out))
        return NULL;
    TAKE_TO_WRITE(&views, out, &numbers);
    WordsOfPage page = words_of(&views, arrays, PY_SSIZE_T_MAX);
    if (!PyErr_Occurred() && has_items(numbers.count, SKETCH_NUMBERS))
        sketch_of(&page, numbers.items);
    give_back(&views);
    return none_unless_error();
}

static PyObject *measure(PyObject *module, PyObject *arguments)
{
    PyObject *arrays[3], *towards, *sketches, *values, *out, *found = NULL;
    Views views = {0};
    Doubles direction;
    Table numbers;
    Pool pool;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOOOOOnO", &arrays[0], &arrays[1], &arrays[2], &towards, &sketches, &values, &pool.most, &out))
        return NULL;
    TAKE(&views, towards, &direction);
    TAKE(&views, sketches, &pool.sketches);
    TAKE(&views, values, &pool.values);
    TAKE_TO_WRITE(&views, out, &numbers);
    WordsOfPage page = words_of(&views, arrays, PY_SSIZE_T_MAX);
    if (!PyErr_Occurred() && is_pool(&pool) && has_items(direction.count, SKETCH_NUMBERS) && has_items(numbers.count, SKETCH_NUMBERS)) {
        double along = 0, mean[VALUES];
        sketch_of(&page, numbers.items);
        for (int i = 0; i < SKETCH_NUMBERS; i++)
            along += numbers.items[i] * direction.items[i];
        mean_nearby(&pool, numbers.items, mean);
        found = Py_BuildValue("ddd", along, mean[0], mean[1]);
    }
    give_back(&views);
    return found;
}

/* The places of the links to describe, as bytes, and all of them counted. */
static PyObject *chosen(Numbers targets, int64_t *mentions, const double *relevance, Thrift thrift)
{
    Py_ssize_t room = size_product(2, targets.count);
    int64_t *places = room_for(room, sizeof *places);
    if (!places)
        return NULL;
    Py_ssize_t count = choose_places(targets, mentions, relevance, thrift, places);
    count_mentions(targets, mentions, places + targets.count);
    PyObject *found = PyBytes_FromStringAndSize((const char *)places, count * (Py_ssize_t)sizeof *places);
    PyMem_Free(places);
    return found;
}

static PyObject *worth_describing(PyObject *module, PyObject *arguments)
{
    PyObject *numbers, *all_mentions, *relevances, *found = NULL;
    Py_ssize_t all_described, rarely;
    Views views = {0};
    Numbers targets;
    VIEW(int64_t) mentions;
    Doubles relevance;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOOnn", &numbers, &all_mentions, &relevances, &all_described, &rarely))
        return NULL;
    if (all_described < 1 || rarely < 1)
        return PyErr_Format(PyExc_ValueError, "of how many links one is described is a number above zero");
    TAKE(&views, numbers, &targets);
    TAKE_TO_WRITE(&views, all_mentions, &mentions);
    TAKE(&views, relevances, &relevance);
    if (has_items(relevance.count, mentions.count) && are_pages(targets, mentions.count))
        found = chosen(targets, mentions.items, relevance.items, (Thrift){all_described, rarely});
    give_back(&views);
    return found;
}

static PyObject *note_doors(PyObject *module, PyObject *arguments)
{
    PyObject *numbers, *all_homes, *folders, *all_doors;
    Views views = {0};
    Numbers targets, homes, around;
    VIEW(uint8_t) doors;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOOO", &numbers, &all_homes, &folders, &all_doors))
        return NULL;
    TAKE(&views, numbers, &targets);
    TAKE(&views, all_homes, &homes);
    TAKE(&views, folders, &around);
    TAKE_TO_WRITE(&views, all_doors, &doors);
    if (has_items(doors.count, homes.count) && are_pages(targets, homes.count))
        mark_doors(targets, homes, around, doors.items);
    give_back(&views);
    return none_unless_error();
}

static PyObject *note_names(PyObject *module, PyObject *arguments)
{
    PyObject *arrays[5], *table, *out;
    Py_ssize_t first;
    Views views = {0};
    Naming naming;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "(OOOOO)nOllO", &arrays[0], &arrays[1], &arrays[2], &arrays[3], &arrays[4], &first, &table, &naming.most, &naming.most_beside, &out))
        return NULL;
    Features features = features_of(&views, arrays);
    TAKE(&views, table, &naming.asked);
    TAKE_TO_WRITE(&views, out, &naming.best);
    int done = has_items(naming.asked.count, TABLE);
    if (done && first < 0)
        done = has_items(first, 0);
    for (Py_ssize_t row = first; done && row < features.targets.count; row++)
        done = note_named(&features, row, &naming);
    give_back(&views);
    return none_unless_error();
}

static PyMethodDef METHODS[] = {
    {"note_names", note_names, METH_VARARGS,
     "note_names(features, first, asked, most, most_beside, best)\n\nRaises the first two numbers of pages to how many places of "
     "the links to them, from the link `first` on, and beside them are asked for."},
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
     "page_evidence((sums, links, named, beside), pages, mean, out)\n\nThe evidence of some pages, a row each."},
    {"add", add, METH_VARARGS, "add(table, places, value)\n\nAdds a value at some places of a table."},
    {"add_vector", add_vector, METH_VARARGS,
     "add_vector(table, places, weights, idf, share)\n\nAdds a page to a table, its words being a vector of this length."},
    {"match", match, METH_VARARGS,
     "match(places, weights, idf, direction)\n\nHow far a page with these words goes in a direction."},
    {"sketch", sketch, METH_VARARGS,
     "sketch(places, weights, signed, out)\n\nFolds a page with these words into the numbers of `out`, a vector of length 1."},
    {"measure", measure, METH_VARARGS,
     "measure(places, weights, signed, direction, sketches, values, most, out)\n\nFolds a page as `sketch` does; how far it goes in a "
     "direction, and the mean of the two values of those `most` sketches that are most like it."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_weighing", NULL, -1, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__weighing(void)
{
    return PyModule_Create(&MODULE);
}
