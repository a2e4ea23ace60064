/* What is evaluated when models are compared: token ids in windows, each of which begins at position 0 and knows
 * nothing of the others, and which of their distributions count. Plain data; one thread. */
#ifndef SOTTO_COMPARE_TEXT_H
#define SOTTO_COMPARE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct text_window {
	size_t at, n; /* of the text's ids */
	char *name;   /* owned: of the chat that it is; NULL: it is none */
};

struct compared_text {
	int32_t *ids;  /* owned, [n] */
	bool *counts;  /* owned, [n]: what the model expects behind this token counts */
	size_t n;
	struct text_window *windows; /* owned, [n_windows] */
	size_t n_windows;
	size_t cap_ids, cap_counts, cap_windows;
};

enum { WINDOW_USUAL = 512 };

/* As llama-perplexity cuts a text: windows of `size` tokens without overlap, what is left at the end is not looked at,
 * and of each the second half counts, as far as a token follows. `bos`: the token that takes the place of each window's
 * first; negative: none does. It refuses texts of less than two windows (text_has_windows); here they give one, or
 * none. */
enum status text_cut(struct compared_text *text, const int32_t *ids, size_t n, size_t size, int32_t bos,
                     struct error *err) MUST_CHECK;
static inline bool text_has_windows(size_t n, size_t size)
{
	return n / 2 >= size;
}
/* Adds one window. `counts` [n]; NULL: all count. */
enum status text_add(struct compared_text *text, const int32_t *ids, const bool *counts, size_t n,
                     struct error *err) MUST_CHECK;
void text_free(struct compared_text *text);

/* The longest window, and how many distributions count. */
size_t text_longest(const struct compared_text *text);
size_t text_n_counted(const struct compared_text *text);
/* The token behind token `i` of the text, in the same window; negative: there is none. */
int32_t text_next(const struct compared_text *text, const struct text_window *window, size_t i);

#endif
