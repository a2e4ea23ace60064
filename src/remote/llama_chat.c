/* Replies of a llama-server that makes the prompt itself: it gets messages. */
#include "base/json_walk.h"
#include "base/limits.h"
#include "remote/call.h"
#include "remote/estimate.h"
#include "remote/fields.h"
#include "remote/llama_server.h"
#include "remote/messages.h"

static const struct messages_style chat_style = {.reasoning = "reasoning_content"};

static void put_usual(struct json_writer *json, const struct remote *remote, size_t n_candidates)
{
	json_put_string(json, "model", remote->model);
	json_put_bool(json, "stream", true);
	json_put_begin(json, "stream_options", '{');
	json_put_bool(json, "include_usage", true);
	json_put_end(json, '}');
	json_put_bool(json, "cache_prompt", true);
	json_put_bool(json, "return_progress", true);
	json_put_bool(json, "reasoning_control", true);
	json_put_string(json, "reasoning_format", "auto");
	if (n_candidates) { /* alone, top_logprobs is an error */
		json_put_bool(json, "logprobs", true);
		json_put_number(json, "top_logprobs", "%zu", n_candidates);
	}
}

enum status llama_chat_write(struct llama_server *llama, const struct remote_ask *ask, struct remote_request *out,
                             struct error *err)
{
	struct remote *remote = llama->remote;
	struct json_writer json = {.out = &out->body};
	struct turn turn = *ask->turn;
	struct remote_ask copy = *ask;
	size_t n = turn.n_candidates < TOKEN_CANDIDATES_MAX ? turn.n_candidates : TOKEN_CANDIDATES_MAX;
	enum status status = estimate_fit(remote, ask->turn, out, err);

	if (status)
		return status;
	copy.turn = &turn;
	turn.n_predict = ask->mode == BACKEND_WARM ? 0 : turn.n_predict;
	buf_puts(&out->path, turn.raw ? "/v1/completions" : "/v1/chat/completions");
	json_put_begin(&json, NULL, '{');
	put_usual(&json, remote, turn.raw ? 0 : n);
	status = fields_write(&json, remote, NULL, &copy, err);
	if (!status && turn.raw)
		status = messages_write_raw(&json, &turn, out->keep, err);
	else if (!status)
		status = messages_write(&json, "messages", &turn, out->keep, &chat_style, &out->changes, err);
	json_put_end(&json, '}');
	return status;
}

/* How many tokens the server makes of the messages; false: it does not say. */
static bool count_messages(struct remote *remote, const struct turn *turn, const bool *keep, uint32_t *n)
{
	static const struct json_place place = {"input_tokens", JSON_PLACE_U32, 0, 0};
	struct buf body = {.max = LIMIT_TOKENIZE_INPUT * 6};
	struct json_writer json = {.out = &body};
	unsigned changes;
	enum status status;

	json_put_begin(&json, NULL, '{');
	json_put_string(&json, "model", remote->model);
	status = messages_write(&json, "messages", turn, keep, &chat_style, &changes, NULL);
	json_put_end(&json, '}');
	*n = 0;
	if (!status)
		status = remote_call_values(remote, "/v1/chat/completions/input_tokens", &body, REMOTE_CALL_MS, &place, 1, n,
		                            NULL, NULL);
	buf_free(&body);
	return !status && *n;
}

/* The server counts all messages together: each of them stays an estimate, corrected by that. */
enum status llama_chat_inspect(struct remote *remote, const struct turn *turn, struct inspection *out,
                                struct error *err)
{
	const struct llama_server *llama = remote->own;
	enum status status = estimate_inspect(remote, turn, out, err);
	uint32_t n;

	if (status || turn->raw || llama->mode == LLAMA_ASLEEP || out->n_dropped ||
	    !count_messages(remote, turn, NULL, &n))
		return status;
	estimate_correct(remote, turn, NULL, n);
	out->total = n;
	out->estimated = out->purpose != INSPECT_GAUGE;
	out->is_total_known = true;
	return STATUS_OK;
}

/* The server ends the thinking of a reply whose prompt it has made. */
enum status llama_chat_answer(struct remote *remote, const char *id, struct error *err)
{
	struct buf body = {.max = 4096};
	struct json_writer json = {.out = &body};
	struct http_answer answer = {.code = 0};
	struct http *http;
	enum status status = remote_aside(remote, &http, err);

	json_put_begin(&json, NULL, '{');
	json_put_string(&json, "id", id);
	json_put_string(&json, "action", "reasoning_end");
	json_put_string(&json, "model", remote->model);
	json_put_end(&json, '}');
	if (!status)
		status = remote_call(remote, http, "/v1/chat/completions/control", &body, REMOTE_CALL_MS, &answer, err);
	http_answer_free(&answer);
	buf_free(&body);
	return status;
}
