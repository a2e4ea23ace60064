/* One turn: the conversation is rendered, tokenised, fitted into the context
 * and evaluated by the session, then tokens are sampled until something ends
 * the reply. */
#ifndef SOTTO_ENGINE_GENERATE_H
#define SOTTO_ENGINE_GENERATE_H

#include "engine/backend.h"

/* backend_ops.run of an engine. */
enum status generate_turn(struct backend *backend, const struct turn *turn,
                          enum backend_mode mode, const struct backend_host *host,
                          struct backend_result *result, struct error *err) MUST_CHECK;

#endif
