#include "chat/attachment.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/amount.h"
#include "base/limits.h"
#include "base/sanitize.h"

static const char before_name[] = "File: ";
static const char after_words[] = "\n\n"; /* between the words and the first block */

enum { FENCE_MIN = 3 };

static void free_item(struct attachment *item)
{
	free(item->name);
	item->name = NULL;
}

void attachments_free(struct attachments *list)
{
	for (size_t i = 0; i < list->n; i++)
		free_item(&list->items[i]);
	free(list->items);
	*list = (struct attachments){.n = 0};
}

/* Adds a copy of the item. */
static enum status push(struct attachments *list, const struct attachment *item)
{
	struct attachment copy = *item;

	if (list->n >= LIMIT_ATTACHMENTS)
		return STATUS_LIMIT;
	copy.name = alloc_strndup(item->name, strlen(item->name));
	if (!copy.name || !alloc_grow(&list->items, &list->cap, list->n + 1, sizeof *list->items,
	                              LIMIT_ATTACHMENTS)) {
		free(copy.name);
		return STATUS_NOMEM;
	}
	list->items[list->n++] = copy;
	return STATUS_OK;
}

enum status attachments_copy(struct attachments *to, const struct attachments *from)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; i < from->n && !status; i++)
		status = push(to, &from->items[i]);
	if (status)
		attachments_free(to);
	return status;
}

size_t attachments_find(const struct attachments *list, const char *name)
{
	size_t i = 0;

	while (i < list->n && strcmp(list->items[i].name, name) != 0)
		i++;
	return i;
}

size_t attachments_words(const struct attachments *list, size_t text_len)
{
	size_t start;

	if (!list->n)
		return text_len;
	start = list->items[0].start;
	return start >= sizeof after_words - 1 ? start - (sizeof after_words - 1) : 0;
}

/* One more backtick than the longest row of them in the content. */
static size_t fence_len(const char *content, size_t len)
{
	size_t longest = FENCE_MIN - 1, n = 0;

	for (size_t i = 0; i < len; i++) {
		n = content[i] == '`' ? n + 1 : 0;
		longest = n > longest ? n : longest;
	}
	return longest + 1;
}

static void put_fence(struct buf *out, size_t len)
{
	while (len--)
		buf_putc(out, '`');
	buf_putc(out, '\n');
}

/* Appends a block, and an empty line before it if it is not the first. */
static enum status put_block(struct buf *out, struct attachment *item, const char *content, size_t len)
{
	size_t fence = fence_len(content, len);

	if (out->len)
		buf_putc(out, '\n');
	item->start = out->len;
	buf_puts(out, before_name);
	buf_puts(out, item->name);
	buf_putc(out, '\n');
	put_fence(out, fence);
	item->from = out->len;
	item->len = len;
	buf_append(out, content, len);
	if (len && content[len - 1] != '\n')
		buf_putc(out, '\n');
	put_fence(out, fence);
	return buf_status(out);
}

/* One line that shows the same wherever it is shown. */
static bool is_name(const char *name)
{
	struct buf safe = {.max = LIMIT_MESSAGE};
	bool same;

	same = name[0] && !sanitize_line(&safe, name, strlen(name)) && !strcmp(buf_text(&safe), name);
	buf_free(&safe);
	return same;
}

bool attachments_fit(struct attachments *list, const char *text, size_t len)
{
	struct buf blocks = {.max = LIMIT_MESSAGE};
	size_t start = 0;
	bool fit = true;

	for (size_t i = 0; i < list->n && fit; i++) {
		struct attachment *item = &list->items[i], made = *item;

		fit = is_name(item->name) && item->from <= len && item->len <= len - item->from &&
		      !put_block(&blocks, &made, text + item->from, item->len) && made.from <= item->from;
		if (!fit)
			break;
		if (i == 0)
			start = item->from - made.from;
		item->start = start + made.start;
		fit = start + made.from == item->from;
	}
	/* The words, and what divides them from the blocks. */
	fit = fit && start <= len && blocks.len == len - start &&
	      (!blocks.len || memcmp(blocks.data, text + start, blocks.len) == 0) &&
	      (!start || (start > sizeof after_words - 1 &&
	                  memcmp(text + start - (sizeof after_words - 1), after_words,
	                         sizeof after_words - 1) == 0));
	buf_free(&blocks);
	return fit;
}

enum status attachments_put_sent(struct buf *out, const struct attachments *list, const char *text,
                                 size_t len)
{
	size_t words = attachments_words(list, len), start = list->n ? list->items[0].start : len;

	buf_append(out, text + start, len - start);
	if (start < len && words)
		buf_putc(out, '\n');
	return buf_append(out, text, words);
}

void attachment_put_size(struct buf *out, const struct attachment *item)
{
	char bytes[AMOUNT_TEXT_MAX];

	buf_puts(out, amount_bytes(bytes, item->len));
	if (item->tokens)
		buf_printf(out, ", %s%" PRIu32 " token%s", item->is_estimated ? "~" : "", item->tokens, item->tokens == 1 ? "" : "s");
	if (item->n_hidden)
		buf_printf(out, ", %zu invisible character%s", item->n_hidden, item->n_hidden == 1 ? "" : "s");
	if (item->n_unreadable)
		buf_printf(out, ", %zu unreadable character%s", item->n_unreadable,
		           item->n_unreadable == 1 ? "" : "s");
}

void attached_init(struct attached *attached)
{
	*attached = (struct attached){.list = {.n = 0}};
	buf_init(&attached->text, LIMIT_MESSAGE);
}

void attached_free(struct attached *attached)
{
	buf_free(&attached->text);
	attachments_free(&attached->list);
}

static enum status add(struct attached *attached, const struct attachment *like, const char *content,
                       struct error *err)
{
	size_t before = attached->text.len;
	enum status status = push(&attached->list, like);

	if (status == STATUS_LIMIT)
		return error_set(err, status, "a message takes at most %d files", LIMIT_ATTACHMENTS);
	if (!status)
		status = put_block(&attached->text, &attached->list.items[attached->list.n - 1], content,
		                   like->len);
	if (!status)
		return STATUS_OK;
	if (attached->text.len > before || buf_status(&attached->text)) { /* as it was */
		buf_remove(&attached->text, before, attached->text.len - before);
		attached->text.status = STATUS_OK;
		free_item(&attached->list.items[--attached->list.n]);
	}
	return error_set(err, status, status == STATUS_LIMIT ? "%s: a message with its files holds at most %zu MiB"
	                                                     : "%s: not enough memory",
	                 like->name, LIMIT_MESSAGE >> 20);
}

static size_t count_unreadable(const char *text, size_t len)
{
	static const char replacement[] = "\357\277\275"; /* U+FFFD */
	size_t n = 0;

	for (const char *at = text, *end = text + len; at && at + 3 <= end;
	     at = memchr(at, replacement[0], (size_t)(end - at))) {
		bool is_one = end - at >= 3 && memcmp(at, replacement, 3) == 0;

		n += is_one;
		at += is_one ? 3 : 1;
	}
	return n;
}

enum status attached_add(struct attached *attached, const char *name, const char *content,
                         size_t len, struct error *err)
{
	struct attachment item = {.len = len, .n_hidden = sanitize_count_hidden(content, len),
	                          .n_unreadable = count_unreadable(content, len)};
	struct buf safe = {.max = LIMIT_MESSAGE};
	enum status status;

	status = sanitize_line(&safe, name[0] ? name : "?", name[0] ? strlen(name) : 1);
	item.name = safe.data;
	status = status ? error_set(err, status, "not enough memory") : add(attached, &item, content, err);
	buf_free(&safe);
	return status;
}

enum status attached_add_all(struct attached *attached, const struct attachments *list,
                             const char *text, struct error *err)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; i < list->n && !status; i++)
		status = add(attached, &list->items[i], text + list->items[i].from, err);
	return status;
}

/* Moves what stands behind the removed block, and its blank line, down. */
void attached_remove(struct attached *attached, size_t index)
{
	struct attachments *list = &attached->list;
	size_t start, n;

	if (index >= list->n)
		return;
	start = list->items[index].start;
	if (index + 1 < list->n) {
		n = list->items[index + 1].start - start;
	} else {
		start -= index > 0; /* the blank line before it */
		n = attached->text.len - start;
	}
	buf_remove(&attached->text, start, n);
	free_item(&list->items[index]);
	list->n--;
	memmove(list->items + index, list->items + index + 1, (list->n - index) * sizeof *list->items);
	for (size_t i = index; i < list->n; i++) {
		list->items[i].start -= n;
		list->items[i].from -= n;
	}
}

enum status attached_join(const struct attached *attached, const char *words, size_t n_words,
                          struct buf *text, struct attachments *list, struct error *err)
{
	enum status status = attachments_copy(list, &attached->list);
	size_t shift;

	buf_append(text, words, n_words);
	if (list->n && n_words)
		buf_puts(text, after_words);
	shift = text->len;
	buf_append(text, attached->text.data, attached->text.len);
	for (size_t i = 0; i < list->n; i++) {
		list->items[i].start += shift;
		list->items[i].from += shift;
	}
	if (!status)
		status = buf_status(text);
	if (!status)
		return STATUS_OK;
	attachments_free(list);
	return error_set(err, status, status == STATUS_LIMIT ? "a message with its files holds at most %zu MiB"
	                                                     : "not enough memory for the message",
	                 LIMIT_MESSAGE >> 20);
}
