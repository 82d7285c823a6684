/* The board on which rules put what they found: board.py, for the many candidates that a note has. */
#include "native.h"

int list_grow(void **all, Py_ssize_t *room, size_t size) {
    Py_ssize_t wanted = 2 * *room + 32;
    void *grown = wanted < INT32_MAX ? realloc(*all, (size_t)wanted * size) : NULL;
    if (!grown) {
        PyErr_NoMemory();
        return -1;
    }
    *all = grown;
    *room = wanted;
    return 0;
}

int numbers_add(Numbers *numbers, int32_t number) {
    if (numbers->n == numbers->room && list_grow((void **)&numbers->all, &numbers->room, sizeof *numbers->all) < 0) return -1;
    numbers->all[numbers->n++] = number;
    return 0;
}

/* A later rule may have something to do at a candidate. */
static int link_to(Board *self, Chain *chain, int32_t number) {
    if (self->n_links == self->room_links && list_grow((void **)&self->links, &self->room_links, sizeof *self->links) < 0) return -1;
    int32_t link = (int32_t)self->n_links++;
    self->links[link] = (Link){number, -1};
    if (chain->last >= 0) self->links[chain->last].next = link;
    else chain->first = link;
    chain->last = link;
    return 0;
}

/* Of rules, a bit for each, those that want what an automaton reads from a place on, or want nothing there: whether there are any. */
static int left_over(uint64_t *rules, Py_ssize_t n, Automaton *automaton, const uint64_t *always, PyObject *data, int32_t place) {
    int32_t found = automaton_read(automaton, (const uint8_t *)PyBytes_AS_STRING(data), place, PyBytes_GET_SIZE(data));
    const uint64_t *bits = found < 0 ? NULL : automaton_bits(automaton, found);
    uint64_t any = 0;
    if (!bits) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++) any |= rules[i] &= always[i] | (i < automaton->n_words ? bits[i] : 0);
    return any != 0;
}

/* Tell the later rules that look at such candidates and want what stands beside this one. */
static int tell(Board *self, int32_t number, const Candidate *found) {
    const Nearby *nearby = &self->book->nearby;
    Automaton *before = nearby->before[found->label], *after = nearby->after[found->label];
    uint64_t rules[MOST_WORDS];
    int any = 1;
    memcpy(rules, nearby->of + found->label * nearby->n_words, (size_t)nearby->n_words * sizeof *rules);
    if (before) any = left_over(rules, nearby->n_words, before, nearby->before_always, self->data, found->start);
    if (after && any > 0) any = left_over(rules, nearby->n_words, after, nearby->after_always, self->data, found->end);
    for (Py_ssize_t i = 0; any > 0 && i < nearby->n_words; i++)
        for (uint64_t left = rules[i]; left; left &= left - 1)
            if (link_to(self, &self->near[i * 64 + first_bit(left)], number) < 0) return -1;
    return any < 0 ? -1 : 0;
}

int place_read(PyObject *pair, Py_ssize_t length, int32_t *place) {
    long start = -2, end = -2;
    if (PyTuple_Check(pair) && PyTuple_GET_SIZE(pair) == 2) {
        start = PyLong_AsLong(PyTuple_GET_ITEM(pair, 0));
        end = PyErr_Occurred() ? -2 : PyLong_AsLong(PyTuple_GET_ITEM(pair, 1));
    }
    int inside = start >= 0 && start <= end && end <= length, none = start == -1 && end == -1;
    place[0] = (int32_t)start;
    place[1] = (int32_t)end;
    if (!inside && !none && !PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "a place that is not inside the text");
    return PyErr_Occurred() ? -1 : 0;
}

int32_t board_put(Board *self, Candidate found) {
    if (found.start < 0 || found.start > found.end || found.end > self->length || found.label < 0 || found.label >= self->book->n_labels) {
        PyErr_SetString(PyExc_ValueError, "a candidate that is not inside the text");
        return -1;
    }
    if (self->n == self->room && list_grow((void **)&self->all, &self->room, sizeof *self->all) < 0) return -1;
    int32_t number = (int32_t)self->n++;
    Chain *chain = &self->of[found.label];
    found.next = -1;
    self->all[number] = found;
    if (chain->last >= 0) self->all[chain->last].next = number;
    else chain->first = number;
    chain->last = number;
    return tell(self, number, &found) < 0 ? -1 : number;
}

static int is_before(const Candidate *all, int32_t a, int32_t b) {
    if (all[a].start != all[b].start) return all[a].start < all[b].start;
    if (all[a].end != all[b].end) return all[a].end < all[b].end;
    return a < b;
}

static void merge(const Candidate *all, int32_t *some, int32_t *room, Py_ssize_t n) {
    if (n < 16) { /* most are few, and nearly in order */
        for (Py_ssize_t i = 1, k; i < n; i++) {
            int32_t number = some[i];
            for (k = i; k && is_before(all, number, some[k - 1]); k--) some[k] = some[k - 1];
            some[k] = number;
        }
        return;
    }
    Py_ssize_t half = n / 2;
    merge(all, some, room, half);
    merge(all, some + half, room, n - half);
    if (!is_before(all, some[half], some[half - 1])) return;
    memcpy(room, some, (size_t)half * sizeof *some);
    for (Py_ssize_t i = 0, k = half, at = 0; i < half; at++)
        some[at] = k < n && is_before(all, some[k], room[i]) ? some[k++] : room[i++];
}

int board_sort(Board *self, Numbers *some) {
    int32_t few[64], *room = some->n <= 128 ? few : malloc((size_t)some->n * sizeof *room);
    if (!room) {
        PyErr_NoMemory();
        return -1;
    }
    merge(self->all, some->all, room, some->n);
    if (room != few) free(room);
    return 0;
}

static int add_those_left(Board *self, int32_t label, Numbers *some) {
    for (int32_t i = self->of[label].first; i >= 0; i = self->all[i].next)
        if (!self->all[i].gone && numbers_add(some, i) < 0) return -1;
    return 0;
}

int board_of(Board *self, const int32_t *labels, Py_ssize_t n, Numbers *some) {
    some->n = 0;
    for (Py_ssize_t i = 0; i < n; i++)
        if (add_those_left(self, labels[i], some) < 0) return -1;
    return board_sort(self, some);
}

int board_asked(Board *self, Py_ssize_t step, Numbers *some) {
    some->n = 0;
    for (int32_t i = self->near[step].first; i >= 0; i = self->links[i].next)
        if (!self->all[self->links[i].candidate].gone && numbers_add(some, self->links[i].candidate) < 0) return -1;
    return board_sort(self, some);
}

/* A candidate as Python knows it, with all fields of its type: the constructor of a named tuple would take far longer. */
static PyObject *found_of(Board *self, int32_t number) {
    const Rulebook *book = self->book;
    const Candidate *found = &self->all[number];
    PyObject *fields = Py_BuildValue("((iiOdOi()O))", (int)found->start, (int)found->end, PyTuple_GET_ITEM(book->labels, found->label),
                                     found->score, book->rules[found->rule].name, (int)found->priority, Py_None);
    PyObject *made = fields ? PyTuple_Type.tp_new(book->found, fields, NULL) : NULL;
    Py_XDECREF(fields);
    return made;
}

/* ----------------------------------------------------------------------------------------------------- as Python sees it */

/* The text as the automaton sees it: most have but Latin-1 characters. */
static PyObject *seen(Rulebook *book, PyObject *text) {
    if (PyUnicode_KIND(text) != PyUnicode_1BYTE_KIND) return PyObject_CallOneArg(book->seen, text);
    Py_ssize_t n = PyUnicode_GET_LENGTH(text);
    PyObject *data = PyBytes_FromStringAndSize(NULL, n + 2);
    if (!data) return NULL;
    char *bytes = PyBytes_AS_STRING(data);
    bytes[0] = bytes[n + 1] = '\n';
    memcpy(bytes + 1, PyUnicode_1BYTE_DATA(text), (size_t)n);
    return data;
}

static Chain *no_chains(Py_ssize_t n) {
    Chain *chains = malloc(((size_t)n + 1) * sizeof *chains);
    for (Py_ssize_t i = 0; chains && i < n; i++) chains[i] = (Chain){-1, -1};
    return chains;
}

Board *board_new(Rulebook *book, PyObject *text) {
    if (!PyUnicode_Check(text) || PyUnicode_READY(text) < 0 || PyUnicode_GET_LENGTH(text) > INT32_MAX - 16) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "a text is needed, of less than 2^31 characters");
        return NULL;
    }
    Board *self = (Board *)board_type->tp_alloc(board_type, 0);
    if (!self) return NULL;
    self->book = (Rulebook *)Py_NewRef(book);
    self->text = Py_NewRef(text);
    self->length = PyUnicode_GET_LENGTH(text);
    self->data = seen(book, text);
    self->of = no_chains(book->n_labels);
    self->near = no_chains(book->nearby.n_words * 64);
    if (!PyErr_Occurred() && self->data && self->of && self->near && PyBytes_Check(self->data) && PyBytes_GET_SIZE(self->data) == self->length + 2)
        return self;
    Py_DECREF(self);
    if (!PyErr_Occurred()) PyErr_NoMemory();
    return NULL;
}

static void board_free(Board *self) {
    PyTypeObject *type = Py_TYPE(self);
    free(self->all);
    free(self->links);
    free(self->of);
    free(self->near);
    Py_XDECREF(self->text);
    Py_XDECREF(self->data);
    Py_XDECREF(self->book);
    type->tp_free(self);
    Py_DECREF(type);
}

/* Candidates as Python knows them. */
static PyObject *listed(Board *self, const Numbers *some) {
    PyObject *list = PyList_New(some->n);
    for (Py_ssize_t i = 0; list && i < some->n; i++) {
        PyObject *found = found_of(self, some->all[i]);
        if (!found) Py_CLEAR(list);
        else PyList_SET_ITEM(list, i, found);
    }
    return list;
}

static PyObject *of(Board *self, PyObject *labels) {
    PyObject *each = PyObject_GetIter(labels), *label;
    Numbers some = {0};
    while (each && !PyErr_Occurred() && (label = PyIter_Next(each))) {
        Py_ssize_t number = PySequence_Index(self->book->labels, label);
        Py_DECREF(label);
        if (number < 0) PyErr_Clear(); /* no rule gives it */
        else add_those_left(self, (int32_t)number, &some);
    }
    PyObject *list = PyErr_Occurred() || board_sort(self, &some) < 0 ? NULL : listed(self, &some);
    free(some.all);
    Py_XDECREF(each);
    return list;
}

static PyObject *candidates(Board *self, PyObject *Py_UNUSED(ignored)) {
    Numbers some = {0};
    PyObject *list = board_of(self, self->book->given, self->book->n_given, &some) < 0 ? NULL : listed(self, &some);
    free(some.all);
    return list;
}

static PyMethodDef methods[] = {
    {"of", (PyCFunction)of, METH_O, "Candidates with any of the labels, from left to right."},
    {"candidates", (PyCFunction)candidates, METH_NOARGS, "Those with a label, not a mark, from left to right."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "What the rules have found in one text."},
    {Py_tp_dealloc, board_free},
    {Py_tp_methods, methods},
    {0, NULL},
};

PyType_Spec board_spec = {"innominate.detect.rules.native._native.Board", sizeof(Board), 0,
                          Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
