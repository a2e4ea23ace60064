/* The tables of what templates may call: filters, tests, functions, methods.
 * README.md's lists are made from them (tools/update-lists). */
#ifndef SOTTO_JINJA_BUILTINS_H
#define SOTTO_JINJA_BUILTINS_H

#include "jinja/object.h"

enum { BUILTIN_ARGS_MAX = 12 };

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
typedef enum status builtin_function(struct render *render, struct jinja_value self,
                                     const struct bound *bound, struct jinja_value *out);
typedef builtin_function *builtin_fn;

/* One row. `params` is a Python signature without the self: "default='',
 * boolean=False", "*args", "**kwargs", "*, given_by_name". A parameter without a default must be
 * given. Defaults: numbers, 'strings', True, False, None. */
struct builtin {
	const char *name;
	builtin_fn fn;
	const char *params;
};

extern const struct builtin jinja_filters[], jinja_tests[], jinja_globals[];
extern const struct builtin jinja_string_methods[], jinja_list_methods[], jinja_dict_methods[];
extern const size_t jinja_n_filters, jinja_n_tests, jinja_n_globals;
extern const size_t jinja_n_string_methods, jinja_n_list_methods, jinja_n_dict_methods;

/* NULL: there is none. Tables are sorted by name. */
const struct builtin *builtin_find(const struct builtin *rows, size_t n,
                                   const struct jinja_string *name);
/* Binds (bind.c) and calls. */
enum status builtin_bind(struct render *render, const struct builtin *row, const struct args *args,
                         struct bound *bound) MUST_CHECK;
enum status builtin_call(struct render *render, const struct builtin *row, struct jinja_value self,
                         const struct args *args, struct jinja_value *out) MUST_CHECK;
/* By name, as map, select and their kin do: "No filter named 'x'." */
enum status filter_apply(struct render *render, const struct jinja_string *name,
                         struct jinja_value self, const struct args *args,
                         struct jinja_value *out) MUST_CHECK;
enum status test_apply(struct render *render, const struct jinja_string *name,
                       struct jinja_value self, const struct args *args, bool *out) MUST_CHECK;

/* The function of jinja_globals as a value; and "abc".upper without the call:
 * NULL rows give an undefined value. */
struct jinja_value builtin_value(struct arena *arena, const struct builtin *row,
                                 struct jinja_value self);
/* The method `name` of a string, list or dict; *found says if there is one. */
enum status method_get(struct render *render, struct jinja_value self,
                       const struct jinja_string *name, bool *found,
                       struct jinja_value *out) MUST_CHECK;

/* json.dumps(ensure_ascii=False, indent, separators, sort_keys): json.c. */
struct json_style {
	bool ensure_ascii, sort_keys;
	const struct jinja_string *indent; /* NULL: one line */
	const struct jinja_string *item_separator; /* NULL: ", ", or "," with indent */
	const struct jinja_string *key_separator;  /* NULL: ": " */
};
enum status json_dump(struct render *render, struct jinja_value value,
                      const struct json_style *style, struct text *out) MUST_CHECK;
/* strftime of C, in the C locale; errors for nothing. */
enum status time_text(struct render *render, const struct jinja_string *format,
                      struct jinja_value *out) MUST_CHECK;

#endif
