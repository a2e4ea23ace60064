/* What the files of settings share: the list of all options with their
 * targets. */
#ifndef SOTTO_CONFIG_SETTINGS_INTERNAL_H
#define SOTTO_CONFIG_SETTINGS_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/nearest.h"
#include "config/settings.h"

struct setting {
	const struct option *option;
	void *target;
	enum settings_origin origin;  /* the highest that has set it: its value applies */
	unsigned spoken;              /* a bit for each that has set one */
	char *said[ORIGIN_COUNT];     /* their values, owned; NULL also unsets a string */
	char *before;                 /* what its flag said before it was given a last time, owned; NULL: it was not */
	size_t n_flags;               /* how often the flag was given */
};

struct settings {
	struct setting *items;
	size_t n;
	char *file;         /* of the configuration, whether it is there or not; owned, NULL: none */
	uint64_t file_hash; /* of its text, as it was read or written last */
};

/* By name or alias, where `_` and `-` are the same. NULL: none. */
struct setting *settings_lookup(const struct settings *settings, const char *name, size_t len);
/* Offers the options' names: at least one of the flags `want` must be set (0: any option), none of
 * `never`. */
void settings_offer(const struct settings *settings, unsigned want, unsigned never, struct nearest *nearest);
/* Parses and stores unless a higher origin has set a value. The error is about the value only:
 * callers put the name before it. */
enum status settings_put(struct setting *item, const char *value, enum settings_origin origin,
                         struct error *err) MUST_CHECK;

enum { SETTINGS_VARIABLE_MAX = 96 };
/* SOTTO_TOP_K. Returns `out`. */
const char *settings_variable(char out[SETTINGS_VARIABLE_MAX], const char *name, size_t len);

/* What the text of a configuration says: *staged is an array of values, by index of the settings, NULL
 * where it says nothing. `problems` NULL: the first one ends it. settings_free_staged in every case. */
enum status settings_stage(const struct settings *settings, const char *path, const char *text, size_t len,
                           struct buf *problems, char ***staged, struct error *err) MUST_CHECK;
void settings_free_staged(const struct settings *settings, char **staged);

/* A new value in the text of a configuration. */
struct settings_edit {
	const struct setting *item;
	char *text;      /* the value; owned */
	char *value;     /* the same as YAML; owned */
	bool is_there;   /* the text has it, */
	size_t from, to; /* ... in these bytes */
};

/* Appends the text with other values, and with new lines for those that it does not have: at its end, or
 * before its first entry (`first`). Sorts the edits. */
enum status settings_edit_text(const struct settings *settings, const char *name, const char *text,
                               size_t len, bool first, struct settings_edit *edits, size_t n,
                               struct buf *out, struct error *err) MUST_CHECK;

#endif
