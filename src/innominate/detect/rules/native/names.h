/* What the files that find names share. */
#include "native.h"

enum { IS_FIRST = 1, IS_LAST = 2, IS_TRIGGER = 4, IS_TAKEN = 8 }; /* of a character: a word that begins there */

typedef struct { /* one part of a name: a word with the particles before it, or initials */
    int32_t start, word, end; /* the word begins behind its particles */
    int initials;
    PyObject *folded;         /* the word in small letters; NULL until it is needed */
} Token;

typedef struct {
    Token *all;
    Py_ssize_t n, room;
} Tokens;

typedef struct {
    Py_ssize_t from, n; /* tokens */
    int32_t label, because;
    int how;
    double score;
} Name;

typedef struct { /* names with a word; of names that are the same only the first */
    int32_t name, next; /* next: a link, or -1 */
} NameLink;

typedef struct {
    NamesRule *rule;
    Board *board;
    PyObject *text;
    uint8_t *flags;    /* of characters */
    Tokens run, taken; /* those at hand, and those of names */
    Name *names;
    Py_ssize_t n_names, room_names;
    PyObject *known;   /* a set of names as they are written, with their labels */
    PyObject *by_word; /* of each word of them: its last link */
    NameLink *links;
    Py_ssize_t n_links, room_links;
} Finder;

/* name_tokens.c: there is a token (1), there is none (0), or there was an error (-1) */
void tokens_clear(Tokens *tokens);
int tokens_add(Tokens *tokens, Token token); /* it belongs to the list from now on */
PyObject *token_folded(Finder *finder, Token *token);
PyObject *folded_part(Finder *finder, int32_t start, int32_t end);
int token_at(Finder *finder, int32_t place, Token *token);     /* that begins at a place */
int token_after(Finder *finder, int32_t place, Token *token);  /* that follows a place after a small gap on the same line */
int token_before(Finder *finder, int32_t place, Token *token); /* that ends before a place, a small gap apart */

/* name_runs.c */
int is_ordinary(Finder *finder, PyObject *folded); /* a word in small letters, never part of a name by itself */
int is_plausible(Finder *finder, Token *token);
int is_taken(Finder *finder, const Token *token);
int all_initials(const Tokens *tokens, Py_ssize_t from);
int put_first(Finder *finder, Token token);        /* in front of `run` */
typedef int (*Fits)(Finder *finder, Token *token, PyObject *known);
int read_while(Finder *finder, int32_t place, Fits fits, PyObject *known); /* into `run`: tokens in a row that fit */
int read_run(Finder *finder, int32_t place);       /* into `run`: the tokens of a name that begins at a place */
int known_label(Finder *finder, int32_t *label);   /* of the name in `run`, by those found before */
int take_run(Finder *finder, int32_t label, double score, int how, int32_t because); /* it is a name */

/* names_elsewhere.c, name_spans.c */
int find_elsewhere(Finder *finder); /* the words of names found so far, wherever else they stand */
int put_name(Finder *finder, const Name *name);
