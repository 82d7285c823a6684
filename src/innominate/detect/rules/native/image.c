/* The image of a text: one byte per character; see image.py. */
#include "matcher.h"

/* What bytes stand for that are not the characters of Latin-1: 80-9F as in Windows-1252, and letters for controls. */
static const struct {
    uint8_t from, n;
    Py_UCS2 characters[18];
} RANGES[] = {
    {0x01, 8, {0x107, 0x10d, 0x111, 0x11f, 0x131, 0x130, 0x142, 0x141}},
    {0x0e, 18, {0x144, 0x148, 0x151, 0x159, 0x15b, 0x15f, 0x15e, 0x21b, 0x163, 0x171, 0x16f, 0x17c, 0x17a, 0x105, 0x103, 0x119, 0x11b, 0x10c}},
    {0x80, 16, {0x20ac, 0x106, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0x110, 0x17d, 0x15a}},
    {0x90, 16, {0x17b, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a, 0x153, 0x150, 0x17e, 0x178}},
};
enum { N_RANGES = sizeof RANGES / sizeof *RANGES };

/* The byte for a character; 0 if there is none. */
static uint8_t byte_of(Py_UCS2 character) {
    for (int i = 0; i < N_RANGES; i++)
        for (int k = 0; k < RANGES[i].n; k++)
            if (RANGES[i].characters[k] == character) return (uint8_t)(RANGES[i].from + k);
    return 0;
}

/* Whether a character of Latin-1 has a byte of its own. */
static inline int is_itself(Py_UCS2 c) { return c < 0x100 && !(c - 1u < 8) && !(c - 0x0eu < 18) && !(c - 0x80u < 32); }

static int all_themselves(const uint8_t *data, Py_ssize_t n) {
    uint8_t others = 0; /* in bytes, so that a compiler looks at many at once */
    for (Py_ssize_t i = 0; i < n; i++)
        others |= (uint8_t)((uint8_t)(data[i] - 1) < 8) | (uint8_t)((uint8_t)(data[i] - 0x0e) < 18) | (uint8_t)((uint8_t)(data[i] - 0x80) < 32);
    return !others;
}

static uint8_t *mapped(const Py_UCS2 *data, Py_ssize_t n) {
    uint8_t *image = malloc((size_t)n + 1);
    if (!image) return (uint8_t *)PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < n; i++) {
        image[i] = is_itself(data[i]) ? (uint8_t)data[i] : byte_of(data[i]);
        if (image[i] || !data[i]) continue;
        free(image);
        return NULL;
    }
    return image;
}

const uint8_t *image_of(PyObject *text, uint8_t **owned) {
    *owned = NULL;
    if (!PyUnicode_Check(text) || PyUnicode_READY(text) < 0) return NULL;
    Py_ssize_t n = PyUnicode_GET_LENGTH(text);
    if (PyUnicode_KIND(text) == PyUnicode_1BYTE_KIND) return all_themselves(PyUnicode_1BYTE_DATA(text), n) ? PyUnicode_1BYTE_DATA(text) : NULL;
    if (PyUnicode_KIND(text) != PyUnicode_2BYTE_KIND) return NULL;
    return *owned = mapped(PyUnicode_2BYTE_DATA(text), n);
}

PyObject *image(PyObject *Py_UNUSED(module), PyObject *text) {
    if (!PyUnicode_Check(text)) return PyErr_Format(PyExc_TypeError, "image(text)");
    uint8_t *owned;
    const uint8_t *data = image_of(text, &owned);
    if (!data && PyErr_Occurred()) return NULL;
    PyObject *bytes = data ? PyBytes_FromStringAndSize((const char *)data, PyUnicode_GET_LENGTH(text)) : Py_NewRef(Py_None);
    free(owned);
    return bytes;
}
