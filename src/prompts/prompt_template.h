/* Prompt templates: system prompts and openings of conversations in YAML files (sotto-prompt(5)),
 * with text in Jinja and variables to fill in.
 *
 * A library is what the folders contain at one time: --prompt-dir, the user's own (prompts/ in the
 * configuration directory), the package's; of two files with the same name, the one in the earlier
 * folder counts. A broken file is listed with what is wrong and does not affect the others. Belongs
 * to one thread. */
#ifndef SOTTO_PROMPTS_PROMPT_TEMPLATE_H
#define SOTTO_PROMPTS_PROMPT_TEMPLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/role.h"
#include "config/settings.h"

/* A variable that the template asks for. */
struct prompt_variable {
	char *name, *help; /* help: "": none */
	char *def;         /* NULL: must be given */
};

struct prompt_option {
	char *name, *value; /* an option's name (config/settings.h) and what it is set to */
};

struct prompt_opening {
	enum role role;
	char *text; /* Jinja */
};

struct prompt_template {
	char *name;        /* as in the file, or the file's name without .yaml */
	char *path;
	char *description; /* "": none */
	char *system;      /* Jinja; NULL: none */
	char *model;       /* preferred; NULL */
	struct prompt_opening *messages;
	size_t n_messages;
	struct prompt_variable *variables; /* in the file's order */
	size_t n_variables;
	struct prompt_option *options;
	size_t n_options;
	char **stops;
	size_t n_stops;
	bool is_broken;
	struct error error; /* what is wrong: "path:line: ..." */
};

struct prompt_library;

/* Reads all folders. `extra` is --prompt-dir, NULL for none; a missing folder counts as empty. */
enum status prompt_library_open(struct prompt_library **out, const char *extra,
                                struct error *err) MUST_CHECK;
void prompt_library_close(struct prompt_library *library);
/* A number that changes when a file is added, removed or changed: cheaper than reading them. */
uint64_t prompt_library_stamp(const char *extra);
/* Sorted by name, with the broken ones. */
size_t prompt_library_n(const struct prompt_library *library);
const struct prompt_template *prompt_library_at(const struct prompt_library *library, size_t i);
/* Opens the library for one template: both, or neither on failure. STATUS_NOTFOUND with the nearest
 * name; STATUS_CONFIG with its error for a broken one. */
enum status prompt_library_open_for(struct prompt_library **out, const char *extra,
                                    const char *name, size_t len,
                                    const struct prompt_template **tmpl,
                                    struct error *err) MUST_CHECK;

/* Parses one file's bytes (the fuzzer calls it, too): `out` and its error are set whatever the
 * bytes are; the only failure is STATUS_NOMEM. */
enum status prompt_template_parse(struct prompt_template *out, const char *path, const char *text,
                                  size_t len, struct error *err) MUST_CHECK;
void prompt_template_deinit(struct prompt_template *tmpl);

/* Values of variables, as given by the user. */
struct prompt_values {
	struct prompt_option *items; /* owned: name, value */
	size_t n, cap;
};
void prompt_values_free(struct prompt_values *values);
/* Replaces an earlier value of the name. */
enum status prompt_values_set(struct prompt_values *values, const char *name, size_t name_len,
                              const char *value, size_t len, struct error *err) MUST_CHECK;
const char *prompt_values_get(const struct prompt_values *values, const char *name); /* NULL */
/* "NAME k=v 'k=v w'" taken apart: a word ends at a blank outside quotes (" or '; a backslash takes
 * the next character as it is). STATUS_USAGE for a word that is not k=v. */
enum status prompt_parse_call(const char *line, size_t len, struct buf *name,
                              struct prompt_values *values, struct error *err) MUST_CHECK;
/* The values alone: "k=v 'k=v w'". */
enum status prompt_parse_values(const char *line, size_t len, struct prompt_values *values,
                                struct error *err) MUST_CHECK;
/* The reverse; node.origin has this form. */
enum status prompt_format_call(struct buf *out, const char *name, const struct prompt_values *values);
/* Whether a call has this name and these values. */
bool prompt_is_call(const char *call, const char *name, const struct prompt_values *values);
/* Takes a call apart and looks up its template, which belongs to the library. */
enum status prompt_library_open_call(struct prompt_library **out, const char *extra,
                                     const char *call, struct prompt_values *values,
                                     const struct prompt_template **tmpl,
                                     struct error *err) MUST_CHECK;

/* The first variable that has neither a value nor a default; NULL: none. */
const struct prompt_variable *prompt_template_missing(const struct prompt_template *tmpl,
                                                      const struct prompt_values *values);

/* The built-in variables: a row's name, and what it is. */
struct prompt_builtin {
	const char *name, *help;
};
extern const struct prompt_builtin prompt_builtins[]; /* date, time, cwd, ..., model */
extern const size_t prompt_n_builtins;

struct prompt_rendered {
	char *system; /* owned; NULL: the template has none */
	struct prompt_opening *messages; /* owned, with their texts */
	size_t n_messages;
};
/* `model` is the loaded model's name; NULL: none yet. STATUS_USAGE for a value of a variable that the template does not have
 * (nearest named) or one missing; STATUS_CONFIG with "path: message" for an error of
 * the Jinja text. */
enum status prompt_template_render(struct prompt_rendered *out, const struct prompt_template *tmpl,
                                   const struct prompt_values *values, const char *model,
                                   struct error *err) MUST_CHECK;
/* Sets the template's sampling options as ORIGIN_TEMPLATE, replacing an earlier template's; NULL:
 * none. */
enum status prompt_apply_options(const struct prompt_template *tmpl, struct settings *settings,
                                 struct error *err) MUST_CHECK;
void prompt_rendered_free(struct prompt_rendered *rendered);

#endif
