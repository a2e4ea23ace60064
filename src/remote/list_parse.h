/* What servers say of their models, read from the texts that they answer. All of it is foreign:
 * what makes no sense is as if it were not there. */
#ifndef SOTTO_REMOTE_LIST_PARSE_H
#define SOTTO_REMOTE_LIST_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "remote/lister.h"

/* A list of models: of `id` or its like, sizes, contexts, prices, states, whatever the server has.
 * `server`, `path`, `where` (but of a model that Ollama hands on) and `title` are NULL. */
struct list_answer {
	struct remote_list list;
	char owner[32];   /* owned_by of its first model; "" */
	bool is_router;   /* models have a "status": llama-server's router mode */
};

/* Takes {"data": [...]}, {"models": [...]} and a list by itself. Models that only embed, draw or
 * speak are left out. STATUS_FORMAT: it is no JSON, or no list of models. */
enum status list_parse(struct list_answer *out, const char *json, size_t len,
                       struct error *err) MUST_CHECK;
void list_answer_free(struct list_answer *answer);

/* Gives a list what another of the same server says of the same ids: the state (`state` where the
 * other does not say), and what the list does not know. */
void list_overlay(struct remote_list *list, const struct remote_list *with,
                  enum remote_state state);
void list_empty(struct remote_list *list);
/* Moves what `from` has to the end of the list; it is empty then, in every case. */
enum status list_append(struct remote_list *out, struct remote_list *from,
                        struct error *err) MUST_CHECK;
void remote_model_free(struct remote_model *model); /* what it owns */
/* A context that is to be at most so large; 0 of either: not known. */
uint32_t list_context_within(uint32_t n_ctx, uint32_t most);
/* "server:NAME/ID", without an id "server:NAME", which the caller frees; NULL: not enough memory. */
char *list_path(const char *server, const char *id);
/* One more model, zeroed but for the prices, which are unknown; NULL: not enough memory. */
struct remote_model *list_add(struct remote_list *list, const char *id);

#endif
