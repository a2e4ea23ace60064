/* Small vocabularies for tests, as GGUF files without tensors.
 *
 * Ids are easy to tell by hand. SentencePiece: <unk> <s> </s> are 0 1 2, the
 * bytes 3..258, the listed tokens follow. Byte-level BPE: token b is the letter
 * of byte b, 256 is <|endoftext|>, then what each merge makes (257 the first),
 * then the listed tokens. */
#ifndef SOTTO_TESTS_TINY_VOCAB_H
#define SOTTO_TESTS_TINY_VOCAB_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "gguf/writer.h"

enum { TINY_SPM_FIRST = 259, TINY_BPE_FIRST_MERGE = 257 };

struct tiny_token {
	const char *name;
	float score;  /* SentencePiece */
	int32_t type; /* as tokenizer.ggml.token_type; 0 here means 1, normal */
};

/* Lists end with a NULL name. */
struct tiny_vocabulary {
	const char *model; /* "llama" or "gpt2" */
	const char *pre;   /* NULL: the key is left out */
	const struct tiny_token *tokens;
	const char *const *merges; /* "a b" in the byte alphabet; BPE only */
};

/* The caller may set keys again, write and free it. NULL without memory. */
struct gguf_writer *tiny_vocab_writer(const struct tiny_vocabulary *tiny);
enum status tiny_vocab_write(const struct tiny_vocabulary *tiny, struct buf *out,
                             struct error *err);

#endif
