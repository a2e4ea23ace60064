/* What the files of settings share: the list of all options with their
 * targets. */
#ifndef SOTTO_CONFIG_SETTINGS_INTERNAL_H
#define SOTTO_CONFIG_SETTINGS_INTERNAL_H

#include <stdbool.h>

#include "config/settings.h"

struct setting {
	const struct option *option;
	void *target;
	enum settings_origin origin;  /* the highest that has set it: its value applies */
	unsigned spoken;              /* a bit for each that has set one */
	char *said[ORIGIN_COUNT];     /* their values, owned; NULL also unsets a string */
};

struct settings {
	struct setting *items;
	size_t n;
};

/* By name, where `_` and `-` are the same; with `aliases`, by those too. NULL: none. */
struct setting *settings_lookup(const struct settings *settings, const char *name, size_t len,
                                bool aliases);
/* The nearest name, as ", did you mean 'x'?", with `before` it, such as dashes; "" when none is near.
 * At least one of the flags `want` must be set (0: any option), none of `never`. */
void settings_suggest(const struct settings *settings, const char *name, size_t len, unsigned want,
                      unsigned never, const char *before, struct buf *out);
/* Parses and stores unless a higher origin has set a value. The error is about the value only:
 * callers put the name before it. */
enum status settings_put(struct setting *item, const char *value, enum settings_origin origin,
                         struct error *err) MUST_CHECK;

#endif
