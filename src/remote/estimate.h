/* How many tokens a conversation has, where nobody counts them: by its bytes, corrected by what servers say that they
 * have evaluated. */
#ifndef SOTTO_REMOTE_ESTIMATE_H
#define SOTTO_REMOTE_ESTIMATE_H

#include "remote/dialect.h"

#define ESTIMATE_BYTES_PER_TOKEN 3.6 /* of English and code, before anything is known */

uint32_t estimate_message(const struct remote *remote, const struct message *message);

/* Chooses what fits in the context (encode/fit.h): keep, refused, n_prompt, n_dropped, is_estimate of the request. An
 * unknown context (remote->info.n_ctx 0) holds everything. */
enum status estimate_fit(const struct remote *remote, const struct turn *turn, struct remote_request *out,
                         struct error *err) MUST_CHECK;
/* The prompt had so many tokens in truth. */
void estimate_correct(struct remote *remote, const struct turn *turn, const bool *keep, uint32_t n_prompt);
/* An inspection by estimates; for INSPECT_TOKENS with the request's text. */
enum status estimate_inspect(struct remote *remote, const struct turn *turn, struct inspection *out,
                             struct error *err) MUST_CHECK;

#endif
