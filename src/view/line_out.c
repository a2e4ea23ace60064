#include "view/line_out.h"

#include <string.h>

#include "base/limits.h"
#include "base/sanitize.h"

static void put(struct line_out *out, const struct buf *text)
{
	if (!text->len)
		return;
	term_send(out->term, buf_text(text), text->len); /* if the terminal is gone, poll says so */
	out->mid_line = text->data[text->len - 1] != '\n';
}

void line_out_end_line(struct line_out *out)
{
	if (!out->mid_line)
		return;
	term_send(out->term, "\n", 1);
	out->mid_line = false;
}

/* Lines and corners that draw boxes and trees, of U+2500 to U+257F. */
static bool is_box(const struct safe_piece *piece)
{
	return piece->kind == SAFE_TEXT && piece->cps[0] >= 0x2500 && piece->cps[0] < 0x2580;
}

/* The program's own texts, some of which are tables: to be heard, one blank does. */
static void put_spoken(struct buf *to, const char *text, size_t len)
{
	struct safe_piece piece;
	bool blank = true;

	for (size_t at = 0; sanitize_next(text, len, at, &piece); at = piece.end) {
		bool is_blank = piece.kind == SAFE_TAB || is_box(&piece) ||
		                (piece.kind == SAFE_TEXT && piece.cps[0] == ' ');

		if (is_blank && blank)
			continue;
		if (is_blank)
			buf_putc(to, ' ');
		else
			sanitize_append(to, &piece, false);
		blank = is_blank || piece.kind == SAFE_NEWLINE;
	}
}

/* Without newlines at its end. */
static size_t trimmed(const char *text, size_t len)
{
	while (len && (text[len - 1] == '\n' || text[len - 1] == '\r'))
		len--;
	return len;
}

void line_out_message(struct line_out *out, enum theme_role role, const char *word, const char *text,
                      size_t len)
{
	bool is_own = role != STYLE_USER && role != STYLE_ASSISTANT && role != STYLE_REASONING;
	struct buf line = {.max = 16 * LIMIT_MESSAGE}, words = {.max = 16 * LIMIT_MESSAGE};

	line_out_end_line(out);
	if (word && (out->accessible || strcmp(word, "Error") == 0 ||
	             strcmp(word, "Thinking") == 0))
		buf_printf(&words, "%s: ", word);
	len = trimmed(text, len);
	if (out->accessible && is_own)
		put_spoken(&words, text, len);
	else
		buf_append(&words, text, len);
	buf_puts(&line, out->sgr.on[role]);
	line_flow_text(&line, buf_text(&words), words.len, out->cols);
	if (buf_status(&words))
		line.status = buf_status(&words);
	buf_free(&words);
	buf_printf(&line, "%s\n", out->sgr.on[role][0] ? out->sgr.off : "");
	if (!buf_status(&line))
		put(out, &line);
	out->has_interrupted = true;
	buf_free(&line);
}

/* ---- replies ---- */

void line_reply_begin(struct line_reply *reply, uint32_t node, size_t from, bool as_markdown, int cols)
{
	line_reply_free(reply);
	reply->node = node;
	reply->done = from;
	reply->as_markdown = as_markdown;
	reply->cols = cols;
}

void line_reply_free(struct line_reply *reply)
{
	markdown_free(&reply->markdown);
	*reply = (struct line_reply){.node = 0};
}

/* One row: the text between its bytes, in the styles of its runs. */
static void put_row(const struct line_out *out, const struct markdown *markdown,
                    const struct markdown_row *row, struct buf *to)
{
	const char *text = buf_text(&markdown->text);
	const struct text_style style = {STYLE_ASSISTANT, markdown->runs, markdown->n_runs};
	enum theme_role before = STYLE_ASSISTANT;
	struct safe_piece piece;
	size_t run = 0;

	for (size_t at = row->from; sanitize_next(text, row->to, at, &piece); at = piece.end) {
		enum theme_role role = piece.kind == SAFE_MARK ? STYLE_HIDDEN
		                                               : cells_role_at(&style, &run, at);

		if (role != before) {
			if (out->sgr.on[before][0])
				buf_puts(to, out->sgr.off);
			buf_puts(to, out->sgr.on[role]);
		}
		before = role;
		sanitize_append(to, &piece, true);
	}
	if (out->sgr.on[before][0])
		buf_puts(to, out->sgr.off);
	buf_putc(to, '\n');
}

static void put_rows(const struct line_out *out, struct line_reply *reply, size_t n, struct buf *to)
{
	const struct markdown *markdown = &reply->markdown;

	for (; reply->n_rows < n; reply->n_rows++) {
		const struct markdown_row *row = &markdown->rows[reply->n_rows];

		if (row->from == row->to) {
			reply->n_blank += reply->has_begun;
			continue;
		}
		for (; reply->n_blank; reply->n_blank--)
			buf_putc(to, '\n');
		reply->has_begun = true;
		put_row(out, markdown, row, to);
	}
}

/* Bytes that mean nothing to Markdown, and that no row of a paragraph is read for: what was printed of
 * them is right whatever follows. */
static bool is_plain(const char *text, size_t len)
{
	static const char marks[] = "*_`[]$<>|\\~&";

	for (size_t i = 0; i < len; i++)
		if (!text[i] || strchr(marks, text[i]))
			return false;
	return true;
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

/* A paragraph is final only with its end, for which a reader of a slow model would wait long. So its
 * rows but the last two are printed as they fill, if it has begun without any marks, and what follows
 * is laid out as a paragraph of its own. (Two: a line below may make a heading of the one above.) */
static void put_full_rows(const struct line_out *out, struct line_reply *reply, const char *text,
                          struct buf *to)
{
	struct markdown *markdown = &reply->markdown;
	size_t from = markdown->sure.source, n = markdown->n_rows, cut = 0;

	if (markdown->sure.fence || !is_letter(text[from]))
		return;
	for (size_t row = reply->n_rows + 1; row + 2 < n; row++) {
		size_t source = markdown->rows[row].source;

		if (source <= from || !is_plain(text + from, source - from))
			break;
		if (is_letter(text[source]))
			cut = row;
	}
	if (!cut)
		return;
	put_rows(out, reply, cut, to);
	reply->done += markdown->rows[cut].source;
	reply->n_rows = 0;
	markdown_free(markdown);
}

static void put_sentences(struct line_out *out, struct line_reply *reply, const char *text,
                          size_t len, bool ended, struct buf *to)
{
	static const char name[] = "Reply: ";
	size_t n;

	if (!reply->has_begun) /* blank lines at its beginning */
		while (reply->done < len && (text[reply->done] == '\n' || text[reply->done] == ' '))
			reply->done++;
	len = ended ? trimmed(text, len) : len;
	if (len <= reply->done)
		return;
	n = ended ? len - reply->done : line_flow_whole(text + reply->done, len - reply->done);
	if (!n)
		return;
	if (!reply->has_begun || out->has_interrupted)
		reply->flow = (struct line_flow){.col = 0};
	if (out->accessible && (!reply->has_begun || out->has_interrupted))
		line_flow_put(&reply->flow, to, name, sizeof name - 1, reply->cols);
	reply->has_begun = true;
	out->has_interrupted = false;
	line_flow_put(&reply->flow, to, text + reply->done, n, reply->cols);
	reply->done += n;
}

enum status line_reply_put(struct line_out *out, struct line_reply *reply, const char *text, size_t len,
                           bool ended)
{
	enum status status = STATUS_OK;
	struct buf to = {.max = 16 * LIMIT_MESSAGE};

	if (!reply->as_markdown) {
		put_sentences(out, reply, text, len, ended, &to);
	} else {
		status = markdown_update(&reply->markdown, text + reply->done, len - reply->done, !ended,
		                         reply->cols, !out->sgr.on[STYLE_CODE][0]);
		if (!status)
			put_rows(out, reply, ended ? reply->markdown.n_rows : reply->markdown.sure.n_rows, &to);
		if (!status && !ended)
			put_full_rows(out, reply, text + reply->done, &to);
	}
	if (!status)
		status = buf_status(&to);
	if (!status)
		put(out, &to);
	if (ended)
		line_out_end_line(out);
	buf_free(&to);
	return status;
}
