/* Settings: merges the option tables of the other folders and fills their
 * structs from, in rising order of precedence: the tables' defaults, what the
 * loaded model's file recommends, the prompt template in use, config.yaml,
 * SOTTO_* variables, the command line, /set. A lower source never overrides a
 * higher one, in whatever order they are read: the command line may be read
 * first, since it can name the file.
 *
 * Belongs to one thread. The targets must outlive it; strings in them are
 * owned by the targets' owner but replaced through here. */
#ifndef SOTTO_CONFIG_SETTINGS_H
#define SOTTO_CONFIG_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/io.h"
#include "base/option.h"

enum settings_origin {
	ORIGIN_DEFAULT, ORIGIN_MODEL, ORIGIN_TEMPLATE, ORIGIN_FILE, ORIGIN_ENVIRONMENT, ORIGIN_FLAG, ORIGIN_SET,
	ORIGIN_COUNT
};

struct settings;

/* Sets every target to its defaults (what is there is overwritten, not freed).
 * The tables are copied (their rows are not). */
enum status settings_create(struct settings **out, const struct option_table *tables, size_t n,
                            struct error *err) MUST_CHECK;
void settings_free(struct settings *settings); /* frees the targets' strings too */

/* `path` NULL: $SOTTO_CONFIG, else config.yaml in the user's directory, which may be missing.
 * STATUS_CONFIG names the line; unknown keys are errors with the nearest name. A file with an error
 * changes nothing, but where `problems` is not NULL: then what is right in the file applies, and
 * what is not is appended there, a line each. */
enum status settings_read_file(struct settings *settings, const char *path, struct buf *problems,
                               struct error *err) MUST_CHECK;
enum status settings_read_environment(struct settings *settings, struct error *err) MUST_CHECK;
/* Appends a line for each SOTTO_* variable of `environment` that has no effect, with the nearest
 * name. */
enum status settings_check_environment(const struct settings *settings, char *const *environment,
                                       struct buf *out);

/* Reads argv[1..argc): --name VALUE, --name=VALUE, -n VALUE, -n5, single-dash long names too (-ctk
 * f32), --name and --no-name for a yes or no; `--` ends options. Positional words ("-" is one) are
 * moved to argv[1] .. argv[*n_rest]. STATUS_USAGE for an unknown flag, with the nearest name, or if
 * none is near followed by `hint` (which may be ""). */
enum status settings_read_argv(struct settings *settings, int argc, char **argv, int *n_rest,
                               const char *hint, struct error *err) MUST_CHECK;

/* What the flag of an option said before it was given a last time, *n times in all: for commands that take it twice. NULL:
 * it was given once, or never. Borrowed. */
const char *settings_flag_before(const struct settings *settings, const char *name, size_t *n);

/* The index of argv's first word that is neither an option of the tables nor its value; 0: there is
 * none, or an unknown option comes before it. */
int settings_find_word(const struct settings *settings, int argc, char **argv);

/* The option that the last of n words is a flag of, if it still waits for its value; NULL: there is
 * none. */
const struct option *settings_find_waiting(const struct settings *settings, int n, char **words);

/* /set NAME VALUE; NULL unsets a string. STATUS_USAGE for a name that is unknown (nearest named) or
 * not OPTION_LIVE|OPTION_MODEL, or a value out of range. */
enum status settings_set(struct settings *settings, const char *name, const char *value,
                         struct error *err) MUST_CHECK;
/* Sets any option regardless of flags, as `origin`. */
enum status settings_assign(struct settings *settings, const char *name, const char *value,
                            enum settings_origin origin, struct error *err) MUST_CHECK;

/* Takes back what /set set: the value of the next lower origin that has one applies again. Names as
 * for settings_set. */
enum status settings_unset(struct settings *settings, const char *name,
                           struct error *err) MUST_CHECK;

/* Takes back everything that an origin has set, as settings_unset does. For numbers only, since
 * restoring a string may fail. */
void settings_forget(struct settings *settings, enum settings_origin origin);

/* What the loaded model recommends; replaces what the last one did. n = 0: nothing. It applies
 * wherever no higher origin has set a value. Numbers only. */
enum status settings_recommend(struct settings *settings, const struct option_text *values, size_t n,
                               struct error *err) MUST_CHECK;

/* The configuration's file, as it was looked for; NULL: there is no folder for it. */
const char *settings_file(const struct settings *settings);
/* A value and how it is written: the path of the guide, and its name. */
struct settings_alias {
	const char *value, *name;
};
/* What settings_keep has written, or would have. */
struct settings_kept {
	size_t n;
	struct buf told;  /* "temp 0.7 and top-k 40"; which variables of the environment are stronger */
	struct buf lines; /* as they stand in the file, one each */
};
void settings_kept_free(struct settings_kept *kept);
/* Writes to the configuration's file what /set has set and what it does not say already. Values are
 * replaced where they stand, and new lines appended; everything else stays as it is, and of a link
 * the file that it leads to is written. A value that is alias->value is written as alias->name
 * (NULL: none). STATUS_BUSY: the file has changed since it was read; the second time that is no
 * error. After an error nothing is written; kept->lines are those to put in by hand.
 * settings_kept_free in every case. */
enum status settings_keep(struct settings *settings, const struct io_ops *io,
                          const struct settings_alias *alias, struct settings_kept *kept,
                          struct error *err) MUST_CHECK;

/* Iterating, for /show, completion, the sampler panel, --help, --print-config. */
size_t settings_n(const struct settings *settings);
const struct option *settings_option(const struct settings *settings, size_t index);
const struct option *settings_find(const struct settings *settings, const char *name);
/* STATUS_USAGE for a name that is no option's, with what may have been meant. */
enum status settings_unknown(const struct settings *settings, const char *name, struct error *err);
enum settings_origin settings_origin_of(const struct settings *settings, const struct option *option);
/* Whether the value of the option of that name comes from that origin (ORIGIN_DEFAULT: nobody has
 * set it); false if there is no such option. */
bool settings_is_from(const struct settings *settings, const char *name, enum settings_origin origin);
/* Whether that origin has said anything of any option. */
bool settings_has_said(const struct settings *settings, enum settings_origin origin);
const char *settings_origin_name(enum settings_origin origin);
/* Its value when nobody sets it: what the model recommends, otherwise its row's default, as a user
 * would write it. Borrowed; NULL for none. */
const char *settings_default(const struct settings *settings, const struct option *option);
/* The value as a user would write it. */
enum status settings_value_text(const struct settings *settings, const struct option *option,
                                struct buf *out);
double settings_number(const struct settings *settings, const struct option *option);
/* Valid YAML with a comment an option; `sotto --print-config`. */
enum status settings_print(const struct settings *settings, struct buf *out);

/* What is on by default is listed with the flag that turns it off. */
bool settings_is_on_anyway(const struct option *option);
/* The rows of `--help`: flags, argument, help, default; those that `is_shown`, NULL: all. */
typedef bool (*settings_filter)(const void *ctx, const struct option *option);
enum status settings_help(const struct settings *settings, settings_filter is_shown,
                          const void *ctx, struct buf *out);

#endif
