/* How a conversation is shown to the model: the one place that knows.
 *
 * As long as there are no chat templates it is plain text, which base models
 * take for what it is and chat models understand:
 *
 *     SYSTEM
 *
 *     User: TEXT
 *     Assistant: REPLY
 *     User: TEXT
 *     Assistant:
 *
 * and the reply ends where the model begins the user's next line. */
#ifndef SOTTO_ENGINE_PROMPT_H
#define SOTTO_ENGINE_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "engine/worker.h"
#include "tokenizer/tokenizer.h"

struct prompt_piece {
	struct text_span span; /* borrowed from the turn, or constant */
	size_t message;        /* index into the turn's messages */
	bool starts_part;      /* what comes before is tokenised apart */
	/* The whole text of a reply: the ids it was sampled as may stand for it. */
	bool is_reply;
};

struct prompt {
	struct prompt_piece *pieces; /* owned */
	size_t n;
};

/* How the reply to it is cut out of what the model says. */
struct prompt_ends {
	const char *const *stops; /* strings that end the reply, NULL-terminated; constant */
	bool skip_blanks;         /* white space that the reply begins with is not part of it */
};

/* Renders the messages with keep[i], and the beginning of the reply. */
enum status prompt_render(struct prompt *out, const struct worker_turn *turn, const bool *keep,
                          struct error *err) MUST_CHECK;
void prompt_free(struct prompt *prompt);

/* What skip_blanks skips. */
static inline bool prompt_is_blank(char c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

struct prompt_ends prompt_ends(const struct worker_turn *turn);

#endif
