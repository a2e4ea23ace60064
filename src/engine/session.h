/* A session: one mutable timeline over an immutable model. It owns the KV
 * cache, the logits of the last evaluated position, the token history and the
 * activation scratch; it belongs to the thread that made it.
 *
 * Positions are explicit: token i of an evaluation is at start_pos + i and is
 * rotated by that, never by what a cache happens to hold. Logits are
 * bit-identical with the cache, without it (params.kv_cache = false), token by
 * token or in any batch split, because accumulation order depends on absolute
 * positions only. Models with recurrent layers cannot forget single tokens: the
 * session goes back to the nearest states it has kept and evaluates from there,
 * to the same bits. */
#ifndef SOTTO_ENGINE_SESSION_H
#define SOTTO_ENGINE_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "turn/engine_params.h"

struct model;
struct probe;
struct session;
struct compute;

/* Called after each layer, and during a matrix product between the threads'
 * pieces of it, with the work done so far, in tokens (a layer counts as its share
 * of the micro-batch). false = stop; it must then keep returning false. After a
 * stop (STATUS_CANCELLED) the history ends with the last micro-batch that went
 * through every layer. On the session's thread only. */
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
 * layer, and again after the final norm, with layer = n_layer. */
typedef void (*session_trace)(void *ctx, size_t layer, const float *x, size_t n);
void session_set_trace(struct session *session, session_trace fn, void *ctx);

/* Hands every token's figures at all places to the probe (model/probe.h), which is borrowed; NULL: no more. */
void session_set_probe(struct session *session, const struct probe *probe);

size_t session_n_ctx(const struct session *session);
size_t session_n_past(const struct session *session); /* tokens in the history */
const int32_t *session_tokens(const struct session *session);
bool session_keeps_cache(const struct session *session); /* false: evaluates everything again */
/* How many of the tokens, counted from the first, are the same as in the history. */
size_t session_count_common(const struct session *session, const int32_t *tokens, size_t n);

/* Evaluates n tokens at positions start_pos .. start_pos + n - 1, where
 * start_pos <= n_past; everything from start_pos on is dropped first.
 * `all_logits`, if not NULL, receives n rows of n_vocab floats; otherwise only
 * the last row is computed (session_logits). STATUS_CONTEXT if they do not fit. */
enum status session_eval(struct session *session, const int32_t *tokens, size_t n,
                         size_t start_pos, float *all_logits, struct error *err) MUST_CHECK;

/* Where other conversations will branch off from this one: token counts from its beginning, rising.
 * Recurrent models keep copies of their states there. */
enum { SESSION_MARKS_MAX = 3 };
struct session_marks {
	size_t at[SESSION_MARKS_MAX];
	size_t n;
};

/* Makes the history equal `tokens`: keeps the longest common prefix and evaluates
 * the rest, always including the last token, so that there are logits. `marks` NULL:
 * only the last token will differ. */
enum status session_sync(struct session *session, const int32_t *tokens, size_t n,
                         const struct session_marks *marks, struct error *err) MUST_CHECK;

/* The position from which tokens must be evaluated to continue the history at `pos`: earlier than
 * `pos` if a recurrent model has to go back to states it has kept (model/cache.h). */
size_t session_reach(const struct session *session, size_t pos);

/* n_vocab floats: the logits of the last evaluated token. Borrowed until the
 * next evaluation. */
const float *session_logits(const struct session *session);

#endif
