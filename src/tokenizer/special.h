/* Finds tokens that are matched in the text as they are spelled, before
 * anything else looks at it: user-defined ones always, control tokens where
 * the text may hold them.
 *
 * As in llama.cpp the longest tokens are looked for first in the whole text,
 * then shorter ones in what is left; of equally long ones the leftmost wins.
 * Immutable after opening. */
#ifndef SOTTO_TOKENIZER_SPECIAL_H
#define SOTTO_TOKENIZER_SPECIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "tokenizer/vocab.h"

struct special;

enum status special_open(struct special **out, const struct vocab *vocab,
                         struct error *err) MUST_CHECK;
void special_close(struct special *special); /* NULL is fine */

/* A stretch of text, or (id >= 0) a token found in it. */
struct fragment {
	size_t start, len;
	int32_t id;
};

struct fragment_list {
	struct fragment *items; /* owned */
	size_t n, cap;
	bool failed; /* memory ran out: fragments are missing */
};

void fragment_list_free(struct fragment_list *list);

/* Where control tokens may be matched: byte i of the text belongs to the range
 * whose start is the last one <= i. Ranges start at 0, ascending. */
struct text_range {
	size_t start;
	bool control; /* control tokens may lie here */
	bool person;  /* written by a person: no token that is named like one, either */
};

/* Replaces what was in `out`. A token needs all its bytes in ranges that
 * allow it; `ranges` (n >= 1) covers the text. */
enum status special_split(const struct special *special, const char *text, size_t len,
                          const struct text_range *ranges, size_t n, struct fragment_list *out,
                          struct error *err) MUST_CHECK;

#endif
