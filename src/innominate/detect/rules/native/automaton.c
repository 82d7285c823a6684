/* Many expressions matched at once from one place of a text: a deterministic automaton, whose states are made when they are
 * first needed.
 *
 * The expressions come as positions (Glushkov's construction): each position accepts a set of characters and has positions
 * that may follow it. A state is the positions that were reached, with the expressions that have matched on the way to it. A
 * text leads through few states, so each is worked out once, and a step is then one look into a table. When there are too
 * many, all are forgotten.
 */
#include "native.h"

enum { UNKNOWN = INT32_MIN };

/* ------------------------------------------------------------------------------------------------ sets of numbers */

static uint64_t mixed(const int32_t *items, size_t n) {
    uint64_t hash = 1469598103934665603u;
    for (size_t i = 0; i < n; i++) {
        hash = (hash ^ (uint32_t)items[i]) * 1099511628211u;
        hash ^= hash >> 29;
    }
    return hash;
}

static void sets_clear(Sets *sets) {
    sets->n = 0;
    sets->n_items = 0;
    if (sets->from) sets->from[0] = 0;
    if (sets->table) memset(sets->table, 0xff, sets->n_table * sizeof *sets->table);
}

static void sets_free(Sets *sets) {
    free(sets->items);
    free(sets->from);
    free(sets->table);
}

static int sets_start(Sets *sets) {
    *sets = (Sets){.room_items = 1024, .room = 256, .n_table = 1024};
    sets->items = malloc(sets->room_items * sizeof *sets->items);
    sets->from = malloc((sets->room + 1) * sizeof *sets->from);
    sets->table = malloc(sets->n_table * sizeof *sets->table);
    if (!sets->items || !sets->from || !sets->table) return -1;
    sets_clear(sets);
    return 0;
}

static size_t sets_size(const Sets *sets, int32_t set) { return sets->from[set + 1] - sets->from[set]; }

static uint32_t sets_slot(const Sets *sets, const int32_t *items, size_t n) {
    uint32_t slot = (uint32_t)mixed(items, n) & (sets->n_table - 1);
    while (sets->table[slot] >= 0) {
        int32_t known = sets->table[slot];
        if (sets_size(sets, known) == n && !memcmp(sets->items + sets->from[known], items, n * sizeof *items)) break;
        slot = (slot + 1) & (sets->n_table - 1);
    }
    return slot;
}

static int sets_grow(Sets *sets, size_t n) {
    if (sets->n_items + n > sets->room_items) {
        size_t room = 2 * (sets->n_items + n);
        int32_t *items = realloc(sets->items, room * sizeof *items);
        if (!items) return -1;
        sets->items = items;
        sets->room_items = room;
    }
    if (sets->n == sets->room) {
        size_t *from = realloc(sets->from, (2 * (size_t)sets->room + 1) * sizeof *from);
        if (!from) return -1;
        sets->from = from;
        sets->room *= 2;
    }
    if (2 * (uint32_t)sets->n >= sets->n_table) {
        int32_t *table = realloc(sets->table, 2 * (size_t)sets->n_table * sizeof *table);
        if (!table) return -1;
        sets->table = table;
        sets->n_table *= 2;
        memset(table, 0xff, sets->n_table * sizeof *table);
        for (int32_t set = 0; set < sets->n; set++)
            table[sets_slot(sets, sets->items + sets->from[set], sets_size(sets, set))] = set;
    }
    return 0;
}

/* The number of a set, which is made if it is new; -1 without memory. `items` lie outside of `sets`. */
static int32_t sets_number(Sets *sets, const int32_t *items, size_t n) {
    int32_t known = sets->table[sets_slot(sets, items, n)];
    if (known >= 0) return known;
    if (sets_grow(sets, n) < 0) return -1;
    sets->table[sets_slot(sets, items, n)] = sets->n;
    memcpy(sets->items + sets->n_items, items, n * sizeof *items);
    sets->n_items += n;
    sets->from[sets->n + 1] = sets->n_items;
    return sets->n++;
}

/* --------------------------------------------------------------------------------------------------------- states */

static int smaller(const void *a, const void *b) { return *(const int32_t *)a - *(const int32_t *)b; }

/* What has matched, with more expressions: the number of the set of all. */
static int32_t found_with(Automaton *self, int32_t found, int32_t *more, size_t n) {
    if (n == 0) return found;
    size_t before = sets_size(&self->found, found);
    int32_t *all = malloc((before + n) * sizeof *all);
    if (!all) return -1;
    memcpy(all, self->found.items + self->found.from[found], before * sizeof *all);
    memcpy(all + before, more, n * sizeof *all);
    qsort(all, before + n, sizeof *all, smaller);
    size_t different = 0;
    for (size_t i = 0; i < before + n; i++)
        if (!different || all[different - 1] != all[i]) all[different++] = all[i];
    int32_t number = sets_number(&self->found, all, different);
    free(all);
    return number;
}

static int room_for_state(Automaton *self) {
    if (self->reached.n < self->room_states) return 0;
    size_t room = 2 * (size_t)self->room_states;
    Ways *ways = realloc(self->ways, room * sizeof *ways);
    if (!ways) return -1;
    self->ways = ways;
    self->room_states = (int32_t)room;
    return 0;
}

/* A row for a state that has got many ways. */
static int32_t *new_row(Automaton *self, Ways *ways) {
    if (self->n_rows == self->room_rows) {
        size_t room = 2 * (size_t)self->room_rows + 64;
        int32_t *rows = realloc(self->rows, room * self->n_classes * sizeof *rows);
        if (!rows) return NULL;
        self->rows = rows;
        self->room_rows = (int32_t)room;
    }
    int32_t *row = self->rows + (size_t)self->n_rows * self->n_classes;
    for (int32_t c = 0; c < self->n_classes; c++) row[c] = UNKNOWN;
    for (int i = 0; i < FEW; i++) row[ways->class[i]] = ways->to[i];
    ways->n = MANY;
    ways->to[0] = self->n_rows++;
    return row;
}

static int add_way(Automaton *self, int32_t state, int32_t c, int32_t to) {
    Ways *ways = self->ways + state;
    if (ways->n < FEW) {
        ways->class[ways->n] = (uint8_t)c;
        ways->to[ways->n++] = to;
        return 0;
    }
    int32_t *row = ways->n == MANY ? self->rows + (size_t)ways->to[0] * self->n_classes : new_row(self, ways);
    if (!row) return -1;
    row[c] = to;
    return 0;
}

static inline int32_t way(const Automaton *self, int32_t state, int32_t c) {
    const Ways *ways = self->ways + state;
    if (ways->n == MANY) return self->rows[(size_t)ways->to[0] * self->n_classes + c];
    for (int i = 0; i < ways->n; i++)
        if (ways->class[i] == c) return ways->to[i];
    return UNKNOWN;
}

/* The state of positions (in `buffer` from 1 on) and of what has matched; -1 without memory. */
static int32_t state_of(Automaton *self, int32_t found, size_t n) {
    self->buffer[0] = found;
    if (room_for_state(self) < 0) return -1;
    int32_t known = self->reached.n;
    int32_t state = sets_number(&self->reached, self->buffer, n + 1);
    if (state == known) self->ways[state].n = 0;
    return state;
}

static void forget_bits(Automaton *self) {
    for (int32_t i = 0; i < self->room_bits; i++) {
        free(self->bits[i]);
        self->bits[i] = NULL;
    }
}

/* Back to the state in which nothing was read: the first positions follow it. */
static int begin(Automaton *self) {
    sets_clear(&self->reached);
    sets_clear(&self->found);
    forget_bits(self);
    self->n_rows = 0;
    for (int32_t i = 0; i < self->n_classes * self->n_classes; i++) self->pairs[i] = UNKNOWN;
    if (sets_number(&self->found, NULL, 0) < 0) return -1;
    return state_of(self, 0, 0) < 0 ? -1 : 0;
}

/* Forget all states but one; its number may change. */
static int32_t begin_again(Automaton *self, int32_t state) {
    size_t n = sets_size(&self->reached, state) - 1;
    int32_t found = self->reached.items[self->reached.from[state]];
    size_t n_found = sets_size(&self->found, found);
    int32_t *kept = malloc((n + n_found + 1) * sizeof *kept);
    if (!kept) return -1;
    memcpy(kept, self->reached.items + self->reached.from[state] + 1, n * sizeof *kept);
    memcpy(kept + n, self->found.items + self->found.from[found], n_found * sizeof *kept);
    int32_t same = -1;
    if (begin(self) == 0) {
        found = sets_number(&self->found, kept + n, n_found);
        memcpy(self->buffer + 1, kept, n * sizeof *kept);
        if (found >= 0) same = state_of(self, found, n);
    }
    free(kept);
    return same;
}

static size_t reach(Automaton *self, const int32_t *positions, size_t n, int32_t c, size_t size) {
    for (size_t i = 0; i < n; i++) {
        int32_t position = positions[i];
        if (self->stamp[position] != self->now && self->accepts[(size_t)self->set_of[position] * self->n_classes + c]) {
            self->stamp[position] = self->now;
            self->buffer[++size] = position;
        }
    }
    return size;
}

/* Work out where a character leads; the state may get another number. UNKNOWN without memory. */
static int32_t work_out(Automaton *self, int32_t *state, int32_t c) {
    if (self->reached.n >= self->most_states && (*state = begin_again(self, *state)) < 0) return UNKNOWN;
    if (++self->now == 0) {
        memset(self->stamp, 0, self->n_positions * sizeof *self->stamp);
        self->now = 1;
    }
    const int32_t *items = self->reached.items + self->reached.from[*state];
    size_t n_items = sets_size(&self->reached, *state), size = 0;
    int32_t found = items[0];
    if (*state == 0) size = reach(self, self->first, self->n_first, c, size);
    for (size_t i = 1; i < n_items; i++) {
        const int32_t *follow = self->follow + self->follow_from[items[i]];
        size = reach(self, follow, self->follow_from[items[i] + 1] - self->follow_from[items[i]], c, size);
    }
    qsort(self->buffer + 1, size, sizeof *self->buffer, smaller);
    int32_t new[64];
    size_t n_new = 0;
    for (size_t i = 1; i <= size; i++) {
        int32_t expression = self->matched[self->buffer[i]];
        if (expression < 0 || (n_new && new[n_new - 1] == expression)) continue;
        if (n_new == 64) {
            if ((found = found_with(self, found, new, n_new)) < 0) return UNKNOWN;
            n_new = 0;
        }
        new[n_new++] = expression;
    }
    if ((found = found_with(self, found, new, n_new)) < 0) return UNKNOWN;
    int32_t after = size ? state_of(self, found, size) : -1 - found;
    if (size && after < 0) return UNKNOWN;
    return add_way(self, *state, c, after) < 0 ? UNKNOWN : after;
}

/* Where the first two characters lead. */
static int32_t pair(Automaton *self, int32_t one, int32_t other) {
    int32_t state = 0, after = way(self, state, one);
    if (after == UNKNOWN && (after = work_out(self, &state, one)) == UNKNOWN) return UNKNOWN;
    if (after >= 0) {
        state = after;
        after = way(self, state, other);
        if (after == UNKNOWN && (after = work_out(self, &state, other)) == UNKNOWN) return UNKNOWN;
    }
    return self->pairs[one * self->n_classes + other] = after;
}

/* Read from a place on until nothing can match any more: the number of the set of expressions that have; -1 without memory. */
int32_t automaton_read(Automaton *self, const uint8_t *data, Py_ssize_t place, Py_ssize_t n) {
    int32_t state = 0;
    Py_ssize_t step = self->backwards ? -1 : 1;
    Py_ssize_t last = self->backwards ? (place - self->limit > -1 ? place - self->limit : -1)
                                      : (place + self->limit < n ? place + self->limit : n);
    if (place != last && place + step != last) { /* most end here */
        int32_t one = self->class_of[data[place]], other = self->class_of[data[place + step]];
        int32_t after = self->pairs[one * self->n_classes + other];
        if (after == UNKNOWN && (after = pair(self, one, other)) == UNKNOWN) return -1;
        if (after < 0) return -1 - after;
        state = after;
        place += 2 * step;
    }
    for (; place != last; place += step) {
        int32_t c = self->class_of[data[place]];
        int32_t after = way(self, state, c);
        if (after == UNKNOWN && (after = work_out(self, &state, c)) == UNKNOWN) return -1;
        if (after < 0) return -1 - after;
        state = after;
    }
    return self->reached.items[self->reached.from[state]];
}

Py_ssize_t automaton_read_ends(Automaton *self, const uint8_t *data, Py_ssize_t place, Py_ssize_t n, Py_ssize_t *ends) {
    Py_ssize_t step = self->backwards ? -1 : 1, left = self->limit, n_ends = 0;
    int32_t state = 0;
    for (; left && place >= 0 && place < n; place += step, left--) {
        int32_t c = self->class_of[data[place]], after = way(self, state, c);
        if (after == UNKNOWN && (after = work_out(self, &state, c)) == UNKNOWN) return -1;
        if (after < 0) break;
        state = after;
        const int32_t *items = self->reached.items + self->reached.from[state];
        size_t n_items = sets_size(&self->reached, state), i = 1;
        while (i < n_items && self->matched[items[i]] < 0) i++;
        if (i < n_items) ends[n_ends++] = place;
    }
    return n_ends;
}

const int32_t *automaton_found(const Automaton *self, int32_t found, Py_ssize_t *n) {
    *n = (Py_ssize_t)sets_size(&self->found, found);
    return self->found.items + self->found.from[found];
}

/* --------------------------------------------------------------------------------------------------------- Python */

/* A set of expressions as a bit for each; NULL without memory. */
const uint64_t *automaton_bits(Automaton *self, int32_t found) {
    if (found >= self->room_bits) {
        size_t room = 2 * (size_t)found + 16;
        uint64_t **bits = realloc(self->bits, room * sizeof *bits);
        if (!bits) return NULL;
        memset(bits + self->room_bits, 0, (room - self->room_bits) * sizeof *bits);
        self->bits = bits;
        self->room_bits = (int32_t)room;
    }
    if (self->bits[found]) return self->bits[found];
    uint64_t *bits = calloc((size_t)self->n_words, sizeof *bits);
    for (size_t i = self->found.from[found]; bits && i < self->found.from[found + 1]; i++)
        bits[self->found.items[i] / 64] |= (uint64_t)1 << self->found.items[i] % 64;
    return self->bits[found] = bits;
}

static PyObject *numbers_of(const Automaton *self, int32_t found) {
    Py_ssize_t n;
    const int32_t *items = automaton_found(self, found, &n);
    PyObject *tuple = PyTuple_New(n);
    for (Py_ssize_t i = 0; tuple && i < n; i++) {
        PyObject *number = PyLong_FromLong(items[i]);
        if (!number) Py_CLEAR(tuple);
        else PyTuple_SET_ITEM(tuple, i, number);
    }
    return tuple;
}

static PyObject *automaton_starts(Automaton *self, PyObject *argument) {
    char *data;
    Py_ssize_t n;
    if (PyBytes_AsStringAndSize(argument, &data, &n) < 0) return NULL;
    PyObject *list = PyList_New(0);
    for (Py_ssize_t start = 0; list && start + 1 < n; start++) {
        int32_t found = automaton_read(self, (const uint8_t *)data, start, n);
        if (found == 0) continue;
        PyObject *numbers = found < 0 ? PyErr_NoMemory() : numbers_of(self, found);
        PyObject *pair = numbers ? Py_BuildValue("(nN)", start, numbers) : NULL;
        if (!pair || PyList_Append(list, pair) < 0) Py_CLEAR(list);
        Py_XDECREF(pair);
    }
    return list;
}

/* The second argument, a place in the first, which is bytes; -1 if they are not. */
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
    Py_ssize_t n = PyBytes_GET_SIZE(arguments[0]);
    int32_t found = automaton_read(self, (const uint8_t *)PyBytes_AS_STRING(arguments[0]), place, n);
    return found < 0 ? PyErr_NoMemory() : numbers_of(self, found);
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
    Automaton *self = (Automaton *)type->tp_alloc(type, 0);
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
        for (size_t i = 0; self->matched && i < n_matched; i++)
            if (self->matched[i] / 64 >= self->n_words) self->n_words = self->matched[i] / 64 + 1;
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
        else if (begin(self) < 0) PyErr_NoMemory();
        if (PyErr_Occurred()) Py_CLEAR(self);
    }
    for (int i = 0; i < 7; i++) PyBuffer_Release(&views[i]);
    return (PyObject *)self;
}

static void automaton_free(Automaton *self) {
    PyTypeObject *type = Py_TYPE(self);
    forget_bits(self);
    free(self->bits);
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
    {"at", (PyCFunction)(void (*)(void))automaton_at, METH_FASTCALL, "The expressions that match from a place on."},
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
