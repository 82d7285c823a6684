/* Expressions that confirm what an automaton found: by a matcher where the text has an image, and else by `re`. */
#include "matcher.h"

int expression_read(Expression *self, PyObject *given) {
    PyObject *lazy, *groups, *matcher, *numbers;
    *self = (Expression){0};
    if (given == Py_None) return 0;
    if (!PyTuple_Check(given)) {
        PyErr_SetString(PyExc_TypeError, "an expression is needed");
        return -1;
    }
    if (!PyArg_ParseTuple(given, "OO!OO!", &lazy, &PyTuple_Type, &groups, &matcher, &PyTuple_Type, &numbers)) return -1;
    self->lazy = Py_NewRef(lazy);
    self->groups = Py_NewRef(groups);
    self->n_groups = (int32_t)PyTuple_GET_SIZE(groups);
    self->numbers = calloc((size_t)self->n_groups + 1, sizeof *self->numbers);
    if (!self->numbers) return PyErr_NoMemory() ? 0 : -1;
    if (matcher == Py_None) return 0;
    int right = PyObject_TypeCheck(matcher, matcher_type) && PyTuple_GET_SIZE(numbers) == self->n_groups;
    if (right) self->matcher = (Matcher *)Py_NewRef(matcher);
    for (int32_t i = 0; right && i < self->n_groups; i++) {
        self->numbers[i] = (int32_t)PyLong_AsLong(PyTuple_GET_ITEM(numbers, i));
        right = self->numbers[i] >= 0 && self->numbers[i] <= self->matcher->n_groups;
    }
    if (!right && !PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "a matcher with these groups is needed");
    return right ? 0 : -1;
}

void expression_clear(Expression *self) {
    Py_CLEAR(self->lazy);
    Py_CLEAR(self->groups);
    Py_CLEAR(self->matcher);
    for (int how = 0; how < HOWS; how++) Py_CLEAR(self->methods[how]);
    free(self->numbers);
    self->numbers = NULL;
}

/* The places of the wanted groups of a match of `re`. */
static int read_groups(PyObject *match, PyObject *groups, int32_t *places) {
    static PyObject *name;
    if (!name && !(name = PyUnicode_InternFromString("span"))) return -1;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(groups); i++) {
        PyObject *arguments[] = {match, PyTuple_GET_ITEM(groups, i)};
        PyObject *span = PyObject_VectorcallMethod(name, arguments, 2, NULL);
        if (!span) return -1;
        places[2 * i] = (int32_t)PyLong_AsLong(PyTuple_GET_ITEM(span, 0));
        places[2 * i + 1] = (int32_t)PyLong_AsLong(PyTuple_GET_ITEM(span, 1));
        Py_DECREF(span);
    }
    return 0;
}

static int ask_re(Expression *self, How how, Board *board, Py_ssize_t start, Py_ssize_t end, int32_t *places) {
    static const char *const names[HOWS] = {"match", "fullmatch", "search"};
    PyObject **method = &self->methods[how];
    if (!*method && !(*method = PyObject_GetAttrString(self->lazy, names[how]))) return -1;
    PyObject *arguments[] = {board->text, PyLong_FromSsize_t(start), PyLong_FromSsize_t(end)};
    PyObject *match = arguments[1] && arguments[2] ? PyObject_Vectorcall(*method, arguments, 3, NULL) : NULL;
    int is = !match ? -1 : match != Py_None;
    if (is > 0 && read_groups(match, self->groups, places) < 0) is = -1;
    Py_XDECREF(arguments[1]);
    Py_XDECREF(arguments[2]);
    Py_XDECREF(match);
    return is;
}

int expression_ask(Expression *self, How how, Board *board, Py_ssize_t start, Py_ssize_t end, int32_t *places) {
    if (!self->matcher || !board->image) return ask_re(self, how, board, start, end, places);
    int32_t spans[MOST_REGISTERS];
    int is = how == SEARCH ? matcher_search(self->matcher, board->image, board->length, start, end, spans)
                           : matcher_match(self->matcher, board->image, board->length, start, end, how == FULLMATCH, spans);
    if (is == -2) return ask_re(self, how, board, start, end, places); /* it takes long */
    if (is == -1) PyErr_NoMemory();
    for (int32_t i = 0; is > 0 && i < self->n_groups; i++) {
        places[2 * i] = spans[2 * self->numbers[i]];
        places[2 * i + 1] = spans[2 * self->numbers[i] + 1];
    }
    return is;
}

void behind_clear(Behind *self) {
    Py_CLEAR(self->automaton);
    expression_clear(&self->exact);
}

/* Get the parts of a `Behind`, which stands where the expression of `re` does until then. */
static int make_ready(Behind *self) {
    PyObject *made = PyObject_GetAttrString(self->exact.lazy, "made");
    PyObject *automaton = made ? PyObject_GetAttrString(made, "automaton") : NULL;
    PyObject *reach = made ? PyObject_GetAttrString(made, "reach") : NULL;
    PyObject *exact = made ? PyObject_GetAttrString(made, "exact") : NULL;
    if (automaton && reach && exact && PyObject_TypeCheck(automaton, automaton_type)) {
        self->reach = (int32_t)PyLong_AsLong(reach);
        self->automaton = (Automaton *)Py_NewRef(automaton);
        Py_SETREF(self->exact.lazy, Py_NewRef(exact));
    } else if (!PyErr_Occurred()) {
        PyErr_SetString(PyExc_TypeError, "an expression to look behind is needed");
    }
    Py_XDECREF(made);
    Py_XDECREF(automaton);
    Py_XDECREF(reach);
    Py_XDECREF(exact);
    return PyErr_Occurred() ? -1 : 0;
}

enum { USUAL = 256 };

int behind_match(Behind *self, Board *board, Py_ssize_t place, int32_t *places) {
    if (!self->automaton && make_ready(self) < 0) return -1;
    Py_ssize_t few[USUAL], limit = self->automaton->limit, *ends = limit <= USUAL ? few : malloc((size_t)limit * sizeof *ends);
    Py_ssize_t n = -1;
    if (ends)
        n = automaton_read_ends(self->automaton, (const uint8_t *)PyBytes_AS_STRING(board->data), place,
                                PyBytes_GET_SIZE(board->data), ends);
    int is = 0;
    if (n < 0) {
        PyErr_NoMemory();
        is = -1;
    }
    while (is == 0 && n-- > 0)
        if (ends[n] >= place - self->reach) is = expression_ask(&self->exact, MATCH, board, ends[n], place, places);
    if (ends != few) free(ends);
    return is;
}
