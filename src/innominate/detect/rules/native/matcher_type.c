/* The matcher as Python sees it. */
#include "matcher.h"

typedef struct { /* instructions that were gone through, to see that they lead nowhere else */
    const int32_t *code;
    int32_t n, n_sets, n_groups, n_registers;
    uint8_t *begins; /* whether an instruction begins there */
} Checked;

static int set_fits(const Checked *all, int32_t set) { return set >= 0 && set < all->n_sets; }
static int maybe_fits(const Checked *all, int32_t maybe) { return maybe == -1 || (maybe >= 0 && maybe / 2 < all->n_sets); }
static int registers_fit(const Checked *all, int32_t reg, int32_t from) { return reg >= from && reg < all->n_registers - 1; }
static int group_fits(const Checked *all, int32_t group) { return group >= 1 && group <= all->n_groups; }

/* How long an instruction is; 0 if it goes beyond the end. */
static int32_t length_of(const int32_t *op, int32_t left) {
    static const int8_t lengths[OP_COUNT] = {1, 1, 2, 0, 2, 0, 5, 5, 5, 0, 4, 4, 2, 2, 3, 8, 8, 4, 2, 5, 2, 2, 2, 2, 2, 4, 2, 2};
    if (*op < 0 || *op >= OP_COUNT) return 0;
    int64_t length = lengths[*op];
    if (*op == OP_STRING && left > 2) length = 2 + ((int64_t)op[1] + 3) / 4;
    if (*op == OP_SETS && left > 2) length = 2 + (int64_t)op[1];
    if (*op == OP_BRANCH && left > 4 && (op[3] == 0 || op[3] == 65)) length = 4 + op[3] + 2 * (int64_t)op[1];
    if (*op == OP_STRING || *op == OP_SETS || *op == OP_BRANCH) length = op[1] > 0 ? length : 0;
    return length > 0 && length <= left ? (int32_t)length : 0;
}

static int numbers_fit(const Checked *all, const int32_t *op) {
    int32_t own = 2 * (all->n_groups + 1), fit = 1;
    switch (*op) {
    case OP_BYTE: return op[1] >= 0 && op[1] < 256;
    case OP_SET: return set_fits(all, op[1]);
    case OP_SETS:
        for (int32_t i = 0; i < op[1]; i++) fit = fit && set_fits(all, op[2 + i]);
        return fit;
    case OP_RUN:
    case OP_RUN_ALL:
    case OP_RUN_LAZY: return set_fits(all, op[1]) && op[2] >= 0 && op[3] >= op[2] && maybe_fits(all, op[4]);
    case OP_BRANCH:
        for (int32_t i = 0; i < op[1]; i++) fit = fit && maybe_fits(all, op[4 + op[3] + 2 * i]);
        return fit;
    case OP_OPTION:
    case OP_OPTION_LAZY: return maybe_fits(all, op[1]) && maybe_fits(all, op[2]);
    case OP_SAVE: return op[1] >= 2 && op[1] < own;
    case OP_START: return registers_fit(all, op[1], own);
    case OP_LOOP:
    case OP_LOOP_LAZY: return registers_fit(all, op[1], own) && op[2] >= 0 && maybe_fits(all, op[4]) && maybe_fits(all, op[5]);
    case OP_LOOK:
    case OP_LOOK_NOT: return registers_fit(all, op[1], own) && maybe_fits(all, op[2]) && op[3] >= 0;
    case OP_LOOK_END:
    case OP_LOOK_NOT_END:
    case OP_ATOMIC:
    case OP_ATOMIC_END: return registers_fit(all, op[1], own);
    case OP_AHEAD:
    case OP_BEHIND: return maybe_fits(all, op[1]);
    case OP_BORDER: return set_fits(all, op[1]);
    case OP_AT: return op[1] >= 0 && op[1] < AT_COUNT;
    case OP_SAME: return group_fits(all, op[1]);
    default: return 1;
    }
}

/* Whether a way leads to an instruction; back only to a loop, which counts its rounds. */
static int leads_on(const Checked *all, int32_t at, int32_t size) {
    int64_t to = (int64_t)at + size;
    if (to < 0 || to >= all->n || !all->begins[to]) return 0;
    return size > 0 || all->code[to] == OP_LOOP || all->code[to] == OP_LOOP_LAZY;
}

static int jumps_fit(const Checked *all, int32_t at) {
    const int32_t *op = all->code + at;
    int fit = 1;
    switch (*op) {
    case OP_BRANCH:
        for (int32_t i = 0; i < op[1]; i++) fit = fit && leads_on(all, at, op[4 + op[3] + 2 * i + 1]);
        return fit;
    case OP_OPTION:
    case OP_OPTION_LAZY: return leads_on(all, at, op[3]);
    case OP_JUMP: return leads_on(all, at, op[1]);
    case OP_LOOP:
    case OP_LOOP_LAZY: return leads_on(all, at, op[6]);
    case OP_LOOK_NOT: return leads_on(all, at, op[4]);
    default: return 1;
    }
}

/* Whether a program is sound: what comes from a file may be damaged. */
static int is_sound(const Checked *all) {
    int32_t at = 0, last = OP_FAIL, length;
    for (; at < all->n; at += length) {
        length = length_of(all->code + at, all->n - at);
        if (length == 0 || !numbers_fit(all, all->code + at)) return 0;
        all->begins[at] = 1;
        last = all->code[at];
    }
    for (at = 0; at < all->n; at++)
        if (all->begins[at] && !jumps_fit(all, at)) return 0;
    return all->n > 0 && (last == OP_MATCH || last == OP_FAIL);
}

static PyObject *matcher_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    static char *names[] = {"code", "sets", "n_groups", "n_registers", "first", "least", NULL};
    Py_buffer code, sets;
    int n_groups, n_registers, first;
    Py_ssize_t least;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "y*y*iiin", names, &code, &sets, &n_groups, &n_registers, &first, &least)) return NULL;
    Matcher *self = (Matcher *)type->tp_alloc(type, 0);
    uint8_t *begins = calloc((size_t)code.len / sizeof(int32_t) + 1, 1);
    if (self && begins) {
        self->code = malloc((size_t)code.len + 1);
        self->sets = malloc((size_t)sets.len + 1);
        self->n_groups = n_groups;
        self->n_registers = n_registers;
        self->first = first;
        self->least = least;
    }
    if (!self || !self->code || !self->sets) PyErr_NoMemory();
    else {
        memcpy(self->code, code.buf, (size_t)code.len);
        memcpy(self->sets, sets.buf, (size_t)sets.len);
        Checked all = {self->code, (int32_t)(code.len / (Py_ssize_t)sizeof(int32_t)), (int32_t)(sets.len / 32), n_groups, n_registers, begins};
        int counted = n_groups >= 0 && n_registers >= 2 * (n_groups + 1) && n_registers <= MOST_REGISTERS && code.len < INT32_MAX;
        if (!counted || !maybe_fits(&all, first) || !is_sound(&all)) PyErr_SetString(PyExc_ValueError, "the program is damaged");
    }
    free(begins);
    PyBuffer_Release(&code);
    PyBuffer_Release(&sets);
    if (PyErr_Occurred()) Py_CLEAR(self);
    return (PyObject *)self;
}

static void matcher_free(Matcher *self) {
    PyTypeObject *type = Py_TYPE(self);
    free(self->code);
    free(self->sets);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyObject *spans_of(const Matcher *self, int found, const int32_t *spans) {
    if (found == -1) return PyErr_NoMemory();
    if (found == -2) return PyErr_Format(PyExc_OverflowError, "this is left to `re`");
    if (found == 0) Py_RETURN_NONE;
    PyObject *all = PyTuple_New(self->n_groups + 1);
    for (Py_ssize_t i = 0; all && i <= self->n_groups; i++) {
        PyObject *span = Py_BuildValue("(ii)", (int)spans[2 * i], (int)spans[2 * i + 1]);
        if (!span) Py_CLEAR(all);
        else PyTuple_SET_ITEM(all, i, span);
    }
    return all;
}

/* The image, and where to begin and to end in it; as `re`, what lies outside is moved to the nearest end. */
static const uint8_t *read_arguments(PyObject *const *arguments, Py_ssize_t n_arguments, Py_ssize_t *places) {
    if (n_arguments < 2 || n_arguments > 4 || !PyBytes_Check(arguments[0])) {
        PyErr_SetString(PyExc_TypeError, "an image as bytes, a start, and maybe an end are needed");
        return NULL;
    }
    places[0] = PyBytes_GET_SIZE(arguments[0]);
    places[1] = PyLong_AsSsize_t(arguments[1]);
    places[2] = n_arguments > 2 && arguments[2] != Py_None ? PyLong_AsSsize_t(arguments[2]) : places[0];
    if (PyErr_Occurred()) return NULL;
    for (int i = 1; i < 3; i++) places[i] = places[i] < 0 ? 0 : places[i] > places[0] ? places[0] : places[i];
    return (const uint8_t *)PyBytes_AS_STRING(arguments[0]);
}

static PyObject *match(Matcher *self, PyObject *const *arguments, Py_ssize_t n_arguments) {
    Py_ssize_t places[3] = {0};
    int32_t spans[MOST_REGISTERS];
    const uint8_t *text = read_arguments(arguments, n_arguments, places);
    int full = text && n_arguments > 3 ? PyObject_IsTrue(arguments[3]) : 0;
    if (!text || full < 0) return NULL;
    return spans_of(self, matcher_match(self, text, places[0], places[1], places[2], full, spans), spans);
}

static PyObject *search(Matcher *self, PyObject *const *arguments, Py_ssize_t n_arguments) {
    Py_ssize_t places[3] = {0};
    int32_t spans[MOST_REGISTERS];
    const uint8_t *text = read_arguments(arguments, n_arguments, places);
    return text ? spans_of(self, matcher_search(self, text, places[0], places[1], places[2], spans), spans) : NULL;
}

static PyMethodDef methods[] = {
    {"match", (PyCFunction)(void (*)(void))match, METH_FASTCALL, "Match at a place of an image: the spans of the whole and of the groups, or None."},
    {"search", (PyCFunction)(void (*)(void))search, METH_FASTCALL, "The first match from a place on."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "One expression matched exactly."},
    {Py_tp_new, matcher_new},
    {Py_tp_dealloc, matcher_free},
    {Py_tp_methods, methods},
    {0, NULL},
};

PyType_Spec matcher_spec = {"innominate.detect.rules.native._native.Matcher", sizeof(Matcher), 0, Py_TPFLAGS_DEFAULT, slots};
