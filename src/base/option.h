/* Options: one row says everything about one user-visible setting.
 *
 * Rows live beside the struct they fill (sampler/params.h, turn/engine_params.h,
 * ...); config/settings.h merges the tables and reads them from the
 * configuration file, SOTTO_* variables, the command line and /set. The row's
 * name spells all four: `top-k` is --top-k, SOTTO_TOP_K, `top-k:` in
 * config.yaml and `/set top-k`. So do its aliases. */
#ifndef SOTTO_BASE_OPTION_H
#define SOTTO_BASE_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum option_type {
	OPTION_BOOL,   /* bool; --name and --no-name, or yes/no, on/off, true/false, 1/0 */
	OPTION_INT,    /* int32_t */
	OPTION_INT64,  /* int64_t */
	OPTION_FLOAT,  /* float */
	OPTION_STRING, /* char *, owned by the target, NULL when unset */
	OPTION_ENUM,   /* int: index into `values` */
};

enum option_flags {
	OPTION_LIVE = 1 << 0,      /* /set may change it in a running chat */
	OPTION_CLI_ONLY = 1 << 1,  /* only a flag: not in files, environment, /set */
	OPTION_SLIDER = 1 << 2,    /* shown in the sampler panel */
	OPTION_MODEL = 1 << 3,     /* takes effect when a model is loaded */
	OPTION_CHAT = 1 << 4,      /* for the chat's screen alone: it means nothing elsewhere */
	OPTION_WORDS = 1 << 5,     /* a string of words (base/words.h): each use of the flag adds one */
	OPTION_PATH = 1 << 6,      /* a string that names a file or folder: ~ in it is a home folder */
	OPTION_RECORDED = 1 << 7,  /* decides what a reply is: its record has it (chat/run.h) */
};

struct option {
	const char *name;    /* long name, llama.cpp's where it has one */
	const char *aliases; /* further flag names separated by blanks: "s seed-value"; one
	                      * letter is a short flag; NULL for none */
	enum option_type type;
	size_t offset;       /* offsetof in the target struct */
	double min, max;     /* closed interval for numbers */
	double step;         /* of a slider; coarse is ten times as much */
	const char *def;     /* default, as a user would write it; NULL for none */
	const char *const *values; /* OPTION_ENUM: NULL-terminated names */
	const char *arg;     /* placeholder in help and man page: "N", "FILE" */
	const char *help;    /* one line, lower case, no final dot */
	unsigned flags;
	const char *no_help; /* what --no-NAME does, shown instead of `help` where flags are listed:
	                      * for each OPTION_BOOL that is on by default */
	const char *off;     /* of a slider: the value that switches it off; NULL for "0" */
	const char *also;    /* "-1=0": a value outside of the range that llama.cpp knows, and what it
	                      * means; NULL for none */
	/* Of a string that is not just any text: STATUS_USAGE says what is wrong with its form, without
	 * the option's name. What it names, such as a file, need not be there. NULL: any. */
	enum status (*check)(const char *value, struct error *err);
};

/* A value for the option of that name, as a user would write it. */
struct option_text {
	const char *name;
	char value[24];
};

/* A table and the struct that its rows fill. */
struct option_table {
	const struct option *rows;
	size_t n;
	void *target;
};

/* Whether an option goes by that name: its own, or one of its aliases, which are as good everywhere: on
 * the command line, in files, templates and presets, in the environment and in the chat. '_' and '-' are
 * the same. option_is_called: its own name alone. */
bool option_is_called(const struct option *option, const char *name, size_t len);
bool option_is_named(const struct option *option, const char *name, size_t len);
/* The row of that name, its own before any alias; NULL: none. */
const struct option *option_find(const struct option *rows, size_t n, const char *name);

/* Fills `target` with the rows' defaults ("yes" for a set bool). Strings become
 * NULL, whatever their row says: the target would own them. */
void option_set_defaults(const struct option *rows, size_t n, void *target);

#endif
