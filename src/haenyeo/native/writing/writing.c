/* haenyeo.native._writing: texts as UTF-8, and the two WARC records of an ordinary exchange, byte by byte. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

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
    if (length > PY_SSIZE_T_MAX / 4)
        return PyErr_NoMemory();
    PyObject *result = PyBytes_FromStringAndSize(NULL, length * (kind == PyUnicode_2BYTE_KIND ? 3 : 4));
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

static char *put(char *out, const char *data, Py_ssize_t size)
{
    memcpy(out, data, size);
    return out + size;
}

static char *put_text(char *out, const char *text)
{
    return put(out, text, (Py_ssize_t)strlen(text));
}

static char *put_piece(char *out, const char *name, Piece piece, const char *ending)
{
    return put_text(put(put_text(out, name), piece.data, piece.size), ending);
}

static char *put_base32(char *out, const uint8_t *digest)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    for (int i = 0; i < SHA1_BYTES; i += 5) {
        uint64_t five = (uint64_t)digest[i] << 32 | (uint64_t)digest[i + 1] << 24 | (uint64_t)digest[i + 2] << 16 |
                        (uint64_t)digest[i + 3] << 8 | digest[i + 4];
        for (int shift = 35; shift >= 0; shift -= 5)
            *out++ = digits[five >> shift & 31];
    }
    return out;
}

/* How many bytes these headers take at most, or -1 if Python must write them. */
static Py_ssize_t size_of(PyObject *headers)
{
    Py_ssize_t size = 0;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(headers); i++) {
        PyObject *header = PyTuple_GET_ITEM(headers, i);
        Piece name, value;
        if (!PyTuple_Check(header) || PyTuple_GET_SIZE(header) != 2 || !take(PyTuple_GET_ITEM(header, 0), &name) ||
            !take(PyTuple_GET_ITEM(header, 1), &value))
            return -1;
        size += name.size + value.size + 32;
    }
    return size;
}

/* A transfer coding that came was undone, and a reader must not undo it again. */
static char *put_headers(char *out, PyObject *headers)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(headers); i++) {
        Piece name, value;
        take(PyTuple_GET_ITEM(PyTuple_GET_ITEM(headers, i), 0), &name);
        take(PyTuple_GET_ITEM(PyTuple_GET_ITEM(headers, i), 1), &value);
        if (name.size == 17 && PyOS_mystrnicmp(name.data, "transfer-encoding", 17) == 0)
            out = put_text(out, "X-Archive-Orig-Transfer-Encoding");
        else
            out = put(out, name.data, name.size);
        out = put_piece(out, ": ", value, "\r\n");
    }
    return put_text(out, "\r\n");
}

typedef struct {
    Piece url, address, date, reason, response_id, request_id;
    PyObject *headers, *request_headers;
    Py_buffer body, digest;
    int status, cut;
} Hop;

static char *put_opening(char *out, const char *kind, Piece id, const Hop *hop)
{
    out = put_text(put_text(put_text(out, "WARC/1.1\r\nWARC-Type: "), kind), "\r\n");
    out = put_piece(out, "WARC-Record-ID: ", id, "\r\n");
    out = put_piece(out, "WARC-Target-URI: ", hop->url, "\r\n");
    out = put_piece(out, "WARC-Date: ", hop->date, "\r\n");
    return hop->address.size ? put_piece(out, "WARC-IP-Address: ", hop->address, "\r\n") : out;
}

static char *put_length(char *out, const char *kind, Py_ssize_t length)
{
    char line[96];
    snprintf(line, sizeof line, "Content-Type: application/http;msgtype=%s\r\nContent-Length: %zd\r\n\r\n", kind, length);
    return put_text(out, line);
}

static char *put_response(char *out, const Hop *hop, const char *head, Py_ssize_t size)
{
    out = put_opening(out, "response", hop->response_id, hop);
    out = put_text(put_base32(put_text(out, "WARC-Payload-Digest: sha1:"), hop->digest.buf), "\r\n");
    if (hop->cut)
        out = put_text(out, "WARC-Truncated: length\r\n");
    out = put(put_length(out, "response", size + hop->body.len), head, size);
    return put_text(put(out, hop->body.buf, hop->body.len), "\r\n\r\n");
}

static char *put_request(char *out, const Hop *hop, const char *head, Py_ssize_t size)
{
    out = put_opening(out, "request", hop->request_id, hop);
    out = put_piece(out, "WARC-Concurrent-To: ", hop->response_id, "\r\n");
    return put_text(put(put_length(out, "request", size), head, size), "\r\n\r\n");
}

/* What a request asks for: the address from its path on. */
static Piece path_of(Piece url)
{
    const char *end = url.data + url.size, *place = url.data;
    for (; place + 2 < end && memcmp(place, "://", 3) != 0; place++)
        ;
    const char *slash = place + 3 < end ? memchr(place + 3, '/', end - place - 3) : NULL;
    return slash ? (Piece){slash, end - slash} : (Piece){"/", 1};
}

static PyObject *both_records(const Hop *hop)
{
    Py_ssize_t shown = size_of(hop->headers), sent = size_of(hop->request_headers);
    if (shown < 0 || sent < 0)
        Py_RETURN_NONE;
    Py_ssize_t facts = hop->url.size + hop->address.size + hop->date.size + hop->request_id.size + hop->response_id.size;
    Py_ssize_t head_room = (shown > sent ? shown : sent) + hop->reason.size + hop->url.size + 64;
    char *head = PyMem_Malloc(head_room);
    PyObject *response = PyBytes_FromStringAndSize(NULL, facts + head_room + hop->body.len + ROOM);
    PyObject *request = PyBytes_FromStringAndSize(NULL, facts + head_room + ROOM);
    if (!head || !response || !request) {
        PyMem_Free(head);
        Py_XDECREF(response);
        Py_XDECREF(request);
        return PyErr_NoMemory();
    }
    char line[32];
    snprintf(line, sizeof line, "HTTP/1.1 %d ", hop->status);
    char *end = put_headers(put_piece(head, line, hop->reason, "\r\n"), hop->headers);
    response = cut(response, put_response(PyBytes_AS_STRING(response), hop, head, end - head));
    end = put_headers(put_piece(head, "GET ", path_of(hop->url), " HTTP/1.1\r\n"), hop->request_headers);
    request = cut(request, put_request(PyBytes_AS_STRING(request), hop, head, end - head));
    PyMem_Free(head);
    return Py_BuildValue("NN", response, request);
}

static PyObject *records(PyObject *module, PyObject *arguments)
{
    Hop hop;
    PyObject *url, *address, *date, *reason, *response_id, *request_id;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "UUUiUO!O!y*y*pUU", &url, &address, &date, &hop.status, &reason, &PyTuple_Type,
                          &hop.headers, &PyTuple_Type, &hop.request_headers, &hop.body, &hop.digest, &hop.cut,
                          &response_id, &request_id))
        return NULL;
    PyObject *result = Py_None;
    if (hop.digest.len == SHA1_BYTES && take(url, &hop.url) && take(address, &hop.address) && take(date, &hop.date) &&
        take(reason, &hop.reason) && take(response_id, &hop.response_id) && take(request_id, &hop.request_id))
        result = both_records(&hop);
    else
        Py_INCREF(result);
    PyBuffer_Release(&hop.body);
    PyBuffer_Release(&hop.digest);
    return result;
}

static PyMethodDef METHODS[] = {
    {"utf8", utf8, METH_O, "utf8(text)\n\nThe text as UTF-8, with a question mark for half a character."},
    {"records", records, METH_VARARGS,
     "records(url, address, date, status, reason, headers, request_headers, body, digest, cut, response_id, request_id)\n\n"
     "The response and the request record of an exchange, not yet packed; None if there is more in them than plain ASCII."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_writing", NULL, -1, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__writing(void)
{
    return PyModule_Create(&MODULE);
}
