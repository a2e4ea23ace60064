/* Splits text into the words that byte-level BPE works on, one after the other.
 *
 * Which rules a vocabulary was trained with is named by `tokenizer.ggml.pre`;
 * pretokenize_table.c has all names that llama.cpp (August 2026) knows, those
 * with the same rules in one row. A row's rules are applied one after the
 * other: each cuts the pieces that the ones before it left into its matches
 * and what lies between them.
 *
 * Compiled once, then any thread may split with it. Patterns run on PCRE2,
 * just-in-time compiled where that works, and never recurse on our stack. */
#ifndef SOTTO_TOKENIZER_PRETOKENIZE_H
#define SOTTO_TOKENIZER_PRETOKENIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { PRE_RULES_MAX = 6 };

/* What else a name implies, beside its rules. */
enum pre_flags {
	PRE_IGNORE_MERGES = 1 << 0, /* a word that is a token is that token */
	PRE_ADD_BOS = 1 << 1,       /* unless the file says otherwise */
	PRE_FORCE_BOS = 1 << 2,     /* whatever the file says */
	PRE_NO_DEFAULT_BOS = 1 << 3,
	PRE_RAW = 1 << 4,    /* tokens are plain UTF-8 with <0xXX> bytes, not the byte alphabet */
	PRE_ESCAPE = 1 << 5, /* blanks become U+2581 first */
	PRE_NEWLINES = 1 << 6, /* a run of newlines that is a token is that token */
	PRE_MERGES_OPTIONAL = 1 << 7, /* files may have no merges */
	PRE_MASK_STRIPS = 1 << 8, /* <mask> swallows the white space before it */
};

/* A rule is a PCRE2 pattern; with one of these in front, its matches (runs of
 * digits) are cut in threes counted from the right:
 * CUT_AFTER cuts behind every group, CUT_BEFORE in front of every group of
 * three; what is left of a run stays with the text beside it. */
#define CUT_AFTER "\001"
#define CUT_BEFORE "\002"

struct pre_row {
	const char *names; /* separated by blanks */
	const char *rules[PRE_RULES_MAX]; /* NULL beyond the last */
	unsigned flags;
};

extern const struct pre_row pre_table[];
extern const size_t pre_table_len;

/* NULL when no row has such a name. */
const struct pre_row *pre_find(const char *name, size_t len);

/* Word i ends at byte ends[i] and starts where the one before it ends. */
struct word_list {
	uint32_t *ends; /* owned */
	size_t n, cap;
	bool failed; /* memory ran out: words are missing */
};

void word_list_free(struct word_list *words);

struct pretokenizer;

enum status pretokenizer_open(struct pretokenizer **out, const struct pre_row *row,
                              struct error *err) MUST_CHECK;
void pretokenizer_close(struct pretokenizer *pre); /* NULL is fine */

/* `text` must be valid UTF-8 of at most UINT32_MAX bytes; replaces what was in
 * `words`. Every word has at least one byte. */
enum status pretokenizer_split(const struct pretokenizer *pre, const char *text, size_t len,
                               struct word_list *words, struct error *err) MUST_CHECK;

#endif
