#include "remote/estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "encode/fit.h"
#include "remote/request.h"

enum {
	MARKUP = 4,        /* tokens of a template around a message, */
	MARKUP_REPLY = 3,  /* and of what asks for a reply */
	BYTES_MIN = 100,   /* fewer say nothing about the text */
	BYTES_HALF = 300,  /* so many say as much as what was known before */
};

static uint32_t count_bytes(const struct remote *remote, size_t n)
{
	double per_token = remote->bytes_per_token > 0 ? remote->bytes_per_token : ESTIMATE_BYTES_PER_TOKEN;

	return (uint32_t)fmin(ceil((double)n / per_token), 1e9);
}

uint32_t estimate_message(const struct remote *remote, const struct message *message)
{
	return MARKUP + count_bytes(remote, message->len);
}

/* Tokens besides those of the messages. */
static uint32_t fixed_tokens(const struct turn *turn)
{
	return turn->raw || turn->answered ? 0 : MARKUP_REPLY;
}

static uint64_t hash_messages(const struct turn *turn, size_t n)
{
	uint64_t hash = HASH_BEGIN;

	for (size_t i = 0; i < n; i++) {
		const struct message *message = &turn->messages[i];

		hash = hash_more(hash, &message->role, sizeof message->role);
		hash = hash_more(hash, &message->len, sizeof message->len);
		hash = hash_more(hash, message->text, message->len);
	}
	return hash;
}

bool estimate_is_known(const struct remote *remote, const struct turn *turn)
{
	const struct remote_count *counted = &remote->counted;

	return counted->is_exact && counted->n_messages == turn->n_messages && !turn->raw &&
	       counted->hash == hash_messages(turn, turn->n_messages);
}

void estimate_know(struct remote *remote, const struct turn *turn, uint32_t n_tokens)
{
	remote->counted = (struct remote_count){.is_exact = true, .hash = hash_messages(turn, turn->n_messages),
	                                        .n_messages = turn->n_messages, .n_prompt = n_tokens + MARKUP_REPLY};
}

/* Corrects the counts of a conversation that begins with the one that was counted last. */
static void use_count(const struct remote_count *counted, const struct turn *turn, uint32_t *tokens)
{
	size_t n = counted->n_messages;
	uint64_t sum = 0, left = counted->n_prompt > MARKUP_REPLY ? counted->n_prompt - MARKUP_REPLY : 0;

	if (!n || n > turn->n_messages || turn->raw || hash_messages(turn, n) != counted->hash)
		return;
	for (size_t i = 0; i < n; i++)
		sum += tokens[i];
	for (size_t i = 0; i < n && sum; i++) { /* in proportion, and together what was counted */
		uint32_t share = (uint32_t)(left * tokens[i] / sum);

		sum -= tokens[i];
		left -= share;
		tokens[i] = share;
	}
	if (n < turn->n_messages && turn->messages[n].role == ROLE_ASSISTANT &&
	    turn->messages[n].len == counted->reply_len)
		tokens[n] = counted->n_reply + MARKUP;
}

/* Of each message; NULL without memory. */
static uint32_t *count_all(const struct remote *remote, const struct turn *turn)
{
	uint32_t *tokens = alloc_array(turn->n_messages, sizeof *tokens);

	if (!tokens)
		return NULL;
	for (size_t i = 0; i < turn->n_messages; i++)
		tokens[i] = estimate_message(remote, &turn->messages[i]) - (turn->raw ? MARKUP : 0);
	use_count(&remote->counted, turn, tokens);
	return tokens;
}

static uint32_t sum_kept(const struct turn *turn, const uint32_t *tokens, const bool *keep)
{
	uint32_t sum = fixed_tokens(turn);

	for (size_t i = 0; i < turn->n_messages; i++)
		sum += !keep || keep[i] ? tokens[i] : 0;
	return sum;
}

/* Chooses in a context of that size. A reply that is answered or continued stays. */
static enum status choose(const struct turn *turn, const uint32_t *tokens, size_t n_ctx,
                          struct remote_request *out, struct error *err)
{
	struct turn asked = *turn;
	size_t room = fit_room(turn, n_ctx), fixed = fixed_tokens(turn);
	uint32_t all = sum_kept(turn, tokens, NULL);
	enum status status;

	if (turn->n_messages && (turn->answered || turn->continued)) {
		asked.n_messages--;
		out->keep[asked.n_messages] = true;
		fixed += turn->continued ? tokens[asked.n_messages] : 0;
	}
	status = fit_messages(&asked, tokens, fixed, room, fit_step(room), out->keep, &out->n_dropped, err);
	/* It is an estimate: what cannot be left out is sent, and the server says whether it is too long. */
	if (status == STATUS_CONTEXT)
		status = STATUS_OK;
	if (!status) {
		status = fit_permit(turn, out->n_dropped, all, room, err);
		out->refused = status != STATUS_OK;
	}
	return status;
}

enum status estimate_fit(const struct remote *remote, const struct turn *turn, struct remote_request *out,
                         struct error *err)
{
	uint32_t *tokens = count_all(remote, turn);
	enum status status = STATUS_OK;

	out->is_estimate = true;
	out->keep = alloc_array(turn->n_messages, sizeof *out->keep);
	if (!tokens || !out->keep) {
		free(tokens);
		return error_no_memory(err, "for the request");
	}
	memset(out->keep, true, turn->n_messages * sizeof *out->keep);
	if (remote->info.n_ctx)
		status = choose(turn, tokens, remote->info.n_ctx, out, err);
	out->n_prompt = sum_kept(turn, tokens, out->keep);
	out->is_estimate = out->n_dropped || !estimate_is_known(remote, turn);
	free(tokens);
	return status;
}

void estimate_correct_text(struct remote *remote, size_t n_bytes, uint32_t n_tokens)
{
	double known = remote->bytes_per_token > 0 ? remote->bytes_per_token : ESTIMATE_BYTES_PER_TOKEN;
	double found, weight = (double)n_bytes / (double)(n_bytes + BYTES_HALF);

	if (n_bytes < BYTES_MIN || !n_tokens)
		return;
	found = fmax(1, fmin((double)n_bytes / n_tokens, 12));
	remote->bytes_per_token = known * (1 - weight) + found * weight;
}

void estimate_correct(struct remote *remote, const struct turn *turn, const bool *keep, uint32_t n_prompt)
{
	uint32_t markup = fixed_tokens(turn);
	size_t n_bytes = 0;

	for (size_t i = 0; i < turn->n_messages; i++)
		if (!keep || keep[i]) {
			n_bytes += turn->messages[i].len;
			markup += turn->raw ? 0 : MARKUP;
		}
	estimate_correct_text(remote, n_bytes, n_prompt > markup ? n_prompt - markup : 0);
}

void estimate_remember(struct remote *remote, const struct turn *turn, const struct remote_request *request,
                       uint32_t n_prompt, uint32_t n_reply, size_t reply_len)
{
	estimate_correct(remote, turn, request->keep, n_prompt);
	remote->counted = (struct remote_count){.n_messages = 0};
	if (request->n_dropped || turn->raw || turn->continued)
		return;
	remote->counted = (struct remote_count){
		.hash = hash_messages(turn, turn->n_messages), .n_messages = turn->n_messages, .n_prompt = n_prompt,
		.reply_len = reply_len, .n_reply = n_reply};
}

static void fill_counts(const struct remote *remote, const struct turn *turn, const uint32_t *tokens,
                        const struct remote_request *request, struct inspection *out)
{
	for (size_t i = 0; i < turn->n_messages; i++) {
		bool is_kept = request->keep[i] || request->refused;

		out->messages[i] = (struct message_count){.left_out = !is_kept};
		if (is_kept)
			out->messages[i] = (struct message_count){
				.tokens = tokens[i], .markup = turn->raw ? 0 : MARKUP,
				.files = count_bytes(remote, turn->messages[i].files_len)};
	}
}

/* What would be sent, for the user to see. Nothing where it cannot be made. */
static enum status show_request(struct remote *remote, const struct turn *turn, struct inspection *out,
                                struct error *err)
{
	const struct remote_ask ask = {.turn = turn, .params = turn->sampler, .seed = turn->sampler.seed};
	struct remote_request request;
	enum status status;

	remote_request_init(&request);
	status = remote_request_write(remote, &ask, &request, err);
	if (!status)
		out->request = buf_take(&request.body, NULL);
	remote_request_free(&request);
	if (status == STATUS_CONTEXT || status == STATUS_USAGE || status == STATUS_DECLINED)
		return STATUS_OK; /* the numbers, or the reply that is asked for, show that */
	return status || out->request ? status : error_no_memory(err, "to show the request");
}

enum status estimate_inspect(struct remote *remote, const struct turn *turn, struct inspection *out,
                             struct error *err)
{
	size_t n_ctx = remote->info.n_ctx;
	struct remote_request request;
	uint32_t *tokens = count_all(remote, turn);
	enum status status;

	remote_request_init(&request);
	status = tokens ? estimate_fit(remote, turn, &request, err) : error_no_memory(err, "to count");
	if (status == STATUS_CONTEXT)
		status = STATUS_OK; /* the numbers show that */
	if (!status) {
		fill_counts(remote, turn, tokens, &request, out);
		out->estimated = request.is_estimate;
		out->n_ctx = (uint32_t)n_ctx;
		out->reserve = n_ctx ? (uint32_t)(n_ctx - fit_room(turn, n_ctx)) : 0;
		out->total = sum_kept(turn, tokens, request.refused ? NULL : request.keep);
		out->n_dropped = out->n_next_dropped = request.refused ? 0 : request.n_dropped;
		if (turn->answered && n_ctx)
			out->n_next_dropped = fit_dropped_next(turn, tokens, n_ctx);
		if (out->purpose == INSPECT_TOKENS)
			status = show_request(remote, turn, out, err);
	}
	remote_request_free(&request);
	free(tokens);
	return status;
}
