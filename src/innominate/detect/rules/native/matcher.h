#ifndef INNOMINATE_MATCHER
#define INNOMINATE_MATCHER
/* One expression matched exactly: what program.py writes, and who reads it. */
#include "native.h"

/* Instructions, each followed by so many numbers. A `maybe` is -1, or twice the number of a set of characters, and one more if it
 * may be the end of the text. A `size` leads from the beginning of an instruction to another one. */
enum {
    OP_MATCH,        /* */
    OP_FAIL,         /* */
    OP_BYTE,         /* byte */
    OP_STRING,       /* n, n bytes filled up to whole numbers */
    OP_SET,          /* set */
    OP_SETS,         /* n, n sets */
    OP_RUN,          /* set, least, most, maybe after it: as many characters as possible, and then fewer */
    OP_RUN_ALL,      /* the same, and not fewer */
    OP_RUN_LAZY,     /* the same, as few as possible, and then more */
    OP_BRANCH,       /* n, whether at most one can match, length of the table, table of bytes, n times: maybe, size */
    OP_OPTION,       /* maybe it, maybe after it, size: what follows, or not */
    OP_OPTION_LAZY,  /* the same, rather not */
    OP_JUMP,         /* size */
    OP_SAVE,         /* register */
    OP_START,        /* register (and the next), whether inside another loop */
    OP_LOOP,         /* register, least, most, maybe it, maybe after it, size, whether it may match nothing */
    OP_LOOP_LAZY,    /* the same, as few as possible */
    OP_LOOK,         /* register (and the next), maybe it, characters back */
    OP_LOOK_END,     /* register */
    OP_LOOK_NOT,     /* register (and the next), maybe it, characters back, size */
    OP_LOOK_NOT_END, /* register */
    OP_ATOMIC,       /* register */
    OP_ATOMIC_END,   /* register */
    OP_AHEAD,        /* maybe */
    OP_BEHIND,       /* maybe */
    OP_BORDER,       /* set of a word's characters, whether there must be none, whether there is none in an empty text */
    OP_AT,           /* place */
    OP_SAME,         /* group */
    OP_COUNT
};
enum { AT_START, AT_LINE_START, AT_END, AT_LINE_END, AT_VERY_END, AT_COUNT };

enum { MOST_REGISTERS = 256 }; /* groups, loops and conditions of a program */

typedef struct Matcher {
    PyObject_HEAD
    int32_t *code;
    uint32_t *sets; /* eight each */
    int32_t n_code, n_sets, n_groups, n_registers;
    int32_t first;  /* maybe */
    Py_ssize_t least;
} Matcher;

extern PyType_Spec matcher_spec;
extern PyTypeObject *matcher_type;

/* As `pattern.match(text, start, end)`, or `fullmatch`, on an image with n_text characters: 1 match, 0 none, -1 no memory,
 * -2 too many steps: ask `re`. `spans` has room for two numbers for the whole and for each group; -1 is a group without a match. */
int matcher_match(const Matcher *self, const uint8_t *text, Py_ssize_t n_text, Py_ssize_t start, Py_ssize_t end, int full, int32_t *spans);
/* As `pattern.search(text, start, end)`. */
int matcher_search(const Matcher *self, const uint8_t *text, Py_ssize_t n_text, Py_ssize_t start, Py_ssize_t end, int32_t *spans);

/* The image of a text: its own characters, or a copy in `owned`, to be freed. NULL if it has none, or (with an error) no memory. */
const uint8_t *image_of(PyObject *text, uint8_t **owned);
PyObject *image(PyObject *module, PyObject *text); /* for Python */
#endif
