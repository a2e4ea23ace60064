/* Keys in the text of servers.yaml, kept from libyaml, which copies what it reads about and leaves it behind: it gets
 * the text with 'x' in their place, and the key is taken from where it stands. */
#ifndef SOTTO_CONFIG_SERVERS_MASK_H
#define SOTTO_CONFIG_SERVERS_MASK_H

#include <stdbool.h>
#include <stddef.h>

/* Whether what a header of this name holds is a key. */
bool servers_is_secret_name(const char *name, size_t len);
/* In place: the values of "key:" and of such headers, as far as they stand in the same line. Lengths, lines and what
 * YAML makes of all else stay. */
void servers_mask_keys(char *text, size_t len);

#endif
