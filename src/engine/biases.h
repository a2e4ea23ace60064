/* Logit biases: from what a user writes to tokens. */
#ifndef SOTTO_ENGINE_BIASES_H
#define SOTTO_ENGINE_BIASES_H

#include "engine/engine.h"

/* Gives the engine's sampler those of `words` (base/words.h), unless it has them; NULL: none. A word
 * is a text or a token's id, a sign and a number or "inf": Hello+1.5, 15043-inf. A text means all
 * tokens that are this text, alone or after a blank, and control tokens of this name. STATUS_USAGE
 * for what is no such word, or where there is no such token; the old ones then stay. */
enum status biases_use(struct engine *engine, const char *words, struct error *err) MUST_CHECK;

/* Whether they are such words: STATUS_USAGE for one that no model can have. The text does not name the
 * option, others of biases_use do. */
enum status biases_check(const char *words, struct error *err) MUST_CHECK;

#endif
