/* How every subcommand begins: the option tables of all folders are merged and filled
 * from the defaults, the configuration file, SOTTO_* variables and the command line. */
#ifndef SOTTO_CLI_SETUP_H
#define SOTTO_CLI_SETUP_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/log.h"
#include "base/name_list.h"
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
	void *own;                 /* owned; what the command's own options say */
	struct log *log;           /* owned; NULL where the command does not log */
	struct settings *settings; /* owned; fills the five above */
	char **argv, **words;      /* owned copy; what is left of it without the options */
	int n_words;
	struct name_list paths;    /* those of the words that are paths, as they are opened */
	bool on_screen;            /* the chat, where input and output are terminals */
	struct buf notice;         /* warnings to show on that screen */
};

/* A subcommand, or the chat: how it presents itself, and what it does. */
struct cli_command {
	const char *synopsis; /* "sotto run [OPTION]... [PROMPT]..." */
	const char *text;     /* a sentence or a few lines */
	struct option_table own; /* options of its own, which fill a struct */
	size_t own_size;         /* ... of so many bytes, all zero at first */
	bool takes_words;     /* words that are not options; if false, they are refused */
	/* Appends a list after the options, behind a blank line; NULL: none. */
	void (*put_list)(struct buf *out);
	const char *more;     /* printed after that, NULL for nothing */
	/* Which of the shared options this command uses, separated by blanks. --help lists these;
	 * others on the command line get a warning. NULL: all but those of the chat's screen. */
	const char *acts;
	bool is_chat; /* on its screen a broken configuration file does not keep it from starting */
	/* Returns the exit status, with its errors printed. `own`: the struct of its options. */
	int (*run)(struct cli_setup *setup, void *own);
	/* What else is done with an error that keeps it from running, and that is printed already;
	 * `rc` will be the exit status. NULL: nothing. */
	void (*fail)(int argc, char **argv, const struct error *err, int rc);
};

/* Of them, those that change a model when it is opened (OPTION_RECORDED). */
#define CLI_MODEL_ACTS \
	"override-kv rope-scaling rope-scale rope-freq-scale rope-freq-base yarn-orig-ctx yarn-ext-factor " \
	"yarn-attn-factor yarn-beta-fast yarn-beta-slow"

/* A command's own options. */
#define CLI_OWN(rows, params) \
	.own = {rows, sizeof rows / sizeof rows[0], NULL}, .own_size = sizeof(struct params)
/* In a row of them: where its value goes, and that only the command line has it. */
#define CLI_ROW(params, field, more_flags) \
	.offset = offsetof(struct params, field), .flags = OPTION_CLI_ONLY | (more_flags)

/* Sets up, and runs the command unless there is nothing more to do: --help, --version,
 * --print-config, an error. If no model is named anywhere, it is the guide's path, where that is
 * installed. A model called "guide" is the guide; one called "" means no model. Returns the exit
 * status. */
int cli_run_command(const struct cli_command *command, int argc, char **argv);
/* Whether --help of the command lists an option. */
bool cli_is_in_help(const void *command, const struct option *option);
/* Word i names a model: where there is no such file, a published name becomes the path of the model on this machine. After
 * cli_word_paths. STATUS_NOTFOUND: it is not here; the text says how to fetch it. */
enum status cli_word_model(struct cli_setup *setup, int i, struct error *err) MUST_CHECK;
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
