/* The test server's vocabulary: the 256 bytes, the names of control tokens, numbers with a blank before them, a few
 * words (the marks of thoughts among them: they are no control tokens), and some of these with a number; the longest is taken. The same in each process. */
#ifndef SOTTO_TESTS_SERVER_VOCABULARY_H
#define SOTTO_TESTS_SERVER_VOCABULARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

enum {
	VOCABULARY_CONTROL = 256, /* the first control token */
	VOCABULARY_NUMBER = 1000, /* " 0" */
	VOCABULARY_WORD = 2000,
	VOCABULARY_COUNTED = 3000, /* "warm 0" */
	VOCABULARY_N_COUNTED = 8,
	VOCABULARY_SIZE = VOCABULARY_COUNTED + VOCABULARY_N_COUNTED * 1000,
};

/* The token that a text begins with, and its length in bytes; with `special`, control tokens by their names. */
int32_t vocabulary_first(const char *text, size_t len, bool special, size_t *taken);
int32_t vocabulary_control(const char *name); /* "<|im_end|>"; -1: there is none */
bool vocabulary_is_control(int32_t id);
/* A token's bytes. A wrong id is "?". */
void vocabulary_append(struct buf *out, int32_t id);
/* Malloced; [*n]. */
int32_t *vocabulary_encode(const char *text, size_t len, bool special, size_t *n);

#endif
