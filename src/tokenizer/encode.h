/* The two ways a stretch of plain text becomes tokens. Inside of tokenizer/. */
#ifndef SOTTO_TOKENIZER_ENCODE_H
#define SOTTO_TOKENIZER_ENCODE_H

#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "tokenizer/merge.h"
#include "tokenizer/pretokenize.h"
#include "tokenizer/tokenizer.h"
#include "tokenizer/vocab.h"

/* Memory of one call of tokenizer_encode, shared by its stretches of text. */
struct encode_scratch {
	struct merger merger;
	struct word_list words;
	struct buf text; /* escaped or repaired */
	struct buf word; /* spelled in the byte alphabet */
};

/* SentencePiece; blanks become U+2581, `prefix` puts one in front.
 * "SentencePiece" (Kudo, Richardson 2018), its BPE mode with scores. */
enum status spm_encode(const struct vocab *vocab, struct encode_scratch *scratch, const char *text,
                       size_t len, bool prefix, struct token_list *out,
                       struct error *err) MUST_CHECK;

/* BPE ("Neural Machine Translation of Rare Words with Subword Units", Sennrich
 * et al. 2016; on bytes since GPT-2). Ill-formed UTF-8 becomes U+FFFD. */
enum status bpe_encode(const struct vocab *vocab, const struct pretokenizer *pre,
                       struct encode_scratch *scratch, const char *text, size_t len,
                       struct token_list *out, struct error *err) MUST_CHECK;

#endif
