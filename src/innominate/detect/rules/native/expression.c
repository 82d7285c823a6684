/* Expressions of `re`, which confirm what an automaton found. */
#include "native.h"

int expression_read(Expression *self, PyObject *given) {
    PyObject *lazy, *groups;
    *self = (Expression){0};
    if (given == Py_None) return 0;
    if (!PyTuple_Check(given)) {
        PyErr_SetString(PyExc_TypeError, "an expression is needed");
        return -1;
    }
    if (!PyArg_ParseTuple(given, "OO!", &lazy, &PyTuple_Type, &groups)) return -1;
    self->lazy = Py_NewRef(lazy);
    self->groups = Py_NewRef(groups);
    self->n_groups = (int32_t)PyTuple_GET_SIZE(groups);
    return 0;
}

void expression_clear(Expression *self) {
    Py_CLEAR(self->lazy);
    Py_CLEAR(self->groups);
    for (int how = 0; how < HOWS; how++) Py_CLEAR(self->methods[how]);
}

/* The places of the wanted groups of a match. */
static int read_groups(PyObject *match, PyObject *groups, Py_ssize_t length, int32_t *places) {
    static PyObject *name;
    if (!name && !(name = PyUnicode_InternFromString("span"))) return -1;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(groups); i++) {
        PyObject *arguments[] = {match, PyTuple_GET_ITEM(groups, i)};
        PyObject *span = PyObject_VectorcallMethod(name, arguments, 2, NULL);
        int failed = !span || place_read(span, length, places + 2 * i) < 0;
        Py_XDECREF(span);
        if (failed) return -1;
    }
    return 0;
}

int expression_ask(Expression *self, How how, Board *board, Py_ssize_t start, Py_ssize_t end, int32_t *places) {
    static const char *const names[HOWS] = {"match", "fullmatch", "search"};
    PyObject **method = &self->methods[how];
    if (!*method && !(*method = PyObject_GetAttrString(self->lazy, names[how]))) return -1;
    PyObject *arguments[] = {board->text, PyLong_FromSsize_t(start), PyLong_FromSsize_t(end)};
    PyObject *match = arguments[1] && arguments[2] ? PyObject_Vectorcall(*method, arguments, 3, NULL) : NULL;
    int is = !match ? -1 : match != Py_None;
    if (is > 0 && read_groups(match, self->groups, board->length, places) < 0) is = -1;
    Py_XDECREF(arguments[1]);
    Py_XDECREF(arguments[2]);
    Py_XDECREF(match);
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
