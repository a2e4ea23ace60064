/* Comparing a reply by its text, where its tokens are not known: a server made it, or a part of it. */
#ifndef SOTTO_CLI_REPLAY_TEXT_H
#define SOTTO_CLI_REPLAY_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "chat/tree.h"
#include "turn/turn.h"

/* A text, and what was thought before it. Borrowed. */
struct replay_part {
	const char *text;
	size_t len;
};

struct replay_text {
	struct replay_part thought, said; /* as recorded */
	struct buf thinks, says;          /* as it is made now */
};

/* Whether a run of the reply is compared so, and not by its ids. */
bool replay_is_by_text(const struct node *node, const struct reply_run *run);
/* Its part of the reply. Bytes in all. */
size_t replay_text_of(const struct node *node, size_t index, struct replay_text *out);
/* False: without memory, or enough is known: it has gone on behind what is recorded. */
bool replay_text_take(struct replay_text *text, const struct token *token);
/* How many bytes are the same, thoughts first; all of those recorded: it has at least these. */
size_t replay_text_same(const struct replay_text *text);
/* Whether there is more than what is recorded. */
bool replay_text_goes_on(const struct replay_text *text);
/* A few words from there: "\"now\" instead of \"then\"". */
void replay_text_put_difference(const struct replay_text *text, struct buf *out);
void replay_text_free(struct replay_text *text);

/* Whether what a server made can be made again there; *why: what that takes, or why it cannot, a sentence without
 * its dot. */
bool replay_can_ask(const struct reply_run *run, const char **why);

#endif
