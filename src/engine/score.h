/* How likely each of some texts is as the reply, or as the rest of one: BACKEND_SCORE. */
#ifndef SOTTO_ENGINE_SCORE_H
#define SOTTO_ENGINE_SCORE_H

#include "engine/backend.h"

/* Evaluates the conversation, then each of turn->answers behind it, and tells EVENT_SCORED for each in turn. The
 * probabilities are the model's own: before all samplers, without biases, of the vocabulary but what is never
 * sampled; the end of the reply is not part of an answer. Afterwards the session's history is what it was
 * where that began with this conversation (what had to go is evaluated again), otherwise the conversation.
 * `backend` is an engine. */
enum status score_turn(struct backend *backend, const struct turn *turn, const struct backend_host *host,
                       struct backend_result *result, struct error *err) MUST_CHECK;

#endif
