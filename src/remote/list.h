/* The models of one server, by GETs that load none: rows of dialects name these as their `list`. What they put in the
 * list is what the server says; remote_list_server completes it.
 *
 * The files of lists, from below: list_items.h (models, and lists of them), list_parse.h (a server's text), list.c (the
 * routes of each dialect), list_server.c (one server, with what servers.yaml says), list_all.c (all servers at once),
 * lister.c (that as a job). */
#ifndef SOTTO_REMOTE_LIST_H
#define SOTTO_REMOTE_LIST_H

#include "remote/dialect.h"
#include "remote/list_parse.h"

/* Anything that has /v1/models, with what LM Studio, TabbyAPI and KoboldCpp say elsewhere. */
enum status remote_list_openai(struct remote *remote, struct remote_list *out,
                               struct error *err) MUST_CHECK;
/* llama-server, vLLM and SGLang, whose models are all loaded, but for llama-server's router mode. */
enum status remote_list_loaded(struct remote *remote, struct remote_list *out, struct error *err) MUST_CHECK;
enum status remote_list_ollama(struct remote *remote, struct remote_list *out,
                               struct error *err) MUST_CHECK;
/* The list that one route has ("/api/ps"). *code (NULL: of no interest): of the answer, 0 if none came. To be freed in
 * every case. */
enum status remote_list_get(struct remote *remote, const char *route, struct list_answer *out, int *code,
                            struct error *err) MUST_CHECK;

/* Finds out the dialect of a connected server (remote/call.h), if it is not known, and appends its models to a list,
 * with all that struct remote_model has: servers.yaml says what the server does not, and may name more models. A
 * failure is a row of the list, too. STATUS_NOMEM, STATUS_CANCELLED. */
enum status remote_list_server(struct remote *remote, struct remote_list *out,
                               struct error *err) MUST_CHECK;
/* A row for a server that cannot be asked. */
enum status remote_list_failure(struct remote_list *out, const struct server_config *server,
                                const struct error *why, struct error *err) MUST_CHECK;

/* What kind of server an answer of the `openai` dialect is of, for people: "LM Studio"; NULL: not known. Static. */
const char *remote_list_product(const struct list_answer *answer, unsigned port);

#endif
