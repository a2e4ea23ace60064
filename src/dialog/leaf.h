/* Where the conversation is: the leaf moves to another branch, or back. Nothing is deleted. */
#ifndef SOTTO_DIALOG_LEAF_H
#define SOTTO_DIALOG_LEAF_H

#include <stdint.h>

struct dialog;

/* The template of the path there is in use. The journal is not told: a message follows. */
void dialog_move_leaf(struct dialog *dialog, uint32_t leaf);
/* In the journal, too; no message of the chat is edited any more. */
void dialog_go_to(struct dialog *dialog, uint32_t leaf);

#endif
