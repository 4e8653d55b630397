/* How often does each word of a page occur? */
#define LONGEST_PAGE 2500 /* words */
#define PAGE_ROOM (8 * LONGEST_PAGE) /* characters */
#define TITLE_ROOM 1000
#define COUNT_SLOTS 16384 /* for up to LONGEST_PAGE words and those of a title */

typedef struct {
    Ids ids, counts;
    int16_t slots[COUNT_SLOTS]; /* 1 + the place among the ids */
} Counts;

static void count_word(Counts *counts, int32_t id, int32_t times)
{
    uint32_t slot = (uint32_t)id * 2654435761u >> 18;
    while (counts->slots[slot] && counts->ids.items[counts->slots[slot] - 1] != id)
        slot = (slot + 1) % COUNT_SLOTS;
    if (!counts->slots[slot]) {
        add_id(&counts->ids, id);
        add_id(&counts->counts, 0);
        if (counts->ids.failed || counts->counts.failed)
            return;
        counts->slots[slot] = (int16_t)counts->ids.count;
    }
    counts->counts.items[counts->slots[slot] - 1] += times;
}

static int add_words_of(Ids *ids, PyObject *string, Py_ssize_t most)
{
    Text text = {0};
    int result = lower_text(&text, string, 0, smaller(PyUnicode_GET_LENGTH(string), most));
    if (result == 0)
        add_words(ids, &text);
    PyMem_Free(text.codes);
    return result;
}

/* Count the words of the title twice, then those of the text; how many different ones the title has, -1 if it failed. */
static Py_ssize_t count_words(Counts *counts, PyObject *title, PyObject *text)
{
    Ids ids = {0};
    Py_ssize_t titled = -1;
    if (add_words_of(&ids, title, TITLE_ROOM) == 0) {
        for (Py_ssize_t i = 0; i < ids.count; i++)
            count_word(counts, ids.items[i], 2);
        titled = counts->ids.count;
        ids.count = 0;
        if (add_words_of(&ids, text, PAGE_ROOM) < 0)
            titled = -1;
        for (Py_ssize_t i = 0; titled >= 0 && i < ids.count && i < LONGEST_PAGE; i++)
            count_word(counts, ids.items[i], 1);
    }
    if (ids.failed)
        PyErr_NoMemory();
    PyMem_Free(ids.items);
    return titled;
}
