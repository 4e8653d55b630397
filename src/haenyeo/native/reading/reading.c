/* haenyeo.native._reading: what reading does for every block of every page, in compiled loops.

   Each function has its equal in Python, which says what it means and takes its place where there is no compiler. */
#include "attributes.h"
#include "composition.h"
#include "forest.h"
#include "rows.h"
#include "blocks.h"
#include "joined.h"
#include "links.h"
#include "places.h"
#include "skim.h"
#include "tags.h"
#include "tree.h"
#include "whole.h"
#include "words.h"

static PyObject *measure(PyObject *module, PyObject *arguments)
{
    PyObject *given, *of_keys, *of_openings, *of_numbers;
    Views views = {0};
    VIEW(uint64_t) keys;
    VIEW(uint16_t) openings;
    VIEW(float) numbers;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!OOO", &PyList_Type, &given, &of_keys, &of_openings, &of_numbers) || !knows_keys())
        return NULL;
    PyObject *strings = items_of(given);
    Py_ssize_t size = strings ? PyTuple_GET_SIZE(strings) : 0;
    TAKE_TO_WRITE(&views, of_keys, &keys);
    TAKE_TO_WRITE(&views, of_openings, &openings);
    TAKE_TO_WRITE(&views, of_numbers, &numbers);
    if (has_items(keys.count, size) && has_items(openings.count, size) && has_items(numbers.count, size_product(6, size))) {
        float *column = numbers.items;
        TextColumns to = {keys.items, openings.items, column, column + size, column + 2 * size, column + 3 * size, column + 4 * size, column + 5 * size};
        for (Py_ssize_t i = 0; i < size && measure_text(PyTuple_GET_ITEM(strings, i), &to, i); i++)
            ;
    }
    give_back(&views);
    Py_XDECREF(strings);
    return none_unless_error();
}

/* The place of the last block: neighbours often stand at one. */
typedef struct {
    PyObject *path, *signs; /* owned */
    LastWay way;
    float row[MOST_PLACE_FEATURES];
} LastPlace;

/* Have the features of a block's place in the row; returns 0 with an error set. */
static int find_row(LastPlace *last, PyObject *block, Py_ssize_t width)
{
    PyObject *path = PyObject_GetAttr(block, names.path);
    PyObject *signs = path ? PyObject_GetAttr(block, names.signs) : NULL;
    int done = signs && ((path == last->path && signs == last->signs) || find_place(&last->way, path, signs, last->row, width));
    Py_XSETREF(last->path, path);
    Py_XSETREF(last->signs, signs);
    return done;
}

static void fill_columns(PyObject *blocks, float *columns, Py_ssize_t width)
{
    LastPlace last = {.path = NULL, .signs = NULL};
    Py_ssize_t size = PyTuple_GET_SIZE(blocks);
    begin_way(&last.way);
    for (Py_ssize_t i = 0; i < size && find_row(&last, PyTuple_GET_ITEM(blocks, i), width); i++)
        for (Py_ssize_t feature = 0; feature < width; feature++)
            columns[feature * size + i] = last.row[feature];
    Py_XDECREF(last.way.held);
    Py_XDECREF(last.path);
    Py_XDECREF(last.signs);
}

static PyObject *find_places(PyObject *module, PyObject *arguments)
{
    PyObject *blocks, *to;
    Views views = {0};
    VIEW(float) columns;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!O", &PyTuple_Type, &blocks, &to))
        return NULL;
    if (!known_places.features)
        return PyErr_Format(PyExc_RuntimeError, "configure_places() has not been called");
    Py_ssize_t width = known_places.tag_count + known_places.kind_count + 9;
    TAKE_TO_WRITE(&views, to, &columns);
    if (has_items(columns.count, size_product(PyTuple_GET_SIZE(blocks), width)))
        fill_columns(blocks, columns.items, width);
    give_back(&views);
    return none_unless_error();
}

static int number_paths(PathTree *tree, PyObject *paths, int32_t *ends)
{
    PyObject *nothing = PyUnicode_FromString("");
    int done = nothing && number_prefix(tree, nothing, 0);
    Py_XDECREF(nothing);
    for (Py_ssize_t i = 0; done && i < PyTuple_GET_SIZE(paths); i++) {
        PyObject *path = PyTuple_GET_ITEM(paths, i);
        done = is_string(path, "a path") && (ends[i] = number_path(tree, path)) >= 0;
    }
    return done;
}

static PyObject *path_tree(PyObject *module, PyObject *arguments)
{
    PyObject *given, *of_ends, *of_parents, *of_may_contain;
    PathTree tree = {0};
    Views views = {0};
    VIEW(int32_t) ends;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!nOOO", &PyList_Type, &given, &tree.most, &of_ends, &of_parents, &of_may_contain))
        return NULL;
    if (tree.most < 1 || tree.most > INT32_MAX)
        return PyErr_Format(PyExc_ValueError, "there is one prefix at least, the empty one");
    PyObject *paths = items_of(given);
    TAKE_TO_WRITE(&views, of_ends, &ends);
    TAKE_TO_WRITE(&views, of_parents, &tree.parents);
    TAKE_TO_WRITE(&views, of_may_contain, &tree.may_contain);
    int done = paths && has_items(ends.count, PyTuple_GET_SIZE(paths)) && has_items(tree.parents.count, tree.most) && has_items(tree.may_contain.count, tree.most);
    tree.numbers = done ? PyDict_New() : NULL;
    tree.prefixes = tree.numbers ? PyList_New(0) : NULL;
    if (!tree.prefixes || !number_paths(&tree, paths, ends.items))
        Py_CLEAR(tree.prefixes);
    Py_XDECREF(tree.numbers);
    Py_XDECREF(paths);
    give_back(&views);
    return tree.prefixes;
}

static PyObject *tree_rows(PyObject *module, PyObject *arguments)
{
    PyObject *of_ends, *of_parents, *of_up, *of_depth;
    Py_ssize_t levels;
    Ways ways;
    Views views = {0};
    VIEW(float) depth;
    VIEW(Py_ssize_t) up;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOOnO", &of_ends, &of_parents, &of_up, &levels, &of_depth))
        return NULL;
    TAKE_TO_WRITE(&views, of_up, &up);
    TAKE_TO_WRITE(&views, of_depth, &depth);
    if (take_ways(&views, of_ends, of_parents, &ways) && has_items(depth.count, ways.parents.count) && has_items(up.count, size_product(levels, ways.ends.count)))
        fill_rows(&ways, levels, up.items, depth.items);
    give_back(&views);
    return none_unless_error();
}

static PyObject *tree_sums(PyObject *module, PyObject *arguments)
{
    PyObject *of_ends, *of_parents, *of_values, *of_sums;
    Py_ssize_t rows;
    Ways ways;
    Views views = {0};
    VIEW(const float) values;
    VIEW(double) sums;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOOnO", &of_ends, &of_parents, &of_values, &rows, &of_sums))
        return NULL;
    TAKE(&views, of_values, &values);
    TAKE_TO_WRITE(&views, of_sums, &sums);
    if (take_ways(&views, of_ends, of_parents, &ways) && has_items(values.count, size_product(rows, ways.ends.count)) && has_items(sums.count, size_product(rows, ways.parents.count)))
        for (Py_ssize_t row = 0; row < rows; row++)
            sum_up(&ways, values.items + row * ways.ends.count, sums.items + row * ways.parents.count);
    give_back(&views);
    return none_unless_error();
}

static PyObject *tree_shared(PyObject *module, PyObject *arguments)
{
    PyObject *of_ends, *of_parents, *of_shared;
    int prefix;
    Ways ways;
    Views views = {0};
    VIEW(float) shared;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOiO", &of_ends, &of_parents, &prefix, &of_shared))
        return NULL;
    TAKE_TO_WRITE(&views, of_shared, &shared);
    int done = take_ways(&views, of_ends, of_parents, &ways) && has_items(shared.count, ways.ends.count);
    if (done && !is_place(prefix, ways.parents.count))
        PyErr_SetString(PyExc_ValueError, "a number leads to no prefix");
    float *steps = PyErr_Occurred() ? NULL : zeros_for(ways.parents.count, sizeof *steps);
    if (steps) {
        share_steps(&ways, prefix, steps);
        for (Py_ssize_t path = 0; path < ways.ends.count; path++)
            shared.items[path] = steps[ways.ends.items[path]];
    }
    PyMem_Free(steps);
    give_back(&views);
    return none_unless_error();
}

/* Do trees ask only for features that there are? Returns 0 with an error set if not. */
static int are_features(const int32_t *features, Py_ssize_t questions, Py_ssize_t count)
{
    for (Py_ssize_t i = 0; i < questions; i++)
        if (!is_place(features[i], count)) {
            PyErr_SetString(PyExc_ValueError, "a tree asks for a feature that there is not");
            return 0;
        }
    return 1;
}

static PyObject *add_trees(PyObject *module, PyObject *arguments)
{
    PyObject *of_columns, *of_features, *of_thresholds, *of_values, *of_sums;
    Py_ssize_t count, blocks, trees, levels;
    Views views = {0};
    VIEW(const float) columns, thresholds, values;
    VIEW(const int32_t) features;
    VIEW(double) sums;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O(nn)OOO(nn)O", &of_columns, &count, &blocks, &of_features, &of_thresholds, &of_values, &trees, &levels, &of_sums))
        return NULL;
    if (levels < 0 || levels > MOST_LEVELS)
        return PyErr_Format(PyExc_ValueError, "a tree has up to %d levels", MOST_LEVELS);
    TAKE(&views, of_columns, &columns);
    TAKE(&views, of_features, &features);
    TAKE(&views, of_thresholds, &thresholds);
    TAKE(&views, of_values, &values);
    TAKE_TO_WRITE(&views, of_sums, &sums);
    Py_ssize_t questions = size_product(trees, levels);
    int done = has_items(columns.count, size_product(count, blocks)) && has_items(features.count, questions) && has_items(thresholds.count, questions)
               && has_items(values.count, size_product(trees, (Py_ssize_t)1 << levels)) && has_items(sums.count, blocks)
               && are_features(features.items, questions, count);
    if (done)
        sum_trees(&(Trees){features.items, thresholds.items, values.items, trees, levels}, columns.items, blocks, sums.items);
    give_back(&views);
    return none_unless_error();
}

static PyObject *skimmed(Skimming *skimming, PyObject *blocks, PyObject *spots, PyObject *look_up, int containers)
{
    if (!take_blocks(skimming, blocks, spots, look_up))
        return NULL;
    int most = containers < 0 ? -containers : containers;
    int container = most ? find_container(skimming, most) : -1;
    if (containers > 0 && container < 0)
        return Py_NewRef(Py_None);
    return keep_own(skimming, container) ? kept_numbers(skimming) : NULL;
}

static PyObject *skim(PyObject *module, PyObject *arguments)
{
    PyObject *blocks, *spots, *look_up, *of_cells, *result = NULL;
    int containers;
    Views views = {0};
    VIEW(const uint8_t) cells;
    Skimming skimming = {0};
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!O!OiOO", &PyTuple_Type, &blocks, &PyDict_Type, &spots, &look_up, &containers, &of_cells, &skimming.is_line_numbers) || !knows_keys())
        return NULL;
    if (containers < -MOST_CONTAINERS || containers > MOST_CONTAINERS)
        return PyErr_Format(PyExc_ValueError, "there are up to %d containers", MOST_CONTAINERS);
    TAKE(&views, of_cells, &cells);
    if (has_items(cells.count, ROWS << WIDTH_BITS) && (skimming.blocks = zeros_for(PyTuple_GET_SIZE(blocks), sizeof *skimming.blocks))) {
        skimming.cells = cells.items;
        result = skimmed(&skimming, blocks, spots, look_up, containers);
        free_blocks(&skimming, PyTuple_GET_SIZE(blocks));
    }
    give_back(&views);
    return result;
}

static PyObject *joined(PyObject *module, PyObject *arguments)
{
    PyObject *given, *known, *ask, *result = NULL;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OO!O", &given, &PyDict_Type, &known, &ask))
        return NULL;
    PyObject *blocks = items_of(given);
    if (!blocks)
        return NULL;
    Py_ssize_t size = PyTuple_GET_SIZE(blocks);
    Joining joining = {room_for(size, sizeof(PyObject *)), room_for(size, 1), 0, 0, 127};
    if (joining.texts && joining.breaks && take_texts(&joining, blocks, known, ask))
        result = joined_text(&joining);
    while (joining.count)
        Py_DECREF(joining.texts[--joining.count]);
    PyMem_Free(joining.texts);
    PyMem_Free(joining.breaks);
    Py_DECREF(blocks);
    return result;
}

static PyObject *search_tags(PyObject *arguments, void (*find)(TagSearch *, const char *, Py_ssize_t))
{
    PyObject *page;
    const char *wanted;
    Py_ssize_t length;
    TagSearch search = {0};
    if (!PyArg_ParseTuple(arguments, "Us#n", &page, &wanted, &length, &search.most))
        return NULL;
    if (length < 1 || length > UINT8_MAX || search.most < 1 || (find == find_named && !is_name(wanted, length)))
        return PyErr_Format(PyExc_ValueError, "a name or a word is looked for, one time at least");
    if (begin_search(&search, page))
        find(&search, wanted, length);
    else if (!PyErr_Occurred())
        Py_RETURN_NONE;
    return search.found;
}

static PyObject *tags_named(PyObject *module, PyObject *arguments)
{
    (void)module;
    return search_tags(arguments, find_named);
}

static PyObject *tags_with(PyObject *module, PyObject *arguments)
{
    (void)module;
    return search_tags(arguments, find_holding);
}

static PyObject *configure_texts(PyObject *module, PyObject *arguments)
{
    PyObject *digest, *text_key;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OO", &digest, &text_key))
        return NULL;
    Py_XSETREF(texts.digest, Py_NewRef(digest));
    Py_XSETREF(texts.text_key, Py_NewRef(text_key));
    Py_RETURN_NONE;
}

static PyObject *configure_places(PyObject *module, PyObject *arguments)
{
    PyObject *kinds, *tags, *leaves, *inner, *features;
    int kind_count, tag_count;
    unsigned int good;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!iO!iO!O!IO", &PyDict_Type, &kinds, &kind_count, &PyDict_Type, &tags, &tag_count, &PyDict_Type, &leaves, &PyDict_Type, &inner, &good, &features))
        return NULL;
    if (kind_count < 0 || kind_count > MOST_KINDS || tag_count < 0 || tag_count > MOST_TAGS)
        return PyErr_Format(PyExc_ValueError, "too many kinds or tags");
    Py_CLEAR(known_places.features); /* nothing is known until all is */
    if (!take_names(&known_places.kinds, kinds, kind_count) || !take_names(&known_places.tags, tags, tag_count)
        || !take_names(&known_places.leaves, leaves, INT_MAX) || !take_names(&known_places.inner, inner, INT_MAX))
        return NULL;
    known_places.kind_count = kind_count;
    known_places.tag_count = tag_count;
    known_places.good = good;
    known_places.features = Py_NewRef(features);
    Py_RETURN_NONE;
}

static PyMethodDef METHODS[] = {
    {"configure_texts", configure_texts, METH_VARARGS, "configure_texts(digest, text_key)\n\nSay whom to ask for keys."},
    {"configure_places", configure_places, METH_VARARGS,
     "configure_places(kinds, kind_count, tags, tag_count, leaves, inner, good, place_features)\n\nSay what names mean."},
    {"measure", measure, METH_VARARGS,
     "measure(texts, keys, openings, numbers)\n\nFill in arrays: numbers has rows for characters, words, sentences, closed, capitals, numeric."},
    {"places", find_places, METH_VARARGS, "places(blocks, columns)\n\nFill in a column of features for each block's place."},
    {"path_tree", path_tree, METH_VARARGS,
     "path_tree(paths, most, ends, parents, may_contain)\n\nThe prefixes of paths; fill in which each path is, and what they are."},
    {"tree_rows", tree_rows, METH_VARARGS,
     "tree_rows(ends, parents, up, levels, depth)\n\nFill in arrays: the prefixes nearest above each path, and how deep prefixes are."},
    {"tree_sums", tree_sums, METH_VARARGS, "tree_sums(ends, parents, values, rows, sums)\n\nFill in the sums of rows of the paths' values for each prefix."},
    {"tree_shared", tree_shared, METH_VARARGS, "tree_shared(ends, parents, prefix, shared)\n\nFill in how many steps each path has in common with a prefix."},
    {"compose", compose, METH_VARARGS,
     "compose(texts, numbers)\n\nFill in rows: digits, capitals, commas, question marks, colons, signs, begins_small, price."},
    {"overlaps", overlaps, METH_VARARGS,
     "overlaps(texts, title, longest, shares)\n\nFill in how many words of each text that is shorter, and of the title, stand in both."},
    {"sums_by_place", sums_by_place, METH_VARARGS, "sums_by_place(where, values, rows, places, sums)\n\nFill in the sums of rows of the blocks' values for each place."},
    {"windows", windows, METH_VARARGS, "windows(values, rows, reaches, sums)\n\nFill in the sums over neighbours, of each row, for each reach."},
    {"distances", distances, METH_VARARGS, "distances(marked, far, steps)\n\nFill in two rows: the steps since the last marked block, and until the next."},
    {"block_features", block_features, METH_VARARGS,
     "block_features(given, counts, places, labels, where, keys, (ends, parents), told, table, page)\n\n"
     "Fill in what the judge looks at in each block, and what holds for the whole page."},
    {"page_numbers", page_numbers, METH_VARARGS,
     "page_numbers(places, (tags, rows), far, characters, links, sentences, numbers)\n\n"
     "Fill in how much of a page stands at the first rows of places, then numbers of the page."},
    {"add_trees", add_trees, METH_VARARGS,
     "add_trees(columns, (features, blocks), features, thresholds, values, (trees, levels), sums)\n\nAdd what trees say of blocks."},
    {"skim", skim, METH_VARARGS,
     "skim(blocks, spots, look_up, containers, cells, is_line_numbers)\n\n"
     "The numbers of the blocks that are text, or None if no container holds them; without containers, of all places.\n"
     "So many containers below zero: of all places only if no container holds them."},
    {"perhaps_ways", perhaps_ways, METH_VARARGS,
     "perhaps_ways(blocks, ways, longest, first, last)\n\n"
     "The numbers of the blocks with a link whose text is a way, of which the longest has so many letters, or begins or ends with\n"
     "one of these letters."},
    {"has_link_run", has_link_run, METH_VARARGS,
     "has_link_run(blocks, numbers, wanted)\n\nWhether so many of the blocks of these numbers in a row are links."},
    {"text_sizes", text_sizes, METH_VARARGS,
     "text_sizes(blocks, numbers)\n\nHow many letters, blanks and linked letters the blocks of these numbers have together."},
    {"joined", joined, METH_VARARGS, "joined(blocks, known, is_close)\n\nThe text of blocks; known says which paths are close, is_close of others."},
    {"tags_named", tags_named, METH_VARARGS, "tags_named(page, name, most)\n\nWhere tags of this name begin, or None if the page has no UTF-8."},
    {"tags_with", tags_with, METH_VARARGS, "tags_with(page, word, most)\n\nWhere tags with this word in them begin, or None if the page has no UTF-8."},
    {"named", named, METH_VARARGS, "named(steps, known, ask)\n\nThe bits that the words in each step have; ask is asked of those beyond ASCII."},
    {"labels", find_labels, METH_VARARGS,
     "labels(blocks, levels, may_be, known, longest, most, ask)\n\n"
     "Number, level and kinds of the blocks that are headings, or are labels that name a kind."},
    {"attributes", attributes, METH_VARARGS,
     "attributes(page, places, ahead, longest)\n\n"
     "The attributes of the tags at these places: what stands so far behind their beginnings, and up to so many characters of it."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_reading", NULL, -1, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__reading(void)
{
    texts.istitle = PyUnicode_InternFromString("istitle");
    texts.isupper = PyUnicode_InternFromString("isupper");
    names.text = PyUnicode_InternFromString("text");
    names.path = PyUnicode_InternFromString("path");
    names.signs = PyUnicode_InternFromString("signs");
    return texts.istitle && texts.isupper && names.text && names.path && names.signs ? PyModule_Create(&MODULE) : NULL;
}
