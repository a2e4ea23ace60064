/* The path of a model that runs on a server, wherever a model's path may stand: "server:NAME", or
 * "server:NAME/ID" of one of several. */
#ifndef SOTTO_BASE_SERVER_PATH_H
#define SOTTO_BASE_SERVER_PATH_H

#include <stdbool.h>
#include <string.h>

#define SERVER_PATH "server:" /* what it begins with */

/* Whether it is such a path, and no file's. NULL is none. */
static inline bool server_path_is(const char *model)
{
	return model && strncmp(model, SERVER_PATH, strlen(SERVER_PATH)) == 0;
}

#endif
