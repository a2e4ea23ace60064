/* Which tokens of a vocabulary that is elsewhere are control tokens: the server matches the text of
 * such a one only where it is told to. */
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/utf8.h"
#include "tokenizer/outside_known.h"
#include "tokenizer/vocab.h"

enum { NAME_MAX_LEN = 512, WANTS = 4 };

static bool is_one(const struct token_list *ids, int32_t id)
{
	return ids->n == 1 && ids->ids[0] == id;
}

static bool are(const int32_t *ids, size_t n, const struct token_list *those)
{
	return n == those->n && memcmp(ids, those->ids, n * sizeof *ids) == 0;
}

static struct outside_want want(enum outside_mode mode, const char *text, size_t len)
{
	return (struct outside_want){mode, text, len};
}

/* One text shows what a control token swallows on both sides: `text`, owned by the caller. */
static void put_wants(struct buf *text, const struct outside_token *token, struct outside_want wants[WANTS])
{
	text->max = NAME_MAX_LEN + 4;
	buf_puts(text, "x\n");
	buf_append(text, token->piece, token->len);
	buf_puts(text, "\nx");
	wants[0] = want(OUTSIDE_SPECIAL, buf_text(text), text->len);
	wants[1] = want(OUTSIDE_PLAIN, "x", 1);
	wants[2] = want(OUTSIDE_PLAIN, "x\n", 2);
	wants[3] = want(OUTSIDE_PLAIN, "\nx", 2);
}

static void note_strips(struct outside *o, int32_t id, const struct outside_want wants[WANTS])
{
	const struct token_list *got[WANTS];
	const int32_t *ids;
	size_t at = 0, rest;

	for (size_t i = 0; i < WANTS; i++)
		got[i] = outside_find(o, wants[i]);
	ids = got[0]->ids;
	while (at < got[0]->n && ids[at] != id)
		at++;
	if (at == got[0]->n)
		return;
	rest = got[0]->n - at - 1;
	if (are(ids, at, got[1]) && !are(ids, at, got[2]))
		o->tokens[id].flags |= OUTSIDE_STRIP_LEFT;
	if (are(ids + at + 1, rest, got[1]) && !are(ids + at + 1, rest, got[3]))
		o->tokens[id].flags |= OUTSIDE_STRIP_RIGHT;
}

/* Whether control tokens swallow the white space beside them, as those of Phi-3 do. */
static enum status find_strips(struct outside *o, const struct token_list *ids, struct error *err)
{
	struct outside_want *wants = alloc_array(ids->n, WANTS * sizeof *wants);
	struct buf *texts = alloc_array(ids->n, sizeof *texts);
	enum status status = wants && texts ? STATUS_OK : error_no_memory(err, "for the vocabulary");

	for (size_t i = 0; i < ids->n && !status; i++) {
		put_wants(&texts[i], outside_token(o, ids->ids[i]), &wants[i * WANTS]);
		if (buf_status(&texts[i]))
			status = error_no_memory(err, "for the vocabulary");
	}
	if (!status)
		status = outside_fetch(o, wants, ids->n * WANTS, err);
	for (size_t i = 0; i < ids->n && !status; i++)
		note_strips(o, ids->ids[i], &wants[i * WANTS]);
	for (size_t i = 0; i < ids->n && texts; i++)
		buf_free(&texts[i]);
	free(texts);
	free(wants);
	return status;
}

/* Whether the token may be one at all. */
static bool may_be(const struct outside_token *token)
{
	return token->len && token->len <= NAME_MAX_LEN && utf8_valid(token->piece, token->len);
}

/* *control: the token is one, and was not known to be. */
static void sort_one(struct outside *o, int32_t id, bool *control)
{
	struct outside_token *token = &o->tokens[id];

	*control = false;
	if (token->flags & OUTSIDE_SORTED)
		return; /* it is in the list twice */
	token->flags |= OUTSIDE_SORTED;
	if (!may_be(token))
		return;
	if (vocab_looks_control(token->piece, token->len))
		token->flags |= OUTSIDE_RESERVED;
	*control = is_one(outside_find(o, want(OUTSIDE_SPECIAL, token->piece, token->len)), id) &&
	           !is_one(outside_find(o, want(OUTSIDE_PLAIN, token->piece, token->len)), id);
	if (*control)
		token->flags |= OUTSIDE_CONTROL | OUTSIDE_RESERVED;
}

/* Those of the ids that are control tokens, and were not known to be. */
static enum status sort_known(struct outside *o, const int32_t *ids, size_t n, struct token_list *out,
                              struct error *err)
{
	for (size_t i = 0; i < n; i++) {
		bool control = false;

		if (outside_token(o, ids[i])->flags & OUTSIDE_TOLD)
			sort_one(o, ids[i], &control);
		if (control && token_list_push(out, ids[i]))
			return error_no_memory(err, "for the vocabulary");
	}
	return STATUS_OK;
}

enum status outside_sort(struct outside *o, const int32_t *ids, size_t n, struct error *err)
{
	struct outside_want *wants = alloc_array(n, 2 * sizeof *wants);
	struct token_list control = {0};
	size_t n_wants = 0;
	enum status status;

	if (!wants)
		return error_no_memory(err, "for the vocabulary");
	for (size_t i = 0; i < n; i++) {
		const struct outside_token *token = outside_token(o, ids[i]);

		if (!(token->flags & OUTSIDE_TOLD) || token->flags & OUTSIDE_SORTED || !may_be(token))
			continue;
		wants[n_wants++] = want(OUTSIDE_SPECIAL, token->piece, token->len);
		wants[n_wants++] = want(OUTSIDE_PLAIN, token->piece, token->len);
	}
	status = outside_fetch(o, wants, n_wants, err);
	if (!status)
		status = sort_known(o, ids, n, &control, err);
	if (!status && control.n)
		status = find_strips(o, &control, err);
	for (size_t i = 0; i < control.n && status; i++) /* it is asked again */
		o->tokens[control.ids[i]].flags &= ~(unsigned)OUTSIDE_SORTED;
	token_list_free(&control);
	free(wants);
	return status;
}

enum status outside_prepare(struct outside *o, const int32_t *ids, size_t n, struct error *err)
{
	struct token_list unknown = {0};
	enum status status = STATUS_OK;
	bool missing;

	if (o->gather.is_on)
		return outside_note_ids(o, ids, n, &missing, err);
	for (size_t i = 0; i < n && !status; i++)
		if (ids[i] >= 0 && (!o->n_vocab || (size_t)ids[i] < o->n_vocab) &&
		    !(outside_token(o, ids[i])->flags & OUTSIDE_TOLD) && token_list_push(&unknown, ids[i]))
			status = error_no_memory(err, "for the vocabulary");
	if (!status && unknown.n)
		status = o->ops->name(o->ctx, unknown.ids, unknown.n, o, err);
	token_list_free(&unknown);
	return status ? status : outside_sort(o, ids, n, err);
}
