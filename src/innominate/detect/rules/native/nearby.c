/* Which later rules have something to do at a candidate, by what stands before and after it: nearby.py. */
#include "native.h"

static int is_mask(const Nearby *self, PyObject *bytes) {
    return PyBytes_Check(bytes) && PyBytes_GET_SIZE(bytes) == self->n_words * (Py_ssize_t)sizeof(uint64_t);
}

static PyObject *nearby_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    static char *names[] = {"labels", "before", "before_always", "after", "after_always", "n_rules", NULL};
    PyObject *labels, *before, *before_always, *after, *after_always, *label, *mask;
    Py_ssize_t n_rules, at = 0;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O!O!O!O!O!n", names, &PyDict_Type, &labels, automaton_type, &before,
                                     &PyBytes_Type, &before_always, automaton_type, &after, &PyBytes_Type, &after_always, &n_rules))
        return NULL;
    Nearby *self = (Nearby *)type->tp_alloc(type, 0);
    if (!self) return NULL;
    self->n_rules = n_rules;
    self->n_words = (n_rules + 63) / 64;
    self->labels = Py_NewRef(labels);
    self->before = (Automaton *)Py_NewRef(before);
    self->after = (Automaton *)Py_NewRef(after);
    self->before_always = Py_NewRef(before_always);
    self->after_always = Py_NewRef(after_always);
    int right = is_mask(self, before_always) && is_mask(self, after_always);
    while (right && PyDict_Next(labels, &at, &label, &mask)) right = is_mask(self, mask);
    if (right && self->before->n_words <= self->n_words && self->after->n_words <= self->n_words) return (PyObject *)self;
    Py_DECREF(self);
    PyErr_SetString(PyExc_ValueError, "the rules do not fit each other");
    return NULL;
}

static void nearby_free(Nearby *self) {
    PyTypeObject *type = Py_TYPE(self);
    Py_XDECREF(self->labels);
    Py_XDECREF(self->before);
    Py_XDECREF(self->after);
    Py_XDECREF(self->before_always);
    Py_XDECREF(self->after_always);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyType_Slot nearby_slots[] = {
    {Py_tp_doc, "What the later rules of a pack want beside a candidate."},
    {Py_tp_new, nearby_new},
    {Py_tp_dealloc, nearby_free},
    {0, NULL},
};

PyType_Spec nearby_spec = {"innominate.detect.rules.native._native.Nearby", sizeof(Nearby), 0, Py_TPFLAGS_DEFAULT, nearby_slots};

/* Whether no rule of a label wants anything beside it. */
int nearby_wants_nothing(const Nearby *self, PyObject *mask) {
    for (Py_ssize_t i = 0; i < self->n_words; i++)
        if (mask_word(mask, i) & ~(mask_word(self->before_always, i) & mask_word(self->after_always, i))) return 0;
    return 1;
}

int nearby_look(Nearby *self, PyObject *bytes, Py_ssize_t start, Py_ssize_t end, uint64_t *rules) {
    const uint8_t *data = (const uint8_t *)PyBytes_AS_STRING(bytes);
    Py_ssize_t n = PyBytes_GET_SIZE(bytes);
    int32_t before = automaton_read(self->before, data, start, n), after = automaton_read(self->after, data, end, n);
    if (before < 0 || after < 0) return -1;
    const uint64_t *left = automaton_bits(self->before, before), *right = automaton_bits(self->after, after);
    if (!left || !right) return -1;
    for (Py_ssize_t i = 0; i < self->n_words; i++) {
        uint64_t fits_left = mask_word(self->before_always, i) | (i < self->before->n_words ? left[i] : 0);
        uint64_t fits_right = mask_word(self->after_always, i) | (i < self->after->n_words ? right[i] : 0);
        rules[i] = fits_left & fits_right;
    }
    return 0;
}
