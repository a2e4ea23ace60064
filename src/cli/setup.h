/* How every subcommand begins: the option tables of all folders are merged and filled
 * from the defaults, the configuration file, SOTTO_* variables and the command line. */
#ifndef SOTTO_CLI_SETUP_H
#define SOTTO_CLI_SETUP_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/option.h"
#include "config/settings.h"
#include "sampler/params.h"
#include "turn/engine_params.h"
#include "ui/params.h"

/* Options that every subcommand has and that are not settings. */
struct common_params {
	char *config; /* owned */
	bool help, version, print_config;
};

struct cli_setup {
	struct sampler_params sampler;
	struct engine_params engine;
	struct ui_params ui;
	struct common_params common;
	struct settings *settings; /* owned; fills the four above and the subcommand's own */
	char **words;              /* what is left of argv */
	int n_words;
	char **paths;              /* owned: those of the words that are paths, as they are opened; NULL-terminated */
	struct error error;        /* that cli_setup has failed with; it is printed */
	bool on_screen;            /* the chat, where input and output are terminals */
	struct buf notice;         /* warnings to show on that screen */
};

/* How a subcommand presents itself. */
struct cli_usage {
	const char *synopsis; /* "sotto run [OPTION]... [PROMPT]..." */
	const char *text;     /* a sentence or a few lines */
	const struct option_table *own; /* options of its own, NULL for none */
	bool takes_words;     /* words that are not options; if false, they are refused */
	const char *more;     /* printed after the options, NULL for nothing */
	/* Which of the shared options this command uses, separated by blanks. --help lists these;
	 * others on the command line get a warning. NULL: all but those of the chat's screen. */
	const char *acts;
	bool is_chat; /* on its screen a broken configuration file does not keep it from starting */
};

/* Of them, those that change a model when it is opened (OPTION_RECORDED). */
#define CLI_MODEL_ACTS \
	"override-kv rope-scaling rope-scale rope-freq-scale rope-freq-base yarn-orig-ctx yarn-ext-factor " \
	"yarn-attn-factor yarn-beta-fast yarn-beta-slow"

/* For cli_usage.own, and the like. */
#define OPTION_TABLE(rows, target) {rows, sizeof rows / sizeof rows[0], target}

enum { CLI_GO_ON = -1 };

/* If no model is named anywhere, it is the guide's path, where that is installed. A
 * model called "guide" is the guide; one called "" means no model.
 * Returns CLI_GO_ON, or the exit status when there is nothing more to do: --help,
 * --version, --print-config, an error (already printed). cli_setup_free in every case. */
int cli_setup(struct cli_setup *setup, const struct cli_usage *usage, int argc, char **argv);
void cli_setup_free(struct cli_setup *setup);
/* The first n of its words are paths: ~ in them is the user's home folder. Once. */
enum status cli_word_paths(struct cli_setup *setup, int n, struct error *err) MUST_CHECK;

/* The index in argv of the first word that is not an option, 0 for none (settings_find_word). */
int cli_find_word(int argc, char **argv);

/* Warns that an option has no effect `where` ("with --raw"), if it was given on the command
 * line. */
void cli_warn_unused(struct cli_setup *setup, const char *option, const char *where);
/* The same for options that contradict one another about the chat to open, and how it begins. */
void cli_warn_unused_of_chat(struct cli_setup *setup);

#endif
