/* A turn being run, from its prompt to its last token. */
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

/* ---- the prompt (prefill.c) ---- */

/* Of a session: called between layers, tells how far the prompt is; false = stop. */
bool generation_poll(void *ctx, size_t done, size_t total);
/* Evaluates the prompt, apart from what the session has already. */
enum status generation_prefill(struct generation *g, struct error *err) MUST_CHECK;

/* ---- what is told (tell.c) ---- */

/* Gets ready to tell a reply's text; generation_end_text then. */
enum status generation_begin_text(struct generation *g, struct error *err) MUST_CHECK;
void generation_end_text(struct generation *g);
/* Brings the detokenizer and the splitter to where the reply was cut, be that within a character or
 * a marker. */
enum status generation_replay(struct generation *g, struct error *err) MUST_CHECK;
/* Makes the choice from these logits the token `id`, with the probability that it had among the candidates; 0: it is
 * not one. */
void generation_choose(const struct generation *g, const float *logits, struct sampler_choice *choice, int32_t id);
/* Describes a token and splits it. */
enum status generation_emit(struct generation *g, const struct sampler_choice *choice, struct error *err) MUST_CHECK;
/* Releases the tokens held back, unless a stop string ended the reply. `ended`: by the model, so that nothing will
 * follow. */
enum status generation_flush(struct generation *g, bool ended, struct error *err) MUST_CHECK;

/* ---- BACKEND_EXAMINE (examine.c) ---- */

/* Takes the reply's tokens, the last g->n_begun of the prompt, off its end. */
enum status examine_take(struct generation *g, struct encoded *prompt, struct error *err) MUST_CHECK;
/* Tells a token, or a piece of one, with no more bytes than the reply has: its last token may have been cut by a stop
 * string, or within a character. */
enum status examine_tell(struct generation *g, const struct token *token, struct error *err) MUST_CHECK;
/* Tells them with what else might have come. Several positions are evaluated at once, to the same bits. */
enum status examine_tokens(struct generation *g, struct error *err) MUST_CHECK;

#endif
