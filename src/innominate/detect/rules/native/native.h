#ifndef INNOMINATE_NATIVE
#define INNOMINATE_NATIVE
/* What the parts of the extension share. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------------------- sets.c */

typedef struct { /* sorted numbers that were seen before get the number they got then */
    int32_t *items;
    size_t n_items, room_items;
    size_t *from;        /* of each set, and the end of the last */
    int32_t n, room;
    int32_t *table;
    uint32_t n_table;
} Sets;

int sets_start(Sets *sets);
void sets_clear(Sets *sets);
void sets_free(Sets *sets);
/* The number of a set, which is made if it is new; -1 without memory. `items` lie outside of `sets`. */
int32_t sets_number(Sets *sets, const int32_t *items, size_t n);
static inline size_t sets_size(const Sets *sets, int32_t set) { return sets->from[set + 1] - sets->from[set]; }

/* ------------------------------------------------------------------------------------- automaton.c, automaton_type.c */

/* Where characters lead from a state: to a state, or to -1 - the set of expressions that have matched when it ends there. Most
 * states have few ways, and a few cache lines hold a word. */
enum { FEW = 6, MANY = 255 };
typedef struct {
    uint8_t n;          /* ways, or MANY: then `to[0]` is the number of a row */
    uint8_t class[FEW]; /* of characters */
    int32_t to[FEW];
} Ways;

typedef struct {
    PyObject_HEAD
    int backwards;
    Py_ssize_t limit;              /* steps */
    int32_t most_states;           /* more are forgotten */
    int32_t n_positions, n_classes;
    uint8_t class_of[256];
    int32_t *set_of;               /* of each position: the characters it accepts */
    uint8_t *accepts;              /* by set and class */
    int32_t *follow_from, *follow; /* the positions after each */
    int32_t *matched;              /* the expression that has matched at a position, or -1 */
    int32_t *first;
    int32_t n_first;
    Sets reached;                  /* of each state: what has matched, then the positions */
    Sets found;                    /* sets of expressions */
    uint64_t **bits;               /* of each set of expressions that was asked for: a bit for each of them */
    int32_t room_bits, n_words;
    Ways *ways;                    /* of each state */
    int32_t room_states;
    int32_t *rows;                 /* of a state with many ways, for each class */
    int32_t n_rows, room_rows;
    int32_t *pairs;                /* where two characters lead that are read first, for each class of both */
    uint32_t *stamp, now;          /* positions already in `buffer` */
    int32_t *buffer;
} Automaton;

int automaton_begin(Automaton *self); /* nothing was read, and no state is known but that */
void automaton_forget_bits(Automaton *self);
/* Read from a place on until nothing can match any more: the number of the set of expressions that have; -1 without memory. */
int32_t automaton_read(Automaton *self, const uint8_t *data, Py_ssize_t place, Py_ssize_t n);
/* Where matches end of any expression from a place on, into `ends`, which has room for as many as the limit; -1 without memory. */
Py_ssize_t automaton_read_ends(Automaton *self, const uint8_t *data, Py_ssize_t place, Py_ssize_t n, Py_ssize_t *ends);
/* The expressions of a set, sorted; as long as nothing else is read. */
const int32_t *automaton_found(const Automaton *self, int32_t found, Py_ssize_t *n);
/* A set of expressions as a bit for each; NULL without memory. */
const uint64_t *automaton_bits(Automaton *self, int32_t found);

/* ---------------------------------------------------------------------------------------------------------- nearby.c */

typedef struct { /* what the later rules of a pack want beside a candidate */
    PyObject_HEAD
    PyObject *labels;    /* of each label that a rule looks at, the rules: bytes with a bit for each */
    Automaton *before, *after;
    PyObject *before_always, *after_always; /* the rules that want nothing there */
    Py_ssize_t n_rules, n_words;
} Nearby;

int nearby_wants_nothing(const Nearby *self, PyObject *mask);
/* The rules that may have something to do at a place, whatever the label: a bit for each; -1 without memory. */
int nearby_look(Nearby *self, PyObject *data, Py_ssize_t start, Py_ssize_t end, uint64_t *rules);
static inline uint64_t mask_word(PyObject *bytes, Py_ssize_t i) {
    uint64_t word;
    memcpy(&word, PyBytes_AS_STRING(bytes) + i * (Py_ssize_t)sizeof word, sizeof word);
    return word;
}

/* ----------------------------------------------------------------------------------------------------------- board.c */

typedef struct {
    PyObject **all;
    Py_ssize_t n, room;
} Several;

typedef struct {
    PyObject_HEAD
    PyObject *text, *data, *by_label, *refused;
    PyObject *gone;      /* what was taken off again, by its address; NULL if nothing was */
    Several *near;       /* for each later rule the candidates at which it may have something to do */
    Nearby *nearby;
    char explain;
    Py_ssize_t last_start, last_end; /* the place asked about last, and the rules that may have something to do there */
    uint64_t *last;
} Board;

enum { START, END, LABEL, SCORE, RULE, PRIORITY, BECAUSE, TRIGGER, FIELDS }; /* of a candidate, a tuple */
static inline Py_ssize_t number_of(PyObject *found, Py_ssize_t field) { return PyLong_AsSsize_t(PyTuple_GET_ITEM(found, field)); }

int board_put(Board *self, PyObject *found);
int board_take(Board *self, PyObject *list, PyObject *why); /* off the board again */
PyObject *board_of(Board *self, PyObject *labels);          /* a new list of the candidates with any of them, from left to right */
int board_sort(PyObject *list);                             /* candidates by where they stand */
PyObject *board_asked(Board *self, Py_ssize_t number);      /* a new list of what a later rule may have something to do with */

extern PyType_Spec automaton_spec, nearby_spec, board_spec;
extern PyTypeObject *automaton_type, *nearby_type, *board_type;

/* --------------------------------------------------------------------------------------- hits.c, later.c, names.c, settled.c */

/* A candidate to be filled. What it holds are values and earlier candidates, so it is never part of a circle, and the garbage
 * collector need not look at it: there are thousands. */
PyObject *found_new(PyTypeObject *type);
/* A candidate of a place and all that follows it. */
PyObject *found_at(PyTypeObject *type, PyObject *start, PyObject *end, PyObject *rest);
void found_replace(PyObject *found, Py_ssize_t field, PyObject *value); /* takes the value */
PyObject *span_of_match(PyObject *match, PyObject *group);               /* of the whole without a group */
int are_boards(PyObject *boards);

PyObject *pattern_hits(PyObject *module, PyObject *const *arguments, Py_ssize_t n_arguments);
PyObject *word_hits(PyObject *module, PyObject *const *arguments, Py_ssize_t n_arguments);
PyObject *later_rules(PyObject *module, PyObject *const *arguments, Py_ssize_t n_arguments);
PyObject *touched(PyObject *module, PyObject *const *arguments, Py_ssize_t n_arguments);
PyObject *names(PyObject *module, PyObject *const *arguments, Py_ssize_t n_arguments);
PyObject *settled(PyObject *module, PyObject *const *arguments, Py_ssize_t n_arguments);
#endif
