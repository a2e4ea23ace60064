/* wordwrap: Python's textwrap without its tabs and its changes to blanks. */
#include <string.h>

#include "jinja/casing.h"
#include "jinja/filters.h"
#include "jinja/methods.h"

/* A text as characters: line by line, [from, to) of them. */
struct wrapper {
	struct render *render;
	const struct string *string;
	uint32_t *chars;
	size_t *offsets; /* of chars in the string; one more than there are */
	size_t width;
	bool break_words;   /* those longer than a line */
	bool split_hyphens; /* lines may end within a word, after a hyphen */
	bool break_hyphens; /* a broken word is broken there */
	const struct string *newline;
	struct text text;
};

/* ---- chunks ---- words, and the blanks between them */

/* What textwrap takes for a blank. */
static bool is_blank(uint32_t c)
{
	return (c >= '\t' && c <= '\r') || c == ' ';
}

static bool is_letter(uint32_t c)
{
	return char_is_word(c) && !char_is_decimal(c);
}

/* May stand before a dash. */
static bool is_word_end(uint32_t c)
{
	return char_is_word(c) || (c < 0x80 && c && strchr("!\"'&.,?", (int)c));
}

/* A dash of two hyphens or more between words: where it ends; 0: it is none. */
static size_t dash_end(const struct wrapper *w, size_t from, size_t to, size_t at)
{
	size_t end = at;

	if (at == from || !is_word_end(w->chars[at - 1]))
		return 0;
	while (end < to && w->chars[end] == '-')
		end++;
	return end - at >= 2 && end < to && char_is_word(w->chars[end]) ? end : 0;
}

/* A hyphen within a word, after which a line may end: letters on both sides,
 * two of them, or one and a hyphen and another. */
static bool is_break(const struct wrapper *w, size_t from, size_t to, size_t at)
{
	const uint32_t *c = w->chars;
	size_t after = at + 1;

	if (c[at] != '-' || at < from + 2 || !is_letter(c[at - 1]))
		return false;
	if (!is_letter(c[at - 2]) &&
	    !(c[at - 2] == '-' && at >= from + 3 && is_letter(c[at - 3])))
		return false;
	if (after >= to || !is_letter(c[after]))
		return false;
	after++;
	if (after < to && c[after] == '-')
		after++;
	return after < to && is_letter(c[after]);
}

static size_t chunk_end(const struct wrapper *w, size_t from, size_t to, size_t at)
{
	bool blank = at < to && is_blank(w->chars[at]);
	size_t end, dash;

	if (at == to)
		return to;
	if (w->split_hyphens && !blank) {
		dash = dash_end(w, from, to, at);
		if (dash)
			return dash;
	}
	for (end = at + 1; end < to && is_blank(w->chars[end]) == blank; end++) {
		if (blank || !w->split_hyphens)
			continue;
		if (is_break(w, from, to, end))
			return end + 1;
		if (w->chars[end] == '-' && dash_end(w, from, to, end))
			return end;
	}
	return end;
}

static bool all_space(const struct wrapper *w, size_t from, size_t to)
{
	while (from < to && char_is_space(w->chars[from]))
		from++;
	return from == to;
}

/* ---- lines ---- */

/* How much of a word that is too long goes into what is left of a line. */
static size_t break_word(const struct wrapper *w, size_t at, size_t room)
{
	size_t best = at + room;
	bool other = false;

	for (size_t i = at; w->break_hyphens && i < at + room; i++) {
		if (w->chars[i] != '-')
			other = true;
		else if (other)
			best = i + 1;
	}
	return best;
}

struct paragraph {
	size_t from, to;
	size_t at, end; /* of the chunk that comes next */
	bool begun;     /* there is a line */
};

static void next_chunk(const struct wrapper *w, struct paragraph *p)
{
	p->at = p->end;
	p->end = chunk_end(w, p->from, p->to, p->at);
}

/* One line. Blank chunks at its ends are left out, one at each. */
static void wrap_line(struct wrapper *w, struct paragraph *p)
{
	size_t begin, last, n = 0;

	if (p->begun && all_space(w, p->at, p->end))
		next_chunk(w, p);
	begin = last = p->at;
	for (; p->at < p->to && p->end - begin <= w->width; n++) {
		last = p->at;
		next_chunk(w, p);
	}
	if (p->at < p->to && p->end - p->at > w->width) {
		if (w->break_words) { /* it may be that nothing of it fits */
			last = p->at;
			n++;
			p->at = break_word(w, p->at, w->width - (p->at - begin));
		} else if (n == 0) {
			n++;
			next_chunk(w, p);
		}
	}
	if (n == 0 || (n == 1 && all_space(w, last, p->at)))
		return;
	if (p->begun)
		text_append_string(&w->text, w->newline);
	p->begun = true;
	text_append_part(&w->text, w->string, w->offsets[begin],
	                 w->offsets[all_space(w, last, p->at) ? last : p->at]);
}

static enum status wrap_paragraph(struct wrapper *w, size_t from, size_t to)
{
	struct paragraph p = {.from = from, .to = to, .at = from, .end = from};
	enum status status = STATUS_OK;

	next_chunk(w, &p);
	while (!status && p.at < to) {
		status = render_bytes(w->render, w->newline->len);
		wrap_line(w, &p);
	}
	return status;
}

/* ---- the filter ---- */

static enum status decode(struct wrapper *w)
{
	const struct string *string = w->string;
	size_t n = 0, len;

	w->chars = arena_array(w->render->arena, string->n_chars + 1, sizeof *w->chars);
	w->offsets = arena_array(w->render->arena, string->n_chars + 1, sizeof *w->offsets);
	if (!w->chars || !w->offsets)
		return render_no_memory(w->render);
	for (size_t i = 0; i < string->len; i += len) {
		w->chars[n] = string_char(string, i, &len);
		w->offsets[n++] = i;
	}
	w->offsets[n] = string->len;
	return STATUS_OK;
}

static enum status wrap(struct wrapper *w)
{
	size_t n = w->string->n_chars, from = 0, to;
	enum status status = decode(w);

	for (size_t line = 0; !status && from < n; line++) {
		for (to = from; to < n && !char_is_line_end(w->chars[to]);)
			to++;
		if (line > 0)
			text_append_string(&w->text, w->newline);
		status = wrap_paragraph(w, from, to);
		from = to + 1;
		if (from < n && w->chars[to] == '\r' && w->chars[from] == '\n')
			from++;
	}
	return status;
}

/* Python's textwrap refuses a width that leaves no room, but for no line at all. */
static enum status line_width(struct render *render, const struct string *string,
                              struct value width, size_t *out)
{
	int64_t n = 0;
	bool none;
	enum status status = STATUS_OK;

	*out = 0;
	if (string->len == 0)
		return STATUS_OK;
	status = value_compare_op(render, CMP_LE, width, value_int(0), &none); /* for its errors */
	if (!status)
		status = arg_int(render, width, &n);

	if (!status && n <= 0)
		return render_fail(render, "invalid width %lld (must be > 0)", (long long)n);
	*out = (size_t)n;
	return status;
}

enum status filter_wordwrap(struct render *render, struct value self, const struct bound *bound,
                            struct value *out)
{
	struct wrapper w = {.render = render};
	struct value newline = bound->args[2];
	enum status status;

	if (newline.kind == VALUE_NONE)
		newline = value_text(render->arena, "\n", 1, SOURCE_TEMPLATE);
	if (newline.kind == VALUE_UNDEFINED && !render->arena->status)
		return undefined_fail(render, newline);
	if (newline.kind != VALUE_STRING)
		return render->arena->status
		               ? render_no_memory(render)
		               : render_fail(render, "'%s' object has no attribute 'join'",
		                             value_type_name(newline));
	if (self.kind == VALUE_UNDEFINED)
		return undefined_fail(render, self);
	if (self.kind != VALUE_STRING)
		return render_fail(render, "'%s' object has no attribute 'splitlines'",
		                   value_type_name(self));
	w.string = self.u.string;
	w.newline = newline.u.string;
	w.break_words = value_truth(bound->args[1]);
	w.break_hyphens = value_truth(bound->args[3]);
	w.split_hyphens = bound->args[3].kind == VALUE_BOOL && w.break_hyphens;
	text_begin(render, &w.text);
	status = line_width(render, w.string, bound->args[0], &w.width);
	if (!status)
		status = render_bytes(render, w.string->len);
	if (!status)
		status = wrap(&w);
	return status ? status : give_text(render, &w.text, out);
}
