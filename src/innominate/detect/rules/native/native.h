#ifndef INNOMINATE_NATIVE
#define INNOMINATE_NATIVE
/* What the parts of the extension share. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
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
    PyObject **tuples;             /* of each set of expressions that was asked for: their numbers */
    int32_t room_tuples;
    Ways *ways;                    /* of each state */
    int32_t room_states;
    int32_t *rows;                 /* of a state with many ways, for each class */
    int32_t n_rows, room_rows;
    int32_t *pairs;                /* where two characters lead that are read first, for each class of both */
    uint32_t *stamp, now;          /* positions already in `buffer` */
    int32_t *buffer;
} Automaton;

int automaton_begin(Automaton *self); /* nothing was read, and no state is known but that */
void automaton_forget_tuples(Automaton *self);
/* Read from a place on until nothing can match any more: the number of the set of expressions that have; -1 without memory. */
int32_t automaton_read(Automaton *self, const uint8_t *data, Py_ssize_t place, Py_ssize_t n);
/* Where matches end of any expression from a place on, into `ends`, which has room for as many as the limit; -1 without memory. */
Py_ssize_t automaton_read_ends(Automaton *self, const uint8_t *data, Py_ssize_t place, Py_ssize_t n, Py_ssize_t *ends);
/* The numbers of the expressions of a set, sorted; a tuple that is made once and borrowed, NULL with an error. */
PyObject *automaton_numbers(Automaton *self, int32_t found);

extern PyType_Spec automaton_spec;
#endif
