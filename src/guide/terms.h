/* Text as the look-up sees it: words of small letters and digits, what is left
 * of them without endings, and the texts that a phrase with (a|b) stands for. */
#ifndef SOTTO_GUIDE_TERMS_H
#define SOTTO_GUIDE_TERMS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct term {
	size_t at, len; /* in terms.text */
};

struct terms {
	struct buf text;
	struct term *items;
	size_t n, cap;
};

void terms_init(struct terms *terms);
void terms_deinit(struct terms *terms);

/* The words of a text in order, in place of those that were there: "Top-P" is
 * "topp" and its parts of three letters and more (there are none), "/model" is "/model"
 * and "model". Whatever bytes there are; those after LIMIT_GUIDE_QUESTION are passed over. */
enum status terms_split(struct terms *terms, const char *text, size_t len) MUST_CHECK;
const char *terms_word(const struct terms *terms, size_t n);

/* Whether a joined word is one of the keys that differ by a letter or a number: "altc",
 * "shiftf5", "f9". */
bool term_is_key(const char *word, size_t len);
/* Takes a word's ending off, in place; returns its new length. A key has none. */
size_t term_stem(char *word, size_t len);

/* How many texts a phrase stands for: "save (a|the) chat" is two; groups do not
 * nest. At most LIMIT_GUIDE_EXPANSIONS + 1 are counted. */
size_t terms_count_texts(const char *phrase);
/* Puts the nth of them in place of what is in `out`. */
enum status terms_nth_text(const char *phrase, size_t n, struct buf *out) MUST_CHECK;

#endif
