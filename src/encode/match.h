/* Finds the text in a prompt that the sampled ids of a reply stand for. */
#ifndef SOTTO_ENCODE_MATCH_H
#define SOTTO_ENCODE_MATCH_H

#include "base/error.h"
#include "encode/shape.h"
#include "tokenizer/tokenizer.h"
#include "turn/turn.h"

/* Where a text of the conversation is in a prompt. */
struct text_run {
	size_t start, end;
	size_t n; /* how many pieces it is in, of which this is the first; 0: not in the prompt */
};

/* The ids [first, first + n) stand for the bytes [start, end). */
struct reply_match {
	size_t start, end;
	size_t first, n;
};

enum { REPLY_MATCHES_MAX = 2 };

/* Finds the runs of all texts: runs[source - 1] is that of a source. `runs` must be zeroed
 * and have room for all sources. */
void match_runs(const struct prompt *prompt, struct text_run *runs);

/* Fills in `out` with *n matches, in order. `runs` are those of the reply's text and of
 * its reasoning. A reserved token (tokenizer_is_reserved) matches only template bytes.
 * `lead`: as in struct chat_template. */
enum status match_reply(struct reply_match out[REPLY_MATCHES_MAX], size_t *n,
                        const struct prompt *prompt, const struct text_run runs[2],
                        const struct message *message, const struct tokenizer *tokenizer,
                        const char *lead, struct error *err) MUST_CHECK;

#endif
