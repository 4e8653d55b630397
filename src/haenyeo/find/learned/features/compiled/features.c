/* haenyeo.find.learned.features._compiled: words, links and addresses as places of the table of features.
 *
 * The same numbers as the Python code beside it gives, which is used where there is no compiler.
 */
#include "places.h"
#include "words.h"
#include "reading.h"
#include "links.h"
#include "counting.h"
#include "addresses.h"

static Link names; /* of a link's attributes; the path is given beside it for all links */

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
        if (copy_text(&text, word, 0, PyUnicode_GET_LENGTH(word)) < 0)
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

/* How many links stand at each place of the page: a number for each path, in the order they first occur. */
static int32_t *groups_of(PyObject *paths, Py_ssize_t count, Ids *sizes)
{
    PyObject *numbers = PyDict_New();
    int32_t *groups = PyMem_Malloc((size_t)(count + 1) * sizeof *groups);
    for (Py_ssize_t i = 0; numbers && groups && i < count; i++) {
        PyObject *path = PyList_GET_ITEM(paths, i), *known = PyDict_GetItemWithError(numbers, path);
        if (!known && PyErr_Occurred())
            break;
        groups[i] = known ? (int32_t)PyLong_AsLong(known) : (int32_t)sizes->count;
        if (!known) {
            PyObject *number = PyLong_FromSsize_t(sizes->count);
            if (number)
                PyDict_SetItem(numbers, path, number);
            Py_XDECREF(number);
            add_id(sizes, 0);
        }
        if (sizes->failed)
            break;
        sizes->items[groups[i]]++;
    }
    Py_XDECREF(numbers);
    if (!groups || sizes->failed)
        PyErr_NoMemory();
    return groups;
}

static int is_whole(const Link *link)
{
    PyObject *parts[] = {link->url, link->anchor, link->before, link->after, link->path};
    for (int i = 0; i < 5; i++) {
        if (!parts[i])
            return 0;
        if (!PyUnicode_Check(parts[i])) {
            PyErr_SetString(PyExc_TypeError, "a link is made of strings");
            return 0;
        }
    }
    return 1;
}

static int add_link_object(LinkPage *page, PyObject *object, Py_ssize_t beside)
{
    if (object == Py_None) {
        for (int kind = 0; kind < KINDS_OF_FEATURES; kind++)
            add_id(&page->ends, (int32_t)page->ids.count);
        return 0;
    }
    Link link = {
        PyObject_GetAttr(object, names.url),   PyObject_GetAttr(object, names.anchor), PyObject_GetAttr(object, names.before),
        PyObject_GetAttr(object, names.after), PyObject_GetAttr(object, names.path),
    };
    int result = is_whole(&link) ? add_link(page, &link, beside) : -1;
    Py_XDECREF(link.url);
    Py_XDECREF(link.anchor);
    Py_XDECREF(link.before);
    Py_XDECREF(link.after);
    Py_XDECREF(link.path);
    return result;
}

static PyObject *link_features(PyObject *module, PyObject *arguments)
{
    PyObject *links, *paths, *result = NULL;
    LinkPage page = {0};
    Ids sizes = {0};
    (void)module;
    if (!PyArg_ParseTuple(arguments, "UO!O!", &page.url, &PyList_Type, &links, &PyList_Type, &paths))
        return NULL;
    page.links = PyList_GET_SIZE(links);
    if (PyList_GET_SIZE(paths) != page.links)
        return PyErr_Format(PyExc_ValueError, "a path for each link is needed");
    int32_t *groups = groups_of(paths, page.links, &sizes);
    for (Py_ssize_t i = 0; groups && !PyErr_Occurred() && i < page.links; i++)
        if (add_link_object(&page, PyList_GET_ITEM(links, i), bit_length(sizes.items[groups[i]])) < 0)
            break;
    if (groups && !PyErr_Occurred()) {
        PyObject *flat = as_bytes(&page.ids), *ends = flat ? as_bytes(&page.ends) : NULL;
        if (ends)
            result = Py_BuildValue("OOy#n", flat, ends, (char *)groups, page.links * (Py_ssize_t)sizeof *groups, sizes.count);
        Py_XDECREF(flat);
        Py_XDECREF(ends);
    }
    PyMem_Free(groups);
    PyMem_Free(sizes.items);
    PyMem_Free(page.text.codes);
    PyMem_Free(page.spelled.codes);
    PyMem_Free(page.ids.items);
    PyMem_Free(page.ends.items);
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
    {"link_features", link_features, METH_VARARGS,
     "link_features(url, links, paths)\n\nPlaces, where the four kinds of each link end, each link's group, and how many groups."},
    {"address_features", address_features, METH_VARARGS, "address_features(host, path)\n\nPlaces, as bytes of int32."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_compiled", NULL, -1, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__compiled(void)
{
    fill_crc_steps();
    fill_kinds();
    names = (Link){
        PyUnicode_InternFromString("url"),   PyUnicode_InternFromString("anchor"), PyUnicode_InternFromString("before"),
        PyUnicode_InternFromString("after"), PyUnicode_InternFromString("path"),
    };
    if (!is_whole(&names))
        return NULL;
    return PyModule_Create(&MODULE);
}
