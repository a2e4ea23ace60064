/* Small models for tests: the llama architecture with random weights and a
 * vocabulary of one of the two kinds. The same parameters give the same bytes
 * on every machine. */
#ifndef SOTTO_TESTS_TINY_MODEL_H
#define SOTTO_TESTS_TINY_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "support/save_gguf.h"

enum tiny_vocab {
	TINY_SPM, /* <unk> <s> </s>, byte tokens, pieces with scores */
	TINY_BPE, /* byte-level letters, merges, <|endoftext|> */
};

struct tiny_model {
	enum tiny_vocab vocab;
	bool all_bytes;  /* every byte has a token; else ASCII letters and a few more (small files) */
	bool vocab_only; /* no hyper-parameters and no tensors */
	bool tied;       /* no output.weight */
	uint32_t n_embd, n_layer, n_head, n_head_kv, n_ff, n_ctx;
	uint64_t seed;

	/* All that follows may stay zero. */
	enum block_type type; /* of the matrices: rows are whole blocks */
	bool biases;          /* every bias that the family may have */
	bool rope_freqs;      /* rope_freqs.weight: factors about 1 */
	uint32_t key_length, value_length; /* 0 = n_embd / n_head */
	uint32_t rope_dim;    /* 0 = the whole head */
	uint32_t window;      /* attention.sliding_window; 0 = none */
	float rope_factor;    /* linear scaling; 0 = none */
	bool guide;           /* sotto.guide: says that it is the guide */
};

/* 2 layers, 16 wide, 4 heads, 2 KV heads, ff 32, context 64, all bytes, SPM. */
struct tiny_model tiny_model_default(void);
/* The smallest file that has everything: well under 8 KiB. */
struct tiny_model tiny_model_smallest(enum tiny_vocab vocab);

/* A writer with all keys and tensors set; the caller may set keys again, write
 * and free it. Tensor data lasts as long as the process. NULL without memory. */
struct gguf_writer *tiny_model_writer(const struct tiny_model *tiny);
/* Its vocabulary alone, for another model; the number of tokens. */
uint64_t tiny_model_set_vocab(struct gguf_writer *w, enum tiny_vocab vocab, bool all_bytes);
/* The file as bytes. */
enum status tiny_model_write(const struct tiny_model *tiny, struct buf *out, struct error *err);
enum status tiny_model_save(const struct tiny_model *tiny, const char *path, struct error *err);

#endif
