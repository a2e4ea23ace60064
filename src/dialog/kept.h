/* The candidates of the chat's replies (kept/kept.h), and the file beside the chat's that has them. They are read from
 * it when they are first asked for, and written at the end of a reply, never waited for; what goes wrong with that is
 * as if there were none. */
#ifndef SOTTO_DIALOG_KEPT_H
#define SOTTO_DIALOG_KEPT_H

#include "kept/kept.h"

struct dialog;
struct node;

/* NULL without memory. */
const struct kept *dialog_kept(struct dialog *dialog);
/* NULL: none are kept. */
const struct kept_reply *dialog_kept_reply(struct dialog *dialog, uint32_t node);
/* Whether its candidates are what another model takes it for than the one that made it. */
bool dialog_kept_is_foreign(struct dialog *dialog, const struct node *reply);
/* How many candidates the model is asked for with each token; 0: none. Where it could tell them, and is not asked,
 * nothing is kept of a reply: it can be gone through later. */
size_t dialog_kept_wanted(const struct dialog *dialog);

/* A reply begins, or goes on behind what its node has; where that is not kept, nor is what follows. */
void dialog_kept_go_on(struct dialog *dialog, uint32_t node, const struct turn_begin *begin);
/* It is gone through from its first token on. */
void dialog_kept_begin(struct dialog *dialog, uint32_t node, const struct turn_begin *begin);
enum status dialog_kept_add(struct dialog *dialog, uint32_t node, const struct token *token, uint32_t us,
                            struct error *err) MUST_CHECK;
/* The first n tokens of a reply are those of another one. */
enum status dialog_kept_branch(struct dialog *dialog, uint32_t to, uint32_t from, size_t n,
                               struct error *err) MUST_CHECK;
void dialog_kept_drop(struct dialog *dialog, uint32_t node);

/* Writes what is new, if the chat is saved. */
void dialog_kept_save(struct dialog *dialog);
/* Those of the file beside a chat that goes on as a copy; NULL: without memory. */
struct kept *dialog_kept_read(const char *chat);
/* Another chat is held from now on, which the dialog has already; its candidates are these; NULL: those of its file. */
void dialog_kept_hold(struct dialog *dialog, struct kept *kept);
/* Those of the path's messages up to `leaf`, for a tree that branch_copy has made. NULL: without memory. */
struct kept *dialog_kept_fork(struct dialog *dialog, uint32_t leaf);

#endif
