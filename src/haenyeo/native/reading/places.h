/* What the places of blocks say: elements and names around them, and how near; the same as `read.page.places`. */
#ifndef HAENYEO_READ_PLACES_H
#define HAENYEO_READ_PLACES_H

#include "texts.h"

#define LONGEST_NAME 23
#define NAME_SLOTS 2048
#define MOST_KINDS 16
#define MOST_TAGS 64
#define MOST_PLACE_FEATURES (MOST_TAGS + MOST_KINDS + 9)
#define FAR_AWAY 9.0f

typedef struct {
    char name[LONGEST_NAME + 1];
    int number;
} Name;

typedef struct {
    Name slots[NAME_SLOTS];
} Names;

static struct {
    Names kinds, tags, leaves, inner; /* inner: elements that only stand in texts */
    int kind_count, tag_count;
    uint32_t good;     /* a bit for each kind that names a text */
    PyObject *features; /* in Python, for names that are not ASCII */
} known_places;

static Name *slot_of(Names *names, const char *name, Py_ssize_t length)
{
    uint32_t hash = 2166136261u;
    for (Py_ssize_t i = 0; i < length; i++)
        hash = (hash ^ (uint8_t)name[i]) * 16777619u;
    Name *slot = &names->slots[hash & (NAME_SLOTS - 1)];
    while (slot->name[0] && (memcmp(slot->name, name, length) || slot->name[length]))
        slot = slot == &names->slots[NAME_SLOTS - 1] ? names->slots : slot + 1;
    return slot;
}

static int number_of(Names *names, const char *name, Py_ssize_t length)
{
    if (!length || length > LONGEST_NAME)
        return -1;
    const Name *slot = slot_of(names, name, length);
    return slot->name[0] ? slot->number : -1;
}

/* Take in {name: number}; numbers are below a bound. Returns 0 with an error set. */
static int take_names(Names *names, PyObject *given, int bound)
{
    PyObject *key, *value;
    Py_ssize_t place = 0;
    memset(names, 0, sizeof *names);
    while (PyDict_Next(given, &place, &key, &value)) {
        Py_ssize_t length = 0;
        const char *name = PyUnicode_Check(key) ? PyUnicode_AsUTF8AndSize(key, &length) : NULL;
        long number = PyLong_CheckExact(value) ? PyLong_AsLong(value) : -1;
        if (!name || !length || length > LONGEST_NAME || !is_place(number, bound) || PyDict_GET_SIZE(given) > NAME_SLOTS / 2) {
            PyErr_SetString(PyExc_ValueError, "a name or its number is too long, or there are too many");
            return 0;
        }
        Name *slot = slot_of(names, name, length);
        memcpy(slot->name, name, (size_t)length);
        slot->number = (int)number;
    }
    return 1;
}

/* A bit for each kind of part that the words in a name tell of; humps part words too. */
static uint32_t kinds_in(const char *name, const char *end)
{
    uint32_t kinds = 0;
    while (name < end) {
        char word[LONGEST_NAME + 1];
        Py_ssize_t length = 0;
        int was_small = 0;
        for (; name < end; name++) {
            int is_small = *name >= 'a' && *name <= 'z', is_large = *name >= 'A' && *name <= 'Z';
            if (!(is_small || is_large) || (is_large && was_small))
                break;
            if (length <= LONGEST_NAME)
                word[length++] = (char)(*name | 32);
            was_small = is_small;
        }
        int kind = number_of(&known_places.kinds, word, length);
        if (kind >= 0)
            kinds |= 1u << kind;
        if (!length)
            name++;
    }
    return kinds;
}

static int count_bits(uint32_t bits)
{
    int count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

/* What the steps of a path say together. */
typedef struct {
    uint64_t tags; /* a bit for each */
    float nearest[MOST_KINDS];
    int steps, leaf, lists, good, bad;
} Way;

#define MOST_STEPS 48
#define SENTENCE_HYPHENS 3

/* The way to the last path step by step: the next path mostly begins alike. */
typedef struct {
    PyObject *held; /* the string that the path is in; owned */
    const char *path;
    Py_ssize_t length, ends[MOST_STEPS]; /* where each step ends */
    Way ways[MOST_STEPS + 1];            /* before any step, and behind each */
    int steps;
} LastWay;

static void note_kinds(Way *way, uint32_t kinds)
{
    int good = count_bits(kinds & known_places.good);
    way->good += good;
    way->bad += count_bits(kinds) - good;
}

static void take_step(Way *way, const char *step, const char *end)
{
    const char *dot = memchr(step, '.', end - step);
    Py_ssize_t length = (dot ? dot : end) - step;
    int tag = number_of(&known_places.tags, step, length);
    int leaf = number_of(&known_places.leaves, step, length);
    uint32_t kinds = kinds_in(step, end);
    if (tag >= 0)
        way->tags |= UINT64_C(1) << tag;
    for (int kind = 0; kind < known_places.kind_count; kind++)
        way->nearest[kind] = kinds >> kind & 1 ? 0 : way->nearest[kind] + 1;
    note_kinds(way, kinds);
    way->lists += way->steps && length >= 2 && (!memcmp(step, "li", 2) || !memcmp(step, "ul", 2) || !memcmp(step, "ol", 2));
    way->leaf = leaf < 0 ? 0 : leaf;
    way->steps++;
}

/* Is this an id made of a whole sentence? It names a chapter, whatever words are in it. */
static int is_sentence(const char *sign, const char *end)
{
    int hyphens = 0;
    for (const char *at = sign; at < end; at++)
        hyphens += *at == '-';
    return *sign == '#' && hyphens >= SENTENCE_HYPHENS;
}

/* What else is said; the innermost sign is the nearest. Returns how often something is hidden. */
static int take_signs(Way *way, const char *signs, const char *end)
{
    int distance = 0, hidden = 0;
    while (end > signs) {
        const char *sign = end;
        while (sign > signs && sign[-1] != ' ')
            sign--;
        uint32_t kinds = is_sentence(sign, end) ? 0 : kinds_in(sign, end);
        note_kinds(way, kinds);
        for (int kind = 0; kind < known_places.kind_count; kind++)
            if (kinds >> kind & 1 && way->nearest[kind] > (float)distance)
                way->nearest[kind] = (float)distance;
        hidden += end - sign == 7 && !memcmp(sign, "!hidden", 7);
        distance++;
        end = sign > signs ? sign - 1 : signs;
    }
    return hidden;
}

static void begin_way(LastWay *last)
{
    last->held = NULL;
    last->path = "";
    last->length = 0;
    last->steps = 0;
    last->ways[0] = (Way){0};
    for (int kind = 0; kind < known_places.kind_count; kind++)
        last->ways[0].nearest[kind] = 1e6f;
}

/* How many steps of the last path this one takes, too. */
static int steps_alike(const LastWay *last, const char *path, Py_ssize_t length)
{
    Py_ssize_t same = 0, most = length < last->length ? length : last->length;
    while (same < most && path[same] == last->path[same])
        same++;
    int steps = last->steps;
    while (steps && (last->ends[steps - 1] > same || (last->ends[steps - 1] < length && path[last->ends[steps - 1]] != '>')))
        steps--;
    return steps;
}

static Way way_of(LastWay *last, PyObject *asked)
{
    const char *path = PyUnicode_DATA(asked);
    Py_ssize_t length = PyUnicode_GET_LENGTH(asked);
    int steps = steps_alike(last, path, length);
    const char *end = path + length, *at = steps ? path + last->ends[steps - 1] + 1 : path;
    Way way = last->ways[steps];
    while (at < end) {
        const char *border = memchr(at, '>', end - at), *step_end = border ? border : end;
        take_step(&way, at, step_end);
        at = border ? border + 1 : end;
        if (steps < MOST_STEPS) {
            last->ends[steps++] = step_end - path;
            last->ways[steps] = way;
        }
    }
    Py_XSETREF(last->held, Py_NewRef(asked));
    last->path = path;
    last->length = length;
    last->steps = steps;
    return way;
}

static void place_row(Way way, const char *signs, Py_ssize_t signs_length, float *row)
{
    int kinds = known_places.kind_count;
    for (int tag = 0; tag < known_places.tag_count; tag++)
        row[tag] = (float)(way.tags >> tag & 1);
    for (int kind = 0; kind < kinds; kind++)
        way.nearest[kind] = way.nearest[kind] >= 1e6f ? FAR_AWAY : way.nearest[kind];
    int hidden = take_signs(&way, signs, signs + signs_length);
    float near[2] = {1e6f, 1e6f}; /* bad, good */
    for (int kind = 0; kind < kinds; kind++) {
        int is_good = known_places.good >> kind & 1;
        if (way.nearest[kind] < near[is_good])
            near[is_good] = way.nearest[kind];
    }
    row += known_places.tag_count;
    memcpy(row, way.nearest, kinds * sizeof *row);
    float rest[] = {(float)way.steps, (float)way.leaf, (float)way.lists, (float)hidden, (float)way.good, (float)way.bad, near[1], near[0], (float)(way.good - way.bad)};
    memcpy(row + kinds, rest, sizeof rest);
}

static int asked_row(PyObject *path, PyObject *signs, float *row, Py_ssize_t width)
{
    PyObject *found = PyObject_CallFunctionObjArgs(known_places.features, path, signs, NULL);
    PyObject *items = found ? items_of(found) : NULL;
    int done = items && PyTuple_GET_SIZE(items) == width;
    if (items && !done)
        PyErr_SetString(PyExc_ValueError, "a place has another number of features");
    for (Py_ssize_t i = 0; done && i < width; i++) {
        double feature = PyFloat_AsDouble(PyTuple_GET_ITEM(items, i));
        row[i] = (float)feature;
        done = feature != -1 || !PyErr_Occurred();
    }
    Py_XDECREF(items);
    Py_XDECREF(found);
    return done;
}

static int find_place(LastWay *last, PyObject *path, PyObject *signs, float *row, Py_ssize_t width)
{
    if (!is_string(path, "a path") || !is_string(signs, "what signs are made of"))
        return 0;
    if (!PyUnicode_IS_ASCII(path) || !PyUnicode_IS_ASCII(signs))
        return asked_row(path, signs, row, width);
    place_row(way_of(last, path), PyUnicode_DATA(signs), PyUnicode_GET_LENGTH(signs), row);
    return 1;
}

#endif
