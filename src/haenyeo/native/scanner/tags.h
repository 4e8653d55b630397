/* The elements of HTML by number, and what the rules of tree building need to know of each. */
#ifndef HAENYEO_TAGS_H
#define HAENYEO_TAGS_H

#include "../checked/sizes.h"

enum {
    BLOCK = 1 << 0,      /* parts the text before it from the text in it; a step of a path */
    SPECIAL = 1 << 1,    /* no end tag of an inline element reaches out of it */
    SCOPE = 1 << 2,      /* no end tag of a block reaches out of it */
    CLOSES_P = 1 << 3,   /* its start ends an open paragraph */
    ENDS_BLOCK = 1 << 4, /* its end tag ends everything up to it */
    IMPLIED_END = 1 << 5,
    VOID = 1 << 6,
    FORMATTING = 1 << 7,
    RAW = 1 << 8,  /* holds no tags, and its text is not part of the page's */
    TABLE = 1 << 9, /* table, its sections, rows, cells and caption */
    HEADING = 1 << 10,
    VERBATIM = 1 << 11,
    DECLINED = 1 << 12, /* what it does to the tree is left to the full parser */
    APART = 1 << 13,    /* stands inline, but browsers are often told to show it apart from others beside it */
};

#define BLOCK_OF_BODY (BLOCK | SPECIAL | CLOSES_P | ENDS_BLOCK)

/* name, flags */
#define ALL_TAGS(T) \
    T(address, BLOCK_OF_BODY) T(article, BLOCK_OF_BODY) T(aside, BLOCK_OF_BODY) T(blockquote, BLOCK_OF_BODY) \
    T(center, BLOCK_OF_BODY) T(details, BLOCK_OF_BODY) T(dialog, BLOCK | CLOSES_P | ENDS_BLOCK) T(dir, BLOCK_OF_BODY) \
    T(div, BLOCK_OF_BODY) T(dl, BLOCK_OF_BODY) T(fieldset, BLOCK_OF_BODY) T(figcaption, BLOCK_OF_BODY) \
    T(figure, BLOCK_OF_BODY) T(footer, BLOCK_OF_BODY) T(header, BLOCK_OF_BODY) T(hgroup, BLOCK_OF_BODY) \
    T(main, BLOCK_OF_BODY) T(menu, BLOCK_OF_BODY) T(nav, BLOCK_OF_BODY) T(ol, BLOCK_OF_BODY) \
    T(search, BLOCK_OF_BODY) T(section, BLOCK_OF_BODY) T(summary, BLOCK_OF_BODY) T(ul, BLOCK_OF_BODY) \
    T(pre, BLOCK_OF_BODY | VERBATIM) T(listing, BLOCK_OF_BODY | VERBATIM) \
    T(h1, BLOCK | SPECIAL | CLOSES_P | HEADING) T(h2, BLOCK | SPECIAL | CLOSES_P | HEADING) \
    T(h3, BLOCK | SPECIAL | CLOSES_P | HEADING) T(h4, BLOCK | SPECIAL | CLOSES_P | HEADING) \
    T(h5, BLOCK | SPECIAL | CLOSES_P | HEADING) T(h6, BLOCK | SPECIAL | CLOSES_P | HEADING) \
    T(p, BLOCK | SPECIAL | CLOSES_P | IMPLIED_END) T(form, BLOCK | SPECIAL | CLOSES_P) \
    T(li, BLOCK | SPECIAL | CLOSES_P | IMPLIED_END) T(dd, BLOCK | SPECIAL | CLOSES_P | IMPLIED_END) \
    T(dt, BLOCK | SPECIAL | CLOSES_P | IMPLIED_END) T(hr, BLOCK | SPECIAL | CLOSES_P | VOID) \
    T(legend, BLOCK) T(option, BLOCK | IMPLIED_END) T(optgroup, BLOCK | IMPLIED_END) \
    T(table, BLOCK | SPECIAL | SCOPE | TABLE) T(caption, BLOCK | SPECIAL | SCOPE | TABLE) \
    T(tbody, BLOCK | SPECIAL | TABLE) T(thead, BLOCK | SPECIAL | TABLE) T(tfoot, BLOCK | SPECIAL | TABLE) \
    T(tr, BLOCK | SPECIAL | TABLE) T(td, BLOCK | SPECIAL | SCOPE | TABLE) T(th, BLOCK | SPECIAL | SCOPE | TABLE) \
    T(col, SPECIAL | VOID) T(colgroup, SPECIAL) \
    T(html, SPECIAL | SCOPE) T(head, SPECIAL) T(body, BLOCK | SPECIAL) \
    T(base, SPECIAL | VOID) T(link, SPECIAL | VOID) T(meta, SPECIAL | VOID) \
    T(title, SPECIAL | RAW) T(textarea, SPECIAL | RAW) T(script, SPECIAL | RAW) T(style, SPECIAL | RAW) \
    T(noscript, SPECIAL | RAW) T(iframe, SPECIAL | RAW) T(noembed, SPECIAL | RAW) T(noframes, SPECIAL | RAW) \
    T(xmp, SPECIAL | RAW | CLOSES_P) T(svg, 0) \
    T(a, FORMATTING | APART) T(b, FORMATTING) T(big, FORMATTING) T(code, FORMATTING) T(em, FORMATTING) T(font, FORMATTING) \
    T(i, FORMATTING) T(nobr, FORMATTING) T(s, FORMATTING) T(small, FORMATTING | APART) T(strike, FORMATTING) \
    T(strong, FORMATTING) T(tt, FORMATTING) T(u, FORMATTING) \
    T(area, SPECIAL | VOID) T(br, SPECIAL | VOID) T(embed, SPECIAL | VOID) T(img, SPECIAL | VOID) \
    T(input, SPECIAL | VOID) T(keygen, SPECIAL | VOID) T(param, SPECIAL | VOID) T(source, SPECIAL | VOID) \
    T(track, SPECIAL | VOID) T(wbr, SPECIAL | VOID) \
    T(span, APART) T(time, APART) T(label, APART) \
    T(button, SPECIAL | ENDS_BLOCK | APART) T(object, SPECIAL | SCOPE | ENDS_BLOCK) T(select, SPECIAL | ENDS_BLOCK) \
    T(rb, IMPLIED_END) T(rp, IMPLIED_END) T(rt, IMPLIED_END) T(rtc, IMPLIED_END) \
    T(applet, DECLINED) T(bgsound, SPECIAL | VOID) T(basefont, SPECIAL | VOID) T(command, DECLINED) T(frame, DECLINED) \
    T(frameset, DECLINED) T(image, DECLINED) T(isindex, DECLINED) T(marquee, DECLINED) T(math, 0) \
    T(plaintext, DECLINED) T(template, SPECIAL) T(selectedcontent, DECLINED)

#define AS_ENUM(name, flags) T_##name,
enum { T_other, ALL_TAGS(AS_ENUM) TAG_COUNT };

#define AS_NAME(name, flags) #name,
static const char *const TAG_NAME[TAG_COUNT] = {"", ALL_TAGS(AS_NAME)};

#define AS_FLAGS(name, flags) flags,
static const uint16_t TAG_FLAGS[TAG_COUNT] = {0, ALL_TAGS(AS_FLAGS)};

#define LONGEST_TAG 16
#define TAG_SLOTS 1024
static uint8_t tag_slot[TAG_SLOTS];

static inline uint32_t tag_hash(const char *name, int length)
{
    uint32_t hash = 2166136261u;
    for (int i = 0; i < length; i++)
        hash = (hash ^ (uint8_t)name[i]) * 16777619u;
    return (hash ^ (hash >> 13)) & (TAG_SLOTS - 1);
}

/* The number of the element with this lower-case name, T_other for one that HTML does not know. */
static inline int tag_of(const char *name, int length)
{
    if (length > LONGEST_TAG)
        return T_other;
    for (uint32_t slot = tag_hash(name, length); tag_slot[slot]; slot = (slot + 1) & (TAG_SLOTS - 1)) {
        const char *known = TAG_NAME[tag_slot[slot]];
        int same = 0;
        while (same < length && known[same] == name[same])
            same++;
        if (same == length && !known[length])
            return tag_slot[slot];
    }
    return T_other;
}

static void fill_tag_slots(void)
{
    for (int tag = 1; tag < TAG_COUNT; tag++) {
        uint32_t slot = tag_hash(TAG_NAME[tag], (int)strlen(TAG_NAME[tag]));
        while (tag_slot[slot])
            slot = (slot + 1) & (TAG_SLOTS - 1);
        tag_slot[slot] = (uint8_t)tag;
    }
}

#endif
