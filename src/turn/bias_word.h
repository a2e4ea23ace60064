/* A word of the option logit-bias (base/words.h): a text or a token's id, a sign, and a number or "inf", as Hello+1.5,
 * 15043-inf. One reading for the engine and for what servers are told. */
#ifndef SOTTO_TURN_BIAS_WORD_H
#define SOTTO_TURN_BIAS_WORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct bias_word {
	size_t key_len;     /* bytes of the word before its sign: the text, or the id */
	const char *number; /* with its sign: "+1.5"; in the word */
	double value;       /* at most 10^6 either way; -INFINITY: never */
	int64_t id;         /* INT64_MAX if it is larger; -1: the key is a text */
};

/* The sign is the last one that a number follows. STATUS_USAGE; the text does not name the option. */
enum status bias_word_read(const char *word, struct bias_word *out, struct error *err) MUST_CHECK;

#endif
