/* A list of strings that end a reply. */
#ifndef SOTTO_CHAT_STOPS_H
#define SOTTO_CHAT_STOPS_H

#include <stddef.h>

#include "base/error.h"

struct stops {
	char **texts; /* [n], owned */
	size_t n, cap;
};

/* Adds a copy of each, STATUS_NOMEM. The list may then still grow or be freed. */
enum status stops_add(struct stops *stops, const char *const *texts, size_t n,
                      struct error *err) MUST_CHECK;
/* Adds those of an option (words_next_escaped; NULL: none). An empty one ends nothing and is left out. */
enum status stops_add_option(struct stops *stops, const char *words, struct error *err) MUST_CHECK;
/* Adds those that a chat's record has (words_next). */
enum status stops_add_record(struct stops *stops, const char *words, struct error *err) MUST_CHECK;
void stops_free(struct stops *stops);

#endif
