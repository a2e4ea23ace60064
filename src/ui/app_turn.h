/* One turn: sending, and what the worker answers. UI thread only. */
#ifndef SOTTO_UI_APP_TURN_H
#define SOTTO_UI_APP_TURN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "chat/turn.h"
#include "sampler/params.h"

struct app;
struct event;

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
void app_turn_event(struct app *app, const struct event *event); /* of the worker, about a turn */
/* The conversation up to the leaf, as it is sent. Borrows the app. */
struct chat_turn_source app_turn_source(const struct app *app);
double app_tokens_per_second(const struct app *app);

#endif
