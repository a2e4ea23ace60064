#include "engine/session.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "catalog/memory.h"
#include "gguf/reader.h"
#include "kernels/compute.h"
#include "kernels/threadpool.h"
#include "model/forward.h"
#include "model/model.h"
#include "model/ropes.h"

enum {
	CHECKPOINT_SHARE = 16,      /* copies of recurrent states may take 1/16 of the available memory */
	CHECKPOINT_DISTANCE = 2048, /* at most this many positions from one copy to the next */
	CHECKPOINT_NEAR = 16,       /* fewer tokens than this are not worth evaluating by themselves */
};

struct session {
	const struct model *model;
	struct compute compute;
	size_t n_ctx;
	bool use_cache;
	struct ropes ropes;
	struct cache cache;
	struct scratch scratch; /* of n_batch tokens */
	int32_t *tokens;        /* [n_ctx]: the history */
	size_t n_past;
	float *logits;          /* [n_vocab]: of the last evaluated token */

	session_progress progress;
	void *progress_ctx;
	session_trace trace;
	void *trace_ctx;
	const struct probe *probe;
	/* The current evaluation, of `total` tokens from position `origin` on: `finished` have been
	 * through all layers; `done` includes a share of the current micro-batch of `n_batch`. */
	size_t origin, finished, done, total, n_batch;
};

static enum status choose_n_ctx(struct session *s, const struct engine_params *params,
                                const struct memory_need *need, struct error *err)
{
	uint64_t available = memory_available(need, true), limit = memory_limit(available);

	s->n_ctx = memory_fitting_ctx(need, params, limit);
	if (memory_needed(need, s->n_ctx) > limit)
		return error_set(err, STATUS_NOMEM,
		                 "the weights and a context of %zu tokens take %" PRIu64
		                 " MiB, more than 90%% of the %" PRIu64
		                 " MiB of memory available (the option ctx-size makes the context smaller)",
		                 s->n_ctx, memory_needed(need, s->n_ctx) >> 20, available >> 20);
	return STATUS_OK;
}

/* Each thread packs weights that stay in the file before it multiplies them. */
static enum status make_pack_buffer(struct session *s, struct error *err)
{
	size_t n_bytes = model_memory(s->model).unit_bytes, n = threadpool_n_threads(s->compute.pool);

	if (!n_bytes)
		return STATUS_OK;
	if (n_bytes <= SIZE_MAX / 2 / n)
		s->compute.pack_buffer.memory = alloc_aligned(64, n * n_bytes);
	s->compute.pack_buffer.n_bytes = n_bytes;
	return s->compute.pack_buffer.memory ? STATUS_OK : error_no_memory(err, "for a session");
}

enum status session_create(struct session **out, const struct model *model,
                           const struct compute *compute,
                           const struct engine_params *params,
                           struct error *err)
{
	const struct plan *hp = model_plan(model);
	struct memory_need need = memory_need_of(hp, model_weight_bytes(model), params,
	                                         threadpool_n_threads(compute->pool));
	struct session *s = alloc_array(1, sizeof *s);
	enum status status;

	*out = NULL;
	if (!s)
		return error_no_memory(err, "for a session");
	s->model = model;
	s->compute = *compute;
	s->compute.pack_buffer = (struct pack_buffer){0};
	s->use_cache = params->kv_cache;
	status = choose_n_ctx(s, params, &need, err);
	if (need.n_batch > s->n_ctx)
		need.n_batch = s->n_ctx;
	if (!status)
		status = model_ropes(&s->ropes, model, s->n_ctx, err);
	if (!status)
		status = cache_init(&s->cache, hp, s->n_ctx, need.kv_types,
		                    memory_available(&need, true) / CHECKPOINT_SHARE, err);
	if (!status)
		status = scratch_init(&s->scratch, hp, need.n_batch, s->n_ctx,
		                      threadpool_n_threads(compute->pool), err);
	if (!status)
		status = make_pack_buffer(s, err);
	if (!status && (!(s->tokens = alloc_array(s->n_ctx, sizeof *s->tokens)) ||
	                !(s->logits = alloc_array(hp->n_vocab, sizeof *s->logits))))
		status = error_no_memory(err, "for a session");
	if (status)
		session_free(s);
	else
		*out = s;
	return status;
}

void session_free(struct session *s)
{
	if (!s)
		return;
	ropes_deinit(&s->ropes);
	cache_deinit(&s->cache);
	scratch_deinit(&s->scratch);
	free(s->compute.pack_buffer.memory);
	free(s->tokens);
	free(s->logits);
	free(s);
}

void session_set_progress(struct session *s, session_progress fn, void *ctx)
{
	s->progress = fn;
	s->progress_ctx = ctx;
}

void session_set_trace(struct session *s, session_trace fn, void *ctx)
{
	s->trace = fn;
	s->trace_ctx = ctx;
}

void session_set_probe(struct session *s, const struct probe *probe)
{
	s->probe = probe;
}

size_t session_n_ctx(const struct session *s)
{
	return s->n_ctx;
}

size_t session_n_past(const struct session *s)
{
	return s->n_past;
}

bool session_keeps_cache(const struct session *s)
{
	return s->use_cache;
}

size_t session_count_common(const struct session *s, const int32_t *tokens, size_t n)
{
	size_t common = 0;

	while (common < s->n_past && common < n && s->tokens[common] == tokens[common])
		common++;
	return common;
}

const int32_t *session_tokens(const struct session *s)
{
	return s->tokens;
}

const float *session_logits(const struct session *s)
{
	return s->logits;
}

static enum status check_arguments(const struct session *s, const int32_t *tokens, size_t n,
                                   size_t start_pos, struct error *err)
{
	uint32_t n_vocab = model_plan(s->model)->n_vocab;

	if (n == 0)
		return error_set(err, STATUS_USAGE, "no tokens to evaluate");
	if (start_pos > s->n_past)
		return error_set(err, STATUS_USAGE,
		                 "evaluation at position %zu, but the history ends at %zu", start_pos,
		                 s->n_past);
	if (n > s->n_ctx - start_pos)
		return error_set(err, STATUS_CONTEXT,
		                 "%zu tokens at position %zu do not fit in the context of %zu", n,
		                 start_pos, s->n_ctx);
	for (size_t i = 0; i < n; i++)
		if (tokens[i] < 0 || (uint32_t)tokens[i] >= n_vocab)
			return error_set(err, STATUS_USAGE,
			                 "token id %" PRId32 ": expected 0 to %" PRIu32, tokens[i],
			                 n_vocab - 1);
	return STATUS_OK;
}

static bool must_stop(void *ctx)
{
	struct session *s = ctx;

	return gguf_was_truncated(model_gguf(s->model)) ||
	       (s->progress && !s->progress(s->progress_ctx, s->done, s->total));
}

static bool layer_done(void *ctx, size_t layer, const float *x, size_t n)
{
	struct session *s = ctx;

	if (s->trace)
		s->trace(s->trace_ctx, layer, x, n);
	s->done = s->finished + s->n_batch * (layer + 1) / (model_plan(s->model)->n_layer + 1);
	return !must_stop(s) && !threadpool_was_stopped(s->compute.pool);
}

static enum status stopped(const struct session *s, struct error *err)
{
	const char *cut = gguf_truncated_path(model_gguf(s->model));

	if (cut)
		return error_set(err, STATUS_FORMAT, "%s: the model file was cut short while in use", cut);
	return error_set(err, STATUS_CANCELLED, "the evaluation was cancelled");
}

/* Evaluates micro-batches from `begin` to `end`. `n_past` grows with each, so that after a stop
 * it says what is finished. */
static enum status eval_batches(struct session *s, size_t begin, size_t start_pos, size_t end,
                                float *all_logits, struct error *err)
{
	size_t n_vocab = model_plan(s->model)->n_vocab;

	for (size_t pos = begin; pos < end;) {
		struct forward f = {.model = s->model, .compute = &s->compute, .ropes = &s->ropes, .cache = &s->cache,
		                    .scratch = &s->scratch, .tokens = s->tokens + pos,
		                    .pos = pos, .all_tokens = s->trace || s->probe, .probe = s->probe,
		                    .layer_done = layer_done, .ctx = s};
		size_t next;

		f.n = end - pos < s->scratch.n_batch ? end - pos : s->scratch.n_batch;
		next = pos + f.n;
		s->n_batch = f.n;
		if (all_logits) { /* a row for each position from start_pos on */
			size_t first = pos > start_pos ? pos : start_pos;

			f.n_logits = next > first ? next - first : 0;
			f.logits = f.n_logits ? all_logits + (first - start_pos) * n_vocab : NULL;
		} else if (next == end) {
			f.n_logits = 1;
			f.logits = s->logits;
		}
		if (forward(&f) || threadpool_was_stopped(s->compute.pool))
			return stopped(s, err);
		cache_commit(&s->cache, next);
		if (next - cache_last_checkpoint(&s->cache) >= CHECKPOINT_DISTANCE)
			cache_checkpoint(&s->cache);
		pos = next;
		s->finished = s->done = pos - s->origin;
		if (pos > s->n_past)
			s->n_past = pos;
	}
	return STATUS_OK;
}

/* One evaluation, or a part of one: progress is reported against `total` tokens. */
static enum status evaluate(struct session *s, const int32_t *tokens, size_t n, size_t start_pos,
                            float *all_logits, struct error *err)
{
	size_t n_vocab = model_plan(s->model)->n_vocab, end = start_pos + n;
	size_t begin;
	enum status status;

	s->n_past = start_pos;
	memmove(s->tokens + start_pos, tokens, n * sizeof *tokens);
	if (!s->use_cache)
		cache_clear(&s->cache);
	begin = s->use_cache ? cache_rewind(&s->cache, start_pos) : 0;
	s->finished = s->done = begin - s->origin;
	threadpool_set_stop(s->compute.pool, must_stop, s);
	status = eval_batches(s, begin, start_pos, end, all_logits, err);
	threadpool_set_stop(s->compute.pool, NULL, NULL);
	if (!status && gguf_was_truncated(model_gguf(s->model))) /* in the last step */
		status = stopped(s, err);
	if (!status && all_logits)
		memcpy(s->logits, all_logits + (n - 1) * n_vocab, n_vocab * sizeof *s->logits);
	return status;
}

size_t session_reach(const struct session *s, size_t pos)
{
	return s->use_cache ? cache_reach(&s->cache, pos) : 0;
}

/* Progress counts from where evaluation really begins, up to position `end`. */
static void begin_progress(struct session *s, size_t start_pos, size_t end)
{
	s->origin = session_reach(s, start_pos);
	s->total = end - s->origin;
}

enum status session_eval(struct session *s, const int32_t *tokens, size_t n, size_t start_pos,
                         float *all_logits, struct error *err)
{
	enum status status = check_arguments(s, tokens, n, start_pos, err);

	if (status)
		return status;
	begin_progress(s, start_pos, start_pos + n);
	return evaluate(s, tokens, n, start_pos, all_logits, err);
}

/* session_sync for models with states: keeps copies of those at the end of the history, which is
 * usually the end of the last reply, and of those at the marks. */
static enum status sync_states(struct session *s, const int32_t *tokens, size_t common, size_t n,
                               const struct session_marks *marks, struct error *err)
{
	size_t at = session_reach(s, common);
	enum status status = check_arguments(s, tokens + common, n - common, common, err);

	if (status)
		return status;
	begin_progress(s, common, n);
	if (s->cache.pos == at)
		cache_checkpoint(&s->cache);
	for (size_t i = 0; i < marks->n && !status; i++) {
		size_t mark = marks->at[i];

		/* The last mark, where another reply would begin, is worth an extra pass over the weights. */
		if (mark <= at || mark >= n || (at && i + 1 < marks->n && mark - at < CHECKPOINT_NEAR))
			continue;
		status = evaluate(s, tokens + at, mark - at, at, NULL, err);
		if (!status)
			cache_checkpoint(&s->cache);
		at = mark;
	}
	return status ? status : evaluate(s, tokens + at, n - at, at, NULL, err);
}

enum status session_sync(struct session *s, const int32_t *tokens, size_t n,
                         const struct session_marks *marks, struct error *err)
{
	const struct session_marks last = {.at = {n ? n - 1 : 0}, .n = 1};
	size_t common = session_count_common(s, tokens, n ? n - 1 : 0);

	if (s->use_cache && plan_is_recurrent(model_plan(s->model)))
		return sync_states(s, tokens, common, n, marks ? marks : &last, err);
	return session_eval(s, tokens + common, n - common, common, NULL, err);
}
