/* Slash commands: one row each, with the command's texts and the function that carries it out, and taking
 * a typed line apart. Parsing, /help, completion, key bindings and the man page read the table of them,
 * which is commands.c's; who runs in a chat has it as app->commands. */
#ifndef SOTTO_UI_COMMAND_H
#define SOTTO_UI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "config/settings.h"

/* What Tab completes after the command's name. */
enum command_argument {
	ARGUMENT_NONE, ARGUMENT_TEXT, ARGUMENT_FILE, ARGUMENT_MODEL, ARGUMENT_CHAT,
	ARGUMENT_OPTION, /* an option's name */
	ARGUMENT_SETTING, /* an option's name and a value for it */
	ARGUMENT_FILES,   /* several, quoted where they have to be */
	ARGUMENT_PART,    /* perhaps a number, and a file */
	ARGUMENT_PULL,    /* what a published model is pulled by */
	ARGUMENT_FORMAT,  /* one of chat/export.h, and a file */
	ARGUMENT_TEMPLATE, ARGUMENT_THEME, ARGUMENT_COMMAND, ARGUMENT_PRESET
};

enum command_flags {
	COMMAND_NEEDS_ARGUMENT = 1 << 0,
	COMMAND_NEEDS_IDLE = 1 << 1,          /* refused during a reply or while a model is loaded, */
	COMMAND_ARGUMENT_NEEDS_IDLE = 1 << 2, /* ... or only with an argument */
	COMMAND_CAN_BE_FORCED = 1 << 3,       /* "/NAME!" is one, too */
	COMMAND_FILLS_LINE = 1 << 4,          /* a key runs it while the input line is empty only */
	COMMAND_NEEDS_SCREEN = 1 << 5,        /* means nothing to a chat in lines */
};

struct app;
struct command_call;

struct command {
	const char *name;     /* without the slash */
	const char *aliases;  /* separated by blanks, NULL for none */
	enum command_argument argument;
	unsigned flags;
	const char *usage;    /* "NAME VALUE"; NULL for none */
	const char *help;     /* one line, lower case, no final dot */
	/* False: it was refused, and the line stays editable. The argument ends with a NUL. */
	bool (*run)(struct app *app, const struct command_call *call);
};

struct command_table {
	const struct command *rows;
	size_t n;
};

/* A line that the user has entered. */
struct command_call {
	const struct command *command; /* NULL: a message to be sent */
	/* The rest of the line, trimmed; or the text to send (with the doubled slash of "//text"
	 * undone). Points into the line. */
	const char *argument;
	size_t argument_len;
	bool forced; /* /quit!: even if messages are lost */
	bool quoted; /* the argument was in quotes, which are removed: "" is empty, not missing */
};

/* Whether a line is a command, not a message: two slashes begin a message with one. */
bool command_is(const char *line, size_t len);
/* Parses what Enter was pressed on. An option's name is a command, too: "/temp 0.2" is "/set temp
 * 0.2". STATUS_USAGE for an unknown command (the error names what sotto has instead, or the nearest
 * name) or a missing argument: the line stays editable. Only a slash in the first column of the
 * first line makes a command. `settings` NULL: no options. */
enum status command_parse(const struct command_table *commands, const struct settings *settings,
                          const char *line, size_t len, struct command_call *call,
                          struct error *err) MUST_CHECK;
/* The argument of /set taken apart: "x v", "x=v", "x = v", "parameter x v"; without the
 * quotes around v. */
enum status command_split_setting(const char *text, size_t len, struct buf *name,
                                  struct buf *value, struct error *err) MUST_CHECK;
/* The option that can be used as a command of that name; NULL: none. Flags of the command line and
 * single letters cannot. */
const struct option *command_option(const struct settings *settings, const char *name, size_t len);
/* By name or alias; NULL: none. */
const struct command *command_find(const struct command_table *commands, const char *name, size_t len);
/* What there is for a word of other programs, such as "rename"; NULL: it is none. Static. */
const char *command_instead(const char *name, size_t len);
/* Whether an option is listed among the commands: a running chat can change it, and no command has
 * its name. */
bool commands_have_option(const struct command_table *commands, const struct option *option);

#endif
