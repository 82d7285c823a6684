/* The automaton as Python sees it. */
#include "native.h"

enum { MOST_STEPS = 1 << 20, MOST_EXPRESSIONS = 1 << 20 };

static PyObject *automaton_starts(Automaton *self, PyObject *argument) {
    char *data;
    Py_ssize_t n;
    if (PyBytes_AsStringAndSize(argument, &data, &n) < 0) return NULL;
    PyObject *list = PyList_New(0);
    for (Py_ssize_t start = 0; list && start + 1 < n; start++) {
        if ((start & 0xffff) == 0xffff && PyErr_CheckSignals() < 0) Py_CLEAR(list); /* a time limit */
        int32_t found = list ? automaton_read(self, (const uint8_t *)data, start, n) : 0;
        if (found == 0) continue;
        PyObject *numbers = found < 0 ? PyErr_NoMemory() : automaton_numbers(self, found);
        PyObject *pair = numbers ? Py_BuildValue("(nO)", start, numbers) : NULL;
        if (!pair || PyList_Append(list, pair) < 0) Py_CLEAR(list);
        Py_XDECREF(pair);
    }
    return list;
}

/* The second argument, a place in the first, which is bytes; -1 if it is not. */
static Py_ssize_t place_of(PyObject *const *arguments, Py_ssize_t n_arguments) {
    if (n_arguments != 2 || !PyBytes_Check(arguments[0])) {
        PyErr_SetString(PyExc_TypeError, "data as bytes and a place in them are needed");
        return -1;
    }
    Py_ssize_t place = PyLong_AsSsize_t(arguments[1]);
    if (place == -1 && PyErr_Occurred()) return -1;
    if (place >= 0 && place < PyBytes_GET_SIZE(arguments[0])) return place;
    PyErr_SetString(PyExc_IndexError, "the place is outside the data");
    return -1;
}

static PyObject *automaton_at(Automaton *self, PyObject *const *arguments, Py_ssize_t n_arguments) {
    Py_ssize_t place = place_of(arguments, n_arguments);
    if (place < 0) return NULL;
    int32_t found = automaton_read(self, (const uint8_t *)PyBytes_AS_STRING(arguments[0]), place, PyBytes_GET_SIZE(arguments[0]));
    return Py_XNewRef(found < 0 ? PyErr_NoMemory() : automaton_numbers(self, found));
}

static PyObject *automaton_ends(Automaton *self, PyObject *const *arguments, Py_ssize_t n_arguments) {
    Py_ssize_t place = place_of(arguments, n_arguments), n_ends = -1;
    if (place < 0) return NULL;
    Py_ssize_t *ends = malloc((size_t)self->limit * sizeof *ends);
    if (ends)
        n_ends = automaton_read_ends(self, (const uint8_t *)PyBytes_AS_STRING(arguments[0]), place, PyBytes_GET_SIZE(arguments[0]), ends);
    PyObject *list = n_ends < 0 ? PyErr_NoMemory() : PyList_New(n_ends);
    for (Py_ssize_t i = 0; list && i < n_ends; i++) {
        PyObject *number = PyLong_FromSsize_t(ends[n_ends - 1 - i]);
        if (!number) Py_CLEAR(list);
        else PyList_SET_ITEM(list, i, number);
    }
    free(ends);
    return list;
}

static PyObject *automaton_states(Automaton *self, PyObject *Py_UNUSED(ignored)) { return PyLong_FromLong(self->reached.n); }

static void *copied(Py_buffer *view, size_t *n, size_t size) {
    *n = (size_t)view->len / size;
    void *copy = malloc((size_t)view->len + 1);
    if (copy) memcpy(copy, view->buf, (size_t)view->len);
    return copy;
}

/* Whether the tables fit each other: what comes from a file may be damaged. */
static int fits(Automaton *self, size_t n_accepts, size_t n_set_of, size_t n_from, size_t n_follow) {
    int32_t n = self->n_positions, n_sets = (int32_t)(n_accepts / self->n_classes);
    if (n_accepts != (size_t)n_sets * self->n_classes || n_set_of != (size_t)n || n_from != (size_t)n + 1) return 0;
    for (int32_t i = 0; i < n; i++)
        if (self->set_of[i] < 0 || self->set_of[i] >= n_sets) return 0;
    if (self->follow_from[0] != 0 || self->follow_from[n] != (int32_t)n_follow) return 0;
    for (int32_t i = 0; i < n; i++)
        if (self->follow_from[i] > self->follow_from[i + 1]) return 0;
    for (int32_t i = 0; i < n; i++)
        if (self->matched[i] < -1 || self->matched[i] >= MOST_EXPRESSIONS) return 0;
    for (size_t i = 0; i < n_follow; i++)
        if (self->follow[i] < 0 || self->follow[i] >= n) return 0;
    for (int32_t i = 0; i < self->n_first; i++)
        if (self->first[i] < 0 || self->first[i] >= n) return 0;
    return 1;
}

static PyObject *automaton_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    static char *names[] = {"classes", "accepts", "set_of", "follow_from", "follow", "matched", "first", "limit", "backwards", "most_states", NULL};
    Py_buffer views[7] = {{0}};
    Py_ssize_t limit, most_states;
    int backwards;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "y*y*y*y*y*y*y*npn", names, &views[0], &views[1], &views[2], &views[3],
                                     &views[4], &views[5], &views[6], &limit, &backwards, &most_states))
        return NULL;
    int right = limit > 0 && limit <= MOST_STEPS && most_states > 0 && most_states <= INT32_MAX / 2;
    if (!right) PyErr_SetString(PyExc_ValueError, "a limit of steps, or of states, that is too low or too high");
    Automaton *self = right ? (Automaton *)type->tp_alloc(type, 0) : NULL;
    size_t n_classes = 0, n_accepts = 0, n_set_of = 0, n_from = 0, n_follow = 0, n_matched = 0, n_first = 0;
    if (self) {
        uint8_t *classes = copied(&views[0], &n_classes, 1);
        if (classes && n_classes == 256) memcpy(self->class_of, classes, 256);
        free(classes);
        for (int c = 0; c < 256; c++)
            if (self->class_of[c] >= self->n_classes) self->n_classes = self->class_of[c] + 1;
        self->accepts = copied(&views[1], &n_accepts, 1);
        self->set_of = copied(&views[2], &n_set_of, sizeof(int32_t));
        self->follow_from = copied(&views[3], &n_from, sizeof(int32_t));
        self->follow = copied(&views[4], &n_follow, sizeof(int32_t));
        self->matched = copied(&views[5], &n_matched, sizeof(int32_t));
        self->first = copied(&views[6], &n_first, sizeof(int32_t));
        self->n_positions = (int32_t)n_matched;
        self->n_first = (int32_t)n_first;
        self->limit = limit;
        self->most_states = (int32_t)most_states;
        self->backwards = backwards;
        self->room_states = 256;
        self->ways = malloc((size_t)self->room_states * sizeof *self->ways);
        self->pairs = malloc((size_t)self->n_classes * self->n_classes * sizeof *self->pairs);
        self->stamp = calloc(n_matched + 1, sizeof *self->stamp);
        self->buffer = malloc((n_matched + 2) * sizeof *self->buffer);
        int memory = sets_start(&self->reached) == 0 && sets_start(&self->found) == 0 && self->accepts && self->set_of && self->follow_from &&
                     self->follow && self->matched && self->first && self->ways && self->pairs && self->stamp && self->buffer;
        if (!memory) PyErr_NoMemory();
        else if (n_classes != 256 || !fits(self, n_accepts, n_set_of, n_from, n_follow))
            PyErr_SetString(PyExc_ValueError, "the tables of the automaton do not fit each other");
        else if (automaton_begin(self) < 0) PyErr_NoMemory();
        if (PyErr_Occurred()) Py_CLEAR(self);
    }
    for (int i = 0; i < 7; i++) PyBuffer_Release(&views[i]);
    return (PyObject *)self;
}

static void automaton_free(Automaton *self) {
    PyTypeObject *type = Py_TYPE(self);
    automaton_forget_tuples(self);
    free(self->tuples);
    sets_free(&self->reached);
    sets_free(&self->found);
    free(self->accepts);
    free(self->set_of);
    free(self->follow_from);
    free(self->follow);
    free(self->matched);
    free(self->first);
    free(self->ways);
    free(self->rows);
    free(self->pairs);
    free(self->stamp);
    free(self->buffer);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyMethodDef methods[] = {
    {"starts", (PyCFunction)automaton_starts, METH_O, "Where matches may begin: pairs of a place and the expressions."},
    {"at", (PyCFunction)(void (*)(void))automaton_at, METH_FASTCALL, "The expressions that may match from a place on."},
    {"ends", (PyCFunction)(void (*)(void))automaton_ends, METH_FASTCALL, "Where matches from a place on end, the last first."},
    {"states", (PyCFunction)automaton_states, METH_NOARGS, "How many states are known by now."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "Many expressions matched at once from one place of a text."},
    {Py_tp_new, automaton_new},
    {Py_tp_dealloc, automaton_free},
    {Py_tp_methods, methods},
    {0, NULL},
};

PyType_Spec automaton_spec = {"innominate.detect.rules.native._native.Automaton", sizeof(Automaton), 0, Py_TPFLAGS_DEFAULT, slots};
