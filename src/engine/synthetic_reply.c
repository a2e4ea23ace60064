/* What the test backend replies. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/sys.h"
#include "engine/synthetic_internal.h"
#include "sampler/rng.h"

/* The pieces that a reply repeats, one for each token. */
static const char *const wide[] = {"\xe4\xbd\xa0\xe5\xa5\xbd", "\xef\xbc\x8c",
                                   "\xe4\xb8\x96\xe7\x95\x8c", "\xe3\x80\x82", " ", NULL};
static const char *const emoji[] = {
	"\xf0\x9f\x98\x80 ",                                         /* one code point */
	"\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb ",             /* joined by ZWJ */
	"\xf0\x9f\x87\xa9\xf0\x9f\x87\xaa ",                         /* a flag */
	"\xf0\x9f\x91\x8d\xf0\x9f\x8f\xbd ", "e\xcc\x81 ", NULL};    /* modifier; combining mark */
static const char *const unbroken[] = {"abcdefghij", NULL};
static const char *const lines[] = {"line", " of", " text\n", "another\n\n", NULL};
static const char *const escapes[] = {"\x1b[31mred", "\x1b]0;title\x07", "\xc2\x9b" "2J",
                                      "a\rb", "\xe2\x80\xae" "bidi ", "tab\tend\n", NULL};

const struct synthetic_mode synthetic_modes[] = {
	{"words", NULL}, {"echo", NULL},      {"system", NULL}, {"think", NULL},
	{"wide", wide},  {"emoji", emoji},    {"long", unbroken}, {"lines", lines},
	{"escape", escapes},
};
const size_t synthetic_n_modes = sizeof synthetic_modes / sizeof synthetic_modes[0];

/* The length of the UTF-8 character at `text`, or of an ill-formed byte. */
static size_t character(const char *text, size_t n)
{
	size_t len = 1;

	while (len < n && ((unsigned char)text[len] & 0xC0) == 0x80)
		len++;
	return len;
}

/* The length of an echo's next piece: a word and the white space after it. */
static size_t echo_piece(const char *text, size_t n)
{
	size_t len = 0;

	while (len < n && !isspace((unsigned char)text[len]) && len < 64)
		len += character(text + len, n - len);
	while (len < n && isspace((unsigned char)text[len]))
		len++;
	return len;
}

/* How sure it is of a token goes round: as good as certain, likely, open, a guess; what was chosen need not be
 * likeliest. By probability, and as bits of entropy. */
static const struct {
	float p, bits;
} sureness[] = {{0.98f, 0.1f}, {0.8f, 0.8f}, {0.5f, 1.5f}, {0.1f, 3.0f}};

enum {
	N_SURENESS = sizeof sureness / sizeof sureness[0],
	OTHERS = 1 << 16, /* from the id of a token to that of the next candidate beside it */
};

static size_t sureness_of(int32_t id)
{
	return id < 0 ? 0 : (size_t)id % N_SURENESS;
}

/* Makes up candidates: the token itself, and half of what is left for each of the others. The first four are not cut. */
static void fill_candidates(struct token_candidate *candidates, size_t n, int32_t id,
                            const char *text, size_t len)
{
	float own = sureness[sureness_of(id)].p, left = 1 - own;
	int32_t others = 0;
	bool is_put = false;

	for (size_t i = 0; i < n; i++) {
		struct token_candidate *c = &candidates[i];
		bool is_own = !is_put && own >= left / 2;
		float p = is_own ? own : left / 2;

		*c = (struct token_candidate){.id = is_own ? id : id + OTHERS * ++others, .logit = logf(p), .probability = p,
		                              .chosen_p = i < 4 ? p : 0, .cut_by = i < 4 ? NULL : "top-k"};
		if (is_own) {
			is_put = true;
			c->len = (uint8_t)(len < sizeof c->text ? len : sizeof c->text);
			memcpy(c->text, text, c->len);
		} else {
			left -= p;
			c->len = (uint8_t)snprintf(c->text, sizeof c->text, " other%d", others);
		}
	}
}

/* The bytes of token `n` of a reply. `text` is room for them. */
static void next_piece(const struct synthetic *s, long n, long n_reasoning, bool warm,
                       char text[32], struct token *token)
{
	const char *const *pieces = synthetic_modes[s->mode].pieces;
	long n_pieces = 0;

	token->bytes = text;
	if (n < n_reasoning) {
		/* The reasoning is between two markers, which have no text. */
		token->recants = s->unopened && n == n_reasoning - 1;
		token->unsure = s->unopened && !token->recants;
		token->reasoning = !token->unsure;
		if (n > 0 && n < n_reasoning - 1)
			token->len = (size_t)snprintf(text, 32, "thought %ld ", n - 1);
	} else if (!pieces) {
		token->len = (size_t)snprintf(text, 32, "%s %ld ", warm ? "warm" : "cold",
		                              n - n_reasoning);
	} else {
		while (pieces[n_pieces])
			n_pieces++;
		token->bytes = pieces[n % n_pieces];
		token->len = strlen(token->bytes);
	}
}

/* Its prompt is made of the messages as they are. */
static void synthetic_begin(const struct turn *turn, const struct backend_host *host,
                            uint32_t n_prompt)
{
	struct event event = {.kind = EVENT_BEGIN};
	struct turn_begin *begin = &event.u.begin;

	begin->n_prompt = n_prompt;
	begin->prompt_hash = HASH_BEGIN;
	host->params(host->ctx, 0, &begin->params);
	begin->seed = begin->params.seed < 0 ? (int64_t)(rng_fresh_seed() >> 1) : begin->params.seed;
	for (size_t i = 0; i < turn->n_messages; i++)
		begin->prompt_hash = hash_more(begin->prompt_hash, turn->messages[i].text,
		                               turn->messages[i].len);
	backend_tell(host, &event);
}

/* How many tokens of the reply that is continued there are already. */
static long count_said(const struct synthetic *s, const struct message *last)
{
	long n = 0;

	if (s->remote != SYNTHETIC_CHAT_SERVER)
		return (long)last->n_ids;
	for (size_t i = 0; i < last->len; i++)
		n += last->text[i] == ' ';
	return n / 2; /* "warm 0 " */
}

/* A reply as it is made. */
struct making {
	const struct synthetic *s;
	const struct turn *turn;
	const struct backend_host *host;
	struct turn_stats *stats;
	const struct message *source; /* of an echo */
	bool echoes;
	size_t echoed, n_candidates;
	long begun, n_reasoning; /* n_reasoning with its markers */
	long skipped;            /* of what it would have thought */
	const struct message *examined; /* the reply that is gone through once more; NULL: none */
	uint64_t start;
	struct sampler_params params;
};

static struct making begin_making(const struct synthetic *s, const struct turn *turn,
                                  const struct backend_host *host, struct turn_stats *stats)
{
	const struct message *last = &turn->messages[turn->n_messages - 1];
	const struct message *source =
		&turn->messages[s->mode == SYNTHETIC_SYSTEM ? 0 : turn->n_messages - 1 - turn->continued];
	bool reasons = s->mode == SYNTHETIC_REASONING && turn->reasoning.mode != REASONING_OFF;
	struct making making = {.s = s, .turn = turn, .host = host, .stats = stats, .source = source, .start = sys_now_us()};

	making.echoes = s->mode == SYNTHETIC_ECHO || s->mode == SYNTHETIC_SYSTEM;
	making.echoed = !turn->continued ? 0 : last->len < source->len ? last->len : source->len;
	if (s->remote != SYNTHETIC_CHAT_SERVER)
		making.n_candidates = turn->n_candidates < TOKEN_CANDIDATES_MAX ? turn->n_candidates : TOKEN_CANDIDATES_MAX;
	making.begun = turn->continued ? count_said(s, last) : 0;
	making.n_reasoning = reasons ? s->n_reasoning + 2 : 0;
	host->params(host->ctx, 0, &making.params); /* what a server is sent, for all of the reply */
	return making;
}

/* The token that comes next, where the user may want the answer now. */
static long skip_thoughts(struct making *making, long i)
{
	const struct backend_host *host = making->host;

	if (i >= making->n_reasoning - 1 || !host->wants_answer || !host->wants_answer(host->ctx))
		return i;
	making->skipped = making->n_reasoning - 1 - i;
	return making->n_reasoning - 1;
}

/* Waits until token `i` is due; why it does not come, or DONE_END. */
static enum done_reason wait_for_token(const struct making *making, long i)
{
	const struct synthetic *s = making->s;
	long n = i - making->begun;
	uint64_t due = s->rate ? making->start + (uint64_t)(n - making->skipped) * 1000000 / (uint64_t)s->rate : 0;

	if (making->turn->n_predict >= 0 && n >= making->turn->n_predict)
		return DONE_LENGTH;
	if (making->stats->n_ctx_used >= (uint32_t)s->n_ctx)
		return DONE_CONTEXT;
	return synthetic_sleep_until(s->hold_after && n >= s->hold_after ? UINT64_MAX : due, making->host) ? DONE_END
	                                                                                                  : DONE_CANCELLED;
}

/* False: an echo has come to its end. */
static bool make_piece(struct making *making, long i, char text[32], struct token *token)
{
	if (!making->s->remote)
		making->host->params(making->host->ctx, making->stats->n_generated, &making->params);
	if (!making->echoes) {
		next_piece(making->s, i, making->n_reasoning, making->params.temp > 0, text, token);
		return true;
	}
	token->bytes = making->source->text + making->echoed;
	token->len = echo_piece(token->bytes, making->source->len - making->echoed);
	making->echoed += token->len;
	return token->len > 0;
}

/* Puts the token that is wanted in the place of the one that it made, if it is another: one of the candidates. */
static void put_wanted(const struct making *making, struct token *token, char text[32])
{
	const struct turn *turn = making->turn;
	int32_t wanted = token->id, number;

	if (making->examined && (size_t)token->id < making->examined->n_ids)
		wanted = making->examined->ids[token->id];
	else if (turn->has_first && !making->stats->n_generated)
		wanted = turn->first;
	number = (wanted - token->id) / OTHERS;
	token->put = !making->examined && turn->has_first && !making->stats->n_generated;
	token->id = wanted;
	if (number > 0) {
		token->len = (size_t)snprintf(text, 32, " other%d", (int)number);
		token->bytes = text;
	}
}

static enum status tell_token(const struct making *making, struct event *event, char text[32], struct error *err)
{
	struct token_candidate candidates[TOKEN_CANDIDATES_MAX];
	struct token *token = &event->u.token;

	if (making->s->remote == SYNTHETIC_CHAT_SERVER)
		token->id = -1;
	fill_candidates(candidates, making->n_candidates, token->id, token->bytes, token->len);
	token->log_sum = making->n_candidates ? 0 : NAN;
	token->entropy = making->n_candidates ? sureness[sureness_of(token->id)].bits * logf(2) : NAN;
	put_wanted(making, token, text);
	token->candidates = candidates;
	token->n_candidates = making->n_candidates;
	token->n_ctx_used = ++making->stats->n_ctx_used;
	token->n_generated = ++making->stats->n_generated;
	making->stats->n_reasoning += making->s->remote && token->reasoning;
	return making->host->event(making->host->ctx, event, err);
}

enum status synthetic_examine(struct synthetic *s, const struct turn *turn, const struct backend_host *host,
                              struct backend_result *result, struct error *err)
{
	const struct message *reply = &turn->messages[turn->n_messages - 1];
	struct turn asked = *turn;
	struct making making;
	enum status status = STATUS_OK;

	asked.continued = true;
	synthetic_begin(turn, host, result->stats.n_prompt);
	making = begin_making(s, &asked, host, &result->stats);
	making.begun = 0;
	making.examined = reply;
	for (long i = 0; (size_t)i < reply->n_ids && !status; i++) {
		struct event event = {.kind = EVENT_TOKEN, .u.token = {.id = (int32_t)i, .probability = 0.5f}};
		char text[32];

		result->reason = wait_for_token(&making, i);
		if (result->reason != DONE_END || !make_piece(&making, i, text, &event.u.token))
			break;
		status = tell_token(&making, &event, text, err);
	}
	return status;
}

enum status synthetic_generate(struct synthetic *s, const struct turn *turn,
                               const struct backend_host *host, struct backend_result *result,
                               struct error *err)
{
	struct making making;

	synthetic_begin(turn, host, result->stats.n_prompt);
	making = begin_making(s, turn, host, &result->stats);
	result->reason = DONE_END;
	for (long i = making.begun; making.echoes || i < making.n_reasoning + s->n_tokens; i++) {
		struct event event = {.kind = EVENT_TOKEN, .u.token = {.probability = 0.5f}};
		enum status status;
		char text[32];

		i = skip_thoughts(&making, i);
		event.u.token.id = (int32_t)i;
		result->reason = wait_for_token(&making, i);
		if (result->reason != DONE_END)
			break;
		if (s->fail_after != SYNTHETIC_NEVER && i - making.begun >= s->fail_after)
			return error_set(err, STATUS_IO, "synthetic: made to fail after %ld tokens", i - making.begun);
		if (!make_piece(&making, i, text, &event.u.token))
			break;
		status = tell_token(&making, &event, text, err);
		if (status)
			return status;
		if (s->aside_every && (i + 1) % s->aside_every == 0)
			backend_tell(host, &(struct event){.kind = EVENT_ASIDE, .u.aside = {"", "by the way"}});
	}
	if (result->reason == DONE_END && s->end)
		result->reason = s->end;
	s->n_cached = result->stats.n_ctx_used;
	result->stats.decode_ms = (double)(sys_now_us() - making.start) / 1000.0;
	return STATUS_OK;
}

/* A text is a tenth less likely for each of its bytes, and a word of it is a token. */
enum status synthetic_score(struct synthetic *s, const struct turn *turn, const struct backend_host *host,
                            struct backend_result *result)
{
	uint64_t due = sys_now_us();

	for (size_t i = 0; i < turn->n_answers; i++) {
		const char *text = turn->answers[i];
		size_t len = strlen(text);
		struct event event = {.kind = EVENT_SCORED, .u.scored = {.answer = (uint32_t)i,
		                                                         .log_p = -0.1 * (double)len}};

		for (size_t at = 0; at < len; at++)
			event.u.scored.n += text[at] != ' ' && (!at || text[at - 1] == ' ');
		due = s->rate ? due + event.u.scored.n * UINT64_C(1000000) / (uint64_t)s->rate : due;
		if (!synthetic_sleep_until(s->hold_after ? UINT64_MAX : due, host)) {
			result->reason = DONE_CANCELLED;
			return STATUS_OK;
		}
		backend_tell(host, &event);
	}
	return STATUS_OK;
}
