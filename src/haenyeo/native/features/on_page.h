/* The links of a page: objects that hold their own strings, or places in the page's text. */
#define BOUNDS 6 /* where a link's anchor, the words before and those after it begin and end */

static struct {
    PyObject *url, *anchor, *before, *after, *path, *label, *block;
} names; /* of attributes */

static int fill_names(void)
{
    PyObject **all[] = {&names.url, &names.anchor, &names.before, &names.after, &names.path, &names.label, &names.block};
    const char *spelled[] = {"url", "anchor", "before", "after", "path", "label", "block"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!(*all[i] = PyUnicode_InternFromString(spelled[i])))
            return -1;
    return 0;
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

/* A string that is an attribute, as a new reference. */
static PyObject *string_of(PyObject *object, PyObject *name)
{
    PyObject *string = PyObject_GetAttr(object, name);
    if (string && !PyUnicode_Check(string)) {
        Py_CLEAR(string);
        PyErr_SetString(PyExc_TypeError, "a link is made of strings");
    }
    return string;
}

static Part whole_of(PyObject *string)
{
    return (Part){string, 0, string ? PyUnicode_GET_LENGTH(string) : 0};
}

static int add_nothing(LinkPage *page)
{
    for (int kind = 0; kind < KINDS_OF_FEATURES; kind++)
        add_id(&page->ends, (int32_t)page->ids.count);
    return 0;
}

static int add_link_object(LinkPage *page, Py_ssize_t number, Py_ssize_t beside)
{
    PyObject *object = PyList_GET_ITEM(page->objects, number);
    if (object == Py_None)
        return add_nothing(page);
    PyObject *url = string_of(object, names.url), *anchor = url ? string_of(object, names.anchor) : NULL;
    PyObject *before = anchor ? string_of(object, names.before) : NULL, *after = before ? string_of(object, names.after) : NULL;
    Link link = {url, PyList_GET_ITEM(page->paths, number), whole_of(anchor), whole_of(before), whole_of(after)};
    int result = after ? add_link(page, &link, beside) : -1;
    Py_XDECREF(url);
    Py_XDECREF(anchor);
    Py_XDECREF(before);
    Py_XDECREF(after);
    return result;
}

/* The path of the block an outlink stands in, as a new reference; an empty one outside of all blocks. */
static PyObject *path_of(PyObject *blocks, PyObject *outlink)
{
    PyObject *number = PyObject_GetAttr(outlink, names.block);
    Py_ssize_t block = number ? PyLong_AsSsize_t(number) : -1;
    Py_XDECREF(number);
    if (PyErr_Occurred())
        return NULL;
    if (block >= PyTuple_GET_SIZE(blocks))
        return PyErr_Format(PyExc_ValueError, "a link stands in a block that is not there");
    return block < 0 ? PyUnicode_New(0, 0) : string_of(PyTuple_GET_ITEM(blocks, block), names.path);
}

static PyObject *paths_of(PyObject *blocks, PyObject *outlinks)
{
    PyObject *paths = PyList_New(PyList_GET_SIZE(outlinks));
    for (Py_ssize_t i = 0; paths && i < PyList_GET_SIZE(outlinks); i++) {
        PyObject *path = path_of(blocks, PyList_GET_ITEM(outlinks, i));
        if (!path)
            Py_CLEAR(paths);
        else
            PyList_SET_ITEM(paths, i, path);
    }
    return paths;
}

/* Take the places of the links to be added and where in the text they stand. */
static int take_places(LinkPage *page, const Py_buffer *places, const Py_buffer *spans)
{
    page->places = places->buf;
    page->places_left = places->len / (Py_ssize_t)sizeof *page->places;
    page->spans = spans->buf;
    if (spans->len != page->places_left * BOUNDS * (Py_ssize_t)sizeof *page->spans) {
        PyErr_SetString(PyExc_ValueError, "six bounds for each place are needed");
        return -1;
    }
    Py_ssize_t length = PyUnicode_GET_LENGTH(page->whole);
    for (Py_ssize_t i = 0; i < BOUNDS * page->places_left; i += 2) {
        const int32_t *part = page->spans + i;
        if (part[0] > part[1] || part[1] > length || (part[0] < 0 && part[1] >= 0)) {
            PyErr_SetString(PyExc_ValueError, "a link must lie within the text");
            return -1;
        }
    }
    return 0;
}

static Part part_of(const LinkPage *page, int number)
{
    const int32_t *part = page->spans + 2 * number;
    return (Part){page->whole, part[0], part[1]};
}

/* Add a link if it is at the next of the places, which ascend. */
static int add_placed_link(LinkPage *page, Py_ssize_t number, Py_ssize_t beside)
{
    if (!page->places_left || *page->places != number)
        return add_nothing(page);
    PyObject *outlink = PyList_GET_ITEM(page->objects, number), *label = NULL, *url = string_of(outlink, names.url);
    Link link = {url, PyList_GET_ITEM(page->paths, number), part_of(page, 0), part_of(page, 1), part_of(page, 2)};
    if (link.anchor.start < 0) {
        label = url ? string_of(outlink, names.label) : NULL;
        link.anchor = whole_of(label);
        link.before = link.after = (Part){page->whole, 0, 0};
    }
    int result = PyErr_Occurred() ? -1 : add_link(page, &link, beside);
    page->places++;
    page->places_left--;
    page->spans += BOUNDS;
    Py_XDECREF(url);
    Py_XDECREF(label);
    return result;
}
