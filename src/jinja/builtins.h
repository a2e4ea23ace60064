/* The tables of what templates may call: filters, tests, functions, methods.
 * README.md's lists are made from them (tools/update-lists). */
#ifndef SOTTO_JINJA_BUILTINS_H
#define SOTTO_JINJA_BUILTINS_H

#include "jinja/object.h"

enum { BUILTIN_ARGS_MAX = 4 };

/* Arguments after binding: args[i] belongs to the i-th parameter, and given[i]
 * says that the caller gave it (else it is what the row says, or undefined).
 * `rest` and `keywords` hold what *args and **kwargs took. */
struct bound {
	struct jinja_value args[BUILTIN_ARGS_MAX];
	bool given[BUILTIN_ARGS_MAX];
	struct args rest;
};

/* `self`: what a filter or test is applied to, what a method belongs to;
 * undefined for functions. */
typedef struct jinja_value builtin_function(struct render *render, struct jinja_value self,
                                            const struct bound *bound);

/* Defines one; not each uses all that it is given. */
#define UNUSED __attribute__((unused))
#define BUILTIN(name) \
	struct jinja_value name(UNUSED struct render *render, UNUSED struct jinja_value self, \
	                        UNUSED const struct bound *bound)

/* One row. `params` is a Python signature without the self: "default='',
 * boolean=False", "*args", "**kwargs", "*, given_by_name". A parameter without a
 * default must be given. Defaults: numbers, 'strings', True, False, None. */
struct builtin {
	const char *name;
	builtin_function *fn;
	const char *params;
};

/* Sorted by name. */
struct builtin_table {
	const struct builtin *rows;
	size_t n;
};

extern const struct builtin_table jinja_filters, jinja_tests, jinja_globals;
extern const struct builtin_table jinja_string_methods, jinja_list_methods, jinja_dict_methods;

/* NULL: there is none. */
const struct builtin *builtin_find(const struct builtin_table *table,
                                   const struct jinja_string *name);
/* Binds the arguments and calls. */
struct jinja_value builtin_call(struct render *render, const struct builtin *row,
                                struct jinja_value self, const struct args *args);
/* By name, as map, select and their kin do: "filter 'x' is not supported". */
enum builtin_kind { BUILTIN_FILTER, BUILTIN_TEST };
struct jinja_value builtin_apply(struct render *render, enum builtin_kind kind,
                                 const struct jinja_string *name, struct jinja_value self,
                                 const struct args *args);

/* The function of jinja_globals as a value; and "abc".upper without the call:
 * NULL rows give an undefined value. */
struct jinja_value builtin_value(struct arena *arena, const struct builtin *row,
                                 struct jinja_value self);

/* ---- results.c ---- what the functions share: results, and arguments as Python's C
 * functions take them */

/* A text for a value, bounded by the rendering's memory. */
void text_begin(struct render *render, struct text *text);
struct jinja_value give_text(struct render *render, struct text *text);
/* What a constructor has made; the failure of the arena if it is NULL. */
struct jinja_value give_string(struct render *render, const struct jinja_string *string);
struct jinja_value give_list(struct render *render, enum list_kind kind);
struct jinja_value give_dict(struct render *render);
/* What a dict holds, as it is now: keys, values, or both as tuples. */
struct jinja_value give_entries(struct render *render, const struct jinja_dict *dict,
                                enum list_kind kind);
void add_item(struct render *render, struct jinja_list *list, struct jinja_value item);

/* An int, or a bool: "'str' object cannot be interpreted as an integer". */
int64_t arg_int(struct render *render, struct jinja_value value);
/* dict[key] = item; the error of an unhashable key. */
void dict_put_key(struct render *render, struct jinja_dict *dict, struct jinja_value key,
                  struct jinja_value item);

/* ---- string_methods.c ---- what filters use, too */
builtin_function str_replace, str_strip;

#endif
