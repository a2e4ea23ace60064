/* `sotto [COMMAND] --complete WORD...`, for the shells' completions. */
#ifndef SOTTO_CLI_COMPLETIONS_H
#define SOTTO_CLI_COMPLETIONS_H

#include "cli/setup.h"

#define CLI_COMPLETE "--complete"

/* Prints what the last of these words, the ones after the command's name, could be. `settings`: its
 * options, with defaults only. Returns the exit status. */
int cli_complete(const struct cli_command *command, const char *name,
                 const struct settings *settings, int n, char **words);

#endif
