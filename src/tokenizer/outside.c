/* A text as ids of a vocabulary that is elsewhere: where its control tokens are, then the texts between them. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bisect.h"
#include "tokenizer/encode.h"
#include "tokenizer/outside_known.h"
#include "tokenizer/vocab.h"

/* A text that is being tokenised. */
struct outside_coding {
	struct outside *o;
	const char *text;
	size_t len;
	const struct text_range *ranges;
	size_t n_ranges;
	struct fragment_list fragments;
	struct token_list *out;
	struct error *err;
};

static struct outside_want want_of(const struct outside_coding *c, struct fragment f, enum outside_mode mode)
{
	return (struct outside_want){mode, c->text + f.start, f.len};
}

/* A fragment that is text. Only the first may go on behind other text. */
static struct outside_want want_of_text(const struct outside_coding *c, size_t fragment, bool at_border)
{
	return want_of(c, c->fragments.items[fragment], fragment || at_border ? OUTSIDE_PLAIN : OUTSIDE_GOING_ON);
}

static enum status add(struct outside_coding *c, size_t start, size_t end, int32_t id)
{
	struct fragment_list *list = &c->fragments;

	if (start >= end)
		return STATUS_OK;
	if (!alloc_grow(&list->items, &list->cap, list->n + 1, sizeof *list->items, SIZE_MAX / sizeof *list->items))
		return error_no_memory(c->err, "for the prompt");
	list->items[list->n++] = (struct fragment){start, end - start, id};
	return STATUS_OK;
}

/* ---- where the control tokens are ---- */

/* The next stretch, from *at on, in which they may be; false: there is none. */
static bool next_stretch(const struct outside_coding *c, size_t *range, struct fragment *out)
{
	size_t from = *range, to;

	while (from < c->n_ranges && !c->ranges[from].control)
		from++;
	for (to = from; to < c->n_ranges && c->ranges[to].control; to++)
		;
	*range = to;
	if (from == to)
		return false;
	out->start = c->ranges[from].start;
	out->len = (to < c->n_ranges ? c->ranges[to].start : c->len) - out->start;
	return true;
}

static enum status push_unsorted(const struct outside_coding *c, const struct token_list *ids, struct token_list *out)
{
	for (size_t i = 0; i < ids->n; i++)
		if (!(outside_token(c->o, ids->ids[i])->flags & OUTSIDE_SORTED) && token_list_push(out, ids->ids[i]))
			return error_no_memory(c->err, "for the prompt");
	return STATUS_OK;
}

/* Asks for all stretches at once, and which of their tokens are control tokens. */
static enum status ask_stretches(struct outside_coding *c)
{
	struct outside_want *wants = alloc_array(c->n_ranges, sizeof *wants);
	struct token_list unsorted = {0};
	size_t n = 0, range = 0;
	struct fragment f;
	enum status status;

	if (!wants)
		return error_no_memory(c->err, "for the prompt");
	while (next_stretch(c, &range, &f))
		wants[n++] = want_of(c, f, OUTSIDE_SPECIAL);
	status = outside_fetch(c->o, wants, n, c->err);
	for (size_t i = 0; i < n && !status; i++)
		status = push_unsorted(c, outside_find(c->o, wants[i]), &unsorted);
	if (!status && unsorted.n)
		status = outside_sort(c->o, unsorted.ids, unsorted.n, c->err);
	token_list_free(&unsorted);
	free(wants);
	return status;
}

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Adds the control token at [at, at + len), and the text before it from *from on. */
static enum status add_control(struct outside_coding *c, size_t *from, size_t at, int32_t id)
{
	const struct outside_token *token = outside_token(c->o, id);
	size_t end = at;
	enum status status;

	while ((token->flags & OUTSIDE_STRIP_LEFT) && end > *from && is_space(c->text[end - 1]))
		end--;
	status = add(c, *from, end, TOKEN_NONE);
	*from = at + token->len;
	if (!status)
		status = add(c, at, *from, id);
	while ((token->flags & OUTSIDE_STRIP_RIGHT) && *from < c->len && is_space(c->text[*from]))
		++*from;
	return status;
}

/* Divides the text at its control tokens. */
static enum status divide(struct outside_coding *c)
{
	size_t from = 0, range = 0;
	struct fragment f;
	enum status status = ask_stretches(c);

	while (!status && next_stretch(c, &range, &f)) {
		const struct token_list *ids = outside_find(c->o, want_of(c, f, OUTSIDE_SPECIAL));
		size_t at = f.start, end = f.start + f.len;

		for (size_t i = 0; i < ids->n && !status; i++) {
			const struct outside_token *token = outside_token(c->o, ids->ids[i]);
			const char *hit = !(token->flags & OUTSIDE_CONTROL) || !token->len ? NULL
			                  : memmem(c->text + at, end - at, token->piece, token->len);

			if (!hit)
				continue;
			at = (size_t)(hit - c->text) + token->len;
			status = add_control(c, &from, (size_t)(hit - c->text), ids->ids[i]);
		}
	}
	return status ? status : add(c, from, c->len, TOKEN_NONE);
}

/* ---- the text between them ---- */

static bool is_persons(const struct outside_coding *c, size_t start, size_t end)
{
	size_t at = 0;

	BISECT(at, c->n_ranges, i, c->ranges[i].start <= start);
	for (at -= at > 0; at < c->n_ranges && c->ranges[at].start < end; at++)
		if (c->ranges[at].person)
			return true;
	return false;
}

/* Where a control token, or one that is named like one, lies in a person's text; SIZE_MAX: nowhere.
 * (SentencePiece may join pieces to a control token by their scores.) */
static size_t find_reserved(const struct outside_coding *c, struct fragment f, const struct token_list *ids)
{
	size_t at = f.start, end = f.start + f.len;

	for (size_t i = 0; i < ids->n; i++) {
		size_t len;
		const char *piece = outside_piece(c->o, ids->ids[i], &len), *hit;

		if (!piece || !(outside_token(c->o, ids->ids[i])->flags & OUTSIDE_CONTROL ||
		                vocab_looks_control(piece, len)))
			continue;
		hit = memmem(c->text + at, end - at, piece, len);
		if (hit && is_persons(c, (size_t)(hit - c->text), (size_t)(hit - c->text) + len))
			return (size_t)(hit - c->text);
		at = hit ? (size_t)(hit - c->text) + len : at;
	}
	return SIZE_MAX;
}

/* Tokenises a stretch of text, cut wherever it would become what a person must not write. */
static enum status push_text(struct outside_coding *c, struct fragment f, bool at_border)
{
	enum status status;
	size_t cut;

	while (f.len) {
		const struct token_list *ids;
		struct outside_want want = want_of(c, f, at_border ? OUTSIDE_PLAIN : OUTSIDE_GOING_ON);
		size_t rest = 0;

		status = outside_fetch(c->o, &want, 1, c->err);
		while (!status && (cut = find_reserved(c, f, outside_find(c->o, want))) != SIZE_MAX) {
			if (cut + 1 == f.start + f.len) /* its first byte is all of it */
				return error_set(c->err, STATUS_FORMAT, "the server takes '%.*s' in any text for a control token",
				                 1, c->text + cut);
			rest += f.start + f.len - (cut + 1);
			f.len = cut + 1 - f.start;
			want.len = f.len;
			status = outside_fetch(c->o, &want, 1, c->err);
		}
		if (status)
			return status;
		ids = outside_find(c->o, want);
		if (token_list_append(c->out, ids->ids, ids->n))
			return error_no_memory(c->err, "for the tokens");
		f = (struct fragment){f.start + f.len, rest, TOKEN_NONE};
		at_border = false;
	}
	return STATUS_OK;
}

/* Asks for all texts at once. */
static enum status ask_texts(struct outside_coding *c, bool at_border)
{
	struct outside_want *wants = alloc_array(c->fragments.n, sizeof *wants);
	size_t n = 0;
	enum status status;

	if (!wants)
		return error_no_memory(c->err, "for the prompt");
	for (size_t i = 0; i < c->fragments.n; i++)
		if (c->fragments.items[i].id < 0)
			wants[n++] = want_of_text(c, i, at_border);
	status = outside_fetch(c->o, wants, n, c->err);
	free(wants);
	return status;
}

/* Notes what would be asked for. */
static enum status gather_stretches(struct outside_coding *c, bool *missing)
{
	struct fragment f;
	size_t range = 0;
	enum status status = STATUS_OK;

	*missing = false;
	while (!status && next_stretch(c, &range, &f)) {
		struct outside_want want = want_of(c, f, OUTSIDE_SPECIAL);
		const struct token_list *ids = outside_find(c->o, want);

		status = ids ? outside_note_ids(c->o, ids->ids, ids->n, missing, c->err)
		             : outside_note(c->o, &want, 1, missing, c->err);
	}
	return status;
}

static enum status gather(struct outside_coding *c, bool at_border)
{
	bool missing;
	enum status status = gather_stretches(c, &missing);

	if (status || missing || !c->o->gather.with_texts)
		return status;
	status = divide(c); /* all of it is known */
	for (size_t i = 0; i < c->fragments.n && !status; i++) {
		struct outside_want want = want_of_text(c, i, at_border);

		if (c->fragments.items[i].id < 0)
			status = outside_note(c->o, &want, 1, &missing, c->err);
	}
	fragment_list_free(&c->fragments);
	return status;
}

enum status outside_encode(struct outside *o, const char *text, size_t len,
                           const struct text_range *ranges, size_t n, unsigned flags,
                           struct token_list *out, struct error *err)
{
	struct outside_coding c = {.o = o, .text = text, .len = len, .ranges = ranges, .n_ranges = n,
	                           .out = out, .err = err};
	bool at_border = !(flags & ENCODE_CONTINUE);
	enum status status = STATUS_OK;

	if (o->gather.is_on)
		return len ? gather(&c, at_border) : STATUS_OK;
	if ((flags & ENCODE_BOS) && o->adds_bos)
		status = encode_push(out, o->bos, err);
	if (!status && len)
		status = divide(&c);
	if (!status && c.fragments.n)
		status = ask_texts(&c, at_border);
	for (size_t i = 0; i < c.fragments.n && !status; i++) {
		struct fragment f = c.fragments.items[i];

		status = f.id >= 0 ? encode_push(out, f.id, err) : push_text(&c, f, i > 0 || at_border);
	}
	fragment_list_free(&c.fragments);
	return status;
}
