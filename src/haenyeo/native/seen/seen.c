/* haenyeo.native._seen: what `find/seen.py` does with arrays, hash by hash. */
#include "../checked/views.h"

#define SLOTS 8
#define MIX 0x9E3779B97F4A7C15u

typedef struct {
    uint64_t *slots; /* SLOTS for each bucket */
    uint8_t *filled;
    uint64_t buckets;
    PyObject *spilled; /* a set */
} Table;

static int is_in(const uint64_t *bucket, uint64_t hash)
{
    int found = 0;
    for (int slot = 0; slot < SLOTS; slot++)
        found |= bucket[slot] == hash;
    return found;
}

/* 1 if the hash is new and was put in, 0 if it was there, -1 with an error set. */
static int add_hash(const Table *table, uint64_t hash)
{
    uint64_t mixed = hash * MIX;
    uint64_t first = (mixed >> 32) * table->buckets >> 32, second = (mixed & 0xFFFFFFFFu) * table->buckets >> 32;
    if (is_in(table->slots + first * SLOTS, hash) || is_in(table->slots + second * SLOTS, hash))
        return 0;
    uint64_t bucket = table->filled[first] <= table->filled[second] ? first : second;
    int is_full = table->filled[bucket] >= SLOTS;
    if (!is_full && !PySet_GET_SIZE(table->spilled)) {
        table->slots[bucket * SLOTS + table->filled[bucket]++] = hash;
        return 1;
    }
    PyObject *number = PyLong_FromUnsignedLongLong(hash);
    int known = number ? PySet_Contains(table->spilled, number) : -1;
    is_full = table->filled[bucket] >= SLOTS; /* asked again: objects in the set may have run code of their own */
    if (!known && is_full)
        known = PySet_Add(table->spilled, number);
    else if (!known)
        table->slots[bucket * SLOTS + table->filled[bucket]++] = hash;
    Py_XDECREF(number);
    return known < 0 ? -1 : !known;
}

typedef VIEW(const uint64_t) Hashes;

static PyObject *marks_of(const Table *table, Hashes hashes)
{
    PyObject *marks = PyBytes_FromStringAndSize(NULL, hashes.count);
    for (Py_ssize_t i = 0; marks && i < hashes.count; i++) {
        int is_new = add_hash(table, hashes.items[i]);
        if (is_new < 0)
            Py_CLEAR(marks);
        else
            PyBytes_AS_STRING(marks)[i] = (char)is_new;
    }
    return marks;
}

static PyObject *add(PyObject *module, PyObject *arguments)
{
    PyObject *table_slots, *counts, *given, *spilled, *marks = NULL;
    Views views = {0};
    VIEW(uint64_t) slots;
    VIEW(uint8_t) filled;
    Hashes hashes;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOOO!", &table_slots, &counts, &given, &PySet_Type, &spilled))
        return NULL;
    TAKE_TO_WRITE(&views, table_slots, &slots);
    TAKE_TO_WRITE(&views, counts, &filled);
    TAKE(&views, given, &hashes);
    Table table = {slots.items, filled.items, (uint64_t)filled.count, spilled};
    if (!PyErr_Occurred() && (!filled.count || filled.count > UINT32_MAX))
        PyErr_SetString(PyExc_ValueError, "a table has one bucket at least, and no more than can be told apart");
    if (has_items(slots.count, size_product(filled.count, SLOTS)))
        marks = marks_of(&table, hashes);
    give_back(&views);
    return marks;
}

static PyMethodDef METHODS[] = {
    {"add", add, METH_VARARGS,
     "add(slots, filled, hashes, spilled)\n\nPut hashes into the table; a byte for each: 1 if it was not there."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_seen", NULL, -1, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__seen(void)
{
    return PyModule_Create(&MODULE);
}
