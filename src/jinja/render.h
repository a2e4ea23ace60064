/* A rendering under way: what every part of the evaluator shares.
 *
 * Functions that can fail take it first. The first failure is recorded in it and stays; after it
 * they give values that are empty but of the kind that they promise (undefined, a list of nothing,
 * ""), no step can be taken any more, and iterations end. So a run of calls needs no checks; what
 * loops without taking steps asks whether the rendering has `failed`, and so do operators: an
 * operand may have been evaluated before the failure, and be large. */
#ifndef SOTTO_JINJA_RENDER_H
#define SOTTO_JINJA_RENDER_H

#include "base/limits.h"
#include "jinja/ast.h"
#include "jinja/jinja.h"
#include "jinja/text.h"

struct builtin_table; /* builtins.h */
struct frame; /* frame.h: the variables of a function under way */
struct frame_chunk;

/* What {% break %} and {% continue %} leave for the loop around them. */
enum flow { FLOW_ON, FLOW_BREAK, FLOW_CONTINUE };

struct render {
	const struct jinja_template *tmpl;
	const struct jinja_limits *limits;
	const struct jinja_options *options;
	struct jinja_context *context;
	const struct builtin_table *filters, *tests; /* that map, select and their kin call by name */
	struct arena *arena;  /* values; the context's */
	struct text *out;     /* where output goes: the page, or what a macro or set block collects */
	struct frame *frame;
	struct frame_chunk *frames; /* where frames that nobody keeps are stacked */
	struct jinja_value filtered; /* what a filter block holds */
	enum flow flow;
	unsigned line;        /* of the node being evaluated */
	unsigned depth;       /* calls under way */
	unsigned nested;      /* expressions and bodies under way, of all calls */
	uint64_t fuel;        /* left */
	uint64_t deadline_us; /* 0: none; looked at every few thousand steps */
	/* The containers being printed, outermost first: none is printed within itself. */
	const void *printing[LIMIT_JINJA_NESTING];
	unsigned n_printing;
	/* What stands for any list and dict when there is no memory for one. */
	struct jinja_list spare_list;
	struct jinja_dict spare_dict;
	struct error *err;
	bool failed, raised;
};

/* Records "NAME:LINE: text", STATUS_FORMAT. This and its kin give an undefined value, for whoever
 * has to give one. */
struct jinja_value render_fail(struct render *render, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* A limit was hit: STATUS_LIMIT with what it was. */
struct jinja_value render_limit(struct render *render, const char *what);
/* What Python's unbounded ints could hold. */
struct jinja_value render_overflow(struct render *render);
/* The arena has failed: its status, with the text for it. */
struct jinja_value render_no_memory(struct render *render);
/* raise_exception: the message is the whole text of the error. */
struct jinja_value render_raise(struct render *render, const struct jinja_string *message);
/* Steps from one look at the clock to the next. */
enum { JINJA_STEPS_A_LOOK = 4096 };
/* Takes so much of the fuel, and looks at the clock now and then. False after a failure. */
bool render_step(struct render *render, uint64_t n);
/* The steps for bytes gone through or copied: one for every 32. */
bool render_bytes(struct render *render, size_t n);

/* Arguments of a call, not yet bound to parameters. */
struct keyword {
	const struct jinja_string *name;
	struct jinja_value value;
};
struct args {
	const struct jinja_value *items;
	size_t n;
	const struct keyword *keywords;
	size_t n_keywords;
};

/* ---- operators.c, compare.c, iterate.c ---- errors as Python's */
struct jinja_value value_binary(struct render *render, enum binary_op op, struct jinja_value a,
                                struct jinja_value b);
struct jinja_value value_negate(struct render *render, struct jinja_value a);
bool value_compare_op(struct render *render, enum compare_op op, struct jinja_value a,
                      struct jinja_value b); /* <, ==, in ... */
/* An item and what it is sorted by. */
struct keyed {
	struct jinja_value key, item;
};

/* Stable, as Python's sort; equal items keep their order backwards, too. The error
 * of "<" for keys that have no order. */
void keyed_sort(struct render *render, struct keyed *items, size_t n, bool backwards);
/* len(); the error when there is none. */
size_t value_length(struct render *render, struct jinja_value value);
/* "unhashable type: 'list'" for what can be no key; the steps of a look into a dict. */
bool value_hash_step(struct render *render, struct jinja_value key);
/* a ~ b: both as text. */
struct jinja_value value_concat(struct render *render, const struct jinja_value *items, size_t n);

/* As Markup: what `+` joins to it is escaped. */
struct jinja_value string_make_safe(struct render *render, const struct jinja_string *string);

/* Going through anything that can be: strings by characters, dicts by keys. */
struct iteration {
	struct jinja_value over;
	size_t at; /* items given so far; byte offset for strings */
};
/* What Python can go through. */
bool value_is_iterable(struct jinja_value value);
struct iteration value_iterate(struct render *render, struct jinja_value value);
/* False at the end, or after a failure. */
bool iteration_next(struct render *render, struct iteration *it, struct jinja_value *item);
/* All of it as a new list of the kind. */
struct jinja_value value_to_list(struct render *render, struct jinja_value value,
                                 enum list_kind kind);

/* ---- access.c ---- */
/* value.name: attribute first, then item, as Jinja2's environment.getattr; what
 * is not there is undefined, what is undefined fails. */
struct jinja_value value_getattr(struct render *render, struct jinja_value value,
                                 const struct jinja_string *name);
/* value[key]: item first, then attribute. */
struct jinja_value value_getitem(struct render *render, struct jinja_value value,
                                 struct jinja_value key);
/* start, stop, step may be VALUE_NONE. */
struct jinja_value value_slice(struct render *render, struct jinja_value value,
                               struct jinja_value start, struct jinja_value stop,
                               struct jinja_value step);

/* ---- undefined.c ---- */
/* The error of using an undefined value: "'x' is undefined". */
struct jinja_value undefined_fail(struct render *render, struct jinja_value value);
/* Undefined values that know why; without memory arena->status says it. */
struct jinja_value undefined_variable(struct arena *arena, const struct jinja_string *name);
struct jinja_value undefined_attribute(struct arena *arena, struct jinja_value owner,
                                       const struct jinja_string *name);
struct jinja_value undefined_item(struct arena *arena, struct jinja_value owner,
                                  struct jinja_value item);
/* With a message of its own. */
struct jinja_value undefined_hint(struct arena *arena, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* ---- print.c ---- */
/* str(): strings as they are, None as "None", floats as Python prints them,
 * undefined as "". */
void value_print(struct render *render, struct text *out, struct jinja_value value);
/* repr(): strings in quotes. Bytes of strings keep their sources. */
void value_repr(struct render *render, struct text *out, struct jinja_value value);
/* The failure of a text is the rendering's: of its arena, or of its bound. */
void render_text(struct render *render, const struct text *text);
/* The containers under way, each within the one before: those of value_repr, or of tojson. */
bool is_being_printed(const struct render *render, const void *container);
bool printing_begin(struct render *render, const void *container);
void printing_end(struct render *render);
/* What stands for a character in a text of some kind, written to `out`; 0: the character itself. */
enum { ESCAPE_MAX = 16 };
typedef size_t escape_function(uint32_t c, int how, char out[ESCAPE_MAX]);
/* The string with its escapes, each of which has the source of its character. They are steps,
 * since a text of quotation marks takes as long as many values. */
void text_append_escaped(struct render *render, struct text *text,
                         const struct jinja_string *string, escape_function *escape, int how);
/* str() as a string; a string is itself. */
const struct jinja_string *value_to_string(struct render *render, struct jinja_value value);
enum { FLOAT_TEXT_MAX = 32 };
/* The shortest text that reads back the same, in Python's form: 1e+16, 0.1, inf. */
size_t float_text(double f, char out[FLOAT_TEXT_MAX]);

/* ---- eval.c, eval_stmt.c ---- */
struct jinja_value eval_expr(struct render *render, const struct expr *expr);
void eval_body(struct render *render, const struct body *body);

#endif
