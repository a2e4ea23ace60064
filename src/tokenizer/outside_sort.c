/* Which tokens of a vocabulary that is elsewhere are control tokens: the server matches the text of
 * such a one only where it is told to. */
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/utf8.h"
#include "tokenizer/outside_known.h"
#include "tokenizer/vocab.h"

enum { NAME_MAX_LEN = 512, WANTS = 5 };

static bool is_one(const struct token_list *ids, int32_t id)
{
	return ids->n == 1 && ids->ids[0] == id;
}

/* Whether `whole` is the first ids and then the others. */
static bool is_joined(const struct token_list *whole, const struct token_list *first,
                      const struct token_list *then)
{
	return whole->n == first->n + then->n &&
	       memcmp(whole->ids, first->ids, first->n * sizeof *whole->ids) == 0 &&
	       memcmp(whole->ids + first->n, then->ids, then->n * sizeof *whole->ids) == 0;
}

static struct outside_want want(enum outside_mode mode, const char *text, size_t len)
{
	return (struct outside_want){mode, text, len};
}

/* Whether a control token swallows the white space beside it, as those of Phi-3 do. */
static enum status find_strips(struct outside *o, int32_t id, struct error *err)
{
	const struct outside_token *token = outside_token(o, id);
	unsigned strips = 0;
	struct buf left = {.max = NAME_MAX_LEN + 2}, right = {.max = NAME_MAX_LEN + 2};
	struct token_list only = {.ids = &id, .n = 1};
	enum status status;

	buf_puts(&left, "x\n");
	buf_append(&left, token->piece, token->len);
	buf_append(&right, token->piece, token->len);
	buf_puts(&right, "\nx");
	if (buf_status(&left) || buf_status(&right)) {
		status = error_no_memory(err, "for the vocabulary");
	} else {
		struct outside_want wants[] = {
			want(OUTSIDE_SPECIAL, left.data, left.len), want(OUTSIDE_SPECIAL, right.data, right.len),
			want(OUTSIDE_PLAIN, "x", 1), want(OUTSIDE_PLAIN, "x\n", 2), want(OUTSIDE_PLAIN, "\nx", 2)};
		const struct token_list *got[WANTS];

		status = outside_fetch(o, wants, WANTS, err);
		for (size_t i = 0; i < WANTS && !status; i++)
			got[i] = outside_find(o, wants[i]);
		if (!status && is_joined(got[0], got[2], &only) && !is_joined(got[0], got[3], &only))
			strips |= OUTSIDE_STRIP_LEFT;
		if (!status && is_joined(got[1], &only, got[2]) && !is_joined(got[1], &only, got[4]))
			strips |= OUTSIDE_STRIP_RIGHT;
	}
	o->tokens[id].flags |= strips; /* asking may have moved the tokens */
	buf_free(&left);
	buf_free(&right);
	return status;
}

/* Whether the token may be one at all. */
static bool may_be(const struct outside_token *token)
{
	return token->len && token->len <= NAME_MAX_LEN && utf8_valid(token->piece, token->len);
}

static enum status sort_one(struct outside *o, int32_t id, struct error *err)
{
	struct outside_token *token = &o->tokens[id];
	const struct token_list *special, *plain;
	enum status status = STATUS_OK;

	if (token->flags & OUTSIDE_SORTED)
		return STATUS_OK; /* it is in the list twice */
	token->flags |= OUTSIDE_SORTED;
	if (!may_be(token))
		return STATUS_OK;
	if (vocab_looks_control(token->piece, token->len))
		token->flags |= OUTSIDE_RESERVED;
	special = outside_find(o, want(OUTSIDE_SPECIAL, token->piece, token->len));
	plain = outside_find(o, want(OUTSIDE_PLAIN, token->piece, token->len));
	if (is_one(special, id) && !is_one(plain, id)) {
		token->flags |= OUTSIDE_CONTROL | OUTSIDE_RESERVED;
		status = find_strips(o, id, err);
	}
	if (status)
		o->tokens[id].flags &= ~(unsigned)OUTSIDE_SORTED;
	return status;
}

enum status outside_sort(struct outside *o, const int32_t *ids, size_t n, struct error *err)
{
	struct outside_want *wants = alloc_array(n, 2 * sizeof *wants);
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
	for (size_t i = 0; i < n && !status; i++)
		if (outside_token(o, ids[i])->flags & OUTSIDE_TOLD)
			status = sort_one(o, ids[i], err);
	free(wants);
	return status;
}

enum status outside_prepare(struct outside *o, const int32_t *ids, size_t n, struct error *err)
{
	struct token_list unknown = {0};
	enum status status = STATUS_OK;

	for (size_t i = 0; i < n && !status; i++)
		if (ids[i] >= 0 && (!o->n_vocab || (size_t)ids[i] < o->n_vocab) &&
		    !(outside_token(o, ids[i])->flags & OUTSIDE_TOLD) && token_list_push(&unknown, ids[i]))
			status = error_no_memory(err, "for the vocabulary");
	if (!status && unknown.n)
		status = o->ops->name(o->ctx, unknown.ids, unknown.n, o, err);
	token_list_free(&unknown);
	return status ? status : outside_sort(o, ids, n, err);
}
