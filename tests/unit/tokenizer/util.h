/* What the tests of this folder share. */
#ifndef SOTTO_TESTS_TOKENIZER_UTIL_H
#define SOTTO_TESTS_TOKENIZER_UTIL_H

#include <stddef.h>
#include <stdint.h>

#include "support/tiny_vocab.h"
#include "tokenizer/tokenizer.h"

/* SentencePiece with a few pieces, by falling score: see util.c for the ids. */
extern const struct tiny_vocabulary small_spm;
/* Byte-level BPE with the pre-tokenizer of GPT-2. */
extern const struct tiny_vocabulary small_bpe;

/* Opens what the writer has and frees it; fails the test with the error. */
struct tokenizer *open_writer(struct gguf_writer *w);
struct tokenizer *open_tiny(const struct tiny_vocabulary *tiny);

/* Encodes and compares with ids that end with -1. */
void expect_ids(const struct tokenizer *t, const char *text, unsigned flags, const int32_t *want);

/* Encodes and decodes; true when the text came back. */
bool survives(const struct tokenizer *t, const char *text, size_t len);

/* Random valid UTF-8 without U+2581, n characters at most; returns its length. */
struct test_random;
size_t random_text(struct test_random *random, char *out, size_t n);

#endif
