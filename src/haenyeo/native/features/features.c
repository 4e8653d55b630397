/* haenyeo.native._features: words, links and addresses as places of the table of features.
 *
 * The same numbers as the Python code beside it gives, which is used where there is no compiler.
 */
#include "addresses.h"
#include "counting.h"
#include "linking.h"

typedef VIEW(const int32_t) Wanted;

static int fill_set(WordSet *set, PyObject *words)
{
    Py_ssize_t count = PyList_GET_SIZE(words);
    Text text = {0};
    if (count > SLOTS / 4) {
        PyErr_SetString(PyExc_ValueError, "too many words");
        return -1;
    }
    memset(set, 0, sizeof *set);
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *word = PyList_GET_ITEM(words, i);
        if (!is_string(word, "a word") || copy_text(&text, word, 0, PyUnicode_GET_LENGTH(word)) < 0)
            break;
        add_to_set(set, crc_codes(CRC_START, text.codes, text.count));
    }
    PyMem_Free(text.codes);
    return PyErr_Occurred() ? -1 : 0;
}

static PyObject *use_words(PyObject *module, PyObject *arguments)
{
    PyObject *stops, *endings;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!O!", &PyList_Type, &stops, &PyList_Type, &endings))
        return NULL;
    memset(remembered, 0, sizeof remembered);
    if (fill_set(&stop_words, stops) < 0 || fill_set(&particles, endings) < 0)
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *word_ids(PyObject *module, PyObject *string)
{
    Text text = {0};
    Ids ids = {0};
    PyObject *result = NULL;
    (void)module;
    if (!PyUnicode_Check(string))
        return PyErr_Format(PyExc_TypeError, "a string is needed");
    if (add_words_of(&ids, string, 0, PyUnicode_GET_LENGTH(string), &text) == 0)
        result = as_bytes(&ids);
    PyMem_Free(text.codes);
    PyMem_Free(ids.items);
    return result;
}

static PyObject *page_words(PyObject *module, PyObject *arguments)
{
    PyObject *title, *text, *result = NULL;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "UU", &title, &text))
        return NULL;
    Counts *counts = PyMem_Calloc(1, sizeof *counts);
    if (!counts)
        return PyErr_NoMemory();
    Py_ssize_t titled = count_words(counts, title, text);
    PyObject *places = titled < 0 ? NULL : places_of(counts, titled), *weights = places ? weights_of(counts, titled) : NULL;
    if (weights)
        result = PyTuple_Pack(2, places, weights);
    Py_XDECREF(places);
    Py_XDECREF(weights);
    PyMem_Free(counts->ids.items);
    PyMem_Free(counts->counts.items);
    PyMem_Free(counts);
    return result;
}

/* How many of these places are among ids? */
static Py_ssize_t places_among(Wanted places, const int32_t *ids, Py_ssize_t count)
{
    Py_ssize_t found = 0;
    for (Py_ssize_t i = 0; i < places.count; i++) {
        Py_ssize_t at = 0;
        while (at < count && ids[at] != places.items[i])
            at++;
        found += at < count;
    }
    return found;
}

/* The same for the words of a string; -1 with an error set. */
static Py_ssize_t places_in(Wanted places, PyObject *string, Ids *ids, Text *room)
{
    ids->count = 0;
    if (!is_string(string, "a text") || add_words_of(ids, string, 0, PyUnicode_GET_LENGTH(string), room) < 0)
        return -1;
    if (ids->failed)
        PyErr_NoMemory();
    return ids->failed ? -1 : places_among(places, ids->items, ids->count);
}

static PyObject *mentions(PyObject *module, PyObject *arguments)
{
    PyObject *of_page, *texts, *of_words, *result = NULL;
    Views views = {0};
    Wanted page, words;
    Ids ids = {0};
    Text room = {0};
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OO!O", &of_page, &PyTuple_Type, &texts, &of_words))
        return NULL;
    TAKE(&views, of_page, &page);
    TAKE(&views, of_words, &words);
    result = PyErr_Occurred() ? NULL : PyTuple_New(PyTuple_GET_SIZE(texts) + 1);
    for (Py_ssize_t i = 0; result && i < PyTuple_GET_SIZE(result); i++) {
        Py_ssize_t count = i ? places_in(words, PyTuple_GET_ITEM(texts, i - 1), &ids, &room) : places_among(words, page.items, page.count);
        PyObject *number = count < 0 ? NULL : PyLong_FromSsize_t(count);
        if (number)
            PyTuple_SET_ITEM(result, i, number);
        else
            Py_CLEAR(result);
    }
    PyMem_Free(ids.items);
    PyMem_Free(room.codes);
    give_back(&views);
    return result;
}

/* What was found on a page as a tuple: places, ends, groups and how many of these there are. */
static PyObject *as_result(const LinkPage *page, const int32_t *groups, const Ids *sizes)
{
    PyObject *flat = as_bytes(&page->ids), *ends = flat ? as_bytes(&page->ends) : NULL, *result = NULL;
    if (ends)
        result = Py_BuildValue("OOy#n", flat, ends, (char *)groups, page->links * (Py_ssize_t)sizeof *groups, sizes->count);
    Py_XDECREF(flat);
    Py_XDECREF(ends);
    return result;
}

/* The features of the links `add` knows how to add, one for each path; those are a tuple of strings. */
static PyObject *features_of(LinkPage *page, PyObject *paths, int (*add)(LinkPage *, Py_ssize_t, Py_ssize_t))
{
    Ids sizes = {0};
    PyObject *result = NULL;
    page->paths = paths;
    page->address = address_of(page->url);
    page->links = PyTuple_GET_SIZE(paths);
    int32_t *groups = groups_of(paths, page->links, &sizes);
    for (Py_ssize_t i = 0; groups && !PyErr_Occurred() && i < page->links; i++)
        if (add(page, i, bit_length(sizes.items[groups[i]])) < 0)
            break;
    if (groups && !PyErr_Occurred())
        result = as_result(page, groups, &sizes);
    PyMem_Free(groups);
    PyMem_Free(sizes.items);
    PyMem_Free(page->text.codes);
    PyMem_Free(page->spelled.codes);
    PyMem_Free(page->ids.items);
    PyMem_Free(page->ends.items);
    return result;
}

static PyObject *link_features(PyObject *module, PyObject *arguments)
{
    PyObject *links, *given, *result = NULL;
    LinkPage page = {0};
    (void)module;
    if (!PyArg_ParseTuple(arguments, "UO!O!", &page.url, &PyList_Type, &links, &PyList_Type, &given))
        return NULL;
    PyObject *paths = items_of(given);
    page.objects = paths ? items_of(links) : NULL;
    int done = page.objects && has_items(PyTuple_GET_SIZE(paths), PyTuple_GET_SIZE(page.objects));
    for (Py_ssize_t i = 0; done && i < PyTuple_GET_SIZE(paths); i++)
        done = is_string(PyTuple_GET_ITEM(paths, i), "a path");
    if (done)
        result = features_of(&page, paths, add_link_object);
    Py_XDECREF(page.objects);
    Py_XDECREF(paths);
    return result;
}

static PyObject *features_on_page(PyObject *module, PyObject *arguments)
{
    PyObject *links, *of_places, *of_spans, *result = NULL;
    Views views = {0};
    LinkPage page = {0};
    (void)module;
    if (!PyArg_ParseTuple(arguments, "UUO!O!OO", &page.url, &page.whole, &PyTuple_Type, &page.blocks, &PyList_Type, &links, &of_places, &of_spans))
        return NULL;
    page.has_odd_blanks = PyUnicode_FindChar(page.whole, 0x1680, 0, PyUnicode_GET_LENGTH(page.whole), 1) >= 0;
    TAKE(&views, of_places, &page.places);
    TAKE(&views, of_spans, &page.spans);
    page.objects = has_items(page.spans.count, size_product(page.places.count, BOUNDS)) ? items_of(links) : NULL;
    PyObject *paths = page.objects ? paths_of(page.blocks, page.objects) : NULL;
    if (paths)
        result = features_of(&page, paths, add_placed_link);
    if (result && page.described < page.places.count) {
        PyErr_SetString(PyExc_ValueError, "places of links must ascend, and be those of links");
        Py_CLEAR(result);
    }
    Py_XDECREF(paths);
    Py_XDECREF(page.objects);
    give_back(&views);
    return result;
}

static PyObject *address_features(PyObject *module, PyObject *arguments)
{
    Way way = {0};
    Ids ids = {0};
    PyObject *path, *result = NULL;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "UU", &way.host, &path))
        return NULL;
    if (lower_text(&way.path, path, 0, PyUnicode_GET_LENGTH(path)) == 0) {
        for (Py_ssize_t i = 0; i < way.path.count; i++)
            if (way.path.codes[i] >= '0' && way.path.codes[i] <= '9')
                way.path.codes[i] = '0';
        add_address(&ids, &way);
        result = as_bytes(&ids);
    }
    PyMem_Free(way.path.codes);
    PyMem_Free(ids.items);
    return result;
}

static PyMethodDef METHODS[] = {
    {"use_words", use_words, METH_VARARGS, "use_words(stop_words, particles)\n\nTo be called before anything else."},
    {"word_ids", word_ids, METH_O, "word_ids(text)\n\nThe places of a text's words, as bytes of int32."},
    {"page_words", page_words, METH_VARARGS,
     "page_words(title, text)\n\nThe places of the different words, and their weights, as bytes of int32 and float32."},
    {"mentions", mentions, METH_VARARGS,
     "mentions(ids, texts, places)\n\nHow many of some places are among ids, and among those of the words of each text."},
    {"link_features", link_features, METH_VARARGS,
     "link_features(url, links, paths)\n\nPlaces, where the four kinds of each link end, each link's group, and how many groups."},
    {"features_on_page", features_on_page, METH_VARARGS,
     "features_on_page(url, text, blocks, outlinks, places, spans)\n\nThe same for the links at some places, which are int64; six "
     "int32 say where in the text a link and the words before and after it begin and end, -1 that it stands outside of it."},
    {"page_linking", page_linking, METH_VARARGS,
     "page_linking(blocks, outlinks, targets, most)\n\nThe last 32 bits of the keys that the first links lead to, and the number of the "
     "list each stands in, as bytes of uint32 and uint16; what a list has twice comes once."},
    {"address_features", address_features, METH_VARARGS, "address_features(host, path)\n\nPlaces, as bytes of int32."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_features", NULL, -1, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__features(void)
{
    fill_crc_steps();
    fill_kinds();
    if (fill_names() < 0)
        return NULL;
    return PyModule_Create(&MODULE);
}
