/* haenyeo.native._reading: what reading does for every block of every page, in compiled loops.

   Each function has its equal in Python, which says what it means and takes its place where there is no compiler. */
#include "forest.h"
#include "joined.h"
#include "places.h"
#include "skim.h"
#include "tags.h"
#include "tree.h"

typedef struct {
    Py_buffer view;
    int is_held;
} Array;

/* Have the bytes of an array of this many items; returns 0 with an error set. */
static int take_array(Array *array, PyObject *given, Py_ssize_t items, Py_ssize_t size, int flags)
{
    if (PyObject_GetBuffer(given, &array->view, PyBUF_C_CONTIGUOUS | flags))
        return 0;
    array->is_held = 1;
    if (array->view.len != items * size) {
        PyErr_SetString(PyExc_ValueError, "an array has another size than it should");
        return 0;
    }
    return 1;
}

static void release(Array *arrays, int count)
{
    for (int i = 0; i < count; i++)
        if (arrays[i].is_held)
            PyBuffer_Release(&arrays[i].view);
}

static PyObject *measure(PyObject *module, PyObject *arguments)
{
    PyObject *given, *keys, *openings, *numbers;
    Array arrays[3] = {0};
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!OOO", &PyList_Type, &given, &keys, &openings, &numbers))
        return NULL;
    Py_ssize_t size = PyList_GET_SIZE(given);
    int done = take_array(&arrays[0], keys, size, sizeof(uint64_t), PyBUF_WRITABLE)
               && take_array(&arrays[1], openings, size, sizeof(uint16_t), PyBUF_WRITABLE)
               && take_array(&arrays[2], numbers, 6 * size, sizeof(float), PyBUF_WRITABLE);
    float *column = arrays[2].view.buf;
    TextColumns to = {arrays[0].view.buf, arrays[1].view.buf, column, column + size, column + 2 * size, column + 3 * size, column + 4 * size, column + 5 * size};
    for (Py_ssize_t i = 0; done && i < size; i++)
        done = measure_text(PyList_GET_ITEM(given, i), &to, i);
    release(arrays, 3);
    return done ? Py_NewRef(Py_None) : NULL;
}

/* The features of a block's place into its column; neighbours often stand at one place. */
static int place_column(PyObject *block, PyObject **last, LastWay *way, float *row, Py_ssize_t width)
{
    PyObject *path = PyObject_GetAttr(block, names.path);
    PyObject *signs = path ? PyObject_GetAttr(block, names.signs) : NULL;
    int done = signs && ((path == last[0] && signs == last[1]) || find_place(way, path, signs, row, width));
    last[0] = path; /* only compared, and alive as long as the block */
    last[1] = signs;
    Py_XDECREF(path);
    Py_XDECREF(signs);
    return done;
}

static PyObject *find_places(PyObject *module, PyObject *arguments)
{
    PyObject *blocks, *columns, *last[2] = {NULL, NULL};
    Array array = {0};
    float row[MOST_PLACE_FEATURES];
    LastWay way;
    (void)module;
    begin_way(&way);
    if (!PyArg_ParseTuple(arguments, "O!O", &PyTuple_Type, &blocks, &columns))
        return NULL;
    Py_ssize_t size = PyTuple_GET_SIZE(blocks), width = known_places.tag_count + known_places.kind_count + 9;
    int done = take_array(&array, columns, size * width, sizeof(float), PyBUF_WRITABLE);
    for (Py_ssize_t i = 0; done && i < size; i++) {
        done = place_column(PyTuple_GET_ITEM(blocks, i), last, &way, row, width);
        float *to = (float *)array.view.buf + i;
        for (Py_ssize_t feature = 0; done && feature < width; feature++)
            to[feature * size] = row[feature];
    }
    Py_XDECREF(way.held);
    release(&array, 1);
    return done ? Py_NewRef(Py_None) : NULL;
}

static int number_paths(PathTree *tree, PyObject *paths, int32_t *ends)
{
    PyObject *nothing = PyUnicode_FromString("");
    int done = nothing && number_prefix(tree, nothing, 0);
    Py_XDECREF(nothing);
    for (Py_ssize_t i = 0; done && i < PyList_GET_SIZE(paths); i++) {
        PyObject *path = PyList_GET_ITEM(paths, i);
        done = PyUnicode_Check(path) && (ends[i] = number_path(tree, path)) >= 0;
    }
    if (!done && !PyErr_Occurred())
        PyErr_SetString(PyExc_TypeError, "a path is a string");
    return done;
}

static PyObject *path_tree(PyObject *module, PyObject *arguments)
{
    PyObject *paths, *ends, *parents, *may_contain;
    PathTree tree = {0};
    Array arrays[3] = {0};
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!nOOO", &PyList_Type, &paths, &tree.most, &ends, &parents, &may_contain))
        return NULL;
    int done = take_array(&arrays[0], ends, PyList_GET_SIZE(paths), sizeof(int32_t), PyBUF_WRITABLE)
               && take_array(&arrays[1], parents, tree.most, sizeof(int32_t), PyBUF_WRITABLE)
               && take_array(&arrays[2], may_contain, tree.most, 1, PyBUF_WRITABLE);
    tree.parents = arrays[1].view.buf;
    tree.may_contain = arrays[2].view.buf;
    tree.numbers = PyDict_New();
    tree.prefixes = PyList_New(0);
    done = done && tree.numbers && tree.prefixes && number_paths(&tree, paths, arrays[0].view.buf);
    Py_XDECREF(tree.numbers);
    if (!done)
        Py_CLEAR(tree.prefixes);
    release(arrays, 3);
    return tree.prefixes;
}

static PyObject *tree_rows(PyObject *module, PyObject *arguments)
{
    PyObject *ends, *parents, *inside, *up, *depth;
    TreeRows rows;
    Array arrays[5] = {0};
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOO(nn)OnO", &ends, &parents, &inside, &rows.paths, &rows.prefixes, &up, &rows.levels, &depth))
        return NULL;
    int done = take_array(&arrays[0], ends, rows.paths, sizeof(int32_t), 0)
               && take_array(&arrays[1], parents, rows.prefixes, sizeof(int32_t), 0)
               && take_array(&arrays[2], inside, rows.paths * rows.prefixes, sizeof(float), PyBUF_WRITABLE)
               && take_array(&arrays[3], up, rows.levels * rows.paths, sizeof(Py_ssize_t), PyBUF_WRITABLE)
               && take_array(&arrays[4], depth, rows.prefixes, sizeof(float), PyBUF_WRITABLE);
    rows.ends = arrays[0].view.buf;
    rows.parents = arrays[1].view.buf;
    rows.inside = arrays[2].view.buf;
    rows.up = arrays[3].view.buf;
    rows.depth = arrays[4].view.buf;
    if (done && !(are_parents(rows.parents, rows.prefixes) && are_numbers(rows.ends, rows.paths, rows.prefixes))) {
        PyErr_SetString(PyExc_ValueError, "a number leads to no prefix");
        done = 0;
    }
    if (done)
        fill_rows(&rows);
    release(arrays, 5);
    return done ? Py_NewRef(Py_None) : NULL;
}

static PyObject *add_trees(PyObject *module, PyObject *arguments)
{
    PyObject *columns, *features, *thresholds, *values, *sums;
    Py_ssize_t count, blocks, trees, levels;
    Array arrays[5] = {0};
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O(nn)OOO(nn)O", &columns, &count, &blocks, &features, &thresholds, &values, &trees, &levels, &sums))
        return NULL;
    int done = take_array(&arrays[0], columns, count * blocks, sizeof(float), 0)
               && take_array(&arrays[1], features, trees * levels, sizeof(int32_t), 0)
               && take_array(&arrays[2], thresholds, trees * levels, sizeof(float), 0)
               && take_array(&arrays[3], values, trees << levels, sizeof(float), 0)
               && take_array(&arrays[4], sums, blocks, sizeof(double), PyBUF_WRITABLE);
    Trees forest = {arrays[1].view.buf, arrays[2].view.buf, arrays[3].view.buf, trees, levels};
    for (Py_ssize_t i = 0; done && i < trees * levels; i++)
        if (forest.features[i] < 0 || forest.features[i] >= count) {
            PyErr_SetString(PyExc_ValueError, "a tree asks for a feature that there is not");
            done = 0;
        }
    int32_t *leaves = done ? PyMem_Malloc((blocks + 1) * sizeof *leaves) : NULL;
    if (leaves)
        sum_trees(&forest, arrays[0].view.buf, blocks, arrays[4].view.buf, leaves);
    else if (done)
        PyErr_NoMemory();
    PyMem_Free(leaves);
    release(arrays, 5);
    return leaves ? Py_NewRef(Py_None) : NULL;
}

static PyObject *skimmed(Skimming *skimming, PyObject *blocks, PyObject *spots, PyObject *look_up, int containers)
{
    if (!take_blocks(skimming, blocks, spots, look_up))
        return NULL;
    int most = abs(containers) < MOST_CONTAINERS ? abs(containers) : MOST_CONTAINERS;
    int container = containers ? find_container(skimming, most) : -1;
    if (containers > 0 && container < 0)
        return Py_NewRef(Py_None);
    return keep_own(skimming, container) ? kept_numbers(skimming) : NULL;
}

static PyObject *skim(PyObject *module, PyObject *arguments)
{
    PyObject *blocks, *spots, *look_up, *cells, *result = NULL;
    int containers;
    Array array = {0};
    Skimming skimming = {0};
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!O!OiOO", &PyTuple_Type, &blocks, &PyDict_Type, &spots, &look_up, &containers, &cells, &skimming.is_line_numbers))
        return NULL;
    skimming.blocks = PyMem_Calloc(PyTuple_GET_SIZE(blocks) + 1, sizeof *skimming.blocks);
    if (!skimming.blocks)
        return PyErr_NoMemory();
    if (take_array(&array, cells, ROWS << WIDTH_BITS, 1, 0)) {
        skimming.cells = array.view.buf;
        result = skimmed(&skimming, blocks, spots, look_up, containers);
    }
    free_blocks(&skimming, PyTuple_GET_SIZE(blocks));
    release(&array, 1);
    return result;
}

static PyObject *joined(PyObject *module, PyObject *arguments)
{
    PyObject *given, *known, *ask, *result = NULL;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OO!O", &given, &PyDict_Type, &known, &ask))
        return NULL;
    PyObject *blocks = PySequence_Fast(given, "blocks are needed");
    if (!blocks)
        return NULL;
    Py_ssize_t size = PySequence_Fast_GET_SIZE(blocks);
    Joining joining = {PyMem_Malloc((size + 1) * sizeof(PyObject *)), PyMem_Malloc(size + 1), 0, 0, 127};
    if (!joining.texts || !joining.breaks)
        PyErr_NoMemory();
    else if (take_texts(&joining, blocks, known, ask))
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
    if (length < 1 || length > UINT8_MAX || search.most < 1) {
        PyErr_SetString(PyExc_ValueError, "nothing is looked for");
        return NULL;
    }
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
    unsigned int good;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!iO!iO!O!IO", &PyDict_Type, &kinds, &known_places.kind_count, &PyDict_Type, &tags, &known_places.tag_count,
                          &PyDict_Type, &leaves, &PyDict_Type, &inner, &good, &features))
        return NULL;
    if (known_places.kind_count > MOST_KINDS || known_places.tag_count > MOST_TAGS) {
        PyErr_SetString(PyExc_ValueError, "too many kinds or tags");
        return NULL;
    }
    known_places.good = good;
    Py_XSETREF(known_places.features, Py_NewRef(features));
    if (!take_names(&known_places.kinds, kinds) || !take_names(&known_places.tags, tags) || !take_names(&known_places.leaves, leaves)
        || !take_names(&known_places.inner, inner))
        return NULL;
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
     "tree_rows(ends, parents, inside, (paths, prefixes), up, levels, depth)\n\nFill in arrays: what is around each path, and how deep prefixes are."},
    {"add_trees", add_trees, METH_VARARGS,
     "add_trees(columns, (features, blocks), features, thresholds, values, (trees, levels), sums)\n\nAdd what trees say of blocks."},
    {"skim", skim, METH_VARARGS,
     "skim(blocks, spots, look_up, containers, cells, is_line_numbers)\n\n"
     "The numbers of the blocks that are text, or None if no container holds them; without containers, of all places.\n"
     "So many containers below zero: of all places only if no container holds them."},
    {"joined", joined, METH_VARARGS, "joined(blocks, known, is_close)\n\nThe text of blocks; known says which paths are close, is_close of others."},
    {"tags_named", tags_named, METH_VARARGS, "tags_named(page, name, most)\n\nWhere tags of this name begin, or None if the page has no UTF-8."},
    {"tags_with", tags_with, METH_VARARGS, "tags_with(page, word, most)\n\nWhere tags with this word in them begin, or None if the page has no UTF-8."},
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
