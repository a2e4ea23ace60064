#include "hostile/pipeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "engine/options.h"
#include "engine/session.h"
#include "gguf/reader.h"
#include "kernels/compute.h"
#include "model/model.h"
#include "support/gguf_memory.h"
#include "support/isas.h"
#include "tokenizer/tokenizer.h"

enum { N_CTX = 16, N_BATCH = 3, N_EVAL = 7 };

static void check(int condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "pipeline: not so: %s\n", what);
	abort();
}

/* Text to ids and back. The first ids are kept for the model. */
static void use_tokenizer(const struct tokenizer *tokenizer, struct token_list *ids)
{
	static const char *const texts[] = {"the hen and the tin", "\n\t a\xff\xfe\xc3", "",
	                                    "\xe6\x97\xa5 <s></s><|endoftext|><|user|>"};
	static const unsigned flags[] = {ENCODE_BOS, 0, ENCODE_BOS | ENCODE_EOS, ENCODE_SPECIAL};
	struct detokenizer detokenizer;
	struct error err;
	struct buf text = {.max = MIB(16)};
	size_t n_vocab = tokenizer_n_vocab(tokenizer), len;

	for (size_t i = 0; i < 4; i++)
		if (tokenizer_encode(tokenizer, texts[i], strlen(texts[i]), flags[i], ids, &err))
			check(err.text[0] != 0, "an encoder that fails says why");
	detokenizer_init(&detokenizer, tokenizer, true);
	for (size_t i = 0; i < ids->n; i++) {
		check(ids->ids[i] >= 0 && (size_t)ids->ids[i] < n_vocab, "ids are of the vocabulary");
		check(detokenizer_push(&detokenizer, ids->ids[i], &text) == STATUS_OK, "ids have texts");
	}
	check(utf8_stream_flush(&detokenizer.utf8, &text) == STATUS_OK, "the end of the text");
	check(utf8_valid(buf_text(&text), text.len), "decoded text is UTF-8");
	for (size_t id = 0; id < n_vocab && id < 1000; id++) {
		const char *name = tokenizer_name(tokenizer, (int32_t)id, &len);

		buf_clear(&text);
		check(tokenizer_piece(tokenizer, (int32_t)id, &text) == STATUS_OK, "ids have pieces");
		if (len)
			tokenizer_find(tokenizer, name, len);
		tokenizer_is_eog(tokenizer, (int32_t)id);
	}
	check(tokenizer_bos(tokenizer) < (int32_t)n_vocab, "BOS is of the vocabulary");
	check(tokenizer_eos(tokenizer) < (int32_t)n_vocab, "EOS is of the vocabulary");
	buf_free(&text);
}

/* A few tokens, in three parts: a prompt, one more, and another in the prompt's middle. */
static enum status use_model(const struct model *model, const struct token_list *ids,
                             struct error *err)
{
	struct engine_params params = engine_params_default();
	size_t n = ids->n < N_EVAL ? ids->n : N_EVAL;
	struct session *session = NULL;
	int32_t zero = 0;
	enum status status;
	float sum = 0;

	params.n_ctx = N_CTX;
	params.n_batch = N_BATCH;
	status = session_create(&session, model, &(struct compute){NULL, isa_generic()}, &params, err);
	if (!status && n)
		status = session_eval(session, ids->ids, n, 0, NULL, err);
	if (!status)
		status = session_eval(session, &zero, 1, n, NULL, err);
	if (!status)
		status = session_eval(session, &zero, 1, n / 2, NULL, err);
	if (!status) /* the sanitizer looks at all of them */
		for (size_t i = 0; i < model_plan(model)->n_vocab; i++)
			sum += session_logits(session)[i];
	(void)sum;
	session_free(session);
	return status;
}

enum status pipeline_run(const void *data, size_t size, enum stage last, enum stage *refused,
                         struct error *err)
{
	unsigned char *exact = malloc(size ? size : 1);
	struct tokenizer *tokenizer = NULL;
	struct token_list ids = {0};
	struct model *model = NULL;
	struct gguf *gguf = NULL;
	enum status status;

	if (!exact)
		abort();
	if (size)
		memcpy(exact, data, size);
	*refused = STAGE_GGUF;
	status = gguf_open_memory(&gguf, exact, size, err);
	if (status || last == STAGE_GGUF)
		goto out;
	*refused = STAGE_TOKENIZER;
	status = tokenizer_open(&tokenizer, gguf, err);
	if (status)
		goto out;
	use_tokenizer(tokenizer, &ids);
	if (last == STAGE_TOKENIZER || !gguf_n_tensors(gguf))
		goto out;
	*refused = STAGE_MODEL;
	status = model_open(&model, gguf, NULL, err);
	if (status)
		goto out;
	gguf = NULL; /* the model's now */
	status = use_model(model, &ids, err);
out:
	if (!status)
		*refused = STAGE_DONE;
	token_list_free(&ids);
	tokenizer_close(tokenizer);
	model_close(model);
	gguf_close(gguf);
	free(exact);
	return status;
}
