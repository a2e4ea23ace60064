#include "engine/generate.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/sys.h"
#include "encode/builtin_templates.h"
#include "encode/encode.h"
#include "encode/shape.h"
#include "engine/biases.h"
#include "engine/breakers.h"
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

/* Called between layers: reports progress; false = stop. */
static bool session_poll(void *ctx, size_t done, size_t total)
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

/* Evaluates the prompt, apart from what the session has already. */
static enum status prefill(struct generation *g, struct error *err)
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

static void describe_candidate(const struct engine *engine, const struct sampler_candidate *from,
                               struct token_candidate *out)
{
	size_t len;
	const char *text = tokenizer_shown(engine->tokenizer, from->id, &len);

	*out = (struct token_candidate){.id = from->id, .logit = from->logit,
	                                .probability = from->probability,
	                                .chosen_p = from->chosen_p, .cut_by = from->cut_by,
	                                .len = (uint8_t)(len < sizeof out->text ? len : sizeof out->text)};
	memcpy(out->text, text, out->len);
}

/* Passes on the message besides the answer once it has ended. */
static void report_aside(struct generation *g)
{
	const char *text = buf_text(&g->aside);

	if (!g->aside.len)
		return;
	while (prompt_is_blank(*text))
		text++;
	backend_tell(g->host, &(struct event){.kind = EVENT_ASIDE, .u.aside = {g->aside_to, text}});
	buf_clear(&g->aside);
}

/* Whether a token that the splitter passes on, or a piece of one, was reported when the reply was cut. */
static bool was_reported(struct generation *g, const struct token *token)
{
	if (!token->rest) {
		g->skips = g->n_held > 0;
		g->n_held -= g->skips;
	}
	return g->skips;
}

static enum status tell_token(struct generation *g, const struct token *token, struct error *err)
{
	if (g->examines)
		return examine_tell(g, token, err);
	return g->host->event(g->host->ctx, &(struct event){.kind = EVENT_TOKEN, .u.token = *token}, err);
}

/* Reports the token that was sampled last without text. */
static enum status report_empty(struct generation *g, bool recants, struct error *err)
{
	struct token token = g->splitter.token;

	token.bytes = "";
	token.len = 0;
	token.rest = true;
	token.reasoning = token.recants = recants;
	return tell_token(g, &token, err);
}

/* Receives tokens from the splitter. */
static enum status take_split(void *ctx, const struct token *token, struct error *err)
{
	struct generation *g = ctx;
	struct token rest = *token;

	if (g->replaying) {
		g->n_replayed += token->len;
		return STATUS_OK;
	}
	if (was_reported(g, token)) {
		if (!g->untold || !token->len)
			return token->recants ? report_empty(g, true, err) : STATUS_OK;
		rest.rest = true; /* its id is known */
		token = &rest;
	}
	g->reported = true;
	if (!token->aside)
		report_aside(g);
	else if (!g->aside.len)
		memcpy(g->aside_to, g->splitter.recipient, sizeof g->aside_to);
	if (token->aside && buf_append(&g->aside, token->bytes, token->len))
		return error_no_memory(err, "for the reply");
	return tell_token(g, token, err);
}

enum status generation_emit(struct generation *g, const struct sampler_choice *choice, struct error *err)
{
	struct token_candidate candidates[TOKEN_CANDIDATES_MAX];
	struct token token = {.id = choice->id, .probability = choice->probability,
	                      .candidates = candidates, .n_candidates = choice->top.n,
	                      .raw_p = choice->raw_p, .log_sum = (float)choice->top.log_sum,
	                      .entropy = (float)choice->top.entropy,
	                      .n_generated = g->result->stats.n_generated,
	                      .put = !g->examines && g->turn->has_first && g->result->stats.n_generated == 1,
	                      .n_ctx_used = (uint32_t)session_n_past(g->engine->session)};
	enum status status;

	for (size_t i = 0; i < choice->top.n; i++)
		describe_candidate(g->engine, &choice->top.items[i], &candidates[i]);
	g->reported = false;
	status = splitter_push_id(&g->splitter, &g->detokenizer, &token, err);
	if (!status && !g->reported && !g->splitter.stopped)
		status = report_empty(g, false, err); /* nothing is known yet but that the model writes */
	return status;
}

/* Brings the detokenizer and the splitter to where the reply was cut, be that within a character or
 * a marker. */
static enum status replay(struct generation *g, struct error *err)
{
	const struct session *session = g->engine->session;
	const int32_t *begun = session_tokens(session) + session_n_past(session) - g->n_begun;
	const struct message *reply = &g->turn->messages[g->turn->n_messages - 1];
	enum status status = STATUS_OK;

	if (!g->n_begun)
		return STATUS_OK;
	g->replaying = true;
	for (size_t i = 0; i < g->n_begun && !status; i++)
		status = splitter_push_id(&g->splitter, &g->detokenizer, &(struct token){.id = begun[i]}, err);
	g->replaying = false;
	g->n_held = g->splitter.held.n;
	g->skips = g->n_held && g->splitter.held.tokens[0].token.rest;
	g->n_held -= g->skips;
	g->untold = g->n_replayed == reply->len + reply->reasoning_len;
	return status;
}

static bool ends_turn(const struct generation *g, int32_t id)
{
	return tokenizer_is_eog(g->engine->tokenizer, id) ||
	       (!g->turn->raw && id == g->engine->tmpl->end_id);
}

void generation_choose(const struct generation *g, const float *logits, struct sampler_choice *choice, int32_t id)
{
	if (choice->id != id)
		choice->probability = 0;
	choice->id = id;
	choice->raw_p = (float)sampler_raw_probability(g->engine->sampler, logits, &choice->top, id);
	for (size_t i = 0; i < choice->top.n; i++)
		if (choice->top.items[i].id == id)
			choice->probability = choice->top.items[i].chosen_p;
}

/* Has the choice lead to one of turn.answers, if there are any; false: the reply ends. */
static bool choose_answer(struct generation *g, const float *logits, struct sampler_choice *choice)
{
	const int32_t sampled = choice->id;
	const bool goes_on = answers_choose(&g->answers, logits, ends_turn(g, sampled), choice);

	if (choice->id != sampled)
		choice->raw_p = (float)sampler_raw_probability(g->engine->sampler, logits, &choice->top, choice->id);
	return goes_on;
}

/* Samples, emits and evaluates until the reply ends. */
static enum status decode(struct generation *g, struct error *err)
{
	struct session *session = g->engine->session;
	struct backend_result *result = g->result;
	size_t n_top = g->turn->n_candidates < TOKEN_CANDIDATES_MAX ? g->turn->n_candidates
	                                                             : TOKEN_CANDIDATES_MAX;

	for (;;) {
		struct sampler_params params;
		struct sampler_choice choice;
		enum status status;

		if (g->turn->n_predict >= 0 &&
		    result->stats.n_generated >= (uint32_t)g->turn->n_predict) {
			result->reason = DONE_LENGTH;
			return STATUS_OK;
		}
		if (g->host->cancelled(g->host->ctx))
			return error_set(err, STATUS_CANCELLED, "cancelled");
		g->host->params(g->host->ctx, result->stats.n_generated, &params);
		status = dry_reach(&params, SIZE_MAX) ? breakers_use(g->engine, g->turn->dry_breakers, err)
		                                      : STATUS_OK;
		if (status)
			return status;
		status = sampler_pick(g->engine->sampler, session_logits(session),
		                      session_tokens(session), session_n_past(session), &params,
		                      &g->sampling, n_top, &choice, err);
		if (status)
			return status;
		if (g->turn->has_first && !result->stats.n_generated)
			generation_choose(g, session_logits(session), &choice, g->turn->first);
		if (!choose_answer(g, session_logits(session), &choice)) {
			result->reason = DONE_END;
			return STATUS_OK;
		}
		turn_log_choice(g->host->log, &choice, result->stats.n_generated++);
		status = generation_emit(g, &choice, err);
		if (status)
			return status;
		if (g->splitter.stopped) {
			result->reason = DONE_STOP;
			return STATUS_OK;
		}
		if (g->turn->n_predict >= 0 &&
		    result->stats.n_generated >= (uint32_t)g->turn->n_predict)
			continue; /* its logits will not be used */
		if (session_n_past(session) >= session_n_ctx(session)) {
			result->reason = DONE_CONTEXT;
			return STATUS_OK;
		}
		status = session_eval(session, &choice.id, 1, session_n_past(session), NULL, err);
		if (status)
			return status;
		result->stats.n_ctx_used = (uint32_t)session_n_past(session);
	}
}

/* All strings that end the reply: the turn's, those that come beside the model, and the template's. */
static enum status collect_stops(struct generation *g, struct error *err)
{
	const struct chat_template *tmpl = g->engine->tmpl;
	const struct beside *beside = &g->engine->beside;
	const struct turn *turn = g->turn;
	size_t room, n = 0;

	if (add_overflows(turn->n_stops, BUILTIN_STOPS_MAX + 2 + beside->n_stops, &room) ||
	    !(g->stops = alloc_array(room, sizeof *g->stops)))
		return error_no_memory(err, "for the reply");
	for (size_t i = 0; i < turn->n_stops; i++)
		g->stops[n++] = turn->stops[i];
	if (turn->raw || g->examines)
		return STATUS_OK;
	for (size_t i = 0; i < beside->n_stops; i++)
		g->stops[n++] = beside->stops[i];
	for (const char *const *stop = tmpl->stops; *stop; stop++)
		g->stops[n++] = *stop;
	g->stops[n] = tmpl->end_marker;
	return STATUS_OK;
}

/* Releases the tokens held back, unless a stop string ended the reply. `ended`: by the model, so that
 * nothing will follow. */
static enum status flush(struct generation *g, bool ended, struct error *err)
{
	enum status status = STATUS_OK;

	if (g->splitter.stopped)
		return STATUS_OK;
	if (ended)
		status = splitter_end_text(&g->splitter, &g->detokenizer, err);
	if (!status)
		status = splitter_flush(&g->splitter, err);
	g->result->in_character = g->detokenizer.utf8.n_held > 0;
	report_aside(g);
	if (!status && g->splitter.stopped)
		g->result->reason = DONE_STOP;
	return status;
}

static enum status set_order(const struct generation *g, struct error *err)
{
	struct sampler_order order = sampler_order_default();
	enum status status = g->turn->samplers ? sampler_order_parse(&order, g->turn->samplers, err)
	                                       : STATUS_OK;

	if (status)
		error_prefix(err, "samplers");
	else
		sampler_set_order(g->engine->sampler, &order);
	return status;
}

/* If the reply is cut inside a character, nothing of that is told, but its tokens are kept: when it
 * goes on, the character is told whole. */
static enum status reply(struct generation *g, struct error *err)
{
	uint64_t start = sys_now_us();
	bool raw = g->turn->raw;
	struct sampler_params params;
	struct error flush_error;
	enum status status = set_order(g, err), flushed;

	if (!status && g->turn->has_first &&
	    (g->turn->first < 0 || (size_t)g->turn->first >= sampler_n_vocab(g->engine->sampler)))
		status = error_set(err, STATUS_USAGE, "the vocabulary of this model has no token %d: load the model that made "
		                   "the reply", (int)g->turn->first);
	if (!status)
		status = biases_use(g->engine, g->turn->logit_bias, err);
	if (!status)
		status = answers_make(&g->answers, g->engine->tokenizer, g->turn, err);
	if (!status)
		status = collect_stops(g, err);
	if (status)
		return status;
	g->host->params(g->host->ctx, 0, &params);
	g->begin.params = params;
	g->begin.seed = params.seed < 0 ? (int64_t)(rng_fresh_seed() >> 1) : params.seed;
	sampler_state_init(&g->sampling, (uint64_t)g->begin.seed);
	backend_tell(g->host, &(struct event){.kind = EVENT_BEGIN, .u.begin = g->begin});
	turn_log_reply(g->host->log, g->turn, &g->begin);
	detokenizer_init(&g->detokenizer, g->engine->tokenizer, false);
	splitter_init(&g->splitter, raw ? NULL : g->engine->tmpl->reasoning, g->start, g->stops, !raw,
	              take_split, g);
	status = replay(g, err);
	if (!status)
		status = g->examines ? examine_tokens(g, err) : decode(g, err);
	flushed = flush(g, !status && g->result->reason == DONE_END, &flush_error);
	if (!status && flushed) {
		status = flushed;
		if (err)
			*err = flush_error;
	}
	splitter_deinit(&g->splitter);
	buf_free(&g->aside);
	free(g->stops);
	g->result->stats.decode_ms = (double)(sys_now_us() - start) / 1000.0;
	return status;
}

enum status generate_turn(struct backend *backend, const struct turn *turn,
                          enum backend_mode mode, const struct backend_host *host,
                          struct backend_result *result, struct error *err)
{
	struct engine *engine = (struct engine *)backend;
	struct turn examined = *turn;
	struct generation g = {.engine = engine, .turn = turn, .host = host, .result = result,
	                       .examines = mode == BACKEND_EXAMINE, .aside = {.max = LIMIT_MESSAGE}};
	enum status status = gguf_check_unchanged(engine->gguf, err);

	if (status)
		return status;
	if (g.examines) { /* the tokens that it was made of, whatever ended it */
		examined.continued = examined.answered = true;
		examined.n_stops = 0;
		g.turn = &examined;
	}
	session_set_progress(engine->session, session_poll, &g);
	status = prefill(&g, err);
	if (!status) {
		result->reason = DONE_END;
		if (mode == BACKEND_REPLY || mode == BACKEND_EXAMINE)
			status = reply(&g, err);
		answers_free(&g.answers);
	}
	free(g.examined);
	session_set_progress(engine->session, NULL, NULL);
	/* If the file was cut within its last page there was no fault: weights just became zeros. */
	if (!status)
		status = gguf_check_unchanged(engine->gguf, err);
	if (status == STATUS_CANCELLED) {
		result->reason = DONE_CANCELLED;
		status = STATUS_OK;
	}
	result->stats.n_ctx_used = (uint32_t)session_n_past(engine->session);
	return status;
}
