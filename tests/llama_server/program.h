/* The real llama-server, for tests: the program that SOTTO_LLAMA_SERVER names. What the system refuses ends the test. */
#ifndef SOTTO_TESTS_LLAMA_SERVER_PROGRAM_H
#define SOTTO_TESTS_LLAMA_SERVER_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"

struct program {
	pid_t pid;
	uint16_t port;
	char url[64];
};

/* NULL: there is none. */
const char *program_path(void);
/* Starts it with more arguments (NULL-terminated), on a port of its own or, where program->port is set, on that one. */
void program_start(struct program *program, const char *const *arguments);
void program_wait(const struct program *program); /* until it answers that all is well */
void program_stop(struct program *program);
void program_kill(struct program *program); /* at once */
/* An answer's body: false, if there is none, or it is no 2xx. `body` NULL: GET. */
bool program_ask(const struct program *program, const char *path, const char *body, struct buf *out);
bool program_is_busy(const struct program *program); /* some slot is */
/* Until no slot is busy; the test fails if that takes minutes. Milliseconds that it took. */
uint64_t program_wait_free(const struct program *program);

#endif
