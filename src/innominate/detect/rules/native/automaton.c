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

void automaton_forget_tuples(Automaton *self) {
    for (int32_t i = 0; i < self->room_tuples; i++) Py_CLEAR(self->tuples[i]);
}

/* Back to the state in which nothing was read: the first positions follow it. */
int automaton_begin(Automaton *self) {
    sets_clear(&self->reached);
    sets_clear(&self->found);
    automaton_forget_tuples(self);
    self->n_rows = 0;
    for (int32_t i = 0; i < self->n_classes * self->n_classes; i++) self->pairs[i] = UNKNOWN;
    if (sets_number(&self->found, self->buffer, 0) < 0) return -1;
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
    if (automaton_begin(self) == 0) {
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
static inline int32_t read_on(Automaton *self, const uint8_t *data, Py_ssize_t place, Py_ssize_t last, const Py_ssize_t step) {
    int32_t state = 0;
    if (place != last && place + step != last) { /* most end here */
        int32_t one = self->class_of[data[place]], other = self->class_of[data[place + step]];
        int32_t after = self->pairs[one * self->n_classes + other];
        if (after == UNKNOWN && (after = pair(self, one, other)) == UNKNOWN) return -1;
        if (after < 0) return -1 - after;
        state = after;
        place += 2 * step;
    }
    for (; place != last; place += step) {
        int32_t c = self->class_of[data[place]], after = way(self, state, c);
        if (after == UNKNOWN && (after = work_out(self, &state, c)) == UNKNOWN) return -1;
        if (after < 0) return -1 - after;
        state = after;
    }
    return self->reached.items[self->reached.from[state]];
}

int32_t automaton_read(Automaton *self, const uint8_t *data, Py_ssize_t place, Py_ssize_t n) {
    if (self->backwards) return read_on(self, data, place, place > self->limit ? place - self->limit : -1, -1);
    return read_on(self, data, place, place + self->limit < n ? place + self->limit : n, 1);
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

PyObject *automaton_numbers(Automaton *self, int32_t found) {
    if (found >= self->room_tuples) {
        size_t room = 2 * (size_t)found + 16;
        PyObject **tuples = realloc(self->tuples, room * sizeof *tuples);
        if (!tuples) return PyErr_NoMemory();
        memset(tuples + self->room_tuples, 0, (room - (size_t)self->room_tuples) * sizeof *tuples);
        self->tuples = tuples;
        self->room_tuples = (int32_t)room;
    }
    if (self->tuples[found]) return self->tuples[found];
    const int32_t *items = self->found.items + self->found.from[found];
    Py_ssize_t n = (Py_ssize_t)sets_size(&self->found, found);
    PyObject *tuple = PyTuple_New(n);
    for (Py_ssize_t i = 0; tuple && i < n; i++) {
        PyObject *number = PyLong_FromLong(items[i]);
        if (!number) Py_CLEAR(tuple);
        else PyTuple_SET_ITEM(tuple, i, number);
    }
    return self->tuples[found] = tuple;
}
