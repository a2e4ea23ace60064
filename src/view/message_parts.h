/* The parts of a message that can be copied or opened by themselves: its code blocks and links. */
#ifndef SOTTO_VIEW_MESSAGE_PARTS_H
#define SOTTO_VIEW_MESSAGE_PARTS_H

#include <stddef.h>

#include "chat/tree.h"
#include "markdown/markdown_links.h"

struct message_part {
	size_t start, end;    /* bytes of the message */
	size_t block;         /* which code block, from 1, as code_blocks.h counts; 0: a link */
	const char *target;   /* a link's: foreign text; the parts' own */
	const char *language; /* a code block's; points into the message */
	size_t language_len;
};

struct message_parts {
	struct message_part *items; /* owned; in the order of the text */
	size_t n, cap;
	struct markdown_links links;
};

/* Finds none if there is not enough memory. The node's text must not change meanwhile. */
void message_parts_find(struct message_parts *parts, const struct node *node);
void message_parts_free(struct message_parts *parts);

#endif
