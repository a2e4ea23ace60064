/* Jinja templates: the language of Hugging Face chat templates and of our own
 * prompt templates, as Jinja2 3.1 defines it (templates.html of its manual)
 * with trim_blocks and lstrip_blocks on, loopcontrols, `generation` blocks,
 * raise_exception and strftime_now. README.md beside this lists what there is.
 *
 * A template is foreign code: it sees only the values that it is given, and
 * everything it may use up is bounded by the caller's limits.
 *
 * A template is immutable after parsing; any thread may render it at the same
 * time as others. A context belongs to one thread, and to one rendering (a
 * template may change the lists and dicts that it is given).
 *
 * The files, in the order of what happens to a template; jinja.c is both its ends:
 *   lexer, lexer_inside               its text becomes tokens
 *   parser, parse_*; ast.h, names.h   tokens become a tree
 *   resolve, symbols; scope.h         every name becomes a slot of a frame, by
 *                                       the scopes that Jinja2's compiler has
 *   value, text, dict, hash, arena    values: strings that know their sources,
 *                                       lists and dicts; all in an arena
 *   render                            a rendering: limits, errors
 *   eval, eval_stmt, loop, macro      goes through the tree; frame: variables
 *                                       of the functions under way
 *   operators, compare, iterate,      what expressions do to values
 *     access, print, undefined
 *   builtin, object.h                 calling what the tables have:
 *   filters*, tests, globals,         filters, tests, global functions,
 *     *_methods, json                   methods
 *   results, casing                   what these share */
#ifndef SOTTO_JINJA_JINJA_H
#define SOTTO_JINJA_JINJA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "jinja/value.h"

struct jinja_limits {
	size_t template_bytes; /* of the source */
	unsigned parse_depth;  /* constructs inside one another */
	unsigned call_depth;   /* macros under way */
	uint64_t fuel;         /* steps: nodes evaluated, items and bytes handled */
	size_t memory;         /* bytes for the values of a rendering, beside the context */
	size_t output;         /* bytes */
	unsigned deadline_ms;  /* 0: none */
};

/* LIMIT_JINJA_* of base/limits.h. */
extern const struct jinja_limits jinja_limits_default;
/* The same, wider for a rendering that is given so many bytes of texts. */
struct jinja_limits jinja_limits_for(size_t given);

struct jinja_template;

/* `name` stands before the line in errors: "NAME:12: ...". Name and text are
 * copied. STATUS_FORMAT for a syntax error; STATUS_LIMIT;
 * STATUS_NOMEM. Runs in a stack of 256 KiB whatever the text. */
enum status jinja_parse(struct jinja_template **out, const char *name, const char *text,
                        size_t len, const struct jinja_limits *limits,
                        struct error *err) MUST_CHECK;
void jinja_free(struct jinja_template *tmpl); /* NULL is fine */
/* The names that the template reads and nothing in it sets, sorted: what it
 * wants from its context. Borrowed from the template; *n of them. */
const char *const *jinja_free_names(const struct jinja_template *tmpl, size_t *n);

/* The variables of a rendering, and the memory that their values live in. */
struct jinja_context;

enum status jinja_context_create(struct jinja_context **out, size_t memory,
                                 struct error *err) MUST_CHECK;
void jinja_context_free(struct jinja_context *context);
/* For the constructors of value.h. A failed one leaves its mark in the arena
 * and returns an undefined value: jinja_render reports it, so that a run of
 * them needs no checks. */
struct arena *jinja_context_arena(struct jinja_context *context);
/* Sets a variable; `name` is copied. */
void jinja_context_set(struct jinja_context *context, const char *name, struct jinja_value value);

struct jinja_options {
	const struct jinja_limits *limits; /* NULL: jinja_limits_for(the context's memory) */
	bool has_now;
	int64_t now; /* strftime_now's time, seconds since the epoch, shown as UTC;
	              * without has_now the wall clock in local time */
	uint32_t now_us; /* microseconds behind `now` */
};

/* A stretch of the output and where its bytes came from (value.h). */
struct jinja_span {
	size_t end; /* it begins where the one before ends */
	uint32_t source;
};

struct jinja_output {
	char *text; /* owned, NUL-terminated, UTF-8 */
	size_t len;
	struct jinja_span *spans; /* owned; neighbours differ in source */
	size_t n_spans;
	bool raised; /* on failure: the template itself called raise_exception */
};

/* `options` may be NULL. On failure the error is "NAME:LINE: text" (for
 * raise_exception its message alone): STATUS_FORMAT for what Jinja2 would
 * raise, STATUS_LIMIT, STATUS_NOMEM. jinja_output_free in every case. */
enum status jinja_render(const struct jinja_template *tmpl, struct jinja_context *context,
                         const struct jinja_options *options, struct jinja_output *out,
                         struct error *err) MUST_CHECK;
void jinja_output_free(struct jinja_output *out);

#endif
