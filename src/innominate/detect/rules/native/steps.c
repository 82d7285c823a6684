/* The later rules as a rulebook hands them over. */
#include "native.h"

static int wrong(const char *what) {
    PyErr_SetString(PyExc_ValueError, what);
    return -1;
}

/* The number of a label or rule; with `least` -1 there may be none. */
static int read_number(PyObject *number, int32_t least, Py_ssize_t most, int32_t *into) {
    long value = number == Py_None ? -1 : PyLong_AsLong(number);
    if (PyErr_Occurred()) return -1;
    if (value < least || value >= most) return wrong("a number of a label or rule that is not there");
    *into = (int32_t)value;
    return 0;
}

static int read_numbers(PyObject *tuple, int32_t least, Py_ssize_t most, int32_t *into, Py_ssize_t n) {
    if (!PyTuple_Check(tuple) || PyTuple_GET_SIZE(tuple) != n) return wrong("so many numbers are not needed");
    for (Py_ssize_t i = 0; i < n; i++)
        if (read_number(PyTuple_GET_ITEM(tuple, i), least, most, &into[i]) < 0) return -1;
    return 0;
}

/* (rule, label, before, after, itself) */
static int read_relabel(Rulebook *book, Step *step, PyObject *given) {
    PyObject *rule, *label, *before, *after, *itself;
    if (!PyArg_ParseTuple(given, "OOOOO", &rule, &label, &before, &after, &itself)) return -1;
    step->kind = RELABEL;
    if (expression_read(&step->before.exact, before) < 0 || expression_read(&step->after, after) < 0 ||
        expression_read(&step->itself, itself) < 0)
        return -1;
    if (step->before.exact.n_groups + step->after.n_groups + step->itself.n_groups)
        return wrong("a rule that relabels looks for no groups");
    if (read_number(label, -1, book->n_labels, &step->label) < 0) return -1;
    return read_number(rule, step->label < 0 ? -1 : 0, book->n_rules, &step->rule);
}

/* (rule, label, before, after, whether it looks beside what it finds) */
static int read_beside(Rulebook *book, Step *step, PyObject *given) {
    PyObject *rule, *label, *before, *after;
    if (!PyArg_ParseTuple(given, "OOOOp", &rule, &label, &before, &after, &step->chain)) return -1;
    step->kind = BESIDE;
    if (expression_read(&step->before.exact, before) < 0 || expression_read(&step->after, after) < 0) return -1;
    if (read_number(rule, 0, book->n_rules, &step->rule) < 0 || read_number(label, 0, book->n_labels, &step->label) < 0) return -1;
    int32_t n_groups = step->before.exact.n_groups + step->after.n_groups;
    if (n_groups == 1 && (before == Py_None) != (after == Py_None) && book->rules[step->rule].label >= 0) return 0;
    return wrong("a rule that looks beside something looks to one side, for one group, and has a label");
}

/* (labels that it protects from, what is left outside) */
static int read_keep(Rulebook *book, Step *step, PyObject *given) {
    PyObject *against, *outside;
    if (!PyArg_ParseTuple(given, "O!O", &PyTuple_Type, &against, &outside)) return -1;
    step->kind = KEEP;
    step->n_against = PyTuple_GET_SIZE(against);
    step->against = calloc((size_t)step->n_against + 1, sizeof *step->against);
    step->outside = Py_NewRef(outside);
    if (!step->against) return PyErr_NoMemory() ? 0 : -1;
    return read_numbers(against, 0, book->n_labels, step->against, step->n_against);
}

/* (forwards, backwards, letters with which particles begin, words that are no names, three labels, extent, two labels of
 * parts, labels of triggers, of listed first and last names, rules by how a name was found) */
static int read_names(Rulebook *book, Step *step, PyObject *given) {
    PyObject *forwards, *backwards, *begins, *not_names, *labels, *parts, *looked_at, *how;
    int extent, most = (int)book->n_labels;
    NamesRule *names = step->names = calloc(1, sizeof *names);
    if (!names || !PyArg_ParseTuple(given, "OOUOO!iO!O!O!", &forwards, &backwards, &begins, &not_names,
                                    &PyTuple_Type, &labels, &extent, &PyTuple_Type, &parts, &PyTuple_Type, &looked_at,
                                    &PyTuple_Type, &how))
        return -1;
    step->kind = NAMES;
    if (expression_read(&names->forwards, forwards) < 0 || expression_read(&names->backwards, backwards) < 0) return -1;
    names->begins = Py_NewRef(begins);
    names->not_names = Py_NewRef(not_names);
    names->extent = extent == EACH ? EACH : extent == PARTS ? PARTS : WHOLE;
    int32_t mine[3], two[2], seen[TRIGGERS + 2];
    if (read_numbers(labels, 0, most, mine, 3) < 0 || read_numbers(parts, 0, most, two, 2) < 0 ||
        read_numbers(looked_at, -1, most, seen, TRIGGERS + 2) < 0 || read_numbers(how, 0, book->n_rules, names->how, TRIGGERS + 2) < 0)
        return -1;
    names->header_label = mine[0];
    names->staff_label = mine[1];
    names->unknown_label = mine[2];
    names->first_label = two[0];
    names->last_label = two[1];
    memcpy(names->triggers, seen, sizeof names->triggers);
    names->first_names = seen[TRIGGERS];
    names->last_names = seen[TRIGGERS + 1];
    if (PyAnySet_Check(not_names) && names->forwards.n_groups == 3 && names->backwards.n_groups == 3) return 0;
    return wrong("a rule for names needs words, and expressions with three groups");
}

int steps_read(Rulebook *book, PyObject *steps) {
    static const struct {
        const char *name;
        int (*read)(Rulebook *, Step *, PyObject *);
    } kinds[] = {{"relabel", read_relabel}, {"beside", read_beside}, {"keep", read_keep}, {"names", read_names}};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    book->steps = calloc((size_t)PyTuple_GET_SIZE(steps) + 1, sizeof *book->steps);
    if (!book->steps) return PyErr_NoMemory() ? 0 : -1;
    if (PyTuple_GET_SIZE(steps) > book->nearby.n_words * 64) return wrong("more later rules than labels know of");
    for (; book->n_steps < PyTuple_GET_SIZE(steps);) {
        const char *name;
        PyObject *given;
        size_t kind = 0;
        PyObject *step = PyTuple_GET_ITEM(steps, book->n_steps);
        if (!PyTuple_Check(step) || !PyArg_ParseTuple(step, "sO!", &name, &PyTuple_Type, &given)) {
            if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "a later rule is a kind and what it has to know");
            return -1;
        }
        while (kind < KINDS && strcmp(kinds[kind].name, name) != 0) kind++;
        if (kind == KINDS) return wrong("a later rule of a kind that is not known");
        if (kinds[kind].read(book, &book->steps[book->n_steps++], given) < 0) return -1;
    }
    return 0;
}

void steps_free(Rulebook *book) {
    for (Py_ssize_t i = 0; i < book->n_steps; i++) {
        Step *step = &book->steps[i];
        behind_clear(&step->before);
        expression_clear(&step->after);
        expression_clear(&step->itself);
        free(step->against);
        Py_XDECREF(step->outside);
        if (step->names) {
            expression_clear(&step->names->forwards);
            expression_clear(&step->names->backwards);
            Py_XDECREF(step->names->begins);
            Py_XDECREF(step->names->not_names);
        }
        free(step->names);
    }
    free(book->steps);
}
