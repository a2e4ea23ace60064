/* The real llama-server, which SOTTO_LLAMA_SERVER names, for tests of the chat. It ends with the test's process. */
#ifndef SOTTO_SCREEN_REAL_H
#define SOTTO_SCREEN_REAL_H

#include <stddef.h>
#include <sys/types.h>

struct real_server {
	pid_t pid;
	unsigned port;
	char url[64];
};

const char *real_program(void); /* NULL: none is named */
/* Serves a file, known as `name`, and waits until it does. `n_ctx` 0: the model's. The test is skipped where no program
 * is named. With `port` set, there. */
void real_start(struct real_server *server, const char *model, const char *name, unsigned n_ctx);
void real_stop(struct real_server *server); /* at once */

#endif
