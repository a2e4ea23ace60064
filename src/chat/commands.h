/* Slash commands: one table feeds parsing, /help, completion and the man page.
 * Parsing gives an *action*; the UI carries it out. */
#ifndef SOTTO_CHAT_COMMANDS_H
#define SOTTO_CHAT_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "config/settings.h"

enum action_kind {
	ACTION_SEND, /* plain text: send it */
	ACTION_HELP, ACTION_QUIT, ACTION_NEW, ACTION_MODEL, ACTION_SYSTEM, ACTION_SET, ACTION_SHOW,
	ACTION_SAVE, ACTION_LOAD, ACTION_LIST, ACTION_REGEN, ACTION_STATS, ACTION_CONTEXT,
	ACTION_TEMPLATE, ACTION_THEME, ACTION_INSPECT, ACTION_THINK, ACTION_EDIT, ACTION_SAMPLER,
	ACTION_MOUSE,
	ACTION_KIND_COUNT
};

/* What Tab completes after the command's name. */
enum command_argument {
	ARGUMENT_NONE, ARGUMENT_TEXT, ARGUMENT_FILE, ARGUMENT_MODEL, ARGUMENT_CHAT,
	ARGUMENT_OPTION, ARGUMENT_TEMPLATE, ARGUMENT_THEME, ARGUMENT_COMMAND
};

struct command {
	const char *name;     /* without the slash */
	const char *aliases;  /* separated by blanks, NULL for none */
	enum action_kind action;
	enum command_argument argument;
	bool needs_argument;
	const char *usage;    /* "NAME VALUE"; NULL for none */
	const char *help;     /* one line, lower case, no final dot */
};

extern const struct command commands[];
extern const size_t commands_n;

struct action {
	enum action_kind kind;
	/* The rest of the line, trimmed; for ACTION_SEND the text to send (with
	 * the doubled slash of "//text" undone). Points into the line. */
	const char *argument;
	size_t argument_len;
	bool forced; /* /quit!: whatever it costs */
	bool quoted; /* the argument stood in quotes, which are left out: "" is there, and empty */
};

/* Parses what Enter was pressed on. An option's name is a command, too: "/temp 0.2" is
 * "/set temp 0.2". STATUS_USAGE for an unknown command (what sotto has for it, or the
 * nearest, is named) or a missing argument: the line stays editable. Only a slash in the
 * first column of the first line makes a command. `settings` NULL: no options. */
enum status command_parse(const char *line, size_t len, const struct settings *settings,
                          struct action *action, struct error *err) MUST_CHECK;
/* The argument of /set taken apart: "x v", "x=v", "x = v", "parameter x v"; without the
 * quotes around v. */
enum status command_split_setting(const struct action *action, struct buf *name,
                                  struct buf *value, struct error *err) MUST_CHECK;
/* The option that is a command of that name: all but what only the command line takes, and no
 * single letters. NULL. */
const struct option *command_option(const struct settings *settings, const char *name, size_t len);
/* By name or alias; NULL. */
const struct command *command_find(const char *name, size_t len);
/* Whether an option is listed among the commands: a running chat can change it, and none of them has
 * its name. */
bool commands_have_option(const struct option *option);

#endif
