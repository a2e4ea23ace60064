/* The prompt of a turn: encoded, and evaluated as far as it is not in the cache. */
#include "base/hash.h"
#include "base/limits.h"
#include "base/sys.h"
#include "encode/shape.h"
#include "engine/generate_internal.h"
#include "engine/turn_log.h"

static void tell_progress(const struct generation *g, size_t done)
{
	const struct turn_stats *stats = &g->result->stats;

	backend_tell(g->host, &(struct event){
		.kind = EVENT_PREFILLING, .u.prefilling = {
			.done = stats->n_cached + (uint32_t)done, .total = stats->n_prompt,
			.cached = stats->n_cached, .n_dropped = stats->n_dropped}});
}

bool generation_poll(void *ctx, size_t done, size_t total)
{
	const struct generation *g = ctx;

	(void)total;
	if (g->host->cancelled(g->host->ctx))
		return false;
	if (g->prefilling)
		tell_progress(g, done);
	return true;
}

/* How many tokens the leading system messages have. */
static size_t count_system(const struct turn *turn, const struct encoded *encoded)
{
	size_t n = 0;

	while (n < encoded->ids.n && turn->messages[encoded->origins[n].message].role == ROLE_SYSTEM)
		n++;
	return n;
}

/* How many tokens come before the last message. */
static size_t count_before_last(const struct turn *turn, const struct encoded *encoded)
{
	size_t n = encoded->ids.n;

	while (n && encoded->origins[n - 1].message + 1 == turn->n_messages)
		n--;
	return n;
}

/* Where other conversations may branch off: a new chat, an edited message, another reply or the
 * next turn. */
static struct session_marks mark_prompt(const struct turn *turn,
                                        const struct encoded *encoded)
{
	/* One token earlier, because the last one may change with the text that follows. */
	size_t n_asked = encoded->n_asked ? encoded->n_asked - 1 : 0;

	return (struct session_marks){
		.at = {count_system(turn, encoded), count_before_last(turn, encoded), n_asked}, .n = 3};
}

static void tell_changes(const struct generation *g, unsigned changes)
{
	struct buf text = {.max = ERROR_TEXT_MAX};

	if (!changes)
		return;
	prompt_describe_changes(changes, &text);
	backend_tell(g->host, &(struct event){.kind = EVENT_NOTE, .u.note = buf_text(&text)});
	buf_free(&text);
}

/* The prompt's last ids, borrowed from the session. */
static void set_tail(struct generation *g)
{
	const struct session *session = g->engine->session;
	size_t n = session_n_past(session), n_tail = n < PROMPT_TAIL_MAX ? n : PROMPT_TAIL_MAX;

	g->begin.n_vocab = (uint32_t)tokenizer_n_vocab(g->engine->tokenizer);
	g->begin.tail = session_tokens(session) + n - n_tail;
	g->begin.n_tail = n_tail;
}

/* Finds out why no more of the prompt is in the cache, and notes what will be. */
static void compare_with_cache(const struct generation *g, const struct encoded *encoded)
{
	struct engine *engine = g->engine;
	const struct cached_view view = {engine->tokenizer, engine->tmpl, g->turn, encoded};

	g->result->difference = cached_prompt_compare(&engine->cached, engine->session, &view);
	turn_log_cache(g->host->log, g->result, session_n_past(engine->session));
	cached_prompt_set(&engine->cached, g->turn, encoded);
}

enum status generation_prefill(struct generation *g, struct error *err)
{
	struct turn_stats *stats = &g->result->stats;
	struct session *session = g->engine->session;
	uint64_t start = sys_now_us();
	struct encoded encoded;
	struct session_marks marks;
	size_t n_same, n_cached;
	enum status status = encode_for_context(&encoded, g->engine->tokenizer, g->engine->tmpl, g->turn,
	                                        session_n_ctx(session), err);

	if (!status || encoded.refused)
		backend_tell_fitted(g->host, g->turn, encoded.keep);
	if (!status && encoded.ids.n == 0)
		status = error_set(err, STATUS_USAGE, "the prompt has no tokens");
	if (status)
		goto out;
	g->start = encoded.start;
	g->n_begun = g->turn->continued ? encoded.counts[g->turn->n_messages - 1].tokens : 0;
	tell_changes(g, encoded.changes);
	turn_log_prompt(g->host->log, g->engine->tokenizer, g->engine->tmpl, g->turn, &encoded);
	status = g->examines ? examine_take(g, &encoded, err) : STATUS_OK;
	if (status)
		goto out;
	stats->n_dropped = encoded.n_dropped;
	stats->n_prompt = (uint32_t)encoded.ids.n;
	g->begin.n_prompt = stats->n_prompt;
	g->begin.prompt_hash = hash_more(HASH_BEGIN, encoded.ids.ids,
	                                 encoded.ids.n * sizeof *encoded.ids.ids);
	/* The last one is always evaluated. */
	n_same = session_count_common(session, encoded.ids.ids, encoded.ids.n - 1);
	n_cached = session_reach(session, n_same);
	stats->n_cached = (uint32_t)n_cached;
	stats->n_again = session_keeps_cache(session) ? (uint32_t)(n_same - n_cached) : 0;
	stats->n_evaluated = stats->n_prompt - stats->n_cached;
	compare_with_cache(g, &encoded);
	g->prefilling = true;
	tell_progress(g, 0);
	marks = mark_prompt(g->turn, &encoded);
	status = session_sync(session, encoded.ids.ids, encoded.ids.n, &marks, err);
	g->prefilling = false;
	if (status) /* usually cancelled: count what was finished */
		stats->n_evaluated = (uint32_t)session_n_past(session) - stats->n_cached;
	else
		tell_progress(g, stats->n_evaluated);
	set_tail(g);
	stats->n_ctx_used = (uint32_t)session_n_past(session);
	stats->prefill_ms = (double)(sys_now_us() - start) / 1000.0;
out:
	encoded_free(&encoded);
	return status;
}
