/* What a chat's file and /stats say of its turns. Programs that use it need libchat. */
#ifndef SOTTO_SCREEN_TURNS_H
#define SOTTO_SCREEN_TURNS_H

#include "chat/tree.h"
#include "screen/chat.h"

/* The tree of the newest chat file, as a later sotto reads it; to be freed. */
struct tree *chat_tree(void);

struct chat_counts {
	unsigned prompt, cached, evaluated; /* tokens */
};

/* What /stats tells of the last reply. */
struct chat_counts chat_counts(struct screen *s);

#endif
