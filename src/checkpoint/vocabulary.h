/* The tokenizer of a checkpoint, as it is read and before it is written: private to this folder.
 *
 * A vocabulary is read from tokenizer.json (vocabulary_json.c) or tokenizer.model (vocabulary_model.c), changed by
 * what lies beside it (vocabulary_added.c), and written by vocabulary.c. All of it is foreign bytes: readers refuse what
 * is not as its format says, with the file, the place, found and expected. */
#ifndef SOTTO_CHECKPOINT_VOCABULARY_H
#define SOTTO_CHECKPOINT_VOCABULARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "checkpoint/conversion.h"

/* Types as tokenizer.ggml.token_type has them (tokenizer/vocab.h); 0: the id has no token. */
struct vocabulary_token {
	uint32_t start, len; /* of its text, in vocabulary.text */
	float score;
	uint8_t type;
	bool is_in_model; /* of the vocabulary itself, not only added to it */
};

/* A token that is matched as a whole before anything else looks at the text. */
struct added_token {
	uint32_t start, len, id;
	bool is_special;
};

/* A stretch of the file's text: a JSON value, or nothing (len 0). */
struct json_section {
	size_t at, len;
};

struct vocabulary {
	struct buf text; /* texts of tokens behind each other */
	struct vocabulary_token *tokens; /* [n], by id */
	size_t n, cap;
	size_t n_in_model;
	struct added_token *added; /* [n_added], in the file's order */
	size_t n_added, cap_added;
	/* As GGUF stores a list: type, number, then for each 8 bytes of length and "left right"; empty: none. */
	struct buf merges;
	size_t n_merges;
	/* tokenizer.json only */
	char type[32]; /* of the model */
	bool has_model, has_vocab, has_list, has_merges, has_byte_fallback, ignores_merges;
	struct json_section normalizer, pre_tokenizer, post_processor, decoder;
};

void vocabulary_init(struct vocabulary *vocabulary);
void vocabulary_deinit(struct vocabulary *vocabulary);
/* Sets the token `id`, which may be beyond those there are. STATUS_LIMIT, without a text: LIMIT_VOCAB. */
enum status vocabulary_set(struct vocabulary *vocabulary, size_t id, const char *text, size_t len, uint8_t type,
                           float score) MUST_CHECK;
/* Ids up to n that have no token become "[PAD7]", unused. */
enum status vocabulary_pad(struct vocabulary *vocabulary, size_t n, float score) MUST_CHECK;
const char *vocabulary_text(const struct vocabulary *vocabulary, const struct vocabulary_token *token);
enum status vocabulary_add(struct vocabulary *vocabulary, const char *text, size_t len, uint32_t id, bool is_special)
	MUST_CHECK;

/* What is appended to `merges` between the two is one merge. Failures stay in the buffer. */
size_t vocabulary_begin_merge(struct vocabulary *vocabulary);
void vocabulary_end_merge(struct vocabulary *vocabulary, size_t start);

/* tokenizer.json, in one pass: model.vocab (types NORMAL), model.merges in both forms, added_tokens, and where the
 * rest stands. An id that is there twice is refused. */
enum status vocabulary_read_json(struct vocabulary *vocabulary, const char *json, size_t len, struct error *err)
	MUST_CHECK;
/* Whether what was read is a vocabulary of type BPE. */
enum status vocabulary_check_bpe(const struct vocabulary *vocabulary, struct error *err) MUST_CHECK;
/* merges.txt, for a tokenizer.json without merges. Lines that are no pair are passed over and counted. */
enum status vocabulary_read_merges(struct vocabulary *vocabulary, const char *text, size_t len, size_t *n_bad,
                                   struct error *err) MUST_CHECK;
/* tokenizer.model: sentencepiece's ModelProto (sentencepiece_model.proto), its pieces. */
enum status vocabulary_read_model(struct vocabulary *vocabulary, const char *bytes, size_t len, struct error *err)
	MUST_CHECK;
/* added_tokens.json, {"text": id}, and "added_tokens_decoder" of tokenizer_config.json, {"id": {"content", "special"}}:
 * appended to `added`. */
enum status vocabulary_read_added(struct vocabulary *vocabulary, const char *json, size_t len, struct error *err)
	MUST_CHECK;
enum status vocabulary_read_decoder(struct vocabulary *vocabulary, const char *json, size_t len, struct error *err)
	MUST_CHECK;
/* Whether a token that is not marked special is one all the same, by its name. */
bool vocabulary_looks_special(const char *text, size_t len);

#endif
