/* Reasoning that programs keep in the text of a reply. */
#include <string.h>

#include "base/utf8.h"
#include "base/words.h"
#include "import/reading.h"

static const struct {
	const char *open, *close, *answer;
} marks[] = {
	{"<think>", "</think>", NULL},
	{"<thinking>", "</thinking>", NULL},
	{"<thought>", "</thought>", NULL},
	{"<reasoning>", "</reasoning>", NULL},
	{"<seed:think>", "</seed:think>", NULL},
	{"[THINK]", "[/THINK]", NULL},
	{"◁think▷", "◁/think▷", NULL},
	{"<|channel|>analysis<|message|>", "<|end|>", "<|start|>assistant<|channel|>final<|message|>"},
};

static size_t skip_blanks(const struct buf *text, size_t at)
{
	while (at < text->len && words_is_blank(text->data[at]))
		at++;
	return at;
}

static bool is_at(const struct buf *text, size_t at, const char *what)
{
	size_t n = strlen(what);

	return at <= text->len && text->len - at >= n && memcmp(text->data + at, what, n) == 0;
}

/* Where it begins, from `at` on; the text's length: nowhere. */
static size_t find(const struct buf *text, size_t at, const char *what)
{
	const char *found = at < text->len ? memmem(text->data + at, text->len - at, what, strlen(what)) : NULL;

	return found ? (size_t)(found - text->data) : text->len;
}

static void put_reasoning(struct reading *reading, struct import_message *message,
                          const char *from, size_t n)
{
	struct buf *to = &message->reasoning;

	while (n && words_is_blank(*from)) {
		from++;
		n--;
	}
	n = utf8_trimmed(from, n);
	if (to->len && n)
		buf_puts(to, "\n\n");
	if (buf_append(to, from, n))
		reading_fail(reading, buf_status(to));
}

/* ---- Open WebUI: <details type="reasoning" ...><summary>...</summary> and quoted lines </details> ---- */

static const char details[] = "<details type=\"reasoning\"";

static const struct {
	const char *name, *text;
} entities[] = {{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#x27;", "'"}, {"&#39;", "'"}, {"&amp;", "&"}};

void content_put_unescaped(struct buf *out, const char *text, size_t len)
{
	for (size_t at = 0; at < len;) {
		size_t i = 0;

		while (i < sizeof entities / sizeof entities[0] &&
		       (len - at < strlen(entities[i].name) ||
		        memcmp(text + at, entities[i].name, strlen(entities[i].name)) != 0))
			i++;
		if (i < sizeof entities / sizeof entities[0]) {
			buf_puts(out, entities[i].text);
			at += strlen(entities[i].name);
		} else {
			buf_putc(out, text[at++]);
		}
	}
}

/* Lines are quoted with "> ", which newer versions write "&gt; ", and then all else is escaped, too. */
static void put_quoted(struct reading *reading, struct import_message *message, const char *from, size_t n)
{
	struct buf plain = {.max = message->text.max}, lines = {.max = message->text.max};

	if (n >= 4 && memcmp(from, "&gt;", 4) == 0)
		content_put_unescaped(&plain, from, n);
	else
		buf_append(&plain, from, n);
	for (size_t at = 0; at < plain.len;) {
		size_t end = find(&plain, at, "\n");

		if (plain.data[at] == '>')
			at += at + 1 < end && plain.data[at + 1] == ' ' ? 2 : 1;
		buf_append(&lines, plain.data + at, end - at);
		if (end < plain.len)
			buf_putc(&lines, '\n');
		at = end + 1;
	}
	put_reasoning(reading, message, buf_text(&lines), lines.len);
	if (buf_status(&plain) || buf_status(&lines))
		reading_fail(reading, STATUS_LIMIT);
	buf_free(&plain);
	buf_free(&lines);
}

/* Takes the block that begins here; where its end is. */
static size_t put_details(struct reading *reading, struct import_message *message, size_t begin)
{
	const struct buf *text = &message->text;
	const char *at = text->data + begin, *summary;
	size_t end = find(text, begin, "</details>"), inner;

	summary = memmem(at, end - begin, "</summary>", 10);
	inner = skip_blanks(text, summary ? (size_t)(summary - text->data) + 10
	                                  : find(text, begin, ">") + 1);
	if (inner < end)
		put_quoted(reading, message, text->data + inner, end - inner);
	return end < text->len ? skip_blanks(text, end + strlen("</details>")) : end;
}

/* A reply may have several, between calls of tools; what stands in a block of code is an example. */
static void split_details(struct reading *reading, struct import_message *message)
{
	struct buf *text = &message->text, kept;
	bool in_code = false;

	if (find(text, 0, details) == text->len)
		return;
	buf_init(&kept, text->max);
	for (size_t at = 0; at < text->len;) {
		size_t begin = at, end = find(text, at, "\n");

		while (begin < end && words_is_blank(text->data[begin]))
			begin++;
		if (is_at(text, begin, "```"))
			in_code = !in_code;
		if (!in_code && is_at(text, begin, details)) {
			at = put_details(reading, message, begin);
			continue;
		}
		end += end < text->len;
		buf_append(&kept, text->data + at, end - at);
		at = end;
	}
	if (buf_status(&kept))
		reading_fail(reading, buf_status(&kept));
	buf_free(text);
	*text = kept;
}

/* ---- marks ---- */

static void split_marks(struct reading *reading, struct import_message *message)
{
	struct buf *text = &message->text;
	const size_t at = skip_blanks(text, 0);

	for (size_t i = 0; i < sizeof marks / sizeof marks[0] && text->len; i++) {
		bool opens = is_at(text, at, marks[i].open);
		size_t from = opens ? at + strlen(marks[i].open) : 0;
		size_t end = find(text, from, marks[i].close), rest = end;
		bool closes = end < text->len;

		if (closes)
			rest += strlen(marks[i].close);
		/* A template may have written the opening mark; then only the closing one is there,
		 * on a line's end. */
		if (!opens && !(i == 0 && closes && !memmem(text->data, end, "<think>", 7) &&
		                (rest == text->len || text->data[rest] == '\n')))
			continue;
		if (closes && marks[i].answer && is_at(text, rest, marks[i].answer))
			rest += strlen(marks[i].answer);
		put_reasoning(reading, message, text->data + from, end - from);
		buf_remove(text, 0, skip_blanks(text, rest));
		return;
	}
}

void content_split_reasoning(struct reading *reading, struct import_message *message)
{
	split_marks(reading, message);
	split_details(reading, message);
}
