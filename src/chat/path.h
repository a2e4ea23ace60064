/* What counts of a conversation's path: which messages are sent to the model, and what its system
 * prompt is made from. */
#ifndef SOTTO_CHAT_PATH_H
#define SOTTO_CHAT_PATH_H

#include "chat/tree.h"

/* The ids of the path's messages in the order in which they are sent, *n of them: a system message
 * for the whole conversation comes first and replaces all system messages before it on the path;
 * the others stay where they are. Empty system messages only mark a place and are not sent. The last
 * summary replaces the messages that it sums up, pinned ones aside; dropped messages
 * are not sent, unless it is the user's last one, to be answered. NULL without memory; the caller
 * frees. */
uint32_t *path_sent(const struct tree *tree, size_t *n);
/* The same, but with all that has been said, and no summary. */
uint32_t *path_said(const struct tree *tree, size_t *n);
/* The path's messages that have a text, or one or the other; *n of them. NULL without memory; the caller
 * frees. */
uint32_t *path_with_text(const struct tree *tree, bool or_reasoning, size_t *n);
/* The last message that the path's last summary stands for; 0: there is no summary. Those before it
 * are summed up, too; path_is_summed_up says whether a message of the path is. */
uint32_t path_summed_up(const struct tree *tree);
static inline bool path_is_summed_up(const struct node *node, uint32_t summed_up)
{
	return node->role != ROLE_SYSTEM && node->id <= summed_up && !node->pinned;
}

/* The last system message on the path that is not a summary; NULL without one. */
const struct node *path_system(const struct tree *tree);
/* The last reply on the path of which it is known which model made it, by its last run; NULL without
 * one. */
const struct node *path_made(const struct tree *tree);
/* The user's nth message, counted from the end of the path (1 is the last); those up to `beginning`
 * (0: none) do not count. NULL: there are fewer. */
const struct node *path_user(const struct tree *tree, int64_t nth, uint32_t beginning);
/* The path's last reply; NULL: there is none. */
const struct node *path_reply(const struct tree *tree);
/* Whether anybody but the system has spoken before this node. */
bool path_has_talk_before(const struct tree *tree, const struct node *node);

#endif
