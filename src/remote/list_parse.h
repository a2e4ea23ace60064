/* What servers say of their models, read from the texts that they answer. All of it is foreign:
 * what makes no sense is as if it were not there. */
#ifndef SOTTO_REMOTE_LIST_PARSE_H
#define SOTTO_REMOTE_LIST_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "remote/list_items.h"

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

#endif
