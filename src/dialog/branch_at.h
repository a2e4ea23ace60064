/* A branch of a reply: another one that begins with the same tokens, goes on with one that the user chose, and then
 * as the model will. Nothing is evaluated again but the last token before it; recurrent models go back to a
 * checkpoint. */
#ifndef SOTTO_DIALOG_BRANCH_AT_H
#define SOTTO_DIALOG_BRANCH_AT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "turn/turn.h"

struct dialog;
struct node;

/* What the reply to be made begins with; its node is made with its first token. All zero: it is no branch. */
struct dialog_branch {
	uint32_t from;     /* the reply whose beginning it has; 0: none */
	size_t n_tokens;   /* how many of its tokens */
	/* As the model gets it; text is owned, the rest `from`'s. Without text and reasoning it is not continued. */
	struct message begun;
	/* The token behind that: by its id, or where that means nothing to the model, by its text, which is in
	 * `begun` then. */
	bool has_first;
	int32_t first;
	size_t n_put; /* bytes of that text */
};

/* Prepares (dialog_build_turn) a branch of a reply of which candidates are kept (dialog_kept_reply), in the place of
 * token number k: `id`, or where the model that is loaded did not make the reply or runs on a server, the text
 * `bytes`. STATUS_UNSUPPORTED: the model cannot go on with a reply. The leaf is the message that is answered then;
 * if no reply begins, it goes back. */
enum status dialog_branch_at(struct dialog *dialog, uint32_t node, size_t k, int32_t id, const char *bytes,
                             size_t len, struct error *err) MUST_CHECK;

/* Whether the model goes on with something; otherwise it begins with the first token. */
bool dialog_branch_has_begun(const struct dialog_branch *branch);
/* Puts into a reply that has just begun what it begins with. STATUS_NOMEM, STATUS_LIMIT. */
enum status dialog_branch_begin(struct dialog *dialog, struct node *reply) MUST_CHECK;
void dialog_branch_end(struct dialog *dialog); /* what is prepared next is no branch */

#endif
