/* What every subcommand begins with: the option tables of all folders merged
 * and filled from the defaults, the configuration file, SOTTO_* variables and
 * the command line. */
#ifndef SOTTO_CLI_SETUP_H
#define SOTTO_CLI_SETUP_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/option.h"
#include "config/settings.h"
#include "engine/params.h"
#include "sampler/params.h"
#include "ui/params.h"

/* The options that every subcommand has. */
struct common_params {
	char *config; /* owned */
	bool help, version, print_config;
};

struct cli_setup {
	struct sampler_params sampler;
	struct engine_params engine;
	struct ui_params ui;
	struct common_params common;
	struct settings *settings; /* owned; over the four above and the subcommand's own */
	char **words;              /* what is left of argv */
	int n_words;
	struct error config_error; /* the chat: what is wrong with the file */
	bool on_screen;            /* the chat, with a terminal on both sides */
	struct buf notice;         /* then: warnings, to be shown on it */
};

/* How a subcommand presents itself. */
struct cli_usage {
	const char *synopsis; /* "sotto run [OPTION]... [PROMPT]..." */
	const char *text;     /* a sentence or a few lines */
	const struct option_table *own; /* options of its own, NULL for none */
	bool takes_words;     /* words that are no options; else they are refused */
	const char *more;     /* printed after the options, NULL for nothing */
	/* Which of the options of all commands act on this one, separated by blanks. --help lists
	 * these, and there is a warning for others on the command line. NULL: all but those of
	 * the chat's screen. */
	const char *acts;
	bool is_chat; /* on a screen a broken file is noted, not the end */
};

/* For cli_usage.own, and the like. */
#define OPTION_TABLE(rows, target) {rows, sizeof rows / sizeof rows[0], target}

enum { CLI_GO_ON = -1 };

/* Without a model named anywhere it is the guide's path, where it is installed;
 * a model called "guide" is the guide, one called "" is none.
 * Returns CLI_GO_ON, or the exit status when all is said: --help, --version,
 * --print-config, an error (already on stderr). cli_setup_free in every case. */
int cli_setup(struct cli_setup *setup, const struct cli_usage *usage, int argc, char **argv);
void cli_setup_free(struct cli_setup *setup);

/* Where the options before a subcommand end: settings_find_word. */
int cli_find_word(int argc, char **argv);

/* Warns that an option of the command line has no effect `where` ("with --raw"). Nothing
 * where it is not from there. */
void cli_warn_unused(struct cli_setup *setup, const char *option, const char *where);
/* The same for what others of the command line make meaningless: which chat it is, how it begins. */
void cli_warn_unused_of_chat(struct cli_setup *setup);

#endif
