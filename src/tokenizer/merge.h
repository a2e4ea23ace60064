/* Joins neighbouring symbols of a text, the best pair first: what SentencePiece
 * and byte-level BPE have in common.
 *
 * A symbol is identified by the byte offset where it starts; it ends where the next one
 * starts. Pairs wait in a priority queue ordered by (key, offset); a pair that changed while
 * it waited is recognised by its key and skipped. O(n log n), 16 bytes a byte of text and 8 a
 * waiting pair, no recursion. */
#ifndef SOTTO_TOKENIZER_MERGE_H
#define SOTTO_TOKENIZER_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "tokenizer/queue.h"

struct symbol {
	uint32_t next; /* len at the end */
	uint32_t prev;
	uint32_t key;  /* of the pair with the next symbol; MERGE_NEVER: none */
	int32_t id;    /* its token, or -1 */
};

/* Empty at first: {0}. */
struct merger {
	const char *text; /* borrowed while a text is worked on */
	uint32_t len;
	uint32_t last;    /* the symbol added last */
	struct symbol *symbols; /* by offset; only those where a symbol starts mean anything */
	size_t cap;
	struct queue queue;
};

enum { MERGE_GONE = -1 }; /* prev of a symbol swallowed by its neighbour */
#define MERGE_NEVER UINT32_MAX

/* What two neighbours become; smaller keys go first. */
struct merge_pair {
	uint32_t key; /* < MERGE_NEVER */
	int32_t id;
};

/* Whether symbols `left` and `right` (neighbours) can be joined. */
typedef bool (*merge_lookup)(const void *ctx, const struct merger *m, uint32_t left,
                             uint32_t right, struct merge_pair *pair);

void merger_deinit(struct merger *m);

/* Starts on a text of 1..UINT32_MAX/4 bytes. */
enum status merger_begin(struct merger *m, const char *text, size_t len, struct error *err)
	MUST_CHECK;
/* Symbols are added in order, without gaps, the first at offset 0. */
void merger_add(struct merger *m, uint32_t offset, int32_t id);
enum status merger_run(struct merger *m, merge_lookup lookup, const void *ctx,
                       struct error *err) MUST_CHECK;

#endif
