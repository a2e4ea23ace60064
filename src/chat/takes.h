/* Two takes side by side: two replies, where they part, and why: what of all that decided them was another. Plain
 * data; the texts are the tree's, not sanitised. */
#ifndef SOTTO_CHAT_TAKES_H
#define SOTTO_CHAT_TAKES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "chat/reply_place.h"
#include "chat/tree.h"

enum { TAKE_VALUE_MAX = 64, TAKES_REASONS_MAX = 48 };

/* What was another: "temp", "0.3", "0.8". Values are cut to whole characters, "": none. */
struct take_reason {
	char what[32];
	char a[TAKE_VALUE_MAX], b[TAKE_VALUE_MAX];
};

struct takes {
	const struct node *a, *b;
	bool by_tokens;        /* both have ids of one vocabulary; otherwise texts were compared */
	size_t n_shared;       /* tokens that both begin with; 0 unless by_tokens */
	struct reply_place shared; /* the same in bytes, whole characters */
	bool is_same;          /* neither goes on from there */
	bool is_known;         /* of both it is recorded how they were made; otherwise other reasons may be missing */
	struct take_reason reasons[TAKES_REASONS_MAX]; /* the likeliest cause first */
	size_t n_reasons;
};

/* Two replies of one tree. */
void takes_compare(struct takes *out, const struct tree *tree, uint32_t a, uint32_t b);
/* Goes up from two messages to where their paths part: the messages there have one parent. */
void takes_fork(const struct tree *tree, const struct node **a, const struct node **b);
/* What a reply is compared with if nobody says: the take of it before (or after) it, or, where the message above was
 * worded otherwise, the reply there. 0: there is nothing. */
uint32_t takes_other(const struct tree *tree, uint32_t reply);
/* All replies that it can be compared with, in the order of their ids: writes at most `cap`, returns how many. */
size_t takes_others(const struct tree *tree, uint32_t reply, uint32_t *ids, size_t cap);

#endif
