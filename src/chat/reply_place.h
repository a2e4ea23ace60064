/* Which bytes of a reply its tokens are. What a model thinks comes before what it answers, so that one sum of the
 * bytes that tokens have completed says how far both are. */
#ifndef SOTTO_CHAT_REPLY_PLACE_H
#define SOTTO_CHAT_REPLY_PLACE_H

#include <stddef.h>

#include "chat/tree.h"

/* So many bytes of the reasoning and of the text come before it. */
struct reply_place {
	size_t reasoning, text;
};

/* Behind tokens that completed `n_bytes` of the reply, reasoning and text together, of `n_all` bytes that all tokens
 * did. What the user had written before the first token (an edited reply) comes first. */
struct reply_place reply_place(const struct node *reply, size_t n_bytes, size_t n_all);

#endif
