/* A vocabulary with a chat template, to test how they work together. */
#ifndef SOTTO_TESTS_ENGINE_CHAT_MODEL_H
#define SOTTO_TESTS_ENGINE_CHAT_MODEL_H

#include <string.h>

#include "encode/chat_template.h"
#include "encode/encode.h"
#include "support/tiny_vocab.h"

struct test_model {
	struct buf file;
	struct gguf *gguf;
	struct tokenizer *tokenizer;
	struct chat_template *tmpl;
};

struct test_key {
	const char *key, *value;
	uint32_t number; /* if `value` is NULL */
};

/* Opens the vocabulary with further keys (NULL-terminated; NULL: none). */
void test_model_open(struct test_model *model, const struct tiny_vocabulary *vocabulary,
                     const struct test_key *keys);
/* Opens its template, closing one opened before. */
void test_model_choose(struct test_model *model, const char *choice);
void test_model_close(struct test_model *model);

/* Vocabularies with the control tokens of several families; all but the second add BOS. */
extern const struct tiny_vocabulary test_spm, test_bpe;

/* What the ids spell: control tokens by their names in «». */
void test_spell(const struct test_model *model, const struct token_list *ids, struct buf *out);

static inline struct message test_message(enum role role, const char *text)
{
	return (struct message){.role = role, .text = text, .len = strlen(text)};
}

#endif
