/* A request of a reply to a llama-server, and a conversation counted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "encode/encode_inspect.h"
#include "remote/fields.h"
#include "remote/llama_server.h"
#include "remote/raw.h"

void llama_reply_free(struct llama_reply *reply)
{
	token_list_free(&reply->prompt);
	token_list_free(&reply->ids);
	token_list_free(&reply->forced);
	*reply = (struct llama_reply){.held = TOKEN_NONE};
}

/* ---- raw ---- */

/* What is sent of the options; the template has had the rest. */
static enum status put_fields(struct json_writer *json, const struct llama_server *llama,
                              const struct remote_ask *ask, struct error *err)
{
	struct turn turn = *ask->turn;
	struct remote_ask copy = *ask;
	const char **stops;
	struct buf biases = {.max = LIMIT_MESSAGE};
	size_t n_stops;
	enum status status = raw_stops(&turn, llama->tmpl, &stops, &n_stops, err);

	if (!status && turn.logit_bias)
		status = llama_biases(llama->tokenizer, turn.logit_bias, &biases, err);
	turn.logit_bias = turn.logit_bias ? buf_text(&biases) : NULL;
	turn.stops = stops;
	turn.n_stops = n_stops;
	turn.reasoning = (struct reasoning_wish){.mode = REASONING_AUTO};
	if (turn.n_predict >= 0)
		turn.n_predict -= (int32_t)llama->reply.n_before < turn.n_predict ? (int32_t)llama->reply.n_before
		                                                                   : turn.n_predict;
	if (ask->mode == BACKEND_WARM)
		turn.n_predict = 0;
	copy.turn = &turn;
	if (!status)
		status = fields_write(json, llama->remote, NULL, &copy, err);
	buf_free(&biases);
	free(stops);
	return status;
}

static void put_names(struct json_writer *json, const char *key, const char *const *names, size_t n)
{
	json_put_begin(json, key, '[');
	for (size_t i = 0; i < n; i++)
		json_put_string(json, NULL, names[i]);
	json_put_end(json, ']');
}

static enum status put_raw(struct remote_request *out, const struct llama_server *llama,
                           const struct remote_ask *ask, struct error *err)
{
	/* Without these the last event has the whole prompt again. */
	static const char *const last[] = {"content", "tokens", "stop", "stop_type", "stopping_word", "truncated",
	                                   "tokens_predicted", "tokens_evaluated", "tokens_cached", "timings"};
	struct json_writer json = {.out = &out->body};
	size_t n = ask->turn->n_candidates;
	enum status status;

	buf_puts(&out->path, "/completion");
	json_put_begin(&json, NULL, '{');
	if (llama->is_router)
		json_put_string(&json, "model", llama->remote->model);
	json_put_bool(&json, "stream", true);
	json_put_bool(&json, "cache_prompt", true);
	json_put_bool(&json, "return_tokens", true);
	json_put_bool(&json, "return_progress", true);
	json_put_number(&json, "n_probs", "%zu", n < TOKEN_CANDIDATES_MAX ? n : TOKEN_CANDIDATES_MAX);
	put_names(&json, "response_fields", last, sizeof last / sizeof *last);
	status = put_fields(&json, llama, ask, err);
	raw_put_prompt(&json, &llama->reply.prompt, out);
	json_put_end(&json, '}');
	return status;
}

/* What makes a server's context larger is none of our options, unless that has made it smaller. */
static enum status too_long(const struct remote *remote, enum status status, struct error *err)
{
	char *advice = err ? strstr(err->text, " (the option ctx-size") : NULL;

	if (status == STATUS_CONTEXT && advice && remote->wanted_ctx != remote->info.n_ctx)
		snprintf(advice, sizeof err->text - (size_t)(advice - err->text), " (llama-server's -c makes it larger)");
	return status;
}

/* The prompt of a new reply. */
static enum status encode(struct llama_server *llama, const struct remote_ask *ask, struct remote_request *out,
                          struct error *err)
{
	const struct turn *turn = ask->turn;
	struct encoded encoded;
	size_t begun = 0;
	enum status status = encode_for_context(&encoded, llama->tokenizer, llama->tmpl, turn,
	                                        raw_context(llama->remote), err);

	llama_reply_free(&llama->reply);
	if (!status && encoded.ids.n == 0)
		status = error_set(err, STATUS_USAGE, "the prompt has no tokens");
	if (!status && turn->continued)
		begun = encoded.counts[turn->n_messages - 1].tokens;
	if (!status && token_list_append(&out->begun, encoded.ids.ids + encoded.ids.n - begun, begun))
		status = error_no_memory(err, "for the prompt");
	if (!status) {
		llama->reply.prompt = encoded.ids;
		encoded.ids = (struct token_list){0};
		llama->reply.n_prompt = (uint32_t)llama->reply.prompt.n;
	}
	if (!status || encoded.refused)
		raw_take_encoded(out, &encoded);
	encoded_free(&encoded);
	return too_long(llama->remote, status, err);
}

/* A reply that has been told to answer now goes on behind what it has. */
static enum status go_on(struct llama_server *llama, struct error *err)
{
	struct llama_reply *reply = &llama->reply;
	enum status status = token_list_append(&reply->prompt, reply->ids.ids, reply->ids.n);

	reply->ids.n = 0;
	reply->goes_on = false;
	reply->n_before += reply->n_seen;
	reply->n_seen = 0;
	reply->owed = 0;
	return status ? error_no_memory(err, "for the prompt") : STATUS_OK;
}

static enum status write_raw(struct llama_server *llama, const struct remote_ask *ask, struct remote_request *out,
                             struct error *err)
{
	enum status status = llama->reply.goes_on ? go_on(llama, err) : encode(llama, ask, out, err);

	if (status)
		return status;
	llama->reply.is_raw = ask->turn->raw;
	llama->reply.is_warm = ask->mode == BACKEND_WARM;
	out->n_prompt = llama->reply.n_prompt;
	return put_raw(out, llama, ask, err);
}

enum status llama_write(struct remote *remote, const struct remote_ask *ask, struct remote_request *out,
                        struct error *err)
{
	struct llama_server *llama = remote->own;
	enum status status = llama_wake(remote, err);

	if (status)
		return status;
	return llama->mode == LLAMA_RAW ? write_raw(llama, ask, out, err) : llama_chat_write(llama, ask, out, err);
}

/* ---- counting ---- */

enum status llama_inspect(struct remote *remote, const struct turn *turn, struct inspection *out,
                          struct error *err)
{
	struct llama_server *llama = remote->own;
	const struct token_list *prompt = &llama->reply.prompt, *reply = &llama->reply.ids;
	struct encoded encoded;
	size_t n;
	enum status status;

	if (llama->mode != LLAMA_RAW)
		return llama_chat_inspect(remote, turn, out, err);
	status = encode_inspect(&encoded, llama->tokenizer, llama->tmpl, turn, raw_context(remote), out, err);
	out->n_ctx = remote->info.n_ctx;
	if (!remote->info.n_ctx)
		out->reserve = 0;
	/* What a slot has of it, if no other has taken it since. */
	n = raw_count_same(prompt, &encoded.ids);
	while (!status && n >= prompt->n && n < encoded.ids.n && n - prompt->n < reply->n &&
	       reply->ids[n - prompt->n] == encoded.ids.ids[n])
		n++;
	out->cached = (uint32_t)n;
	out->n_past = (uint32_t)(prompt->n + reply->n);
	encoded_free(&encoded);
	return status;
}

/* ---- "answer now" ---- */

/* What a template writes between the thinking and the answer. */
static void put_closing(const struct reasoning_markers *markers, struct buf *out)
{
	const char *answer = markers->answers[0];

	for (size_t i = 1; answer && i < REASONING_HEADERS_MAX && markers->answers[i]; i++)
		answer = markers->answers[i];
	if (!markers->parts)
		buf_putc(out, '\n');
	buf_puts(out, markers->close);
	if (answer)
		buf_puts(out, answer);
	else
		buf_puts(out, "\n\n");
}

static enum status answer_raw(struct llama_server *llama, struct error *err)
{
	struct llama_reply *reply = &llama->reply;
	struct buf text = {.max = 4096};
	struct text_span span;
	enum status status;

	if (reply->lacks_ids || !llama->tmpl->reasoning)
		return error_set(err, STATUS_UNSUPPORTED, "this reply cannot be told to answer now");
	put_closing(llama->tmpl->reasoning, &text);
	span = (struct text_span){buf_text(&text), text.len, false};
	reply->forced.n = 0;
	status = tokenizer_encode_spans(llama->tokenizer, &span, 1, ENCODE_CONTINUE, &reply->forced, err);
	if (!status && token_list_append(&reply->ids, reply->forced.ids, reply->forced.n))
		status = error_no_memory(err, "for the reply");
	buf_free(&text);
	if (status) /* the model thinks on */
		reply->forced.n = 0;
	else
		reply->held = TOKEN_NONE;
	reply->n_seen += (uint32_t)reply->forced.n;
	reply->goes_on = !status;
	llama->remote->again = !status;
	return status;
}

enum status llama_answer_now(struct remote *remote, const char *id, struct error *err)
{
	struct llama_server *llama = remote->own;
	enum status status;

	llama->is_reading = true; /* the call under way has the other connection */
	status = llama->mode == LLAMA_RAW ? answer_raw(llama, err) : llama_chat_answer(remote, id, err);
	llama->is_reading = false;
	return status;
}
