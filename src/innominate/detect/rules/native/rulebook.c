/* A rule pack made ready to run: rulebook.py hands it over. */
#include "native.h"

/* ------------------------------------------------------------------------------------------------------ what is handed over */

static void *copied(PyObject *bytes, size_t size, size_t *n) {
    if (!PyBytes_Check(bytes)) {
        PyErr_SetString(PyExc_TypeError, "bytes are needed");
        return NULL;
    }
    size_t length = (size_t)PyBytes_GET_SIZE(bytes);
    void *copy = malloc(length + 1);
    if (!copy) PyErr_NoMemory();
    else memcpy(copy, PyBytes_AS_STRING(bytes), length);
    *n = length / size;
    return copy;
}

static PyObject *tuple_at(PyObject *tuple, Py_ssize_t i) {
    PyObject *item = PyTuple_GET_ITEM(tuple, i);
    if (PyTuple_Check(item)) return item;
    PyErr_SetString(PyExc_TypeError, "a tuple is needed");
    return NULL;
}

static int32_t number_at(PyObject *tuple, Py_ssize_t i, Py_ssize_t most) {
    long number = PyLong_AsLong(PyTuple_GET_ITEM(tuple, i));
    if (number >= -1 && number < most) return (int32_t)number;
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "a number of a label or rule that is not there");
    return -1;
}

/* (name, label, score, priority) of each rule */
static int read_rules(Rulebook *self, PyObject *rules) {
    self->n_rules = PyTuple_GET_SIZE(rules);
    self->rules = calloc((size_t)self->n_rules + 1, sizeof *self->rules);
    for (Py_ssize_t i = 0; self->rules && i < self->n_rules; i++) {
        PyObject *rule = tuple_at(rules, i);
        int priority, label;
        if (!rule || !PyArg_ParseTuple(rule, "Uidi", &self->rules[i].name, &label, &self->rules[i].score, &priority)) {
            self->rules[i].name = NULL;
            return -1;
        }
        Py_INCREF(self->rules[i].name);
        self->rules[i].label = label >= -1 && label < self->n_labels ? label : -1;
        self->rules[i].priority = priority;
    }
    if (!self->rules) PyErr_NoMemory();
    return self->rules ? 0 : -1;
}

/* (rule, expression, check) of each pattern */
static int read_patterns(Rulebook *self, PyObject *patterns) {
    self->patterns = calloc((size_t)PyTuple_GET_SIZE(patterns) + 1, sizeof *self->patterns);
    if (!self->patterns) PyErr_NoMemory();
    for (Py_ssize_t i = 0; self->patterns && i < PyTuple_GET_SIZE(patterns); i++) {
        PyObject *pattern = tuple_at(patterns, i), *expression, *check;
        int rule;
        if (!pattern || !PyArg_ParseTuple(pattern, "iOO", &rule, &expression, &check)) return -1;
        Pattern *mine = &self->patterns[i];
        mine->rule = number_at(pattern, 0, self->n_rules);
        mine->check = Py_NewRef(check);
        self->n_patterns++;
        if (expression_read(&mine->expression, expression) < 0) return -1;
        int32_t n_groups = mine->expression.n_groups;
        if (mine->rule < 0 || self->rules[mine->rule].label < 0 || n_groups < 1 || n_groups > MOST_GROUPS) {
            if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "a pattern without a label, or with no or too many groups");
            return -1;
        }
    }
    return self->patterns ? 0 : -1;
}

/* (what finds them, the table of characters, lengths, owners from, rules of owners, cases of owners) */
static int read_words(Rulebook *self, PyObject *tuple) {
    PyObject *find, *table, *length, *from, *rule, *how;
    size_t n_table = 0, n_from = 0, n_rule = 0, n_case = 0;
    Words *words = &self->words;
    if (!PyArg_ParseTuple(tuple, "OSSSSS", &find, &table, &length, &from, &rule, &how)) return -1;
    words->find = Py_NewRef(find);
    words->length = copied(length, sizeof(int32_t), &words->n);
    words->owner_from = copied(from, sizeof(int32_t), &n_from);
    words->owner_rule = copied(rule, sizeof(int32_t), &n_rule);
    words->owner_case = copied(how, 1, &n_case);
    n_table = (size_t)PyBytes_GET_SIZE(table);
    if (n_table == 256) memcpy(words->table, PyBytes_AS_STRING(table), 256);
    if (!words->length || !words->owner_from || !words->owner_rule || !words->owner_case) return -1;
    int fits = n_table == 256 && n_from == words->n + 1 && n_case == n_rule && words->owner_from[words->n] == (int32_t)n_rule;
    for (size_t i = 0; fits && i < words->n; i++)
        fits = words->owner_from[i] >= 0 && words->owner_from[i] <= words->owner_from[i + 1] && words->length[i] > 0;
    for (size_t i = 0; fits && i < n_rule; i++)
        fits = words->owner_rule[i] >= 0 && words->owner_rule[i] < self->n_rules && self->rules[words->owner_rule[i]].label >= 0;
    if (!fits) PyErr_SetString(PyExc_ValueError, "the words of lists do not fit each other");
    return fits ? 0 : -1;
}

/* Of each label an automaton, or None. */
static Automaton **read_automata(Rulebook *self, PyObject *tuple, size_t n_words) {
    Automaton **all = calloc((size_t)self->n_labels + 1, sizeof *all);
    int right = PyTuple_GET_SIZE(tuple) == self->n_labels;
    for (Py_ssize_t i = 0; all && right && i < self->n_labels; i++) {
        PyObject *one = PyTuple_GET_ITEM(tuple, i);
        if (one == Py_None) continue;
        right = PyObject_TypeCheck(one, automaton_type) && (size_t)((Automaton *)one)->n_words <= n_words;
        if (right) all[i] = (Automaton *)Py_NewRef(one);
    }
    if (!all) PyErr_NoMemory();
    else if (!right) PyErr_SetString(PyExc_ValueError, "the rules do not fit each other");
    return all;
}

/* (of each label its rules, and what reads before it; the rules that want nothing there; the same for what stands after it) */
static int read_nearby(Rulebook *self, PyObject *tuple) {
    PyObject *of, *before, *before_always, *after, *after_always;
    size_t n_of = 0, n_before = 0, n_after = 0;
    Nearby *nearby = &self->nearby;
    if (!PyArg_ParseTuple(tuple, "SO!SO!S", &of, &PyTuple_Type, &before, &before_always, &PyTuple_Type, &after, &after_always)) return -1;
    nearby->of = copied(of, sizeof(uint64_t), &n_of);
    nearby->before_always = copied(before_always, sizeof(uint64_t), &n_before);
    nearby->after_always = copied(after_always, sizeof(uint64_t), &n_after);
    nearby->before = read_automata(self, before, n_before);
    nearby->after = read_automata(self, after, n_before);
    nearby->n_words = (Py_ssize_t)n_before;
    if (PyErr_Occurred()) return -1;
    if (n_before <= MOST_WORDS && n_after == n_before && n_of == n_before * (size_t)self->n_labels) return 0;
    PyErr_SetString(PyExc_ValueError, "the rules do not fit each other");
    return -1;
}

/* Labels that leave the engine. */
static int read_labels(Rulebook *self) {
    self->is_mark = calloc((size_t)self->n_labels + 1, 1);
    self->given = calloc((size_t)self->n_labels + 1, sizeof *self->given);
    if (!self->is_mark || !self->given) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < self->n_labels; i++) {
        PyObject *label = PyTuple_GET_ITEM(self->labels, i);
        self->is_mark[i] = PyUnicode_Check(label) && PyUnicode_GET_LENGTH(label) && PyUnicode_READ_CHAR(label, 0) == '.';
        if (!self->is_mark[i]) self->given[self->n_given++] = (int32_t)i;
    }
    return 0;
}

static PyObject *rulebook_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    static char *names[] = {"labels", "rules", "automaton", "patterns", "words", "nearby", "steps", "seen", "found", NULL};
    PyObject *labels, *rules, *automaton, *patterns, *words, *nearby, *steps, *seen, *found;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O!O!O!O!O!O!O!OO!", names, &PyTuple_Type, &labels, &PyTuple_Type, &rules,
                                     automaton_type, &automaton, &PyTuple_Type, &patterns, &PyTuple_Type, &words, &PyTuple_Type, &nearby,
                                     &PyTuple_Type, &steps, &seen, &PyType_Type, &found))
        return NULL;
    if (!PyType_IsSubtype((PyTypeObject *)found, &PyTuple_Type)) return PyErr_Format(PyExc_TypeError, "a candidate is a kind of tuple");
    Rulebook *self = (Rulebook *)type->tp_alloc(type, 0);
    if (!self) return NULL;
    self->labels = Py_NewRef(labels);
    self->n_labels = PyTuple_GET_SIZE(labels);
    self->automaton = (Automaton *)Py_NewRef(automaton);
    self->seen = Py_NewRef(seen);
    self->found = (PyTypeObject *)Py_NewRef(found);
    if (read_labels(self) < 0 || read_rules(self, rules) < 0 || read_patterns(self, patterns) < 0 || read_words(self, words) < 0 ||
        read_nearby(self, nearby) < 0 || steps_read(self, steps) < 0)
        Py_CLEAR(self);
    else if (self->n_patterns < automaton_expressions(self->automaton)) {
        Py_CLEAR(self);
        PyErr_SetString(PyExc_ValueError, "the automaton knows more patterns than there are");
    }
    return (PyObject *)self;
}

static void rulebook_free(Rulebook *self) {
    PyTypeObject *type = Py_TYPE(self);
    for (Py_ssize_t i = 0; self->rules && i < self->n_rules; i++) Py_XDECREF(self->rules[i].name);
    for (Py_ssize_t i = 0; i < self->n_patterns; i++) {
        expression_clear(&self->patterns[i].expression);
        Py_XDECREF(self->patterns[i].check);
    }
    steps_free(self);
    PyObject *held[] = {self->labels, (PyObject *)self->automaton, self->seen, (PyObject *)self->found, self->words.find};
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) Py_XDECREF(held[i]);
    for (Py_ssize_t i = 0; i < self->n_labels; i++) {
        if (self->nearby.before) Py_XDECREF(self->nearby.before[i]);
        if (self->nearby.after) Py_XDECREF(self->nearby.after[i]);
    }
    void *owned[] = {self->is_mark, self->given, self->rules, self->patterns, self->words.length, self->words.owner_from,
                     self->words.owner_rule, self->words.owner_case, self->nearby.of, self->nearby.before_always,
                     self->nearby.after_always, self->nearby.before, self->nearby.after};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) free(owned[i]);
    type->tp_free(self);
    Py_DECREF(type);
}

/* ------------------------------------------------------------------------------------------------------------ running */

static PyObject *boards(Rulebook *self, PyObject *texts) {
    if (!PyList_Check(texts)) return PyErr_Format(PyExc_TypeError, "a list of texts is needed");
    Py_ssize_t n = PyList_GET_SIZE(texts);
    PyObject *all = PyList_New(n);
    int failed = !all;
    for (Py_ssize_t i = 0; !failed && i < n; i++) {
        PyObject *board = (PyObject *)board_new(self, PyList_GET_ITEM(texts, i));
        failed = !board;
        PyList_SET_ITEM(all, i, board);
    }
    failed = failed || pattern_hits(self, all) < 0;
    for (Py_ssize_t i = 0; !failed && i < n; i++) failed = word_hits((Board *)PyList_GET_ITEM(all, i)) < 0;
    if (failed || later_rules(self, all) < 0) Py_CLEAR(all);
    return all;
}

static PyMethodDef methods[] = {
    {"boards", (PyCFunction)boards, METH_O, "Run all rules over some texts: what they found in each of them."},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef members[] = {
    {"automaton", T_OBJECT_EX, offsetof(Rulebook, automaton), READONLY, "Where patterns may match."},
    {NULL, 0, 0, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "A rule pack made ready to run."},
    {Py_tp_new, rulebook_new},
    {Py_tp_dealloc, rulebook_free},
    {Py_tp_members, members},
    {Py_tp_methods, methods},
    {0, NULL},
};

PyType_Spec rulebook_spec = {"innominate.detect.rules.native._native.Rulebook", sizeof(Rulebook), 0, Py_TPFLAGS_DEFAULT, slots};
