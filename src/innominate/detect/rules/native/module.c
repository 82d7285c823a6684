/* The native part of the rules: what reads every character of a note. Where it is not built, Python does the same, slower. */
#include "native.h"

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_native", "The native part of the rules.", -1, NULL, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__native(void) {
    PyObject *module = PyModule_Create(&definition), *type = module ? PyType_FromSpec(&automaton_spec) : NULL;
    if (!type || PyModule_AddType(module, (PyTypeObject *)type) < 0) Py_CLEAR(module);
    Py_XDECREF(type);
    return module;
}
