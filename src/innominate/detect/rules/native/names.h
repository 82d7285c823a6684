/* What the files that find names share. */
#include "native.h"

enum { FORWARDS, BACKWARDS, BEGINS, NOT_NAMES, HEADER_LABEL, STAFF_LABEL, UNKNOWN_LABEL, EXTENT, FIRST_LABEL, LAST_LABEL, RULE_NAME,
       RULE_PRIORITY, SPEC }; /* what is known of the rule */
enum { IS_FIRST = 1, IS_LAST = 2, IS_TRIGGER = 4, IS_TAKEN = 8 }; /* of a character: a word that begins there */

typedef struct { /* one part of a name: a word with the particles before it, or initials */
    Py_ssize_t start, end;
    PyObject *word, *folded;
    int initials;
} Token;

typedef struct {
    Token *all;
    size_t n, room;
} Tokens;

typedef struct {
    size_t from, n; /* tokens */
    PyObject *label, *because;
    double score;
    const char *how;
} Name;

typedef struct {
    PyObject *spec, *text, *found_type;
    Board *board;
    Py_ssize_t n;      /* characters */
    uint8_t *flags;    /* of characters */
    PyObject *first;   /* a list of the listed first names, from left to right, one for each place */
    Tokens run, taken; /* those at hand, and those of names */
    Name *names;
    size_t n_names, room_names;
} Finder;

/* name_tokens.c: there is a token (1), there is none (0), or there was an error (-1) */
void token_free(Token *token);
void tokens_clear(Tokens *tokens);
int tokens_add(Tokens *tokens, Token token); /* it belongs to the list from now on */
PyObject *folded_word(PyObject *word);
int token_at(Finder *finder, Py_ssize_t place, Token *token);     /* that begins at a place */
int token_after(Finder *finder, Py_ssize_t place, Token *token);  /* that follows a place after a small gap on the same line */
int token_before(Finder *finder, Py_ssize_t place, Token *token); /* that ends before a place, a small gap apart */

/* name_runs.c */
int is_ordinary(Finder *finder, PyObject *word); /* in small letters */
int is_plausible(Finder *finder, const Token *token);
int is_taken(Finder *finder, const Token *token);
int all_initials(const Tokens *tokens, size_t from);
int put_first(Finder *finder, Token token);                /* in front of `run` */
typedef int (*Fits)(Finder *finder, const Token *token, PyObject *known);
int read_while(Finder *finder, Py_ssize_t place, Fits fits, PyObject *known); /* into `run`: tokens in a row that fit */
int read_run(Finder *finder, Py_ssize_t place);            /* into `run`: the tokens of a name that begins at a place */
PyObject *known_label(Finder *finder);                     /* of the name in `run`, by those found before */
int take_run(Finder *finder, PyObject *label, double score, const char *how, PyObject *because); /* it is a name */

/* names_elsewhere.c, name_spans.c */
int find_elsewhere(Finder *finder); /* the words of names found so far, wherever else they stand */
int put_name(Finder *finder, const Name *name);
