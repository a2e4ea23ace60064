/* `sotto [COMMAND] --complete WORD...`, for the shells' completions. */
#ifndef SOTTO_CLI_COMPLETIONS_H
#define SOTTO_CLI_COMPLETIONS_H

#include <stdbool.h>

#include "config/settings.h"

#define CLI_COMPLETE "--complete"

/* The command whose words they are; all borrowed. */
struct cli_completed {
	const char *command;
	const struct settings *settings; /* its options, with defaults only */
	settings_filter has;             /* those that --help lists */
	const void *usage;               /* for `has` */
	bool is_chat, takes_words;
};

/* Prints what the last of these words, the ones after the command, could be. Returns the exit status. */
int cli_complete(const struct cli_completed *of, int n, char **words);

#endif
