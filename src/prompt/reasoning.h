/* What a model thinks before it answers is a channel of its own: the markers
 * around it are known by their text, and a splitter takes a reply apart. */
#ifndef SOTTO_PROMPT_REASONING_H
#define SOTTO_PROMPT_REASONING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "engine/turn.h"
#include "prompt/harmony.h"
#include "prompt/stop.h"
#include "tokenizer/tokenizer.h"

extern const char *const reasoning_modes[];   /* names of enum reasoning_mode, then NULL */
extern const char *const reasoning_efforts[]; /* of enum effort */

enum { REASONING_SIGNS_MAX = 3, REASONING_HEADERS_MAX = 6, REASONING_RECIPIENT_MAX = 63 };

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

/* Takes the tokens of a reply and tells those of the reasoning (and its markers,
 * and the blanks around them, which lose their bytes) from those of the answer.
 * What is said beside the answer, in a channel for that, counts as reasoning. Parts
 * of it are told apart by a blank line that is no token's.
 * Tokens are held back while what they say may become a marker, wherever the
 * tokens' borders fall. */
struct splitter {
	const struct reasoning_markers *markers; /* NULL: everything is answer */
	enum splitter_state {
		SPLITTER_START,     /* a header may come */
		SPLITTER_REASONING,
		SPLITTER_CLOSED,    /* blanks after the closing marker */
		SPLITTER_ANSWER,
	} state;
	struct held_token *tokens; /* owned: those not yet let through, oldest first */
	size_t n, cap;
	struct buf text; /* what they say; of control tokens, their names */
	bool opened;     /* by the prompt: what comes is reasoning, but some models open it again */
	size_t n_left;   /* bytes of it whose token has been let through already */
	bool thought;    /* there was some reasoning */
	bool said;       /* of this part of the reasoning, something beside blanks */
	bool said_before; /* of an earlier one */
	bool aside;      /* this part is beside the answer, as the tokens say */
	char recipient[REASONING_RECIPIENT_MAX + 1]; /* whom it is to; "": the user */
};

/* `thinking`: the prompt has opened the reasoning already. */
void splitter_init(struct splitter *splitter, const struct reasoning_markers *markers,
                   bool thinking);
void splitter_deinit(struct splitter *splitter);

/* A token with the bytes that became complete with it. `name`: its text in the
 * vocabulary if it is a control token (which has no bytes), else NULL. Lets
 * through what is known by now; token.reasoning says what it is. */
enum status splitter_push(struct splitter *splitter, const struct token *token,
                          const char *name, size_t name_len, stop_sink sink, void *ctx,
                          struct error *err) MUST_CHECK;
/* The end of the reply: lets the rest through. */
enum status splitter_flush(struct splitter *splitter, stop_sink sink, void *ctx,
                           struct error *err) MUST_CHECK;

#endif
