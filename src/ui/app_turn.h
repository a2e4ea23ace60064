/* One turn: sending, and what the worker answers. UI thread only. */
#ifndef SOTTO_UI_APP_TURN_H
#define SOTTO_UI_APP_TURN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "chat/run.h"
#include "chat/tree.h"
#include "chat/turn.h"
#include "sampler/params.h"
#include "ui/app_refused.h"

struct app;

/* The turn that runs, or ran last. */
struct app_turn {
	struct app_sent sent;
	uint64_t id;
	uint32_t reply;    /* its node, 0 before the first token */
	uint32_t take;     /* how many replies its message has already */
	uint32_t replaced; /* the leaf to go back to if there is no reply; 0: where it is */
	bool continues;    /* it continues a reply, which was in this state: */
	enum node_state state_before;
	uint32_t prefill_done, prefill_total;
	uint32_t n_left_out; /* messages, to make room; if the policy refuses that, those that would be */
	uint64_t asked_at;  /* in milliseconds */
	struct reply_run run; /* how it is made, until its first token; then the node has it */
	bool has_run;         /* the node has */
	uint64_t first_token_us, last_token_us;
	uint32_t n_tokens;
};

/* A message from the user; it replaces the one being edited, and is queued while a reply runs.
 * False: it stays in the line. */
bool app_send(struct app *app, const char *text, size_t len);
/* The settings' parameters; a fixed seed is changed for another reply to the same message. */
struct sampler_params app_sampler(const struct app *app);
/* Asks for a reply to the leaf, which has `take` already; or if the leaf is a reply, for the rest of
 * it. False: it was refused, and the user was told. */
bool app_generate(struct app *app, uint32_t take);
/* The same for the turn that a summary was made for: there is no other. */
bool app_generate_with_summary(struct app *app);
bool app_refuse_without_model(struct app *app); /* and says so */
/* Sends the queue's first message, after a reply has ended or a model was loaded. After a
 * cancellation or an error nothing is sent without another Enter: app_queue_to_line. */
void app_send_queued(struct app *app);
void app_cancel(struct app *app);
void app_take_events(struct app *app);
/* The conversation up to the leaf, as it is sent. Borrows the app. */
struct chat_turn_source app_turn_source(const struct app *app);
double app_tokens_per_second(const struct app *app);

#endif
