/* A request of a reply to vLLM or SGLang, and a conversation counted. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "encode/encode_inspect.h"
#include "encode/fit.h"
#include "remote/call.h"
#include "remote/estimate.h"
#include "remote/fields.h"
#include "remote/messages.h"
#include "remote/raw.h"
#include "remote/route.h"
#include "remote/vllm.h"

enum {
	LONG_REPLY = 1 << 14, /* where the context is not known */
	FITS_MAX = 4,
	CANDIDATES_MAX = 20,
};

static const struct messages_style style = {.reasoning = "reasoning_content"};

/* ---- raw ---- */

/* How many tokens a reply may have: as many as its turn says and the context has room for. Both servers refuse more, and
 * take sixteen where /v1/completions does not say it. */
static int32_t limit_of(const struct remote *remote, const struct turn *turn, uint32_t n_prompt)
{
	uint32_t n_ctx = remote->info.n_ctx;
	int32_t room = !n_ctx ? LONG_REPLY : n_ctx > n_prompt ? (int32_t)(n_ctx - n_prompt) : 1;

	return turn->n_predict >= 0 && turn->n_predict < room ? turn->n_predict : room;
}

static enum status put_raw_fields(struct json_writer *json, const struct vllm *vllm,
                                  const struct remote_ask *ask, struct error *err)
{
	const struct chat_template *tmpl = vllm->tmpl;
	struct turn turn = *ask->turn;
	struct remote_ask copy = *ask;
	const char **stops;
	enum status status = raw_stops(ask->turn, tmpl, &stops, &turn.n_stops, err);

	if (status)
		return status;
	turn.stops = stops;
	turn.n_predict = limit_of(vllm->remote, &turn, (uint32_t)vllm->prompt.n);
	turn.reasoning =
		(struct reasoning_wish){.mode = REASONING_AUTO}; /* the template was told */
	copy.turn = &turn;
	if (!turn.raw && tmpl->end_id != TOKEN_NONE) {
		json_put_begin(json, "stop_token_ids", '[');
		json_put_number(json, NULL, "%" PRId32, tmpl->end_id);
		json_put_end(json, ']');
	}
	status = fields_write(json, vllm->remote, NULL, &copy, err);
	free(stops);
	return status;
}

static enum status put_raw(struct vllm *vllm, const struct remote_ask *ask,
                           struct remote_request *out, struct error *err)
{
	struct json_writer json = {.out = &out->body};
	const size_t n = ask->turn->n_candidates;
	enum status status;

	buf_puts(&out->path, remote_route(vllm->remote->url, "/v1/completions"));
	json_put_begin(&json, NULL, '{');
	json_put_string(&json, "model", vllm->remote->model);
	json_put_bool(&json, "stream", true);
	if (n > 0)
		json_put_number(&json, "logprobs", "%zu", n < CANDIDATES_MAX ? n : CANDIDATES_MAX);
	status = put_raw_fields(&json, vllm, ask, err);
	raw_put_prompt(&json, &vllm->prompt, out);
	json_put_end(&json, '}');
	return status;
}

static enum status write_raw(struct vllm *vllm, const struct remote_ask *ask,
                             struct remote_request *out, struct error *err)
{
	struct encoded encoded;
	enum status status = encode_for_context(&encoded, vllm->tokenizer, vllm->tmpl, ask->turn,
	                                        raw_context(vllm->remote), err);

	if (!status && encoded.ids.n == 0)
		status = error_set(err, STATUS_USAGE, "the prompt has no tokens");
	if (!status || encoded.refused)
		raw_take_encoded(out, &encoded);
	if (!status) {
		token_list_free(&vllm->prompt);
		vllm->prompt = encoded.ids;
		encoded.ids = (struct token_list){0};
		out->n_prompt = (uint32_t)vllm->prompt.n;
		status = put_raw(vllm, ask, out, err);
	}
	encoded_free(&encoded);
	return status;
}

/* ---- by messages ---- */

/* How the template ends what is counted. */
static void put_end(struct json_writer *json, const struct turn *turn)
{
	if (turn->continued)
		json_put_bool(json, "continue_final_message", true);
	if (turn->continued || turn->answered)
		json_put_bool(json, "add_generation_prompt", false);
}

static enum status ask_count(struct remote *remote, const struct buf *body, uint32_t *n, struct error *err)
{
	static const struct json_place places[] = {{"count", JSON_PLACE_U32, 0, 0}};
	enum status status;

	*n = 0;
	status = remote_call_values(remote, "/tokenize", body, 0, places, 1, n, NULL, err);
	if (!status && *n == 0)
		status = error_set(err, STATUS_UNSUPPORTED, "it does not count messages");
	return status;
}

enum status vllm_count(struct remote *remote, const struct turn *turn, const bool *keep,
                       uint32_t *n, struct error *err)
{
	struct buf body = {.max = LIMIT_STREAM};
	struct json_writer json = {.out = &body};
	unsigned changes;
	enum status status;

	json_put_begin(&json, NULL, '{');
	json_put_string(&json, "model", remote->model);
	status = messages_write(&json, "messages", turn, keep, &style, &changes, err);
	put_end(&json, turn);
	if (turn->reasoning.mode != REASONING_AUTO) {
		json_put_begin(&json, "chat_template_kwargs", '{');
		json_put_bool(&json, "enable_thinking", turn->reasoning.mode == REASONING_ON);
		json_put_end(&json, '}');
	}
	json_put_end(&json, '}');
	if (!status)
		status = ask_count(remote, &body, n, err);
	buf_free(&body);
	return status;
}

/* Chooses what is sent by estimates, which the server's counts correct until they hold. */
static enum status fit(struct remote *remote, const struct turn *turn, struct remote_request *out,
                       struct error *err)
{
	const struct vllm *vllm = remote->own;
	enum status status = estimate_fit(remote, turn, out, err);

	for (int i = 0; !status && vllm->counts && i < FITS_MAX; i++) {
		uint32_t n;

		status = vllm_count(remote, turn, out->keep, &n, err);
		if (status)
			return status;
		out->n_prompt = n;
		out->is_estimate = false;
		if (remote->info.n_ctx == 0 || n <= fit_room(turn, remote->info.n_ctx))
			break;
		estimate_correct(remote, turn, out->keep, n);
		free(out->keep);
		out->keep = NULL;
		status = estimate_fit(remote, turn, out, err);
	}
	return status;
}

static enum status write_chat(struct remote *remote, const struct remote_ask *ask,
                              struct remote_request *out, struct error *err)
{
	struct json_writer json = {.out = &out->body};
	const struct turn *turn = ask->turn;
	struct turn limited = *turn;
	struct remote_ask copy = *ask;
	enum status status;

	copy.turn = &limited;
	if (turn->raw)
		return error_set(err, STATUS_DECLINED,
		                 "%s: texts without a template need its model's vocabulary: name a "
		                 "chat-template in servers.yaml",
		                 remote->server->name);
	status = fit(remote, turn, out, err);
	if (status)
		return status;
	buf_puts(&out->path, remote_route(remote->url, "/v1/chat/completions"));
	json_put_begin(&json, NULL, '{');
	json_put_string(&json, "model", remote->model);
	json_put_bool(&json, "stream", true);
	if (limited.n_predict >= 0 && !out->is_estimate)
		limited.n_predict = limit_of(remote, turn, out->n_prompt);
	status = fields_write(&json, remote, NULL, &copy, err);
	if (!status)
		status = messages_write(&json, "messages", turn, out->keep, &style, &out->changes, err);
	json_put_end(&json, '}');
	return status;
}

enum status vllm_write(struct remote *remote, const struct remote_ask *ask,
                       struct remote_request *out, struct error *err)
{
	struct vllm *vllm = remote->own;

	return vllm->is_raw ? write_raw(vllm, ask, out, err) : write_chat(remote, ask, out, err);
}

/* ---- counting ---- */

static enum status inspect_raw(struct vllm *vllm, const struct turn *turn, struct inspection *out,
                               struct error *err)
{
	struct encoded encoded;
	enum status status = encode_inspect(&encoded, vllm->tokenizer, vllm->tmpl, turn,
	                                    raw_context(vllm->remote), out, err);

	out->n_ctx = vllm->remote->info.n_ctx;
	out->cached = (uint32_t)raw_count_same(&vllm->prompt, &encoded.ids);
	out->n_past = (uint32_t)vllm->prompt.n;
	encoded_free(&encoded);
	return status;
}

/* The messages take `total` tokens together, and not what was estimated: the longest one takes the difference. */
static void correct_counts(struct inspection *out, size_t n_messages, uint32_t total)
{
	struct message_count *longest = NULL;
	int64_t difference = (int64_t)total - out->total;

	for (size_t i = 0; i < n_messages; i++)
		if (!longest || out->messages[i].tokens > longest->tokens)
			longest = &out->messages[i];
	if (longest && longest->tokens + difference >= longest->markup)
		longest->tokens = (uint32_t)(longest->tokens + difference);
	out->total = total;
}

/* The sum is exact; what each message takes of it stays an estimate, and only the gauge does not show that. */
static enum status inspect_chat(struct remote *remote, const struct turn *turn,
                                struct inspection *out, struct error *err)
{
	const struct vllm *vllm = remote->own;
	enum status status = estimate_inspect(remote, turn, out, err);
	bool *keep;
	uint32_t n;

	if (status || !vllm->counts || turn->raw)
		return status;
	keep = alloc_array(turn->n_messages, sizeof *keep);
	if (!keep)
		return error_no_memory(err, "to count");
	for (size_t i = 0; i < turn->n_messages; i++)
		keep[i] = !out->messages[i].left_out;
	status = vllm_count(remote, turn, keep, &n, err);
	free(keep);
	if (status == STATUS_CANCELLED || status == STATUS_NOMEM)
		return status;
	if (status)
		return STATUS_OK; /* it is estimated */
	correct_counts(out, turn->n_messages, n);
	out->estimated = out->purpose != INSPECT_GAUGE;
	out->is_total_known = true;
	return STATUS_OK;
}

enum status vllm_inspect(struct remote *remote, const struct turn *turn, struct inspection *out,
                         struct error *err)
{
	struct vllm *vllm = remote->own;

	return vllm->is_raw ? inspect_raw(vllm, turn, out, err)
	                    : inspect_chat(remote, turn, out, err);
}
