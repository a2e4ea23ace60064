/* The other ways that a conversation went: the takes of a reply and the wordings of a message, which
 * have one parent and one role, and the branches below them. System messages have no takes. */
#ifndef SOTTO_CHAT_BRANCH_H
#define SOTTO_CHAT_BRANCH_H

#include "chat/tree.h"

/* Which one of `n` a message is, counted from 1, the oldest; 1 of 1: there is no other. */
struct branch_take {
	size_t index, n;
};

struct branch_take branch_take_of(const struct tree *tree, uint32_t id);
/* The take after it (step 1) or before it (-1); 0: there is none. */
uint32_t branch_beside(const struct tree *tree, uint32_t id, int step);
/* The last message on the path that has other takes; 0: none has. */
uint32_t branch_last_fork(const struct tree *tree);
/* The newest of a message and all that follow it, which nothing follows. */
uint32_t branch_newest(const struct tree *tree, uint32_t id);
/* Whether a message is on the path. */
bool branch_is_shown(const struct tree *tree, uint32_t id);

/* A row of the tree as it is drawn: a message. */
struct branch_row {
	uint32_t id;
	uint32_t depth; /* 0: of the main line */
	bool begins;    /* the first one of a branch off the line to its left */
};

/* All messages in the order in which they are drawn, *n of them. The main line goes along the path,
 * and where that does not go, to the newest message; what else may follow a message comes before the
 * line goes on, one deeper, so that a chat with many takes stays narrow. System messages that nothing
 * follows are left out (templates that were tried) unless they are on the path. NULL without memory;
 * the caller frees. */
struct branch_row *branch_rows(const struct tree *tree, size_t *n);

/* Another tree of the path's messages, with ids of its own; NULL without memory. */
struct tree *branch_copy(const struct tree *tree);

#endif
