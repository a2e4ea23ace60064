#include "support/asked_vocab.h"

#include <criterion/criterion.h>
#include <stdio.h>

static enum status tell(const struct asked_vocab *vocab, int32_t id, struct outside *known,
                        struct error *err)
{
	bool control = tokenizer_is_control(vocab->inner, id);
	size_t len;
	const char *piece = control ? tokenizer_name(vocab->inner, id, &len)
	                            : tokenizer_bytes(vocab->inner, id, &len);

	return outside_put_piece(known, id, piece, len, err);
}

static enum status begin(struct asked_vocab *vocab, struct error *err)
{
	vocab->n_asked++;
	return vocab->fails ? error_set(err, vocab->fails, "no answer") : STATUS_OK;
}

static enum status tokenise(void *ctx, struct outside_ask *asks, size_t n, unsigned flags,
                            struct outside *known, struct error *err)
{
	struct asked_vocab *vocab = ctx;
	enum status status = begin(vocab, err);

	for (size_t i = 0; i < n && !status; i++) {
		status = tokenizer_encode(vocab->inner, asks[i].text, asks[i].len, flags, &asks[i].ids, err);
		for (size_t t = 0; t < asks[i].ids.n && !status && vocab->tells_pieces; t++)
			status = tell(vocab, asks[i].ids.ids[t], known, err);
	}
	return status;
}

static enum status name(void *ctx, const int32_t *ids, size_t n, struct outside *known,
                        struct error *err)
{
	struct asked_vocab *vocab = ctx;
	enum status status = begin(vocab, err);

	for (size_t i = 0; i < n && !status; i++)
		status = tell(vocab, ids[i], known, err);
	return status;
}

struct tokenizer *asked_vocab_open(struct asked_vocab *vocab)
{
	static const struct outside_ops ops = {.tokenise = tokenise, .name = name};
	int32_t ids[] = {tokenizer_bos(vocab->inner), tokenizer_eos(vocab->inner)};
	char names[2][256] = {"", ""};
	struct outside_names roles = {.bos = names[0], .eos = names[1],
	                              .n_vocab = tokenizer_n_vocab(vocab->inner)};
	struct tokenizer *out;
	struct error err;

	for (size_t i = 0; i < 2; i++) {
		size_t len;
		const char *text = tokenizer_name(vocab->inner, ids[i], &len);

		snprintf(names[i], sizeof names[i], "%.*s", (int)len, text);
	}
	cr_assert_eq(tokenizer_open_outside(&out, &ops, vocab, &roles, &err), STATUS_OK, "%s", err.text);
	return out;
}
