/* The words of strings as places, read where they stand; words met before are remembered with their places. */
#ifndef HAENYEO_FEATURE_READING_H
#define HAENYEO_FEATURE_READING_H

#include "words.h"

#ifdef __GNUC__
#define ALWAYS_INLINE __attribute__((always_inline)) /* so that there is code for each width of strings */
#else
#define ALWAYS_INLINE
#endif
#define LONGEST_REMEMBERED 16 /* code points */
#define WORDS_REMEMBERED (1 << 14)

/* Up to sixteen code points, zeros behind the word. */
typedef union {
    uint16_t letters[LONGEST_REMEMBERED];
    uint64_t parts[LONGEST_REMEMBERED / 4];
} Spelling;

/* A word by a number that hardly any other has; zeros where none is remembered. */
typedef struct {
    uint64_t mixed;
    int32_t place;
} Remembered;

static Remembered remembered[WORDS_REMEMBERED];

static int32_t place_of_spelling(const Spelling *spelling, Py_ssize_t length, int kind)
{
    Py_UCS4 codes[LONGEST_REMEMBERED];
    for (Py_ssize_t i = 0; i < length; i++)
        codes[i] = spelling->letters[i];
    return word_place((Word){codes, length, kind});
}

static inline uint64_t mix(const Spelling *spelling)
{
    const uint64_t *parts = spelling->parts;
    uint64_t mixed = (parts[0] ^ parts[2] << 7) * 0x9E3779B97F4A7C15u ^ (parts[1] ^ parts[3] << 9) * 0xC2B2AE3D27D4EB4Fu;
    return (mixed ^ mixed >> 29) * 0x9E3779B97F4A7C15u;
}

static inline Remembered *slot_of(uint64_t mixed)
{
    return &remembered[mixed >> 50];
}

/* Words that were read and wait for their places: memory is slow, and is asked for all of them before any is needed. */
#define MOST_WAITING 16

typedef struct {
    Spelling spelling;
    uint64_t mixed;
    Py_ssize_t length;
    int kind;
} WaitingWord;

typedef struct {
    WaitingWord words[MOST_WAITING];
    int count;
} Waiting;

static void add_waiting(Ids *ids, Waiting *waiting)
{
    for (int i = 0; i < waiting->count; i++) {
        waiting->words[i].mixed = mix(&waiting->words[i].spelling);
#ifdef __GNUC__
        __builtin_prefetch(slot_of(waiting->words[i].mixed));
#endif
    }
    for (int i = 0; i < waiting->count; i++) {
        const WaitingWord *word = &waiting->words[i];
        Remembered *known = slot_of(word->mixed);
        if (known->mixed != word->mixed)
            *known = (Remembered){word->mixed, place_of_spelling(&word->spelling, word->length, word->kind)};
        if (known->place)
            add_id(ids, known->place);
    }
    waiting->count = 0;
}

/* The lower case of a code point of a string, and above its 16 bits its kind; Hangul does not need the large table. */
static inline uint32_t lower_kind_at(const void *data, int width, Py_ssize_t at)
{
    if (width == 1)
        return lower_kinds[((const Py_UCS1 *)data)[at]];
    uint32_t code = ((const Py_UCS2 *)data)[at];
    return is_hangul(code) ? code | HANGUL << 16 : lower_kinds[code];
}

/* The place of a word too long to be remembered. */
static int32_t place_of_long_word(Text *room, const void *data, int width, Word word, Py_ssize_t start)
{
    if (make_room(room, word.length) < 0)
        return 0;
    for (Py_ssize_t i = 0; i < word.length; i++)
        room->codes[i] = lower_kind_at(data, width, start + i) & 0xFFFF;
    word.codes = room->codes;
    return word_place(word);
}

/* The words of a part of a string with one or two bytes a code point, as `next_word` finds them in its lower case. */
ALWAYS_INLINE static inline void scan(Ids *ids, const void *data, int width, Py_ssize_t at, Py_ssize_t end, Text *room, Py_ssize_t enough)
{
    Waiting waiting; /* each word is written before it is read */
    waiting.count = 0;
    while (at < end && ids->count < enough) {
        uint32_t code = lower_kind_at(data, width, at), kind = code >> 16;
        if (kind == NOTHING) {
            at++;
            continue;
        }
        WaitingWord *word = &waiting.words[waiting.count];
        Py_ssize_t start = at, most = kind == UNSPACED ? 2 : end, length = 0;
        word->spelling = (Spelling){{0}};
        do {
            if (length < LONGEST_REMEMBERED)
                word->spelling.letters[length] = (uint16_t)code;
            at++;
            length++;
        } while (at < end && length < most && (code = lower_kind_at(data, width, at)) >> 16 == kind);
        word->length = length;
        word->kind = (int)kind;
        waiting.count += length <= LONGEST_REMEMBERED;
        if (length > LONGEST_REMEMBERED || waiting.count == MOST_WAITING)
            add_waiting(ids, &waiting);
        if (length > LONGEST_REMEMBERED) {
            int32_t found = place_of_long_word(room, data, width, (Word){NULL, length, (int)kind}, start);
            if (found)
                add_id(ids, found);
        }
        if (kind == UNSPACED && at < end && lower_kind_at(data, width, at) >> 16 == UNSPACED)
            at = start + 1;
    }
    add_waiting(ids, &waiting);
}

/* Whether the lower case of each code point is that of the code point alone. */
static int is_plain(const Py_UCS2 *codes, Py_ssize_t start, Py_ssize_t end)
{
    int others = 0;
    for (Py_ssize_t i = start; i < end; i++)
        others |= (codes[i] == 0x130) | (codes[i] == 0x3A3);
    return !others;
}

/* Add the places of the words of a part of a string; `room` is used for it. No more are read once `ids` has `enough`. */
static int add_words_up_to(Ids *ids, PyObject *string, Py_ssize_t start, Py_ssize_t end, Text *room, Py_ssize_t enough)
{
    const void *data = PyUnicode_DATA(string);
    int width = PyUnicode_KIND(string);
    if (width == PyUnicode_1BYTE_KIND)
        scan(ids, data, 1, start, end, room, enough);
    else if (width == PyUnicode_2BYTE_KIND && is_plain(data, start, end))
        scan(ids, data, 2, start, end, room, enough);
    else {
        if (lower_text(room, string, start, end) < 0)
            return -1;
        add_words(ids, room);
    }
    return PyErr_Occurred() ? -1 : 0;
}

static int add_words_of(Ids *ids, PyObject *string, Py_ssize_t start, Py_ssize_t end, Text *room)
{
    return add_words_up_to(ids, string, start, end, room, PY_SSIZE_T_MAX);
}

#endif
