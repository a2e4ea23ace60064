#include "remote/messages.h"

#include <stdint.h>

#include "base/limits.h"
#include "encode/shape.h"

/* What any template takes, and what hosted models take. */
static const struct chat_abilities plain = {.system = true};
static const struct chat_abilities all = {
	.system = true, .systems = true, .late_system = true, .same_role = true, .reply_first = true};

/* The texts of a message, joined by blank lines. */
static void join(const struct chat_message *message, struct buf *out)
{
	buf_clear(out);
	for (size_t i = 0; i < message->n_texts; i++) {
		if (i)
			buf_puts(out, "\n\n");
		buf_append(out, message->texts[i].text, message->texts[i].len);
	}
}

static void put(struct json_writer *json, const struct chat_message *message, const struct buf *text,
                const struct messages_style *style, bool is_begun)
{
	json_put_line(json, "\n    ");
	json_put_begin(json, NULL, '{');
	json_put_string(json, "role", role_name(message->role));
	json_put_text(json, "content", buf_text(text), text->len);
	if (style->reasoning && message->reasoning.len)
		json_put_text(json, style->reasoning, message->reasoning.text, message->reasoning.len);
	if (style->prefix && is_begun)
		json_put_bool(json, style->prefix, true);
	json_put_end(json, '}');
}

/* A reply is continued by its text alone: what was thought before it is not sent. */
static enum status check_continued(const struct turn *turn, struct error *err)
{
	if (turn->continued && (!turn->n_messages || !turn->messages[turn->n_messages - 1].len))
		return error_set(err, STATUS_USAGE, "this server cannot go on with what its model has begun to think");
	return STATUS_OK;
}

enum status messages_write(struct json_writer *json, const char *key, const struct turn *turn, const bool *keep,
                           const struct messages_style *style, unsigned *changes, struct error *err)
{
	struct shaping shaping;
	struct buf text = {.max = SIZE_MAX / 2};
	enum status status = check_continued(turn, err);

	if (status)
		return status;
	status = shape_messages(&shaping, style->takes_all ? &all : &plain, turn, keep, err);
	if (!status) {
		json_put_begin(json, key, '[');
		for (size_t i = 0; i < shaping.n; i++) {
			join(&shaping.messages[i], &text);
			put(json, &shaping.messages[i], &text, style, turn->continued && i + 1 == shaping.n);
		}
		json_put_line(json, "\n  ");
		json_put_end(json, ']');
		*changes = shaping.changes;
	}
	if (!status && buf_status(&text))
		status = error_no_memory(err, "for the request");
	shaping_free(&shaping);
	buf_free(&text);
	return status;
}

enum status messages_write_raw(struct json_writer *json, const struct turn *turn, const bool *keep, struct error *err)
{
	struct buf text = {.max = LIMIT_REQUEST};
	enum status status;

	for (size_t i = 0; i < turn->n_messages; i++)
		if (!keep || keep[i])
			buf_append(&text, turn->messages[i].text, turn->messages[i].len);
	json_put_text(json, "prompt", buf_text(&text), text.len);
	status = buf_status(&text);
	buf_free(&text);
	if (status == STATUS_LIMIT)
		return error_set(err, STATUS_LIMIT, "the text is too large to be sent");
	return status ? error_no_memory(err, "for the request") : STATUS_OK;
}
