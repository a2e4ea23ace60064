/* The words that the look-up knows, as stems: those of the facts, the noise, the
 * synonyms and what is asked elsewhere. Numbered; after lexicon_sort in the order of the alphabet. */
#ifndef SOTTO_GUIDE_LEXICON_H
#define SOTTO_GUIDE_LEXICON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

#define LEXICON_NONE UINT32_MAX

enum word_kind {
	WORD_NOISE = 1 << 0,     /* says nothing */
	WORD_ELSEWHERE = 1 << 1, /* at home in questions about other things */
};

struct lexicon_word {
	size_t at, len;   /* in lexicon.text */
	uint32_t head;    /* of its class of synonyms; mostly the word itself */
	bool in_class;    /* stands in a row of synonyms */
	unsigned kinds;   /* of word_kind */
	uint32_t seen;    /* for counting each once */
	double idf;       /* 0: in no phrase */
	double class_idf; /* of a head: of its class; 0: in no phrase */
};

struct lexicon {
	struct buf text;
	struct lexicon_word *words;
	size_t n, cap;
	uint32_t *slots; /* word + 1, 0 = free; a power of two, at most half full */
	size_t n_slots;
};

void lexicon_init(struct lexicon *lexicon);
void lexicon_deinit(struct lexicon *lexicon);

const char *lexicon_text(const struct lexicon *lexicon, uint32_t word);

/* The number of a word, which becomes known if it is not. */
enum status lexicon_add(struct lexicon *lexicon, const char *word, size_t len,
                        uint32_t *out) MUST_CHECK;
uint32_t lexicon_find(const struct lexicon *lexicon, const char *word, size_t len);

/* Numbers the words anew; new_numbers[old] for each of the n. */
enum status lexicon_sort(struct lexicon *lexicon, uint32_t *new_numbers) MUST_CHECK;

/* The word of a phrase that was meant by a mistyped one of five letters and more;
 * LEXICON_NONE: none. The lexicon has to be sorted. */
uint32_t lexicon_nearest(const struct lexicon *lexicon, const char *word, size_t len);

#endif
