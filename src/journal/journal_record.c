/* Records as bytes: a frame line, a YAML mapping of double-quoted scalars, an end line.
 * sotto-transcript(5) describes them. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/crc32c.h"
#include "base/limits.h"
#include "base/option_value.h"
#include "config/yaml.h"
#include "journal/journal_internal.h"
#include "journal/journal_runs.h"

/* Returns where the record starts in the buffer: its frame, which has the length and the sum of the
 * body, is put before the body when that is complete. */
static size_t begin(struct buf *out, const char *type)
{
	size_t start = out->len;

	buf_printf(out, "type: \"%s\"\n", type);
	return start;
}

static void put_text(struct buf *out, const char *key, const char *text, size_t len)
{
	buf_printf(out, "%s: ", key);
	yaml_put_quoted(out, text, len, 2);
	buf_putc(out, '\n');
}

static void end(struct buf *out, const struct record_source *source, size_t start)
{
	char line[96], *body;
	size_t len, n;

	if (source->n_messages)
		buf_printf(out, "messages: \"%zu\"\n", source->n_messages);
	if (source->title)
		put_text(out, "title", source->title, strlen(source->title));
	if (buf_status(out))
		return;
	len = out->len - start;
	n = (size_t)snprintf(line, sizeof line, RECORD_MARK "seq=%" PRIu64 " len=%zu crc32c=%08" PRIx32
	                     "\n", source->seq, len, crc32c(out->data + start, len));
	if (buf_append(out, line, n)) /* makes room for it; then the two change places */
		return;
	body = out->data + start;
	memmove(body + n, body, len);
	memcpy(body, line, n);
	buf_puts(out, RECORD_END);
}

static void put_time(struct buf *out, int64_t seconds)
{
	time_t when = (time_t)seconds;
	struct tm tm;
	char text[64];

	if (gmtime_r(&when, &tm) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &tm))
		buf_printf(out, "time: \"%s\"\n", text);
}

static void put_params(struct buf *out, const struct node *node)
{
	struct buf value = {.max = 256};

	if (!node->has_params)
		return;
	buf_puts(out, "params:\n");
	for (size_t i = 0; i < sampler_n_options; i++) {
		buf_clear(&value);
		option_print(&sampler_options[i], &node->params, &value);
		buf_printf(out, "  %s: \"%s\"\n", sampler_options[i].name, buf_text(&value));
	}
	buf_free(&value);
}

static void put_tokens(struct buf *out, const struct node *node, size_t from)
{
	char digits[16];

	if (node->ids_unknown)
		buf_puts(out, "tokens_unknown: \"yes\"\n");
	if (from >= node->n_ids)
		return;
	buf_puts(out, "tokens: \"");
	for (size_t i = from; i < node->n_ids; i++) {
		int n = snprintf(digits, sizeof digits, i == from ? "%" PRId32 : " %" PRId32,
		                 node->ids[i]);

		buf_append(out, digits, (size_t)n);
	}
	buf_puts(out, "\"\n");
}

/* Which parts of the text are files. */
static void put_attachments(struct buf *out, const struct attachments *list)
{
	if (list && list->n)
		buf_puts(out, "attachments:\n");
	for (size_t i = 0; list && i < list->n; i++) {
		const struct attachment *item = &list->items[i];

		buf_puts(out, "  - ");
		put_text(out, "name", item->name, strlen(item->name));
		buf_printf(out, "    from: \"%zu\"\n    bytes: \"%zu\"\n", item->from, item->len);
		if (item->tokens && !item->is_estimated)
			buf_printf(out, "    tokens: \"%" PRIu32 "\"\n", item->tokens);
		if (item->n_hidden)
			buf_printf(out, "    hidden: \"%zu\"\n", item->n_hidden);
	}
}

static bool has_reasoning(const struct node *node)
{
	return node->reasoning_len || node->n_reasoning_ids;
}

static void put_reasoning(struct buf *out, const struct node *node, size_t from, size_t to)
{
	if (to > from)
		put_text(out, "reasoning", node->reasoning + from, to - from);
	if (node->n_reasoning_ids)
		buf_printf(out, "reasoning_tokens: \"%zu\"\n", node->n_reasoning_ids);
}

/* Near the end of a record, where the list of chats finds it. */
static void put_model(struct buf *out, const struct node *node)
{
	if (node->model)
		put_text(out, "model", node->model, strlen(node->model));
}

/* What every record about a message begins with. */
static void put_node(struct buf *out, const struct node *node)
{
	buf_printf(out, "id: \"%" PRIu32 "\"\nparent: \"%" PRIu32 "\"\nrole: \"%s\"\n", node->id,
	           node->parent, role_name(node->role));
	put_time(out, node->created);
}

/* How a message is sent. In a record of its own both keys are there, elsewhere what is set. */
static void put_marks(struct buf *out, const struct node *node, bool both)
{
	if (node->pinned || both)
		buf_printf(out, "pinned: \"%s\"\n", node->pinned ? "yes" : "no");
	if (node->dropped || both)
		buf_printf(out, "dropped: \"%s\"\n", node->dropped ? "yes" : "no");
}

void record_put_meta(struct buf *out, const struct record_source *source)
{
	size_t start = begin(out, "meta");

	buf_puts(out, "format: \"1\"\nprogram: \"" PACKAGE_STRING "\"\n");
	end(out, source, start);
}

void record_put_message(struct buf *out, const struct record_source *source,
                        const struct node *node)
{
	size_t start = begin(out, "message");

	put_node(out, node);
	if (node->whole)
		buf_puts(out, "whole: \"yes\"\n");
	if (node->origin)
		put_text(out, "origin", node->origin, strlen(node->origin));
	if (node->sums_up)
		buf_printf(out, "sums_up: \"%" PRIu32 "\"\n", node->sums_up);
	put_marks(out, node, false);
	put_text(out, "text", node->text, node->len);
	put_attachments(out, &node->attachments);
	put_tokens(out, node, 0);
	end(out, source, start);
}

void record_put_part(struct buf *out, const struct record_source *source, const struct node *node,
                     const struct record_part *part)
{
	size_t start = begin(out, "assistant-part");

	put_node(out, node);
	if (part->from == 0 && part->reasoning_from == 0)
		put_params(out, node);
	journal_put_runs(out, node);
	if (has_reasoning(node))
		buf_printf(out, "reasoning_from: \"%zu\"\n", part->reasoning_from);
	put_reasoning(out, node, part->reasoning_from, part->reasoning_to);
	buf_printf(out, "from: \"%zu\"\n", part->from);
	put_text(out, "text", node->text + part->from, part->to - part->from);
	put_tokens(out, node, part->from_id);
	put_model(out, node);
	end(out, source, start);
}

void record_put_reply(struct buf *out, const struct record_source *source, const struct node *node)
{
	size_t start = begin(out, "assistant-end");

	put_node(out, node);
	buf_printf(out, "state: \"%s\"\n",
	           node->state == NODE_COMPLETE ? "complete" : "interrupted");
	put_marks(out, node, false);
	put_params(out, node);
	journal_put_runs(out, node);
	put_reasoning(out, node, 0, node->reasoning_len);
	put_text(out, "text", node->text, node->len);
	put_tokens(out, node, 0);
	put_model(out, node);
	end(out, source, start);
}

void record_put_leaf(struct buf *out, const struct record_source *source, uint32_t leaf)
{
	size_t start = begin(out, "leaf");

	buf_printf(out, "id: \"%" PRIu32 "\"\n", leaf);
	end(out, source, start);
}

void record_put_mark(struct buf *out, const struct record_source *source, const struct node *node)
{
	size_t start = begin(out, "mark");

	buf_printf(out, "id: \"%" PRIu32 "\"\n", node->id);
	put_marks(out, node, true);
	end(out, source, start);
}

void record_put_draft(struct buf *out, const struct record_source *source, const char *text,
                      size_t len, const struct attachments *files)
{
	size_t start = begin(out, "draft");

	put_text(out, "text", text, len);
	put_attachments(out, files);
	end(out, source, start);
}

void record_put_title(struct buf *out, const struct record_source *source)
{
	size_t start = begin(out, "title");

	end(out, source, start); /* which contains the title, as every record's end does */
}

/* Appends to `all`; a record on its own first, for its own limit. */
static enum status add(struct buf *all, struct buf *record)
{
	enum status status = buf_status(record);

	if (!status)
		status = buf_append(all, record->data, record->len);
	buf_clear(record);
	return status;
}

enum status record_put_tree(struct buf *out, const struct tree *tree, const char *title,
                            struct record_source *last)
{
	struct buf record = {.max = LIMIT_RECORD};
	enum status status;

	*last = (struct record_source){.seq = 1, .title = title};
	record_put_meta(&record, last);
	status = add(out, &record);
	for (uint32_t id = 1; !status && id <= tree_n(tree); id++) {
		const struct node *node = tree_node(tree, id);

		last->seq++;
		last->n_messages += node->role != ROLE_SYSTEM;
		if (node->role == ROLE_ASSISTANT)
			record_put_reply(&record, last, node);
		else
			record_put_message(&record, last, node);
		status = add(out, &record);
	}
	if (!status) {
		last->seq++;
		record_put_leaf(&record, last, tree_leaf(tree));
		status = add(out, &record);
	}
	buf_free(&record);
	return status;
}
