/* The vocabulary of a model: what `tokenizer.ggml.*` says, checked.
 *
 * Reads models "llama" (SentencePiece), "gpt2" (byte-level BPE) and "gemma4"
 * (BPE on plain UTF-8). Keys: docs/gguf.md of ggml; defaults and the names of
 * tokens that end a turn as in llama.cpp of August 2026. Owns its memory,
 * immutable after reading. */
#ifndef SOTTO_TOKENIZER_VOCAB_H
#define SOTTO_TOKENIZER_VOCAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "gguf/reader.h"
#include "tokenizer/pretokenize.h"
#include "tokenizer/textmap.h"

enum vocab_model { VOCAB_SPM, VOCAB_BPE };

/* As stored in tokenizer.ggml.token_type. */
enum token_type {
	TOKEN_UNDEFINED = 0, TOKEN_NORMAL, TOKEN_UNKNOWN, TOKEN_CONTROL,
	TOKEN_USER_DEFINED, TOKEN_UNUSED, TOKEN_BYTE,
	TOKEN_TYPE_COUNT
};

enum token_flags {
	TOKEN_IS_EOG = 1 << 0,     /* ends a turn */
	TOKEN_STRIP_LEFT = 1 << 1, /* where it is matched it swallows the white space before it */
	TOKEN_STRIP_RIGHT = 1 << 2,
	/* User-defined, but named like a control token (<|User|>): matched in any
	 * text as all user-defined ones, but never in what a person wrote. */
	TOKEN_LOOKS_CONTROL = 1 << 3,
	TOKEN_IS_SUPPRESSED = 1 << 4, /* the file wants it never to be generated */
};

/* Ids of tokens with a role; names and keys in vocab_special.c. */
enum special_role {
	SPECIAL_BOS, SPECIAL_EOS, SPECIAL_EOT, SPECIAL_EOM, SPECIAL_UNK, SPECIAL_SEP, SPECIAL_PAD,
	SPECIAL_MASK, SPECIAL_FIM_PRE, SPECIAL_FIM_SUF, SPECIAL_FIM_MID, SPECIAL_FIM_PAD,
	SPECIAL_FIM_REP, SPECIAL_FIM_SEP,
	SPECIAL_COUNT
};

/* One rank of BPE: two symbols and what they become. A symbol is a token or a part. */
struct merge {
	int32_t left, right; /* left < 0: a free slot */
	uint32_t rank;
	int32_t id;
};

struct vocab {
	enum vocab_model model;
	const struct pre_row *pre; /* BPE only */
	size_t n;
	struct texts names;  /* as in the file */
	struct texts pieces; /* the bytes each token stands for; "" for control tokens */
	struct textmap by_name;
	uint8_t *types;
	uint8_t *flags;
	float *scores;       /* SPM only */
	size_t longest;      /* name that may stand for plain text, in bytes */
	int32_t byte_ids[256]; /* the token of a single byte; -1: none */
	int32_t special[SPECIAL_COUNT];
	bool add_bos, add_eos;
	bool add_space_prefix, ignore_merges;
	bool remove_extra_whitespaces; /* for completeness: llama.cpp's SPM ignores it, so do we */
	struct merge *merges; /* open addressing by (left, right) */
	size_t merges_mask;
	size_t n_merges_dropped;
	/* BPE: texts that merges lead through although they are no tokens; numbered from n on. */
	struct texts parts;
	size_t n_parts;
	struct textmap by_part;
	int32_t letter_ids[256]; /* byte-level BPE: the symbol of a single byte; -1: none */
	const char *bad_key; /* the first of n_bad_ids that names a token beyond the vocabulary */
	size_t n_bad_ids;
	bool no_pre; /* the file names no pre-tokenizer: the default is a guess */
};

enum status vocab_read(struct vocab *vocab, const struct gguf *gguf, struct error *err) MUST_CHECK;
void vocab_deinit(struct vocab *vocab); /* also after a failed vocab_read */

/* The token whose name is this text, if it may stand for plain text: control,
 * unknown and byte tokens never do, whatever a text contains. -1: none. */
int32_t vocab_find_plain(const struct vocab *vocab, const char *name, size_t len);

/* Likewise a token or a part. */
int32_t vocab_find_symbol(const struct vocab *vocab, const char *name, size_t len);

/* NULL when the two do not join. */
const struct merge *vocab_find_merge(const struct vocab *vocab, int32_t left, int32_t right);

/* Whether a token's name looks like that of a control token (vocab_special.c). */
bool vocab_looks_control(const char *name, size_t len);

/* The alphabet of byte-level BPE: 1 or 2 bytes of UTF-8 for each byte. */
size_t vocab_byte_letter(unsigned char byte, char out[2]);

/* Reads the merges of BPE (vocab_merges.c). */
enum status vocab_read_merges(struct vocab *vocab, const struct gguf *gguf,
                              struct error *err) MUST_CHECK;

/* Second half of vocab_read (vocab_special.c): roles, ends of turn, white
 * space rules of the models that need them. */
enum status vocab_read_special(struct vocab *vocab, const struct gguf *gguf,
                               struct error *err) MUST_CHECK;

#endif
