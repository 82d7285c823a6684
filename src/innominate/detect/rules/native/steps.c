/* The later rules as a rulebook hands them over. */
#include "native.h"

/* A number of a label or rule, or -1 for none. */
static int read_number(PyObject *number, Py_ssize_t most, int32_t *into) {
    long value = number == Py_None ? -1 : PyLong_AsLong(number);
    if (PyErr_Occurred()) return -1;
    *into = (int32_t)value;
    if (value >= -1 && value < most) return 0;
    PyErr_SetString(PyExc_ValueError, "a number of a label or rule that is not there");
    return -1;
}

static int read_numbers(PyObject *tuple, Py_ssize_t most, int32_t *into, Py_ssize_t n) {
    if (!PyTuple_Check(tuple) || PyTuple_GET_SIZE(tuple) != n) {
        PyErr_SetString(PyExc_ValueError, "so many numbers are not needed");
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++)
        if (read_number(PyTuple_GET_ITEM(tuple, i), most, &into[i]) < 0) return -1;
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
    return read_number(rule, book->n_rules, &step->rule) < 0 ? -1 : read_number(label, book->n_labels, &step->label);
}

/* (rule, label, before, after, whether it looks beside what it finds) */
static int read_beside(Rulebook *book, Step *step, PyObject *given) {
    PyObject *rule, *label, *before, *after;
    if (!PyArg_ParseTuple(given, "OOOOp", &rule, &label, &before, &after, &step->chain)) return -1;
    step->kind = BESIDE;
    if (expression_read(&step->before.exact, before) < 0 || expression_read(&step->after, after) < 0) return -1;
    if (read_number(rule, book->n_rules, &step->rule) < 0 || read_number(label, book->n_labels, &step->label) < 0) return -1;
    int32_t n_groups = step->before.exact.n_groups + step->after.n_groups;
    if (step->rule >= 0 && step->label >= 0 && n_groups == 1 && (before == Py_None) != (after == Py_None)) return 0;
    PyErr_SetString(PyExc_ValueError, "a rule that looks beside something looks to one side, for one group");
    return -1;
}

/* (labels that it protects from, what is left outside) */
static int read_keep(Rulebook *book, Step *step, PyObject *given) {
    PyObject *against, *outside;
    if (!PyArg_ParseTuple(given, "O!O", &PyTuple_Type, &against, &outside)) return -1;
    step->kind = KEEP;
    step->n_against = PyTuple_GET_SIZE(against);
    step->against = calloc((size_t)step->n_against + 1, sizeof *step->against);
    step->outside = Py_NewRef(outside);
    return step->against ? read_numbers(against, book->n_labels, step->against, step->n_against) : -1;
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
    if (read_numbers(labels, most, mine, 3) < 0 || read_numbers(parts, most, two, 2) < 0 ||
        read_numbers(looked_at, most, seen, TRIGGERS + 2) < 0 || read_numbers(how, book->n_rules, names->how, TRIGGERS + 2) < 0)
        return -1;
    names->header_label = mine[0];
    names->staff_label = mine[1];
    names->unknown_label = mine[2];
    names->first_label = two[0];
    names->last_label = two[1];
    memcpy(names->triggers, seen, sizeof names->triggers);
    names->first_names = seen[TRIGGERS];
    names->last_names = seen[TRIGGERS + 1];
    int right = PyAnySet_Check(not_names) && names->forwards.n_groups == 3 && names->backwards.n_groups == 3;
    for (int i = 0; i < 3; i++) right = right && mine[i] >= 0;
    for (int i = 0; i < TRIGGERS + 2; i++) right = right && names->how[i] >= 0;
    if (!right || two[0] < 0 || two[1] < 0) PyErr_SetString(PyExc_ValueError, "a rule for names needs labels, rules and words");
    return PyErr_Occurred() ? -1 : 0;
}

int steps_read(Rulebook *book, PyObject *steps) {
    static const struct {
        const char *name;
        int (*read)(Rulebook *, Step *, PyObject *);
    } kinds[] = {{"relabel", read_relabel}, {"beside", read_beside}, {"keep", read_keep}, {"names", read_names}};
    book->steps = calloc((size_t)PyTuple_GET_SIZE(steps) + 1, sizeof *book->steps);
    if (!book->steps || PyTuple_GET_SIZE(steps) > book->nearby.n_words * 64) {
        PyErr_SetString(PyExc_ValueError, "more later rules than labels know of");
        return -1;
    }
    for (; book->n_steps < PyTuple_GET_SIZE(steps);) {
        const char *name;
        PyObject *given;
        size_t kind = 0;
        PyObject *step = PyTuple_GET_ITEM(steps, book->n_steps);
        if (!PyTuple_Check(step) || !PyArg_ParseTuple(step, "sO!", &name, &PyTuple_Type, &given)) {
            if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "a later rule is a kind and what it has to know");
            return -1;
        }
        while (kind < 3 && strcmp(kinds[kind].name, name) != 0) kind++;
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
