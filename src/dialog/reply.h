/* A turn: what is asked of the model. It is built here and runs elsewhere, on a worker or a backend; its
 * events come back (events.h). */
#ifndef SOTTO_DIALOG_REPLY_H
#define SOTTO_DIALOG_REPLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "chat/run.h"
#include "chat/tree.h"
#include "chat/turn.h"
#include "dialog/branch_at.h"
#include "dialog/send.h"
#include "sampler/params.h"
#include "turn/difference.h"
#include "turn/turn.h"

struct dialog;

/* The turn that runs, or ran last. */
struct dialog_turn {
	struct dialog_sent sent; /* the message that it answers, if that was sent for it */
	uint64_t id;       /* of its events */
	bool is_stopped;   /* it was cancelled, and its end has not come yet */
	uint32_t reply;    /* its node, 0 before the first token */
	uint32_t take;     /* how many replies its message has already */
	struct dialog_branch branch; /* what the new reply begins with */
	uint32_t replaced; /* the leaf to go back to if there is no reply; 0: where it is */
	bool continues;    /* it continues a reply, which was in this state: */
	enum node_state state_before;
	bool has_reply;    /* when it has ended */
	uint32_t prefill_done, prefill_total;
	/* Messages that make room, rising ids; or if the policy refuses that, those that would. Owned. */
	uint32_t *left_out;
	size_t n_left_out;
	uint64_t asked_at;    /* in milliseconds */
	struct reply_run run; /* how it is made, until its first token; then the node has it */
	bool has_run;         /* the node has */
	struct turn_begin begin; /* what it was told to begin with, with ... */
	int32_t tail[PROMPT_TAIL_MAX];
	uint64_t first_token_us, last_token_us;
	uint32_t n_tokens;
	bool has_stats;       /* since the chat or the model is another one */
	struct turn_stats stats;
	struct cache_difference difference; /* why no more of the prompt was in the cache */
};

/* The conversation up to the leaf, as it is sent. Borrows the dialog. */
struct chat_turn_source dialog_turn_source(const struct dialog *dialog);
/* The settings' parameters; a fixed seed is changed for another reply to the same message. */
struct sampler_params dialog_sampler(const struct dialog *dialog);

/* Prepares another reply to the message `picked`, or in the place of that reply; 0: the last. False: there is
 * no message to reply to. *old: the reply, NULL: none. */
bool dialog_take_again(struct dialog *dialog, uint32_t picked, const struct node **old);

/* Whether the leaf can be continued, and why not. */
enum continue_answer {
	CONTINUE_WELL,
	CONTINUE_UNANSWERED,
	CONTINUE_NOTHING,
	CONTINUE_DROPPED,
	CONTINUE_CANNOT, /* the model cannot go on with a reply (CAPABILITY_CONTINUE) */
};
enum continue_answer dialog_continue(struct dialog *dialog); /* prepares it */

/* Builds what was prepared (dialog_send and its kin, the two above): the turn for a reply to the leaf, or if
 * that is a reply, for the rest of it. chat_turn_free in every case. */
enum status dialog_build_turn(struct dialog *dialog, struct chat_turn *out, struct error *err) MUST_CHECK;
/* It runs, and its events are called `id`. */
void dialog_turn_runs(struct dialog *dialog, uint64_t id, uint64_t now_ms);
/* It was cancelled. */
void dialog_stop_turn(struct dialog *dialog);
/* What was measured is no longer told: the chat or the model is another one. */
void dialog_forget_stats(struct dialog *dialog);

#endif
