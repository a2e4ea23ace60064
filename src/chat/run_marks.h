/* Which messages were pinned and which were dropped when a reply was sent for: they decide its prompt,
 * and may be changed at any time afterwards. */
#ifndef SOTTO_CHAT_RUN_MARKS_H
#define SOTTO_CHAT_RUN_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tree;

struct run_mark {
	uint32_t message; /* the node's id */
	bool pinned, dropped;
};

/* Zeroed memory: not known. */
struct run_marks {
	struct run_mark *items; /* owned, in rising order: of the path those that have a mark */
	size_t n, cap;
	bool known;             /* those of older chats are not */
};

void run_marks_free(struct run_marks *marks);
/* Adds one, which comes after the last. False: without memory, or too many; they are then unknown. */
bool run_marks_add(struct run_marks *marks, struct run_mark mark);
/* Those of the tree's path. `marks` are empty before. Without memory they are unknown. */
void run_marks_take(struct run_marks *marks, const struct tree *tree);
/* Gives the messages of the path these marks, and no others; nothing where they are unknown. */
void run_marks_set(const struct run_marks *marks, struct tree *tree);

#endif
