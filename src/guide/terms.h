/* Text as the look-up sees it: words of small letters and digits without their endings. */
#ifndef SOTTO_GUIDE_TERMS_H
#define SOTTO_GUIDE_TERMS_H

#include <stddef.h>

#include "base/buf.h"

struct terms {
	struct buf text; /* the words, one behind the other */
	struct term {
		size_t at, len; /* in text */
	} *items;
	size_t n, cap;
};

void terms_init(struct terms *terms);
void terms_deinit(struct terms *terms);

/* The words of a text in order, in place of those that were there: "Top-P" is "topp" and its
 * parts of three letters and more ("top"), "/models" is "/models" and "model". Any bytes; those
 * after LIMIT_GUIDE_QUESTION are not looked at, nor those of a word after LIMIT_GUIDE_WORD. */
enum status terms_split(struct terms *terms, const char *text, size_t len) MUST_CHECK;
const char *terms_word(const struct terms *terms, size_t n);

#endif
