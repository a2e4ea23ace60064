/* What a model thinks before it answers is a channel of its own: the markers
 * around it are known by their text (splitter.h takes a reply apart by them). */
#ifndef SOTTO_PROMPT_REASONING_H
#define SOTTO_PROMPT_REASONING_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/turn.h"
#include "tokenizer/tokenizer.h"

extern const char *const reasoning_modes[];   /* names of enum reasoning_mode, then NULL */
extern const char *const reasoning_efforts[]; /* of enum effort */

enum { REASONING_SIGNS_MAX = 3, REASONING_HEADERS_MAX = 6 };

struct reasoning_markers {
	/* All of them in a template's text tell that it is this kind. */
	const char *signs[REASONING_SIGNS_MAX]; /* NULL-terminated */
	/* A reply that begins with one of these thinks first; `opens[0]` is what
	 * a template writes. */
	const char *opens[REASONING_HEADERS_MAX]; /* NULL-terminated */
	/* What may stand at the beginning of an answer and is no part of it. */
	const char *answers[REASONING_HEADERS_MAX]; /* NULL-terminated */
	const char *close;
	/* Replies have parts: after `close` comes another one of the headers. */
	bool parts;
	/* The headers are those of harmony.h, whatever they say beside the channel. */
	bool channels;
};

extern const struct reasoning_markers reasoning_markers[];
extern const size_t reasoning_n_markers;

/* The markers that a template's text speaks of; NULL for none. */
const struct reasoning_markers *reasoning_find(const char *template_text, size_t len);
/* Those that the vocabulary has tokens for; else NULL. */
const struct reasoning_markers *reasoning_default(const struct tokenizer *tokenizer);
/* Whether a text ends with its last opening marker not closed. */
bool reasoning_is_open(const struct reasoning_markers *markers, const char *text, size_t len);

#endif
