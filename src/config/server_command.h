/* A program that prints a key (`pass show box`): run without a shell, a terminal and the other keys. */
#ifndef SOTTO_CONFIG_SERVER_COMMAND_H
#define SOTTO_CONFIG_SERVER_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/limits.h"

struct server_command {
	char *const *argv;     /* NULL-terminated */
	const char *servers;   /* the file whose variables it does not get (servers_environment) */
	bool (*cancelled)(void *ctx); /* asked every 20 ms; NULL: never */
	void *ctx;
	char text[LIMIT_SERVER_KEY + 1]; /* what it has printed, NUL-terminated */
	size_t len;
};

/* At most 30 s. A program that prints too much, takes too long or is cancelled is killed, with those that it has
 * started; what one that fails has started, too. The error has what it said on standard error, sanitised, without what it has printed. */
enum status server_command_run(struct server_command *command, struct error *err) MUST_CHECK;
void server_command_wipe(struct server_command *command);

#endif
