/* A turn being run: what generating shares with going through a reply once more. */
#ifndef SOTTO_ENGINE_GENERATE_INTERNAL_H
#define SOTTO_ENGINE_GENERATE_INTERNAL_H

#include "encode/encode.h"
#include "encode/splitter.h"
#include "engine/answers.h"
#include "engine/engine.h"

struct generation {
	struct engine *engine;
	const struct turn *turn;
	const struct backend_host *host;
	struct backend_result *result;
	bool prefilling;
	struct turn_begin begin;
	struct sampler_state sampling;
	struct answers answers;
	struct detokenizer detokenizer;
	enum reasoning_start start; /* what the prompt does to the reasoning */
	bool reported;    /* some of the token sampled last, or of those held back before it, was */
	size_t n_begun;   /* tokens at the prompt's end that are the beginning of the reply */
	bool replaying;   /* these go through the splitter again, and are not reported */
	size_t n_held;    /* of these, held back by the splitter: reported when the reply was cut */
	bool skips;       /* the rest of the token reported last was reported then, too */
	size_t n_replayed; /* bytes that were told of the begun tokens, without those held back */
	bool untold;      /* the text of those held back is not in the begun reply: it is a branch's */
	struct splitter splitter;
	const char **stops; /* owned */
	struct buf aside;   /* the message besides the answer so far, and its recipient */
	char aside_to[SPLITTER_RECIPIENT_MAX + 1];
	/* BACKEND_EXAMINE: the reply's tokens, in the place of those that would be sampled. Owned. */
	bool examines;
	int32_t *examined;
	size_t n_examined;
	struct sampler_params examined_params; /* of the next one */
	size_t n_parts; /* of turn.parts that have begun */
	size_t n_text, n_reasoning; /* bytes told of each */
};

/* Makes the choice from these logits the token `id`, with the probability that it had among the candidates; 0: it is not one. */
void generation_choose(const struct generation *g, const float *logits, struct sampler_choice *choice, int32_t id);
/* Describes a token and splits it. */
enum status generation_emit(struct generation *g, const struct sampler_choice *choice, struct error *err) MUST_CHECK;

/* ---- BACKEND_EXAMINE (examine.c) ---- */

/* Takes the reply's tokens, the last g->n_begun of the prompt, off its end. */
enum status examine_take(struct generation *g, struct encoded *prompt, struct error *err) MUST_CHECK;
/* Tells a token, or a piece of one, with no more bytes than the reply has: its last token may have been cut by a stop
 * string, or within a character. */
enum status examine_tell(struct generation *g, const struct token *token, struct error *err) MUST_CHECK;
/* Tells them with what else might have come. Several positions are evaluated at once, to the same bits. */
enum status examine_tokens(struct generation *g, struct error *err) MUST_CHECK;

#endif
