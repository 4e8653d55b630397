/* haenyeo.native._fingerprint: what `find/traps/fingerprint.py` does with arrays, in one loop over the characters. */
#include "../checked/views.h"

#define BASE 0x9E3779B97F4A7C15u
#define SAMPLE 256
#define WINDOW 1024 /* characters */
#define MOST_UNITS (4 * WINDOW + 1) /* of a word, and one behind it: a character has up to two */
#define SLOTS 1024 /* for the different words among the first SAMPLE */

#define IN_WORD 0x10000u
#define DIGIT 0x20000u

/* Each unit of UTF-16 in lower case, with what that is; halves of rarer characters count as letters. */
static uint32_t units[1 << 16];
static uint64_t powers[MOST_UNITS]; /* of the base */

static uint32_t kind_of(uint16_t code)
{
    if (Py_UNICODE_ISALPHA(code) || (code >= 0xD800 && code < 0xE000))
        return IN_WORD;
    return Py_UNICODE_ISNUMERIC(code) ? IN_WORD | DIGIT : 0;
}

static void fill_tables(void)
{
    for (Py_UCS4 code = 0; code < 1 << 16; code++) {
        uint16_t lower = (uint16_t)Py_UNICODE_TOLOWER(code);
        units[code] = lower | kind_of(lower);
    }
    powers[0] = 1;
    for (Py_ssize_t i = 1; i < MOST_UNITS; i++)
        powers[i] = powers[i - 1] * BASE;
}

static uint64_t mixed(uint64_t hash)
{
    hash = (hash ^ hash >> 33) * 0xFF51AFD7ED558CCDu;
    hash = (hash ^ hash >> 33) * 0xC4CEB9FE1A85EC53u;
    return hash ^ hash >> 33;
}

/* The hashes of the words so far, not yet mixed, and the word that is being read: its `kinds` are those of its units,
 * none where no word has begun. */
typedef struct {
    uint64_t *hashes;
    Py_ssize_t count;
    uint64_t sum;
    Py_ssize_t length;
    uint32_t kinds;
} Words;

/* Without branches, since nobody can foretell where a word ends: its hash is written in any case, and counts if it is
 * one. */
static inline void add_unit(Words *words, uint16_t written)
{
    uint32_t unit = units[written];
    uint64_t inside = -(uint64_t)((unit & IN_WORD) != 0); /* all bits or none */
    words->hashes[words->count] = words->sum;
    words->count += !inside & (words->kinds == IN_WORD);
    words->sum = (words->sum + (unit & 0xFFFF) * powers[words->length]) & inside;
    words->length = (words->length + 1) & (Py_ssize_t)inside;
    words->kinds = (words->kinds | (unit & (IN_WORD | DIGIT))) & (uint32_t)inside;
}

/* The character at `at`, in UTF-8 that was found valid or is cut short behind; moves on behind it. */
static inline Py_UCS4 next_character(const uint8_t **at, const uint8_t *end)
{
    Py_UCS4 code = *(*at)++;
    if (code < 0x80)
        return code;
    code &= code >= 0xF0 ? 0x07 : code >= 0xE0 ? 0x0F : 0x1F;
    while (*at < end && (**at & 0xC0) == 0x80)
        code = code << 6 | (*(*at)++ & 0x3F);
    return code;
}

/* The hashes of the words of so many characters. */
static void hash_words(Words *found, const uint8_t *at, const uint8_t *end, Py_ssize_t characters)
{
    Words words = *found; /* a copy that nothing else points to can stay in registers */
    for (; at < end && characters; characters--) {
        Py_UCS4 code = next_character(&at, end);
        if (code < 0x10000) {
            add_unit(&words, (uint16_t)code);
        } else {
            add_unit(&words, (uint16_t)(0xD7C0 + (code >> 10)));
            add_unit(&words, (uint16_t)(0xDC00 | (code & 0x3FF)));
        }
    }
    add_unit(&words, ' ');
    *found = words;
}

/* Of a long text, the words of two windows at the beginning, one in the middle, one at the end. */
static void hash_windows(Words *words, const uint8_t *text, Py_ssize_t length)
{
    const uint8_t *end = text + length, *middle = text + length / 2, *last = end;
    if (length <= 4 * WINDOW) {
        hash_words(words, text, end, length);
        return;
    }
    while (middle < end && (*middle & 0xC0) == 0x80)
        middle++;
    for (Py_ssize_t left = WINDOW; left && last > text; left -= (*last & 0xC0) != 0x80)
        last--;
    hash_words(words, text, end, 2 * WINDOW);
    hash_words(words, middle, end, WINDOW);
    hash_words(words, last, end, WINDOW);
}

static void mix(Words *words)
{
    for (Py_ssize_t i = 0; i < words->count; i++)
        words->hashes[i] = mixed(words->hashes[i]);
}

static Py_ssize_t count_different(const Words *words)
{
    uint64_t met[SLOTS] = {0};
    Py_ssize_t different = 0, zero = 0;
    for (Py_ssize_t i = 0; i < words->count && i < SAMPLE; i++) {
        uint64_t hash = words->hashes[i];
        Py_ssize_t slot = hash & (SLOTS - 1);
        if (!hash) {
            zero = 1;
            continue;
        }
        while (met[slot] && met[slot] != hash)
            slot = (slot + 1) & (SLOTS - 1);
        different += !met[slot];
        met[slot] = hash;
    }
    return different + zero;
}

/* In place of the words, their pairs of neighbours; a single word stands for itself. */
static void pair_up(Words *words)
{
    if (words->count < 2)
        return;
    words->count--;
    for (Py_ssize_t i = 0; i < words->count; i++)
        words->hashes[i] = mixed(words->hashes[i] * 3 + words->hashes[i + 1]);
}

/* For each of 64 bits, what most hashes have there. A bit of each byte is counted in the bytes of one sum. */
static uint64_t simhash(const uint64_t *hashes, Py_ssize_t count)
{
    uint32_t ones[64] = {0};
    for (Py_ssize_t first = 0; first < count; first += 255) {
        uint64_t sums[8] = {0};
        for (Py_ssize_t i = first; i < count && i < first + 255; i++)
            for (int bit = 0; bit < 8; bit++)
                sums[bit] += hashes[i] >> bit & 0x0101010101010101u;
        for (int bit = 0; bit < 64; bit++)
            ones[bit] += sums[bit & 7] >> (bit & 56) & 0xFF;
    }
    uint64_t most = 0;
    for (int bit = 0; bit < 64; bit++)
        most |= (uint64_t)(2 * (Py_ssize_t)ones[bit] > count) << bit;
    return most;
}

/* Bring the hashes whose first byte is below a bound to the front; how many there are. */
static Py_ssize_t bring_below(uint64_t *hashes, Py_ssize_t count, unsigned bound)
{
    Py_ssize_t below = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        uint64_t moved = hashes[i];
        hashes[i] = hashes[below];
        hashes[below] = moved;
        below += moved >> 56 < bound;
    }
    return below;
}

/* Bring the smallest hashes to the front (Hoare's selection). */
static void select_smallest(uint64_t *hashes, Py_ssize_t count, Py_ssize_t wanted)
{
    Py_ssize_t low = 0, high = count - 1;
    while (low < high) {
        uint64_t pivot = hashes[low + (high - low) / 2];
        Py_ssize_t i = low, j = high;
        while (i <= j) {
            while (hashes[i] < pivot)
                i++;
            while (hashes[j] > pivot)
                j--;
            if (i <= j) {
                uint64_t moved = hashes[i];
                hashes[i++] = hashes[j];
                hashes[j--] = moved;
            }
        }
        if (wanted <= j)
            high = j;
        else if (wanted >= i)
            low = i;
        else
            return;
    }
}

/* The same, quicker for hashes that are spread evenly: only those with the first byte at which the wanted ones end need
 * be compared with each other. */
static void bring_smallest(uint64_t *hashes, Py_ssize_t count, Py_ssize_t wanted)
{
    Py_ssize_t with_byte[256] = {0}, below = 0;
    unsigned byte = 0;
    for (Py_ssize_t i = 0; i < count; i++)
        with_byte[hashes[i] >> 56]++;
    while (byte < 255 && below + with_byte[byte] <= wanted)
        below += with_byte[byte++];
    below = bring_below(hashes, count, byte);
    bring_below(hashes + below, count - below, byte + 1);
    select_smallest(hashes + below, with_byte[byte], wanted - below);
}

typedef VIEW(const uint8_t) Octets;
typedef VIEW(const uint64_t) Hashes;

/* Simhash, different words, pairs and sample of a text; `words` has room for all words in it. */
static PyObject *fingerprint_of(Words *words, Octets text)
{
    hash_windows(words, text.items, text.count);
    mix(words);
    Py_ssize_t different = count_different(words);
    pair_up(words);
    uint64_t similar = simhash(words->hashes, words->count);
    if (words->count > SAMPLE)
        bring_smallest(words->hashes, words->count, SAMPLE);
    Py_ssize_t sampled = words->count > SAMPLE ? SAMPLE : words->count;
    return Py_BuildValue("Knny#", (unsigned long long)similar, different, words->count, (char *)words->hashes, sampled * (Py_ssize_t)sizeof(uint64_t));
}

static PyObject *fingerprint(PyObject *module, PyObject *given)
{
    PyObject *result = NULL;
    Views views = {0};
    Octets text;
    (void)module;
    TAKE(&views, given, &text);
    if (!PyErr_Occurred()) {
        Py_ssize_t most = text.count <= 4 * WINDOW ? text.count : 4 * WINDOW; /* words: each has a character, and one behind it */
        Words words = {room_for(most + 2, sizeof(uint64_t)), 0, 0, 0, 0};
        if (words.hashes)
            result = fingerprint_of(&words, text);
        PyMem_Free(words.hashes);
    }
    give_back(&views);
    return result;
}

/* ---- what was met lately */

typedef VIEW(uint8_t) Marks; /* as many as a power of two */

static inline uint8_t *mark_at(Marks marks, uint64_t hash)
{
    return &marks.items[hash & ((uint64_t)marks.count - 1)];
}

static int is_sketch(Marks marks)
{
    if (!PyErr_Occurred() && (!marks.count || (marks.count & (marks.count - 1))))
        PyErr_SetString(PyExc_ValueError, "the size of a sketch is a power of two");
    return !PyErr_Occurred();
}

static PyObject *mark(PyObject *module, PyObject *arguments)
{
    PyObject *younger, *older, *given;
    Py_ssize_t unmarked = 0;
    Views views = {0};
    Marks now, before;
    Hashes hashes;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOO", &younger, &older, &given))
        return NULL;
    TAKE_TO_WRITE(&views, younger, &now);
    TAKE(&views, older, &before);
    TAKE(&views, given, &hashes);
    int done = is_sketch(now) && is_sketch(before);
    for (Py_ssize_t i = 0; done && i < hashes.count; i++)
        unmarked += !*mark_at(now, hashes.items[i]) && !*mark_at(before, hashes.items[i]);
    for (Py_ssize_t i = 0; done && i < hashes.count; i++)
        *mark_at(now, hashes.items[i]) = 1;
    give_back(&views);
    return done ? PyLong_FromSsize_t(unmarked) : NULL;
}

static int bits_of(uint64_t word)
{
    word -= word >> 1 & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
    return (int)(((word + (word >> 4)) & 0x0F0F0F0F0F0F0F0Fu) * 0x0101010101010101u >> 56);
}

static PyObject *nearest(PyObject *module, PyObject *arguments)
{
    PyObject *given;
    Py_ssize_t place = -1;
    unsigned long long wanted;
    int least = 65;
    Views views = {0};
    Hashes hashes;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OK", &given, &wanted))
        return NULL;
    TAKE(&views, given, &hashes);
    for (Py_ssize_t i = 0; i < hashes.count; i++) {
        int differing = bits_of(hashes.items[i] ^ wanted);
        if (differing < least) {
            least = differing;
            place = i;
        }
    }
    give_back(&views);
    if (place < 0)
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_ValueError, "of no simhashes none is nearest");
    return Py_BuildValue("ni", place, least);
}

static PyMethodDef METHODS[] = {
    {"mark", mark, METH_VARARGS, "mark(now, before, hashes)\n\nMark hashes in a sketch of two generations; how many were not marked."},
    {"nearest", nearest, METH_VARARGS, "nearest(simhashes, simhash)\n\nWhich is most like one, and the bits that differ."},
    {"fingerprint", fingerprint, METH_O,
     "fingerprint(text)\n\nSimhash, different words, pairs, and the sample as bytes, of a text in UTF-8."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_fingerprint", NULL, -1, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__fingerprint(void)
{
    fill_tables();
    return PyModule_Create(&MODULE);
}
