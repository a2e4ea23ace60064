/* The context policy 'summary': when a turn is refused for lack of room, the model sums up what would fall
 * out, and the turn is run again. The summary is a message of the chat. Nothing else changes: if none can be
 * made, nothing is left out, and the user chooses what to do. */
#ifndef SOTTO_DIALOG_SUMMARY_H
#define SOTTO_DIALOG_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "chat/turn.h"
#include "turn/event.h"

struct dialog;
struct node;

/* A summary that a turn waits for: of messages for which the context has no room. */
struct dialog_summary {
	bool running;
	bool tried;        /* one was made for this turn: it gets no other */
	struct buf text;   /* so far */
};

/* Whether the turn that ends so is to be run again with a summary. */
bool dialog_wants_summary(const struct dialog *dialog, const struct event *done);
/* Builds the turn that makes one. chat_turn_free in every case. */
enum status dialog_build_summary_turn(struct dialog *dialog, struct chat_turn *out, struct error *err) MUST_CHECK;
void dialog_summary_runs(struct dialog *dialog, uint64_t id); /* it runs */
/* No summary is made: the message stays, unanswered. */
void dialog_summary_give_up(struct dialog *dialog);
/* Takes a token of it. */
void dialog_summary_token(struct dialog *dialog, const struct token *token);
/* It has ended, and is in the chat. An error says why there is none. */
enum status dialog_summary_end(struct dialog *dialog, const struct event *done, struct error *err) MUST_CHECK;

/* The path's last summary; NULL: there is none. */
const struct node *dialog_find_summary(const struct dialog *dialog);
/* Another wording of it, from here on; "": none. */
enum status dialog_summary_replace(struct dialog *dialog, const struct node *old, const char *text, size_t len,
                                   struct error *err) MUST_CHECK;

#endif
