/* Chats with a model on a server: the test server (support/server/play.c) runs beside the program, in the test's folder.
 *
 * With SOTTO_SCREEN_SERVER=DIALECT, chat_start plays the same for all models "synthetic:...": the tests of the chat run
 * against a server. Tests whose model a server does not play are skipped. With SOTTO_SCREEN_SERVER=real, the server is
 * the llama-server that SOTTO_LLAMA_SERVER names, with a model that counts, or with the test's own. */
#ifndef SOTTO_SCREEN_SERVED_H
#define SOTTO_SCREEN_SERVED_H

#include <stdbool.h>
#include <stddef.h>

#include "screen/harness.h"

/* A server that runs; it ends with the test's process. */
struct served {
	int input;       /* of the server: a line releases what it holds back */
	char url[64];
	char log[512];   /* all requests so far */
};

/* `spec` as in support/server/server.h; the test is skipped where this build has no such server. `more`: of its command
 * line, NULL-terminated; NULL: nothing. */
void served_start(struct served *served, const char *spec, const char *const *more);
void served_release(const struct served *served);
/* How often the requests so far have the text. */
size_t served_count(const struct served *served, const char *text);
void served_stop(struct served *served); /* it no longer listens */

/* Writes servers.yaml, with the server as "box", `dialect` (NULL: it is found out) and more lines; returns its path. */
const char *served_file(const struct served *served, const char *dialect, const char *yaml);
/* "--servers", the file: the arguments that chat_options want. */
#define SERVED_ARGS(file) {"--servers", (file)}

const char *served_dialect(void); /* of SOTTO_SCREEN_SERVER; NULL: the test backend's models are its own */
/* Whether a model path of the tests is to be played by a server; `model` and `file` are what takes its place. */
bool served_replaces(const char *path, const char **model, const char **file);
/* What to say so that the next replies are "cold 0 cold 1 ...". */
const char *served_cold(void);
/* What stands above a reply of the test backend, or of the server in its place: "synthetic (words)". One of 4 static
 * buffers. */
const char *served_label(const char *mode, const char *after);

#endif
