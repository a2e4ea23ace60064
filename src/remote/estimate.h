/* How many tokens a conversation has, where nobody counts them: by its bytes, corrected by what servers say that they
 * have evaluated. */
#ifndef SOTTO_REMOTE_ESTIMATE_H
#define SOTTO_REMOTE_ESTIMATE_H

#include "remote/dialect.h"

#define ESTIMATE_BYTES_PER_TOKEN 3.6 /* of English and code, before anything is known */

uint32_t estimate_message(const struct remote *remote, const struct message *message);

/* Chooses what fits in the context (encode/fit.h): keep, refused, n_prompt, n_dropped, is_estimate of the request, which
 * is false where all is sent that was counted. An unknown context (remote->info.n_ctx 0) holds everything. */
enum status estimate_fit(const struct remote *remote, const struct turn *turn, struct remote_request *out,
                         struct error *err) MUST_CHECK;
/* So many bytes of text had so many tokens in truth. */
void estimate_correct_text(struct remote *remote, size_t n_bytes, uint32_t n_tokens);
/* The prompt of a turn had so many, of the messages with keep[i] (NULL: all). */
void estimate_correct(struct remote *remote, const struct turn *turn, const bool *keep, uint32_t n_prompt);
/* The same, and what the reply has taken. */
void estimate_remember(struct remote *remote, const struct turn *turn, const struct remote_request *request,
                       uint32_t n_prompt, uint32_t n_reply, size_t reply_len);
/* All messages of a turn, without what asks for a reply, have so many: somebody has counted. */
void estimate_know(struct remote *remote, const struct turn *turn, uint32_t n_tokens);
/* Whether they were counted last. */
bool estimate_is_known(const struct remote *remote, const struct turn *turn);
/* An inspection by estimates; for INSPECT_TOKENS with the request's text. */
enum status estimate_inspect(struct remote *remote, const struct turn *turn, struct inspection *out,
                             struct error *err) MUST_CHECK;

#endif
