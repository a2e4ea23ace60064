#include "cli/reply_json.h"

#include <inttypes.h>

#include "base/json.h"
#include "base/limits.h"
#include "cli/print.h"

/* The object's beginning; in a stream its kind. */
static void put_begin(struct json_writer *json, enum reply_json_mode mode, const char *type)
{
	json_put_begin(json, NULL, '{');
	if (mode == REPLY_JSON_LINES)
		json_put_string(json, "type", type);
}

static void put_end(struct json_writer *json)
{
	json_put_end(json, '}');
	buf_putc(json->out, '\n');
}

void reply_json_token(struct reply_json *json, const struct token *token, struct buf *out)
{
	struct buf *kept = token->reasoning ? &json->reasoning : &json->reply;
	struct json_writer recant = {.out = out}, piece = {.out = out};

	if (token->recants) {
		buf_append(&json->reasoning, buf_text(&json->reply), json->reply.len);
		buf_clear(&json->reply);
		if (json->mode == REPLY_JSON_LINES) {
			put_begin(&recant, json->mode, "recant");
			put_end(&recant);
		}
	}
	buf_append(kept, token->bytes, token->len);
	if (buf_status(kept))
		out->status = buf_status(kept);
	if (json->mode != REPLY_JSON_LINES || !token->len)
		return;
	put_begin(&piece, json->mode, token->reasoning ? "thinking" : "reply");
	json_put_text(&piece, "text", token->bytes, token->len);
	put_end(&piece);
}

static const char *stop_name(enum done_reason reason)
{
	switch (reason) {
	case DONE_END: return "end";
	case DONE_STOP: return "stop";
	case DONE_LENGTH: return "length";
	case DONE_CONTEXT: return "context";
	case DONE_CANCELLED: return "interrupted";
	default: return done_reason_name(reason);
	}
}

/* Below a millisecond the clock is too coarse for a speed. */
static void put_speed(struct json_writer *json, const char *key, uint32_t n, double ms)
{
	if (ms >= 1)
		json_put_number(json, key, "%.2f", (double)n * 1e3 / ms);
	else
		json_put_null(json, key);
}

static void put_error(struct json_writer *json, const struct error *err, int code)
{
	json_put_begin(json, "error", '{');
	json_put_string(json, "message", err->text);
	json_put_number(json, "exit_status", "%d", code);
	json_put_end(json, '}');
}

static void put_count(struct json_writer *json, const char *key, uint32_t n, bool is_known)
{
	if (is_known)
		json_put_number(json, key, "%" PRIu32, n);
	else
		json_put_null(json, key);
}

/* A server may not tell all of it. */
static void put_stats(struct json_writer *json, const struct turn_stats *stats, uint32_t n_ctx)
{
	json_put_number(json, "prompt_tokens", "%u", stats->n_prompt);
	json_put_bool(json, "estimated", stats->estimated);
	put_count(json, "cached_tokens", stats->n_cached, !stats->cached_unknown);
	json_put_number(json, "reply_tokens", "%u", stats->n_generated);
	put_count(json, "thinking_tokens", stats->n_reasoning, stats->n_reasoning);
	json_put_number(json, "context_tokens", "%u", stats->n_ctx_used);
	put_count(json, "context_size", n_ctx, n_ctx);
	json_put_number(json, "left_out_messages", "%u", stats->n_dropped);
	json_put_number(json, "prompt_ms", "%.1f", stats->prefill_ms);
	json_put_number(json, "reply_ms", "%.1f", stats->decode_ms);
	put_speed(json, "prompt_tokens_per_second", stats->n_evaluated, stats->prefill_ms);
	put_speed(json, "reply_tokens_per_second", stats->n_generated, stats->decode_ms);
	if (stats->has_cost)
		json_put_number(json, "cost", "%.9g", stats->cost);
	else
		json_put_null(json, "cost");
}

static void put_word(struct json_writer *json, const char *key, const char *text)
{
	json_put_string(json, key, text[0] ? text : NULL);
}

void reply_json_end(const struct reply_json *reply, const struct reply_json_end *end, struct buf *out)
{
	const enum done_reason reason = end->result->reason;
	struct json_writer json = {.out = out};

	put_begin(&json, reply->mode, end->err ? "error" : "done");
	if (end->err)
		put_error(&json, end->err, end->code);
	json_put_text(&json, "reply", buf_text(&reply->reply), reply->reply.len);
	json_put_string(&json, "thinking", reply->reasoning.len ? buf_text(&reply->reasoning) : NULL);
	json_put_string(&json, "stop", end->err && reason != DONE_EARLY ? "error" : stop_name(reason));
	json_put_string(&json, "model", end->model);
	put_word(&json, "server", end->identity->server);
	put_word(&json, "dialect", end->identity->dialect);
	json_put_string(&json, "chat_template", end->chat_template);
	json_put_string(&json, "prompt_template", end->prompt_template);
	json_put_string(&json, "chat", end->chat);
	json_put_number(&json, "seed", "%" PRIu64, end->seed);
	put_stats(&json, &end->result->stats, end->n_ctx);
	put_end(&json);
}

int reply_json_fail(enum reply_json_mode mode, const struct error *err, int code)
{
	struct buf out = {.max = KIB(64)};
	struct json_writer json = {.out = &out};
	int rc;

	if (mode == REPLY_JSON_OFF)
		return code;
	put_begin(&json, mode, "error");
	put_error(&json, err, code);
	put_end(&json);
	rc = cli_print_buf(&out, "the error");
	return rc ? rc : code;
}
