/* For tests of what is asked of servers: a servers.yaml, and a server that is connected. */
#ifndef SOTTO_TESTS_SERVED_H
#define SOTTO_TESTS_SERVED_H

#include "remote/dialect.h"

/* Writes a servers.yaml for the user alone; the path is static. */
const char *served_file(const char *format, ...) PRINTF_LIKE(1, 2);
void served_file_remove(void);

/* A server of the test (support/server/server.h) whose model is opened. `yaml`: its other lines; NULL: none. */
struct served {
	struct test_server *server;
	struct servers servers;
	struct remote remote;
};
/* *status: of opening the model. */
void served_open(struct served *served, const struct dialect *dialect, const char *spec,
                 const char *yaml, const char *model, struct error *err);
void served_close(struct served *served);
/* What would be sent for a turn; the caller frees it. */
enum status served_write(struct served *served, const struct turn *turn, struct remote_request *out,
                         struct error *err);
/* Whether a request has this member, spelled so: "\"top_k\":40". */
bool served_has(const struct remote_request *request, const char *member);

#endif
