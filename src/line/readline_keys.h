/* Which keys readline knows: the ones that most people expect are bound, and what its inputrc has
 * bound is asked for. UI thread only. */
#ifndef SOTTO_LINE_READLINE_KEYS_H
#define SOTTO_LINE_READLINE_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "terminal/key.h"

/* After the inputrc was read. `edit`: vi's v. */
void readline_keys_bind(int (*edit)(int count, int key));
/* Whether readline has a binding for the sequence; an unknown one would end up in the line in
 * pieces. */
bool readline_keys_has(const char *bytes, size_t n);
bool readline_keys_begins(const char *bytes, size_t n); /* ... or a longer one */
/* The sequence that readline binds a key to by itself; NULL: none. */
const char *readline_keys_usual(struct key key);

#endif
