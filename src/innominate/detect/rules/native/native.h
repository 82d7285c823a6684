#ifndef INNOMINATE_NATIVE
#define INNOMINATE_NATIVE
/* What the parts of the extension share. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef _MSC_VER
#include <intrin.h>
#endif

static inline int first_bit(uint64_t bits) { /* there is one */
#ifdef _MSC_VER
    unsigned long first;
    _BitScanForward64(&first, bits);
    return (int)first;
#else
    return __builtin_ctzll(bits);
#endif
}

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
int32_t automaton_expressions(const Automaton *self); /* one more than the number of the last */
/* The expressions of a set, sorted; as long as nothing else is read. */
const int32_t *automaton_found(const Automaton *self, int32_t found, Py_ssize_t *n);
/* A set of expressions as a bit for each; NULL without memory. */
const uint64_t *automaton_bits(Automaton *self, int32_t found);

/* ------------------------------------------------------------------------------------------------------ expression.c */

typedef enum { MATCH, FULLMATCH, SEARCH, HOWS } How;

typedef struct { /* an expression, and the groups whose places are wanted */
    PyObject *lazy;          /* compiled when it is needed; NULL if there is no expression */
    PyObject *methods[HOWS]; /* once they were needed */
    PyObject *groups;        /* a tuple of names, or of 0 for the whole */
    int32_t n_groups;
} Expression;

typedef struct { /* one that has to match right before a place: behind.py */
    Expression exact;
    Automaton *automaton;    /* NULL until it is needed */
    int32_t reach;
} Behind;

struct Board;
/* From (lazy, groups) or None. */
int expression_read(Expression *self, PyObject *given);
void expression_clear(Expression *self);
/* Whether it matches from a place on: 1 or 0, or -1 with an error. Nothing is seen from `end` on. Into `places`: start and end of
 * each of the groups, -1 for one that took no part. */
int expression_ask(Expression *self, How how, struct Board *board, Py_ssize_t start, Py_ssize_t end, int32_t *places);
void behind_clear(Behind *self);
int behind_match(Behind *self, struct Board *board, Py_ssize_t place, int32_t *places);

/* ------------------------------------------------------------------------------------------------------ rulebook.c */

enum { MOST_GROUPS = 100, MOST_WORDS = 64 }; /* words of 64 later rules */

typedef struct { /* what a rule gives */
    PyObject *name;
    int32_t label, priority; /* label: -1 for none */
    double score;
} Rule;

typedef struct {
    int32_t rule;
    Expression expression;
    PyObject *check; /* what lowers the score, or None */
} Pattern;

enum { ANY, CAPITAL, CAPS, TITLE }; /* how a word has to be written: word_list.py */

typedef struct { /* which rules want to know of each word of a list */
    PyObject *find;       /* all words in a text: what to call */
    uint8_t table[256];   /* of each character: as the lists see it */
    int32_t *length, *owner_from, *owner_rule;
    uint8_t *owner_case;
    size_t n;
} Words;

typedef struct { /* what the later rules want beside a candidate: nearby.py */
    Automaton **before, **after; /* of each label, for the rules that look at it; NULL if none wants anything there */
    uint64_t *before_always, *after_always; /* the rules that want nothing there: a bit for each */
    uint64_t *of;         /* of each label: the rules that look at it */
    Py_ssize_t n_words;   /* of 64 rules */
} Nearby;

typedef enum { RELABEL, BESIDE, KEEP, NAMES } Kind;

enum { STAFF_TITLES, TITLES, STAFF_FIELDS, FIELDS, TRIGGERS, BY_FIRST_NAME = TRIGGERS, AGAIN }; /* how a name is found */

typedef struct { /* the rule that finds names of people: names.py */
    Expression forwards, backwards;
    PyObject *begins, *not_names;
    int32_t header_label, staff_label, unknown_label, first_label, last_label;
    enum { WHOLE, EACH, PARTS } extent;
    int32_t triggers[TRIGGERS], first_names, last_names; /* labels of what it looks at, -1 if there is none */
    int32_t how[TRIGGERS + 2]; /* rules: of each trigger, of a first name, of a name found again */
} NamesRule;

typedef struct { /* a rule that looks at what is on the board */
    Kind kind;
    int32_t rule, label;
    Behind before;
    Expression after, itself;
    int chain;            /* whether it looks beside what it finds */
    int32_t *against;     /* labels */
    Py_ssize_t n_against;
    PyObject *outside;    /* what is left of a candidate outside of shields: what to call */
    NamesRule *names;
} Step;

typedef struct {
    PyObject_HEAD
    PyObject *labels;     /* names, marks too */
    uint8_t *is_mark;
    Py_ssize_t n_labels, n_rules, n_patterns, n_steps;
    Rule *rules;
    Automaton *automaton;
    Pattern *patterns;
    Words words;
    Nearby nearby;
    Step *steps;
    PyObject *seen;       /* a text as the automaton sees it: what to call */
    PyTypeObject *found;  /* a candidate as Python knows it: a kind of tuple */
    int32_t *given;       /* labels that leave the engine: those that are no marks */
    Py_ssize_t n_given;
} Rulebook;

int steps_read(Rulebook *book, PyObject *steps); /* steps.c */
void steps_free(Rulebook *book);

/* ----------------------------------------------------------------------------------------------------------- board.c */

typedef struct {
    int32_t start, end, label, rule, priority;
    int32_t because;      /* the number of the candidate on which it rests, or -1 */
    double score;
    int32_t gone;         /* taken off again */
    int32_t next;         /* the one with the same label that came after it, or -1 */
} Candidate;

typedef struct { /* candidates in the order in which they came, each knows the next; -1 for none */
    int32_t first, last;
} Chain;

typedef struct {
    int32_t candidate, next;
} Link;

typedef struct {
    int32_t *all;
    Py_ssize_t n, room;
} Numbers;

typedef struct Board {
    PyObject_HEAD
    Rulebook *book;
    PyObject *text, *data; /* data: the text as the automaton sees it */
    Py_ssize_t length;
    Candidate *all;        /* in the order in which they came */
    Link *links;           /* of the chains in `near` */
    Py_ssize_t n, room, n_links, room_links;
    Chain *of, *near;      /* candidates: of each label; and, as links, of each later rule those at which it may have something to do */
} Board;

/* What a rule gives at a place. */
static inline Candidate given_by(const Rulebook *book, int32_t rule, int32_t start, int32_t end) {
    const Rule *gives = &book->rules[rule];
    return (Candidate){.start = start, .end = end, .label = gives->label, .rule = rule, .priority = gives->priority, .because = -1,
                       .score = gives->score, .next = -1};
}

/* Whether there is something at a place: it is not empty, unless it is a mark before the text begins. */
static inline int is_there(const Rulebook *book, int32_t label, int32_t start, int32_t end) {
    return start < end || (start == 0 && end == 0 && book->is_mark[label]);
}

int list_grow(void **all, Py_ssize_t *room, size_t size); /* room for more in a list that is full */
int numbers_add(Numbers *numbers, int32_t number);
Board *board_new(Rulebook *book, PyObject *text);
int32_t board_put(Board *self, Candidate found); /* its number, or -1 if it is not inside the text */
/* Into `some`, which has to be empty: the candidates with any of the labels that are still there, from left to right. */
int board_of(Board *self, const int32_t *labels, Py_ssize_t n, Numbers *some);
/* The same for those at which a later rule may have something to do. */
int board_asked(Board *self, Py_ssize_t step, Numbers *some);
int board_sort(Board *self, Numbers *some);
/* Start and end of something in a text, from a tuple; both are -1 for what is not there. -1 if they are not inside it. */
int place_read(PyObject *pair, Py_ssize_t length, int32_t *place);

/* ------------------------------------------------------------------------------------------ hits.c, later.c, keep.c, names.c */

int pattern_hits(Rulebook *book, PyObject *boards);
int word_hits(Board *board);
int later_rules(Rulebook *book, PyObject *boards);
int keep(Step *step, Board *board, const Numbers *shields);
int names(NamesRule *rule, Board *board);

extern PyType_Spec automaton_spec, board_spec, rulebook_spec;
extern PyTypeObject *automaton_type, *board_type, *rulebook_type;
#endif
