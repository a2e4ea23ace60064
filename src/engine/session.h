/* A session: one mutable timeline over an immutable model. It owns the KV
 * cache, the logits of the last evaluated position, the token history and the
 * activation scratch; it belongs to the thread that made it.
 *
 * Positions are explicit: token i of an evaluation stands at start_pos + i and
 * is rotated by that, never by what a cache happens to hold. Evaluating with
 * the cache, without it (params.kv_cache = false), token by token or in any
 * batch split gives bit-identical logits: accumulation order depends on
 * absolute positions only. Models with recurrent layers cannot forget single tokens: the session
 * goes back to the nearest states it has kept and evaluates from there, to the same bits. */
#ifndef SOTTO_ENGINE_SESSION_H
#define SOTTO_ENGINE_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "engine/params.h"

struct model;
struct session;
struct compute;

/* Called after each layer, and between the pieces that the threads make of a
 * product, with the work done so far, in tokens (in mid-batch a layer counts as
 * its share of the micro-batch); false = stop, which it must go on to say. After
 * a stop (STATUS_CANCELLED) the history ends with the last micro-batch that every
 * layer finished. On the session's thread only. */
typedef bool (*session_progress)(void *ctx, size_t done, size_t total);

/* n_ctx = 0 chooses the smallest of the trained length, 8192 and what fits in
 * memory. The model and compute's pool must outlive the session. */
enum status session_create(struct session **out, const struct model *model,
                           const struct compute *compute,
                           const struct engine_params *params,
                           struct error *err) MUST_CHECK;
void session_free(struct session *session);
void session_set_progress(struct session *session, session_progress fn, void *ctx);

/* Called with the residual stream x[n][n_embd] of each micro-batch after every
 * layer, and once more after the final norm (layer = n_layer then). */
typedef void (*session_trace)(void *ctx, size_t layer, const float *x, size_t n);
void session_set_trace(struct session *session, session_trace fn, void *ctx);

size_t session_n_ctx(const struct session *session);
size_t session_n_past(const struct session *session); /* tokens in the history */
const int32_t *session_tokens(const struct session *session);
bool session_keeps_cache(const struct session *session); /* false: all is evaluated anew */
/* How many of the tokens, from the first on, are those of the history. */
size_t session_count_common(const struct session *session, const int32_t *tokens, size_t n);

/* Evaluates n tokens at positions start_pos .. start_pos + n - 1, where
 * start_pos <= n_past; what stood there is dropped first. `all_logits`, if not
 * NULL, receives n rows of n_vocab floats; otherwise only the last row is
 * computed (session_logits). STATUS_CONTEXT when it does not fit. */
enum status session_eval(struct session *session, const int32_t *tokens, size_t n,
                         size_t start_pos, float *all_logits, struct error *err) MUST_CHECK;

/* Where other conversations will part from this one, in tokens from its beginning, rising: recurrent
 * models keep their states there, so that those go on from them. */
enum { SESSION_MARKS_MAX = 3 };
struct session_marks {
	size_t at[SESSION_MARKS_MAX];
	size_t n;
};

/* Makes the history equal `tokens`: keeps the longest common prefix and
 * evaluates the rest, the last token always (so that logits are there).
 * *n_cached says how many were not evaluated. `marks` may be NULL: the last token alone
 * will be another one. */
enum status session_sync(struct session *session, const int32_t *tokens, size_t n,
                         const struct session_marks *marks, size_t *n_cached,
                         struct error *err) MUST_CHECK;

/* From where on tokens are evaluated when the history is to go on at position `pos`: recurrent
 * models go back to the states that were kept (model/cache.h). */
size_t session_reach(const struct session *session, size_t pos);

/* n_vocab floats: the logits of the last evaluated token. Borrowed until the
 * next evaluation. */
const float *session_logits(const struct session *session);

#endif
