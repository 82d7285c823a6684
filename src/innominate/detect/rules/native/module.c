/* The native part of the rules: what runs for every character or every candidate of a note. Where it is not built, the same is
 * done in Python, slower. */
#include "native.h"

PyTypeObject *automaton_type, *board_type, *rulebook_type;

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_native", "The native part of the rules.", -1, NULL, NULL, NULL, NULL, NULL,
};

static int add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **type) {
    *type = (PyTypeObject *)PyType_FromSpec(spec);
    return *type ? PyModule_AddType(module, *type) : -1;
}

PyMODINIT_FUNC PyInit__native(void) {
    PyObject *module = PyModule_Create(&definition);
    if (module && (add_type(module, &automaton_spec, &automaton_type) < 0 || add_type(module, &board_spec, &board_type) < 0 ||
                   add_type(module, &rulebook_spec, &rulebook_type) < 0))
        Py_CLEAR(module);
    return module;
}
