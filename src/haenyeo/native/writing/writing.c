/* haenyeo.native._writing: texts as UTF-8, and the two WARC records of an ordinary exchange, byte by byte. */
#include "../checked/views.h"
#include "../checked/writer.h"

#define BLOCK 16
#define SHA1_BYTES 20
#define ROOM 512 /* for the names of all WARC fields of a record, its numbers and what else has a fixed length */

/* ---- text ---- */

/* Bytes that were written as far as `end` into an object with more room. */
static PyObject *cut(PyObject *bytes, const char *end)
{
    _PyBytes_Resize(&bytes, end - PyBytes_AS_STRING(bytes));
    return bytes;
}

static inline char *put_character(char *out, Py_UCS4 code)
{
    if (code < 0x80)
        *out++ = (char)code;
    else if (code < 0x800) {
        *out++ = (char)(0xC0 | code >> 6);
        *out++ = (char)(0x80 | (code & 0x3F));
    } else if (code >= 0xD800 && code < 0xE000)
        *out++ = '?'; /* half a character */
    else if (code < 0x10000) {
        *out++ = (char)(0xE0 | code >> 12);
        *out++ = (char)(0x80 | (code >> 6 & 0x3F));
        *out++ = (char)(0x80 | (code & 0x3F));
    } else {
        *out++ = (char)(0xF0 | code >> 18);
        *out++ = (char)(0x80 | (code >> 12 & 0x3F));
        *out++ = (char)(0x80 | (code >> 6 & 0x3F));
        *out++ = (char)(0x80 | (code & 0x3F));
    }
    return out;
}

static inline int is_ascii(const Py_UCS2 *units)
{
    unsigned all = 0;
    for (int i = 0; i < BLOCK; i++)
        all |= units[i];
    return all < 0x80;
}

/* Block by block: compilers make single instructions of the loops over a whole one. */
static char *put_units(char *restrict out, const Py_UCS2 *restrict units, Py_ssize_t length)
{
    const Py_UCS2 *end = units + length;
    for (; end - units >= BLOCK; units += BLOCK) {
        if (is_ascii(units)) {
            for (int i = 0; i < BLOCK; i++)
                out[i] = (char)units[i];
            out += BLOCK;
        } else
            for (int i = 0; i < BLOCK; i++)
                out = put_character(out, units[i]);
    }
    for (; units < end; units++)
        out = put_character(out, *units);
    return out;
}

static PyObject *utf8(PyObject *module, PyObject *text)
{
    (void)module;
    if (!PyUnicode_Check(text))
        return PyErr_Format(PyExc_TypeError, "utf8() takes a str");
    Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    int kind = PyUnicode_KIND(text);
    if (PyUnicode_IS_ASCII(text))
        return PyBytes_FromStringAndSize((const char *)PyUnicode_1BYTE_DATA(text), length);
    Py_ssize_t room = size_product(length, kind == PyUnicode_2BYTE_KIND ? 3 : 4);
    if (room < 0)
        return PyErr_NoMemory();
    PyObject *result = PyBytes_FromStringAndSize(NULL, room);
    if (!result)
        return NULL;
    char *out = PyBytes_AS_STRING(result);
    if (kind == PyUnicode_2BYTE_KIND)
        out = put_units(out, PyUnicode_2BYTE_DATA(text), length);
    else
        for (Py_ssize_t i = 0; i < length; i++)
            out = put_character(out, PyUnicode_READ(kind, PyUnicode_DATA(text), i));
    return cut(result, out);
}

/* ---- records ---- */

typedef struct {
    const char *data;
    Py_ssize_t size;
} Piece;

/* The characters of an ASCII string that has no line end in it; for all others Python knows what to do. */
static int take(PyObject *value, Piece *piece)
{
    if (!PyUnicode_Check(value) || !PyUnicode_IS_ASCII(value))
        return 0;
    piece->data = (const char *)PyUnicode_1BYTE_DATA(value);
    piece->size = PyUnicode_GET_LENGTH(value);
    return !memchr(piece->data, '\r', piece->size) && !memchr(piece->data, '\n', piece->size);
}

static void put_piece(Writer *to, const char *name, Piece piece, const char *ending)
{
    put_text(to, name);
    put(to, piece.data, piece.size);
    put_text(to, ending);
}

static void put_base32(Writer *to, const uint8_t *digest)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    for (int i = 0; i < SHA1_BYTES; i += 5) {
        char eight[8];
        uint64_t five = (uint64_t)digest[i] << 32 | (uint64_t)digest[i + 1] << 24 | (uint64_t)digest[i + 2] << 16 |
                        (uint64_t)digest[i + 3] << 8 | digest[i + 4];
        for (int place = 0; place < 8; place++)
            eight[place] = digits[five >> (35 - 5 * place) & 31];
        put(to, eight, sizeof eight);
    }
}

/* How many bytes these headers take at most, or -1 if Python must write them. */
static Py_ssize_t size_of(PyObject *headers)
{
    Py_ssize_t size = 0;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(headers); i++) {
        PyObject *header = PyTuple_GET_ITEM(headers, i);
        Piece name = {0}, value = {0};
        if (!PyTuple_Check(header) || PyTuple_GET_SIZE(header) != 2 || !take(PyTuple_GET_ITEM(header, 0), &name) ||
            !take(PyTuple_GET_ITEM(header, 1), &value))
            return -1;
        size = size_sum(size, size_sum(size_sum(name.size, value.size), 32));
    }
    return size;
}

/* A transfer coding of what was received was undone, and a reader must not undo it again. Headers were looked at by
   `size_of`. */
static void put_headers(Writer *to, PyObject *headers, int is_received)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(headers); i++) {
        PyObject *header = PyTuple_GET_ITEM(headers, i);
        Piece name = {0}, value = {0};
        take(PyTuple_GET_ITEM(header, 0), &name);
        take(PyTuple_GET_ITEM(header, 1), &value);
        if (is_received && name.size == 17 && PyOS_mystrnicmp(name.data, "transfer-encoding", 17) == 0)
            put_text(to, "X-Archive-Orig-Transfer-Encoding");
        else
            put(to, name.data, name.size);
        put_piece(to, ": ", value, "\r\n");
    }
    put_text(to, "\r\n");
}

typedef VIEW(const uint8_t) Octets;

typedef struct {
    Piece url, address, date, reason, response_id, request_id;
    PyObject *headers, *request_headers, *content, *sha1;
    Octets body, digest;
    int status, cut;
} Hop;

static void put_opening(Writer *to, const char *kind, Piece id, const Hop *hop)
{
    put_text(to, "WARC/1.1\r\nWARC-Type: ");
    put_text(to, kind);
    put_piece(to, "\r\nWARC-Record-ID: ", id, "\r\n");
    put_piece(to, "WARC-Target-URI: ", hop->url, "\r\n");
    put_piece(to, "WARC-Date: ", hop->date, "\r\n");
    if (hop->address.size)
        put_piece(to, "WARC-IP-Address: ", hop->address, "\r\n");
}

/* The digest of a head and what follows it, by a copy of the hash that was given: OpenSSL's code for this processor. */
static PyObject *block_digest(const Hop *hop, Piece head, PyObject *content)
{
    PyObject *sha1 = PyObject_CallMethod(hop->sha1, "copy", NULL);
    PyObject *done = sha1 ? PyObject_CallMethod(sha1, "update", "y#", head.data, head.size) : NULL;
    if (done && content)
        Py_SETREF(done, PyObject_CallMethod(sha1, "update", "O", content));
    PyObject *digest = done ? PyObject_CallMethod(sha1, "digest", NULL) : NULL;
    Py_XDECREF(sha1);
    Py_XDECREF(done);
    if (digest && (!PyBytes_Check(digest) || PyBytes_GET_SIZE(digest) != SHA1_BYTES)) {
        Py_DECREF(digest);
        return PyErr_Format(PyExc_ValueError, "a SHA-1 is wanted");
    }
    return digest;
}

static void put_length(Writer *to, const char *kind, PyObject *digest, Py_ssize_t length)
{
    char line[96];
    put_text(to, "WARC-Block-Digest: sha1:");
    put_base32(to, (const uint8_t *)PyBytes_AS_STRING(digest));
    put_text(to, "\r\n");
    PyOS_snprintf(line, sizeof line, "Content-Type: application/http;msgtype=%s\r\nContent-Length: %zd\r\n\r\n", kind, length);
    put_text(to, line);
}

static void put_response(Writer *to, const Hop *hop, Piece head, PyObject *digest)
{
    put_opening(to, "response", hop->response_id, hop);
    put_text(to, "WARC-Payload-Digest: sha1:");
    put_base32(to, hop->digest.items);
    put_text(to, hop->cut ? "\r\nWARC-Truncated: length\r\n" : "\r\n");
    put_length(to, "response", digest, head.size + hop->body.count);
    put(to, head.data, head.size);
    put(to, (const char *)hop->body.items, hop->body.count);
    put_text(to, "\r\n\r\n");
}

static void put_request(Writer *to, const Hop *hop, Piece head, PyObject *digest)
{
    put_opening(to, "request", hop->request_id, hop);
    put_piece(to, "WARC-Concurrent-To: ", hop->response_id, "\r\n");
    put_length(to, "request", digest, head.size);
    put(to, head.data, head.size);
    put_text(to, "\r\n\r\n");
}

/* What a request asks for: the address from its path on. */
static Piece path_of(Piece url)
{
    const char *end = url.data + url.size, *place = url.data;
    while (end - place > 3 && memcmp(place, "://", 3) != 0)
        place++;
    const char *slash = end - place > 3 ? memchr(place + 3, '/', end - place - 3) : NULL;
    return slash ? (Piece){slash, end - slash} : (Piece){"/", 1};
}

/* Bytes with room for the facts of a record and for so many bytes more, and who writes into them. */
static PyObject *record_room(const Hop *hop, Py_ssize_t more, Writer *to)
{
    Py_ssize_t facts = size_sum(size_sum(hop->url.size, hop->address.size), hop->date.size);
    facts = size_sum(size_sum(facts, size_sum(hop->request_id.size, hop->response_id.size)), ROOM);
    Py_ssize_t size = size_sum(facts, more);
    PyObject *bytes = size < 0 ? PyErr_NoMemory() : PyBytes_FromStringAndSize(NULL, size);
    if (bytes)
        *to = (Writer){PyBytes_AS_STRING(bytes), PyBytes_AS_STRING(bytes) + size, 0};
    return bytes;
}

/* What was written, without the room behind it. */
static PyObject *written(PyObject *bytes, const Writer *to)
{
    if (!to->is_full)
        return cut(bytes, to->at);
    Py_DECREF(bytes);
    return PyErr_Format(PyExc_SystemError, "a record is longer than was foreseen");
}

static PyObject *response_of(const Hop *hop, Writer head, Py_ssize_t room)
{
    Writer to;
    const char *start = head.at;
    char line[32];
    PyOS_snprintf(line, sizeof line, "HTTP/1.1 %d ", hop->status);
    put_piece(&head, line, hop->reason, "\r\n");
    put_headers(&head, hop->headers, 1);
    Piece shown = {start, head.at - start};
    PyObject *digest = block_digest(hop, shown, hop->content);
    PyObject *bytes = digest ? record_room(hop, size_sum(room, hop->body.count), &to) : NULL;
    if (bytes)
        put_response(&to, hop, shown, digest);
    Py_XDECREF(digest);
    return bytes ? written(bytes, head.is_full ? &head : &to) : NULL;
}

static PyObject *request_of(const Hop *hop, Writer head, Py_ssize_t room)
{
    Writer to;
    const char *start = head.at;
    put_piece(&head, "GET ", path_of(hop->url), " HTTP/1.1\r\n");
    put_headers(&head, hop->request_headers, 0);
    Piece sent = {start, head.at - start};
    PyObject *digest = block_digest(hop, sent, NULL);
    PyObject *bytes = digest ? record_room(hop, room, &to) : NULL;
    if (bytes)
        put_request(&to, hop, sent, digest);
    Py_XDECREF(digest);
    return bytes ? written(bytes, head.is_full ? &head : &to) : NULL;
}

static PyObject *both_records(const Hop *hop)
{
    Py_ssize_t shown = size_of(hop->headers), sent = size_of(hop->request_headers);
    if (shown < 0 || sent < 0)
        Py_RETURN_NONE;
    Py_ssize_t room = size_sum(size_sum(shown > sent ? shown : sent, hop->reason.size), size_sum(hop->url.size, 64));
    char *bytes = room_for(room, 1);
    if (!bytes)
        return NULL;
    Writer head = {bytes, bytes + room, 0};
    PyObject *response = response_of(hop, head, room), *request = response ? request_of(hop, head, room) : NULL;
    PyObject *both = request ? PyTuple_Pack(2, response, request) : NULL;
    Py_XDECREF(response);
    Py_XDECREF(request);
    PyMem_Free(bytes);
    return both;
}

static PyObject *records(PyObject *module, PyObject *arguments)
{
    Hop hop = {0};
    Views views = {0};
    PyObject *url, *address, *date, *reason, *response_id, *request_id, *body, *digest, *result = NULL;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "UUUiUO!O!OOpUUO", &url, &address, &date, &hop.status, &reason, &PyTuple_Type, &hop.headers, &PyTuple_Type,
                          &hop.request_headers, &body, &digest, &hop.cut, &response_id, &request_id, &hop.sha1))
        return NULL;
    hop.content = body;
    TAKE(&views, body, &hop.body);
    TAKE(&views, digest, &hop.digest);
    int is_plain = hop.digest.count == SHA1_BYTES && take(url, &hop.url) && take(address, &hop.address) && take(date, &hop.date)
                   && take(reason, &hop.reason) && take(response_id, &hop.response_id) && take(request_id, &hop.request_id);
    if (!PyErr_Occurred())
        result = is_plain ? both_records(&hop) : Py_NewRef(Py_None);
    give_back(&views);
    return result;
}

static PyMethodDef METHODS[] = {
    {"utf8", utf8, METH_O, "utf8(text)\n\nThe text as UTF-8, with a question mark for half a character."},
    {"records", records, METH_VARARGS,
     "records(url, address, date, status, reason, headers, request_headers, body, digest, cut, response_id, request_id, sha1)\n\n"
     "The response and the request record of an exchange, not yet packed, with their digests by the SHA-1 given, which has\n"
     "hashed nothing; None if there is more in them than plain ASCII."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_writing", NULL, -1, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__writing(void)
{
    return PyModule_Create(&MODULE);
}
