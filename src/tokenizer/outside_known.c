#include "tokenizer/outside_known.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/limits.h"

enum {
	IDS_MAX = 1 << 22,          /* more than any vocabulary has */
	PIECE_MAX = 1 << 16,        /* bytes */
	BYTES_MAX = 64 << 20,       /* of texts that are remembered */
};

/* A character that is in no other token, so that nothing merges with it. */
static const char lead_text[] = "\x01";

struct outside_text {
	uint64_t hash;
	enum outside_mode mode;
	struct token_list ids;
	size_t len;
	char text[];
};

/* ---- tokens ---- */

const struct outside_token *outside_token(const struct outside *o, int32_t id)
{
	static const struct outside_token none;

	return id >= 0 && (size_t)id < o->n_tokens ? &o->tokens[id] : &none;
}

const char *outside_piece(const struct outside *known, int32_t id, size_t *len)
{
	const struct outside_token *token = outside_token(known, id);

	*len = token->len;
	return token->piece;
}

static enum status grow_tokens(struct outside *o, size_t need, struct error *err)
{
	size_t cap = o->n_tokens, n = need;

	if (need <= o->n_tokens)
		return STATUS_OK;
	if (n < 2 * cap)
		n = 2 * cap;
	if (!alloc_grow(&o->tokens, &cap, n, sizeof *o->tokens, 2 * IDS_MAX))
		return error_no_memory(err, "for the vocabulary");
	memset(o->tokens + o->n_tokens, 0, (cap - o->n_tokens) * sizeof *o->tokens);
	o->n_tokens = cap;
	return STATUS_OK;
}

enum status outside_put_piece(struct outside *known, int32_t id, const char *piece, size_t len,
                              struct error *err)
{
	struct outside_token *token;
	enum status status;

	if (id < 0 || id >= IDS_MAX || (known->n_vocab && (size_t)id >= known->n_vocab))
		return error_set(err, STATUS_FORMAT, "token %ld is in no vocabulary", (long)id);
	if (len > PIECE_MAX)
		return error_set(err, STATUS_FORMAT, "token %ld has %zu bytes", (long)id, len);
	status = grow_tokens(known, (size_t)id + 1, err);
	if (status)
		return status;
	token = &known->tokens[id];
	if (token->flags & OUTSIDE_TOLD)
		return STATUS_OK;
	token->piece = alloc_strndup(piece, len);
	if (!token->piece)
		return error_no_memory(err, "for the vocabulary");
	token->len = len;
	token->flags = OUTSIDE_TOLD;
	return STATUS_OK;
}

/* ---- texts ---- */

static void free_text(struct outside_text *text)
{
	if (text)
		token_list_free(&text->ids);
	free(text);
}

static void forget(struct outside *o)
{
	for (size_t i = 0; o->texts && i <= o->mask; i++)
		free_text(o->texts[i]);
	free(o->texts);
	o->texts = NULL;
	o->mask = o->n_texts = o->bytes = 0;
}

void outside_tidy(struct outside *o)
{
	if (o->bytes > BYTES_MAX)
		forget(o);
}

void outside_free(struct outside *o)
{
	if (!o)
		return;
	forget(o);
	for (size_t i = 0; i < o->n_tokens; i++)
		free(o->tokens[i].piece);
	free(o->tokens);
	token_list_free(&o->lead);
	outside_gather_free(&o->gather);
	free(o);
}

static uint64_t hash_want(struct outside_want want)
{
	char mode = (char)want.mode;

	return hash_more(hash_more(HASH_BEGIN, &mode, 1), want.text, want.len);
}

/* The slot of a text, or the free one where it goes. */
static size_t find_slot(const struct outside *o, struct outside_want want, uint64_t hash)
{
	size_t at = hash_fold(hash) & o->mask;

	for (;; at = (at + 1) & o->mask) {
		const struct outside_text *text = o->texts[at];

		if (!text || (text->hash == hash && text->mode == want.mode && text->len == want.len &&
		              memcmp(text->text, want.text, want.len) == 0))
			return at;
	}
}

const struct token_list *outside_find(const struct outside *o, struct outside_want want)
{
	const struct outside_text *found;

	if (!o->texts)
		return NULL;
	found = o->texts[find_slot(o, want, hash_want(want))];
	return found ? &found->ids : NULL;
}

static bool make_room(struct outside *o)
{
	size_t n = o->texts ? (o->mask + 1) * 2 : 256;
	struct outside_text **old = o->texts, **slots;
	size_t old_n = o->texts ? o->mask + 1 : 0;

	if (o->texts && o->n_texts * 2 < o->mask)
		return true;
	slots = alloc_array(n, sizeof *slots);
	if (!slots)
		return false;
	o->texts = slots;
	o->mask = n - 1;
	for (size_t i = 0; i < old_n; i++) {
		const struct outside_text *text = old[i];

		if (text)
			slots[find_slot(o, (struct outside_want){text->mode, text->text, text->len}, text->hash)] =
				old[i];
	}
	free(old);
	return true;
}

/* Remembers what a text was tokenised as; takes the ids. */
static enum status remember(struct outside *o, struct outside_want want, struct token_list *ids,
                            struct error *err)
{
	uint64_t hash = hash_want(want);
	struct outside_text *text;
	size_t slot;

	if (!make_room(o) || !(text = malloc(sizeof *text + want.len + 1)))
		return error_no_memory(err, "for the prompt");
	*text = (struct outside_text){.hash = hash, .mode = want.mode, .len = want.len, .ids = *ids};
	memcpy(text->text, want.text, want.len);
	*ids = (struct token_list){0};
	slot = find_slot(o, want, hash);
	o->n_texts += !o->texts[slot];
	free_text(o->texts[slot]); /* asked for twice at once */
	o->texts[slot] = text;
	o->bytes += sizeof *text + text->len + text->ids.cap * sizeof(int32_t);
	return STATUS_OK;
}

/* ---- asking ---- */

/* Takes the ids of the character before a text that goes on off; if something has merged with it after
 * all, they stay those of the text at a border. */
static bool drop_lead(const struct outside *o, struct token_list *ids)
{
	size_t n = o->lead.n;

	if (ids->n < n || memcmp(ids->ids, o->lead.ids, n * sizeof *ids->ids) != 0)
		return false;
	memmove(ids->ids, ids->ids + n, (ids->n - n) * sizeof *ids->ids);
	ids->n -= n;
	return true;
}

/* Pieces that the answer did not tell. */
static enum status fetch_pieces(struct outside *o, const struct token_list *ids, struct error *err)
{
	struct token_list unknown = {0};
	enum status status = STATUS_OK;

	for (size_t i = 0; i < ids->n && !status; i++)
		if (!(outside_token(o, ids->ids[i])->flags & OUTSIDE_TOLD) &&
		    token_list_push(&unknown, ids->ids[i]))
			status = error_no_memory(err, "for the prompt");
	if (!status && unknown.n)
		status = o->ops->name(o->ctx, unknown.ids, unknown.n, o, err);
	token_list_free(&unknown);
	return status;
}

/* A batch: texts that are asked for with the same flags. */
struct batch {
	struct outside_ask *asks; /* [n], and whose texts they are; owned */
	struct outside_want *wants;
	char **leads; /* texts with the character in front; owned */
	size_t n;
};

static bool add_to_batch(const struct outside *o, struct batch *batch, struct outside_want want)
{
	struct outside_ask *ask = &batch->asks[batch->n];

	*ask = (struct outside_ask){.text = want.text, .len = want.len};
	batch->wants[batch->n] = want;
	if (want.mode == OUTSIDE_GOING_ON && o->adds_space && o->lead.n) {
		char *text = malloc(want.len + 1);

		if (!text)
			return false;
		memcpy(text, lead_text, 1);
		memcpy(text + 1, want.text, want.len);
		batch->leads[batch->n] = text;
		ask->text = text;
		ask->len++;
	}
	batch->n++;
	return true;
}

static enum status take_batch(struct outside *o, struct batch *batch, struct error *err)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; i < batch->n && !status; i++) {
		struct outside_ask *ask = &batch->asks[i];

		status = fetch_pieces(o, &ask->ids, err);
		if (!status && batch->leads[i] && !drop_lead(o, &ask->ids)) {
			struct outside_want plain = batch->wants[i];

			plain.mode = OUTSIDE_PLAIN;
			ask->ids.n = 0;
			status = outside_fetch(o, &plain, 1, err);
			if (!status) {
				const struct token_list *ids = outside_find(o, plain);

				if (token_list_append(&ask->ids, ids->ids, ids->n))
					status = error_no_memory(err, "for the prompt");
			}
		}
		if (!status)
			status = remember(o, batch->wants[i], &ask->ids, err);
	}
	return status;
}

static enum status fetch(struct outside *o, const struct outside_want *wants, size_t n, bool special,
                         struct error *err)
{
	struct batch batch = {.asks = alloc_array(n, sizeof *batch.asks),
	                      .wants = alloc_array(n, sizeof *batch.wants),
	                      .leads = alloc_array(n, sizeof *batch.leads)};
	bool ok = batch.asks && batch.wants && batch.leads;
	enum status status = STATUS_OK;

	for (size_t i = 0; i < n && ok; i++)
		if ((wants[i].mode == OUTSIDE_SPECIAL) == special && !outside_find(o, wants[i]))
			ok = add_to_batch(o, &batch, wants[i]);
	if (!ok)
		status = error_no_memory(err, "for the prompt");
	else if (batch.n)
		status = o->ops->tokenise(o->ctx, batch.asks, batch.n, special ? ENCODE_SPECIAL : 0, o, err);
	if (!status)
		status = take_batch(o, &batch, err);
	for (size_t i = 0; i < batch.n; i++) {
		token_list_free(&batch.asks[i].ids);
		free(batch.leads[i]);
	}
	free(batch.asks);
	free(batch.wants);
	free(batch.leads);
	return status;
}

enum status outside_fetch(struct outside *o, const struct outside_want *wants, size_t n,
                          struct error *err)
{
	enum status status = fetch(o, wants, n, true, err);

	return status ? status : fetch(o, wants, n, false, err);
}
