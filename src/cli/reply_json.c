#include "cli/reply_json.h"

#include <inttypes.h>
#include <string.h>

#include "base/json.h"
#include "base/limits.h"
#include "cli/cli.h"

void reply_json_init(struct reply_json *json, enum reply_json_mode mode)
{
	json->mode = mode;
	buf_init(&json->reply, LIMIT_MESSAGE);
	buf_init(&json->thinking, LIMIT_MESSAGE);
}

void reply_json_deinit(struct reply_json *json)
{
	buf_free(&json->reply);
	buf_free(&json->thinking);
}

void reply_json_token(struct reply_json *json, const struct token *token, struct buf *out)
{
	struct buf *kept = token->reasoning ? &json->thinking : &json->reply;

	if (token->recants) {
		buf_append(&json->thinking, buf_text(&json->reply), json->reply.len);
		buf_clear(&json->reply);
		if (json->mode == REPLY_JSON_LINES)
			buf_puts(out, "{\"type\": \"recant\"}\n");
	}
	buf_append(kept, token->bytes, token->len);
	if (buf_status(kept))
		out->status = buf_status(kept);
	if (json->mode != REPLY_JSON_LINES || !token->len)
		return;
	buf_printf(out, "{\"type\": \"%s\", \"text\": ", token->reasoning ? "thinking" : "reply");
	json_put_text(out, token->bytes, token->len);
	buf_puts(out, "}\n");
}

static const char *stop_name(enum done_reason reason)
{
	switch (reason) {
	case DONE_END: return "end";
	case DONE_STOP: return "stop";
	case DONE_LENGTH: return "length";
	case DONE_CONTEXT: return "context";
	case DONE_CANCELLED: return "interrupted";
	case DONE_ERROR: break;
	}
	return "error";
}

static void put_text(struct buf *out, const char *name, const char *text)
{
	buf_printf(out, ", \"%s\": ", name);
	if (text)
		json_put_text(out, text, strlen(text));
	else
		buf_puts(out, "null");
}

/* Below a millisecond the clock is too coarse for a speed. */
static void put_speed(struct buf *out, const char *name, uint32_t n, double ms)
{
	if (ms >= 1)
		buf_printf(out, ", \"%s\": %.2f", name, (double)n * 1e3 / ms);
	else
		buf_printf(out, ", \"%s\": null", name);
}

static void put_error(struct buf *out, const struct error *err, int code)
{
	buf_puts(out, "\"error\": {\"message\": ");
	json_put_text(out, err->text, strlen(err->text));
	buf_printf(out, ", \"exit_status\": %d}", code);
}

static void put_stats(struct buf *out, const struct turn_stats *stats, uint32_t n_ctx)
{
	buf_printf(out, ", \"prompt_tokens\": %u, \"cached_tokens\": %u, \"reply_tokens\": %u, "
	           "\"context_tokens\": %u, \"context_size\": %u, \"left_out_messages\": %u, "
	           "\"prompt_ms\": %.1f, \"reply_ms\": %.1f", stats->n_prompt, stats->n_cached,
	           stats->n_generated, stats->n_ctx_used, n_ctx, stats->n_dropped, stats->prefill_ms,
	           stats->decode_ms);
	put_speed(out, "prompt_tokens_per_second", stats->n_evaluated, stats->prefill_ms);
	put_speed(out, "reply_tokens_per_second", stats->n_generated, stats->decode_ms);
}

/* The object's beginning; in a stream its kind. */
static void put_begin(struct buf *out, enum reply_json_mode mode, const char *type)
{
	buf_putc(out, '{');
	if (mode == REPLY_JSON_LINES)
		buf_printf(out, "\"type\": \"%s\", ", type);
}

void reply_json_end(const struct reply_json *json, const struct reply_json_end *end, struct buf *out)
{
	put_begin(out, json->mode, end->err ? "error" : "done");
	if (end->err) {
		put_error(out, end->err, end->code);
		buf_puts(out, ", ");
	}
	buf_puts(out, "\"reply\": ");
	json_put_text(out, buf_text(&json->reply), json->reply.len);
	put_text(out, "thinking", json->thinking.len ? buf_text(&json->thinking) : NULL);
	put_text(out, "stop", end->err ? "error" : stop_name(end->result->reason));
	put_text(out, "model", end->model);
	put_text(out, "chat_template", end->chat_template);
	put_text(out, "prompt_template", end->prompt_template);
	put_text(out, "chat", end->chat);
	buf_printf(out, ", \"seed\": %" PRIu64, end->seed);
	put_stats(out, &end->result->stats, end->n_ctx);
	buf_puts(out, "}\n");
}

int reply_json_fail(enum reply_json_mode mode, const struct error *err, int code)
{
	struct buf out;
	int rc;

	if (mode == REPLY_JSON_OFF)
		return code;
	buf_init(&out, KIB(64));
	put_begin(&out, mode, "error");
	put_error(&out, err, code);
	buf_puts(&out, "}\n");
	rc = cli_print_buf(&out, "the error");
	return rc ? rc : code;
}
