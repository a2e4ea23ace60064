/* DRY's sequence breakers (sampler/dry.h): from the strings that a user gives to tokens. */
#ifndef SOTTO_ENGINE_BREAKERS_H
#define SOTTO_ENGINE_BREAKERS_H

#include "engine/engine.h"

/* Gives the engine's sampler those of `words`, unless it has them. The words (base/words.h, but \n
 * and \t are what they are in C) are the strings; NULL: line feed, colon, quotation mark and
 * asterisk, as in llama.cpp; "none": there are none. Each token that a string may begin in becomes a
 * head; the rest of the string is tokenised as its tail. Takes some milliseconds. STATUS_USAGE for a
 * word that is no breaker; the old ones then stay. */
enum status breakers_use(struct engine *engine, const char *words, struct error *err) MUST_CHECK;

#endif
