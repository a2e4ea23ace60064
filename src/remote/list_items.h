/* Lists of models (struct remote_list) and what they have, as they are put together. */
#ifndef SOTTO_REMOTE_LIST_ITEMS_H
#define SOTTO_REMOTE_LIST_ITEMS_H

#include "remote/lister.h"

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
