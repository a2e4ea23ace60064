/* What the log has of a backend and its turns (base/log.h): counts, times and decisions. A line that needs no computing is
 * written anyway; what does is left out where nobody asked for it. `log` may be NULL everywhere. */
#ifndef SOTTO_ENGINE_TURN_LOG_H
#define SOTTO_ENGINE_TURN_LOG_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/log.h"
#include "encode/encode.h"
#include "engine/backend.h"
#include "sampler/chain.h"

/* A model was opened, in that many milliseconds, or was not. */
void turn_log_opened(struct log *log, const struct model_info *info, double ms, enum status status,
                     const struct error *err);
void turn_log_begun(struct log *log, const struct turn *turn, enum backend_mode mode);
void turn_log_ended(struct log *log, const struct backend_result *result, enum status status, const struct error *err);

/* Of the engine's own: what the template made of the conversation, ... */
void turn_log_prompt(struct log *log, const struct tokenizer *tokenizer, const struct chat_template *tmpl,
                     const struct turn *turn, const struct encoded *encoded);
/* ... how that differs from what was in the cache, n_past tokens, ... */
void turn_log_cache(struct log *log, const struct backend_result *result, size_t n_past);
/* ... with what a reply begins, and its nth token. */
void turn_log_reply(struct log *log, const struct turn *turn, const struct turn_begin *begin);
void turn_log_choice(struct log *log, const struct sampler_choice *choice, uint32_t n);

#endif
