/* The native part of the rules: what runs for every character or every candidate of a note. Where it is not built, the same is
 * done in Python, slower. */
#include "native.h"

PyTypeObject *automaton_type, *nearby_type, *board_type;

static PyMethodDef functions[] = {
    {"pattern_hits", (PyCFunction)(void (*)(void))pattern_hits, METH_FASTCALL, "Put what patterns find on boards."},
    {"word_hits", (PyCFunction)(void (*)(void))word_hits, METH_FASTCALL, "Put what lists find on a board."},
    {"later_rules", (PyCFunction)(void (*)(void))later_rules, METH_FASTCALL, "Let later rules look at what is on boards."},
    {"touched", (PyCFunction)(void (*)(void))touched, METH_FASTCALL, "The candidates with which a shield has to do."},
    {"names", (PyCFunction)(void (*)(void))names, METH_FASTCALL, "Find names of people."},
    {"settled", (PyCFunction)(void (*)(void))settled, METH_FASTCALL, "Of candidates that overlap, those that stay."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_native", "The native part of the rules.", -1, functions, NULL, NULL, NULL, NULL,
};

static int add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **type) {
    *type = (PyTypeObject *)PyType_FromSpec(spec);
    return *type ? PyModule_AddType(module, *type) : -1;
}

PyMODINIT_FUNC PyInit__native(void) {
    PyObject *module = PyModule_Create(&definition);
    if (module && (add_type(module, &automaton_spec, &automaton_type) < 0 || add_type(module, &nearby_spec, &nearby_type) < 0 ||
                   add_type(module, &board_spec, &board_type) < 0))
        Py_CLEAR(module);
    return module;
}
