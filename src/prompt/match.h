/* Finds what the ids that a reply was sampled as stand for in a prompt. */
#ifndef SOTTO_PROMPT_MATCH_H
#define SOTTO_PROMPT_MATCH_H

#include "base/error.h"
#include "engine/turn.h"
#include "prompt/shape.h"
#include "tokenizer/tokenizer.h"

/* Where a text of the conversation stands in a prompt. */
struct text_run {
	size_t start, end;
	size_t n; /* in how many pieces; the others are elsewhere. 0: it is not there */
};

/* The ids [first, first + n) stand for the bytes [start, end). */
struct reply_match {
	size_t start, end;
	size_t first, n;
};

enum { REPLY_MATCHES_MAX = 2 };

/* The runs of all texts, a source's at [source - 1]; `runs` is zeroed and has
 * room for all of them. */
void match_runs(const struct prompt *prompt, struct text_run *runs);

/* Fills in `out` with *n matches, in order. `runs` are the reply's two: its text
 * and its reasoning. A reserved token (tokenizer_is_reserved) stands for nothing
 * but template bytes that spell it. `lead` as of chat_template. */
enum status match_reply(struct reply_match out[REPLY_MATCHES_MAX], size_t *n,
                        const struct prompt *prompt, const struct text_run runs[2],
                        const struct message *message, const struct tokenizer *tokenizer,
                        const char *lead, struct error *err) MUST_CHECK;

#endif
