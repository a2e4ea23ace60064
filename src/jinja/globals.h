/* The functions of globals.c's table that are elsewhere, and dict()'s work. */
#ifndef SOTTO_JINJA_GLOBALS_H
#define SOTTO_JINJA_GLOBALS_H

#include "jinja/builtins.h"

/* globals_objects.c */
builtin_function global_namespace;

/* globals.c: dict(*args, **kwargs): another dict or pairs, and the keywords over it. */
enum status dict_from_args(struct render *render, const struct args *args,
                           struct value *out) MUST_CHECK;
#endif
