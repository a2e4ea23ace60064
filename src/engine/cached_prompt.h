/* What the session's history is made of: the messages and tokens of the prompt that was evaluated last. So where
 * the next prompt differs from it, the user can be told why. The engine's thread. */
#ifndef SOTTO_ENGINE_CACHED_PROMPT_H
#define SOTTO_ENGINE_CACHED_PROMPT_H

#include "encode/encode.h"
#include "turn/difference.h"

struct session;

/* All zero: nothing is known. */
struct cached_prompt {
	int32_t *ids;                 /* owned, [n]: the prompt, of a continued reply only what comes before it ... */
	struct token_origin *origins; /* owned, [n]: ... and where they come from; what follows in the history is the reply */
	size_t n;
	struct cached_message {
		uint64_t hash; /* of its text */
		enum role role;
		bool is_kept;  /* not left out to make room */
	} *messages; /* owned, [n_messages]: before the reply */
	size_t n_messages;
};

/* A prompt and what is needed to read it. */
struct cached_view {
	const struct tokenizer *tokenizer;
	const struct chat_template *tmpl;
	const struct turn *turn;
	const struct encoded *encoded;
};

/* Compares the prompt that is to be evaluated with the session's history. Without memory: CACHE_SAME. */
struct cache_difference cached_prompt_compare(const struct cached_prompt *cached, const struct session *session,
                                              const struct cached_view *view);
/* From now on the history begins with this prompt. Without memory nothing is known of it. */
void cached_prompt_set(struct cached_prompt *cached, const struct turn *turn, const struct encoded *encoded);
void cached_prompt_free(struct cached_prompt *cached); /* all zero again */

#endif
