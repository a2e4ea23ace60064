/* The texts of tokens, of one vocabulary. */
#ifndef SOTTO_KEPT_TEXTS_H
#define SOTTO_KEPT_TEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "turn/turn.h"

struct kept_text {
	int32_t id;
	uint8_t len;
	bool is_saved; /* in the file (kept_file.h) */
	char text[sizeof ((struct token_candidate *)0)->text];
};

/* All zero: empty. */
struct kept_texts {
	struct kept_text *items; /* owned, [n]: in the order in which they were added */
	size_t n, cap;
	uint32_t *slots; /* owned, [n_slots], a power of two: item + 1; 0: free */
	size_t n_slots;
};

void kept_texts_free(struct kept_texts *texts);
/* NULL: none. Borrowed until one is added. */
struct kept_text *kept_texts_find(const struct kept_texts *texts, int32_t id);
/* Does nothing if the id has one. False: no memory. */
bool kept_texts_add(struct kept_texts *texts, int32_t id, const char *text, size_t len);
void kept_texts_forget_saved(struct kept_texts *texts);
/* The id, below -1, of a text whose token's is not known; it is added if it is new. False: no memory. */
bool kept_texts_name(struct kept_texts *texts, const char *text, size_t len, int32_t *id);

#endif
