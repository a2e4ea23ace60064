/* Which pre-tokenizer a byte-level BPE vocabulary was trained with: tokenizer.ggml.pre. Private to this folder. */
#ifndef SOTTO_CHECKPOINT_VOCABULARY_PRE_H
#define SOTTO_CHECKPOINT_VOCABULARY_PRE_H

#include "checkpoint/vocabulary.h"

struct pre_hash {
	const char *sha256; /* of "[1, 2, 3]", the ids of the check text with those that are added to every text */
	const char *name;
};
extern const struct pre_hash pre_hashes[];
extern const size_t pre_hashes_len;
extern const char pre_check_text[];
extern const size_t pre_check_text_len;

struct pre_rule {
	const char *rules; /* as pre_describe writes them */
	const char *name;
	const char *name_ignoring; /* where a word that is a token is that token whatever the merges say; NULL: `name` */
};
extern const struct pre_rule pre_rules[];
extern const size_t pre_rules_len;

/* The rules in tokenizer.json's "pre_tokenizer", a line each: "split REGEX", "string TEXT", "digits", "gpt2" (ByteLevel with
 * its own regex), or the name of what is none of these. */
void pre_describe(const struct settings_tree *pre_tokenizer, struct buf *out);

struct pre_sources {
	const struct vocabulary *vocabulary;         /* with its final tokens */
	const struct settings_tree *pre_tokenizer;   /* NULL: none */
	const struct settings_tree *post_processor;  /* NULL: none */
};

/* One of tokenizer/pretokenize_table.c's names; static. By the hash of the ids, which makes it certain; else by the rules,
 * with a note. NULL: the conversion has failed. */
const char *pre_recognise(struct conversion *c, const struct pre_sources *from);

#endif
