/* The board on which rules put what they found: board.py, for the many candidates that a note has. */
#include "native.h"

static PyObject *list_of(PyObject *by_label, PyObject *label) {
    PyObject *list = PyDict_GetItemWithError(by_label, label);
    if (list || PyErr_Occurred()) return list;
    list = PyList_New(0);
    if (!list || PyDict_SetItem(by_label, label, list) < 0) {
        Py_XDECREF(list);
        return NULL;
    }
    Py_DECREF(list); /* the dictionary holds it */
    return list;
}

static int place_of(PyObject *found, Py_ssize_t *start, Py_ssize_t *end) {
    *start = PyLong_AsSsize_t(PyTuple_GET_ITEM(found, START));
    *end = PyLong_AsSsize_t(PyTuple_GET_ITEM(found, END));
    return PyErr_Occurred() ? -1 : 0;
}

static int is_found(PyObject *found) {
    if (PyTuple_Check(found) && PyTuple_GET_SIZE(found) == FIELDS) return 1;
    PyErr_SetString(PyExc_TypeError, "a candidate is needed");
    return 0;
}

/* Into `last`: the rules that may have something to do at a place, whatever the label. */
static int look_around(Board *self, Py_ssize_t start, Py_ssize_t end) {
    if (self->last_start == start && self->last_end == end) return 0; /* a word stands in many lists */
    self->last_start = self->last_end = -1;
    if (nearby_look(self->nearby, self->data, start, end, self->last) < 0) return -1;
    self->last_start = start;
    self->last_end = end;
    return 0;
}

static int several_add(Several *several, PyObject *found) {
    if (several->n == several->room) {
        Py_ssize_t room = 2 * several->room + 4;
        PyObject **all = PyMem_Realloc(several->all, (size_t)room * sizeof *all);
        if (!all) {
            PyErr_NoMemory();
            return -1;
        }
        several->all = all;
        several->room = room;
    }
    several->all[several->n++] = Py_NewRef(found);
    return 0;
}

int board_put(Board *self, PyObject *found) {
    PyObject *label = PyTuple_GET_ITEM(found, LABEL), *list = list_of(self->by_label, label);
    if (!list || PyList_Append(list, found) < 0) return -1;
    PyObject *mask = self->nearby ? PyDict_GetItemWithError(self->nearby->labels, label) : NULL;
    if (!mask) return PyErr_Occurred() ? -1 : 0;
    Py_ssize_t start, end;
    if (place_of(found, &start, &end) < 0) return -1;
    if (start < 0 || end < start || end + 1 >= PyBytes_GET_SIZE(self->data)) {
        PyErr_SetString(PyExc_IndexError, "a candidate outside the text");
        return -1;
    }
    int anywhere = nearby_wants_nothing(self->nearby, mask);
    if (!anywhere && look_around(self, start, end) < 0) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < self->nearby->n_words; i++) {
        uint64_t rules = anywhere ? mask_word(mask, i) : mask_word(mask, i) & self->last[i];
        for (int bit = 0; rules; bit++, rules >>= 1) {
            if (!(rules & 1)) continue;
            if (several_add(self->near + i * 64 + bit, found) < 0) return -1;
        }
    }
    return 0;
}

static PyObject *put(Board *self, PyObject *found) {
    if (!is_found(found) || board_put(self, found) < 0) return NULL;
    Py_RETURN_NONE;
}

typedef struct {
    Py_ssize_t start, end, order;
    PyObject *found;
} Placed;

static int from_left(const void *one, const void *other) {
    const Placed *a = one, *b = other;
    if (a->start != b->start) return a->start < b->start ? -1 : 1;
    if (a->end != b->end) return a->end < b->end ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

/* Sort candidates by where they stand; of those at the same place the order stays. */
int board_sort(PyObject *list) {
    Py_ssize_t n = PyList_GET_SIZE(list);
    if (n < 2) return 0;
    Placed few[32], *all = n <= 32 ? few : malloc((size_t)n * sizeof *all);
    if (!all) {
        PyErr_NoMemory();
        return -1;
    }
    int failed = 0;
    for (Py_ssize_t i = 0; i < n && !failed; i++) {
        all[i].found = PyList_GET_ITEM(list, i);
        all[i].order = i;
        failed = place_of(all[i].found, &all[i].start, &all[i].end);
    }
    if (!failed) {
        qsort(all, (size_t)n, sizeof *all, from_left);
        for (Py_ssize_t i = 0; i < n; i++) PyList_SET_ITEM(list, i, all[i].found); /* the same ones, in another order */
    }
    if (all != few) free(all);
    return failed;
}

static int is_gone(Board *self, PyObject *found) {
    if (!self->gone) return 0;
    PyObject *address = PyLong_FromVoidPtr(found);
    int gone = address ? PyDict_Contains(self->gone, address) : -1;
    Py_XDECREF(address);
    return gone;
}

/* A new list of candidates without those that are gone. */
static PyObject *there(Board *self, PyObject *const *all, Py_ssize_t n) {
    PyObject *some = PyList_New(0);
    for (Py_ssize_t i = 0; some && i < n; i++) {
        int gone = is_gone(self, all[i]);
        if (gone < 0 || (!gone && PyList_Append(some, all[i]) < 0)) Py_CLEAR(some);
    }
    return some;
}

PyObject *board_asked(Board *self, Py_ssize_t number) {
    if (!self->nearby || number < 0 || number >= self->nearby->n_rules || !self->near[number].n) return PyList_New(0);
    PyObject *some = there(self, self->near[number].all, self->near[number].n);
    if (some && board_sort(some) < 0) Py_CLEAR(some);
    return some;
}

static PyObject *asked(Board *self, PyObject *argument) {
    Py_ssize_t number = PyLong_AsSsize_t(argument);
    return number == -1 && PyErr_Occurred() ? NULL : board_asked(self, number);
}

static PyObject *refuse(Board *self, PyObject *const *arguments, Py_ssize_t n) {
    if (n != 2) return PyErr_Format(PyExc_TypeError, "refuse(found, why)");
    PyObject *pair = self->explain ? PyTuple_Pack(2, arguments[0], arguments[1]) : Py_NewRef(Py_None);
    if (!pair || (self->explain && PyList_Append(self->refused, pair) < 0)) {
        Py_XDECREF(pair);
        return NULL;
    }
    Py_DECREF(pair);
    Py_RETURN_NONE;
}

/* Take off the list of a label what is gone. */
static int leave_out_gone(Board *self, PyObject *label) {
    PyObject *all = list_of(self->by_label, label);
    PyObject *left = all ? there(self, ((PyListObject *)all)->ob_item, PyList_GET_SIZE(all)) : NULL;
    int failed = !left || PyDict_SetItem(self->by_label, label, left) < 0;
    Py_XDECREF(left);
    return failed ? -1 : 0;
}

int board_take(Board *self, PyObject *list, PyObject *why) {
    if (!self->gone && !(self->gone = PyDict_New())) return -1;
    PyObject *labels = PySet_New(NULL), *label;
    int failed = !labels;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list) && !failed; i++) {
        PyObject *found = PyList_GET_ITEM(list, i), *pair[] = {found, why}, *address = PyLong_FromVoidPtr(found);
        failed = !is_found(found) || !address || PyDict_SetItem(self->gone, address, found) < 0 ||
                 PySet_Add(labels, PyTuple_GET_ITEM(found, LABEL)) < 0;
        Py_XDECREF(address);
        PyObject *none = failed ? NULL : refuse(self, pair, 2);
        failed = !none;
        Py_XDECREF(none);
    }
    while (!failed && PySet_GET_SIZE(labels)) {
        failed = !(label = PySet_Pop(labels)) || leave_out_gone(self, label) < 0;
        Py_XDECREF(label);
    }
    Py_XDECREF(labels);
    return failed ? -1 : 0;
}

static PyObject *take(Board *self, PyObject *const *arguments, Py_ssize_t n) {
    if (n != 2 || !PyList_Check(arguments[0])) return PyErr_Format(PyExc_TypeError, "take(found: list, why)");
    if (board_take(self, arguments[0], arguments[1]) < 0) return NULL;
    Py_RETURN_NONE;
}

PyObject *board_of(Board *self, PyObject *labels) {
    PyObject *some = PyList_New(0), *each = some ? PyObject_GetIter(labels) : NULL, *label;
    while (each && some && (label = PyIter_Next(each))) {
        PyObject *list = PyDict_GetItemWithError(self->by_label, label);
        Py_DECREF(label);
        if (list && PyList_SetSlice(some, PyList_GET_SIZE(some), PyList_GET_SIZE(some), list) < 0) Py_CLEAR(some);
    }
    Py_XDECREF(each);
    if (PyErr_Occurred() || (some && board_sort(some) < 0)) Py_CLEAR(some);
    return some;
}

static PyObject *board_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    static char *names[] = {"text", "data", "explain", "nearby", NULL};
    PyObject *text, *data, *nearby = NULL;
    int explain = 0;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O!O!|pO", names, &PyUnicode_Type, &text, &PyBytes_Type, &data, &explain,
                                     &nearby))
        return NULL;
    if (nearby == Py_None) nearby = NULL;
    if ((nearby && !PyObject_TypeCheck(nearby, nearby_type)) || PyBytes_GET_SIZE(data) != PyUnicode_GET_LENGTH(text) + 2)
        return PyErr_Format(PyExc_TypeError, "a board needs a text, the text as the automaton sees it, and what its rules want");
    Board *self = (Board *)type->tp_alloc(type, 0);
    if (!self) return NULL;
    self->text = Py_NewRef(text);
    self->data = Py_NewRef(data);
    self->explain = (char)explain;
    self->nearby = (Nearby *)Py_XNewRef(nearby);
    self->by_label = PyDict_New();
    self->refused = PyList_New(0);
    self->last_start = self->last_end = -1;
    if (nearby) {
        self->near = PyMem_Calloc((size_t)self->nearby->n_words * 64 + 1, sizeof *self->near);
        self->last = PyMem_Calloc((size_t)self->nearby->n_words + 1, sizeof *self->last);
    }
    if (self->by_label && self->refused && (!nearby || (self->near && self->last))) return (PyObject *)self;
    Py_DECREF(self);
    return PyErr_NoMemory();
}

static int board_clear(Board *self) {
    Py_CLEAR(self->text);
    Py_CLEAR(self->data);
    Py_CLEAR(self->by_label);
    Py_CLEAR(self->refused);
    Py_CLEAR(self->gone);
    for (Py_ssize_t i = 0; self->near && i < self->nearby->n_words * 64; i++) {
        while (self->near[i].n) Py_DECREF(self->near[i].all[--self->near[i].n]);
        PyMem_Free(self->near[i].all);
        self->near[i] = (Several){0};
    }
    return 0;
}

static int board_traverse(Board *self, visitproc visit, void *arg) {
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(self->by_label);
    Py_VISIT(self->refused);
    Py_VISIT(self->gone);
    for (Py_ssize_t i = 0; self->near && i < self->nearby->n_words * 64; i++)
        for (Py_ssize_t k = 0; k < self->near[i].n; k++) Py_VISIT(self->near[i].all[k]);
    return 0;
}

static void board_free(Board *self) {
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    board_clear(self);
    PyMem_Free(self->near);
    PyMem_Free(self->last);
    Py_XDECREF(self->nearby);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyMemberDef members[] = {
    {"text", T_OBJECT_EX, offsetof(Board, text), READONLY, NULL},
    {"data", T_OBJECT_EX, offsetof(Board, data), READONLY, NULL},
    {"by_label", T_OBJECT_EX, offsetof(Board, by_label), READONLY, NULL},
    {"refused", T_OBJECT_EX, offsetof(Board, refused), READONLY, NULL},
    {"explain", T_BOOL, offsetof(Board, explain), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyMethodDef methods[] = {
    {"put", (PyCFunction)put, METH_O, "Add a candidate."},
    {"asked", (PyCFunction)asked, METH_O, "The candidates at which a later rule may have something to do, from left to right."},
    {"take", (PyCFunction)(void (*)(void))take, METH_FASTCALL, "Take candidates off the board again."},
    {"refuse", (PyCFunction)(void (*)(void))refuse, METH_FASTCALL, "Remember why something was not taken."},
    {"of", (PyCFunction)board_of, METH_O, "Candidates with any of the labels, from left to right."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "What is known about one text while the rules run over it."},
    {Py_tp_new, board_new},
    {Py_tp_dealloc, board_free},
    {Py_tp_traverse, board_traverse},
    {Py_tp_clear, board_clear},
    {Py_tp_members, members},
    {Py_tp_methods, methods},
    {0, NULL},
};

PyType_Spec board_spec = {"innominate.detect.rules.native._native.Board", sizeof(Board), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, slots};
