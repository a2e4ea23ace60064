/* What a model thinks before it answers is kept apart from the answer. It is recognised
 * by the text of the markers around it (splitter.h divides replies at them). */
#ifndef SOTTO_ENCODE_REASONING_H
#define SOTTO_ENCODE_REASONING_H

#include <stdbool.h>
#include <stddef.h>

#include "tokenizer/tokenizer.h"
#include "turn/turn.h"

extern const char *const reasoning_modes[];   /* names of enum reasoning_mode, then NULL */
extern const char *const reasoning_efforts[]; /* of enum effort */

/* What the text that asks for a reply does to the reasoning. */
enum reasoning_start { REASONING_UNOPENED, REASONING_OPENED, REASONING_CLOSED };

enum { REASONING_SIGNS_MAX = 3, REASONING_HEADERS_MAX = 6 };

struct reasoning_markers {
	/* A template uses these markers if its text contains all of the signs. */
	const char *signs[REASONING_SIGNS_MAX]; /* NULL-terminated */
	/* A reply that begins with one of these thinks first; `opens[0]` is the one
	 * that templates write. */
	const char *opens[REASONING_HEADERS_MAX]; /* NULL-terminated */
	/* Headers of an answer, which are not part of it. */
	const char *answers[REASONING_HEADERS_MAX]; /* NULL-terminated */
	const char *close;
	/* Replies have several parts: after `close` comes another header. */
	bool parts;
	/* The headers are those of harmony.h, which may say more than the channel. */
	bool channels;
};

extern const struct reasoning_markers reasoning_markers[];
extern const size_t reasoning_n_markers;

/* The markers that a template's text mentions; NULL for none. */
const struct reasoning_markers *reasoning_find(const char *template_text, size_t len);
/* The markers that the vocabulary has tokens for; NULL for none. */
const struct reasoning_markers *reasoning_default(const struct tokenizer *tokenizer);
/* Whether the last opening marker in a text is not closed, or is. */
enum reasoning_start reasoning_start(const struct reasoning_markers *markers, const char *text,
                                     size_t len);

#endif
