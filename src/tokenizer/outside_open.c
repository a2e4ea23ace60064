/* What has to be known of a vocabulary that is elsewhere before it is used: what it puts before a text, which tokens have
 * roles; and tokens by their names. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "tokenizer/outside_known.h"

int32_t outside_find_name(struct outside *o, const char *name, size_t len)
{
	struct outside_want want = {OUTSIDE_SPECIAL, name, len};
	const struct token_list *ids;
	const struct outside_token *token;
	int32_t id;

	if (!len || outside_fetch(o, &want, 1, NULL))
		return TOKEN_NONE;
	ids = outside_find(o, want);
	id = ids->n == 1 ? ids->ids[0] : TOKEN_NONE;
	if (id == TOKEN_NONE || outside_sort(o, &id, 1, NULL))
		return TOKEN_NONE;
	token = outside_token(o, id);
	return token->len == len && memcmp(token->piece, name, len) == 0 ? id : TOKEN_NONE;
}

void outside_expect(struct outside *o, const char *const *names, size_t n)
{
	struct outside_want *wants = alloc_array(n, sizeof *wants);
	struct token_list single = {0}; /* what they are, where each is one token */
	bool ok = wants != NULL;
	size_t n_wants = 0;

	for (size_t i = 0; i < n && ok; i++)
		if (names[i][0])
			wants[n_wants++] = (struct outside_want){OUTSIDE_SPECIAL, names[i], strlen(names[i])};
	ok = ok && outside_fetch(o, wants, n_wants, NULL) == STATUS_OK;
	for (size_t i = 0; i < n_wants && ok; i++) {
		const struct token_list *ids = outside_find(o, wants[i]);

		if (ids->n == 1)
			ok = token_list_push(&single, ids->ids[0]) == STATUS_OK;
	}
	if (ok && outside_sort(o, single.ids, single.n, NULL))
		single.n = 0; /* the failure is told where the names are looked for */
	token_list_free(&single);
	free(wants);
}

/* Whether texts get a BOS, and which. */
static enum status find_bos(struct outside *o, const struct token_list *plain, struct error *err)
{
	struct outside_ask with = {.text = "a", .len = 1};
	enum status status = o->ops->tokenise(o->ctx, &with, 1, ENCODE_BOS, o, err);
	bool adds = !status && with.ids.n > plain->n && with.ids.ids[0] != plain->ids[0];
	int32_t bos = adds ? with.ids.ids[0] : TOKEN_NONE;

	token_list_free(&with.ids);
	if (adds)
		status = outside_prepare(o, &bos, 1, err);
	if (status || !adds || !(outside_token(o, bos)->flags & OUTSIDE_TOLD))
		return status;
	o->adds_bos = true;
	o->bos = bos;
	o->tokens[bos].flags |= OUTSIDE_CONTROL | OUTSIDE_RESERVED;
	return STATUS_OK;
}

/* What the vocabulary puts before a text: BOS, a blank. */
static enum status find_begin(struct outside *o, struct error *err)
{
	const struct outside_want wants[] = {{OUTSIDE_PLAIN, "a", 1}, {OUTSIDE_PLAIN, "\x01", 1}};
	const struct token_list *plain, *lead;
	const char *piece = NULL;
	size_t len = 0;
	enum status status = outside_fetch(o, wants, 2, err);

	if (status == STATUS_FORMAT) /* some have no token for that character */
		status = outside_fetch(o, wants, 1, err);
	if (status)
		return status;
	plain = outside_find(o, wants[0]);
	lead = outside_find(o, wants[1]);
	if (plain->n)
		piece = outside_piece(o, plain->ids[0], &len);
	if (!len)
		return error_set(err, STATUS_UNSUPPORTED, "it does not say what tokens stand for");
	o->adds_space = *piece == ' ';
	if (lead && token_list_append(&o->lead, lead->ids, lead->n))
		return error_no_memory(err, "for the vocabulary");
	return find_bos(o, plain, err);
}

/* A token that has a role is a control token, whatever its text would be tokenised as. */
static int32_t find_role(struct outside *o, const char *name)
{
	int32_t id = name ? outside_find_name(o, name, strlen(name)) : TOKEN_NONE;

	if (id != TOKEN_NONE)
		o->tokens[id].flags |= OUTSIDE_CONTROL | OUTSIDE_RESERVED;
	return id;
}

enum status tokenizer_open_outside(struct tokenizer **out, const struct outside_ops *ops, void *ctx,
                                   const struct outside_names *names, struct error *err)
{
	struct outside *o = alloc_array(1, sizeof *o);
	enum status status;

	*out = NULL;
	if (!o)
		return error_no_memory(err, "for the vocabulary");
	o->ops = ops;
	o->ctx = ctx;
	o->bos = o->eos = o->unk = TOKEN_NONE;
	o->n_vocab = names->n_vocab;
	status = find_begin(o, err);
	if (!status) {
		const char *const roles[] = {names->bos ? names->bos : "", names->eos ? names->eos : "", "<unk>"};
		int32_t bos;

		outside_expect(o, roles, 3);
		bos = find_role(o, names->bos);
		if (o->bos == TOKEN_NONE)
			o->bos = bos;
		o->eos = find_role(o, names->eos);
		o->unk = find_role(o, "<unk>");
		status = tokenizer_wrap(out, o, err);
	}
	if (status)
		outside_free(o);
	return status;
}
