/* What the files of settings share: the list of all options with their
 * targets. */
#ifndef SOTTO_CONFIG_SETTINGS_INTERNAL_H
#define SOTTO_CONFIG_SETTINGS_INTERNAL_H

#include <stdbool.h>

#include "config/settings.h"

struct setting {
	const struct option *option;
	void *target;
	enum settings_origin origin;  /* the highest that has spoken: its value is in force */
	unsigned spoken;              /* a bit for each that has */
	char *said[ORIGIN_COUNT];     /* what each has said, owned; NULL also unsets a string */
};

struct settings {
	struct setting *items;
	size_t n;
};

/* By the name, with `_` as good as `-`; with `aliases`, by those too. NULL. */
struct setting *settings_lookup(const struct settings *settings, const char *name, size_t len,
                                bool aliases);
/* The nearest name, as ", did you mean 'x'?"; "" when none is near. `want` are
 * flags of which one at least must be set, 0 for all; `never` those not. */
void settings_suggest(const struct settings *settings, const char *name, size_t len, unsigned want,
                      unsigned never, struct buf *out);
/* Parses and stores unless a higher origin has spoken. The error is about the
 * value only: callers put the name before it. */
enum status settings_put(struct setting *item, const char *value, enum settings_origin origin,
                         struct error *err) MUST_CHECK;

#endif
