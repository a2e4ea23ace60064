/* The keys that are useful at the moment, in a row: "Alt+E edit  Alt+R another reply  Esc unpick".
 * They are the keys in force, so a hint never names one that does something else. */
#ifndef SOTTO_UI_KEY_HINTS_H
#define SOTTO_UI_KEY_HINTS_H

#include <stddef.h>

#include "base/buf.h"
#include "ui/keymap.h"

struct key_hint {
	const char *name; /* of the command or action; or, of keys that cannot be bound, as "=Tab" */
	const char *what; /* what it does here; NULL: only the key */
};

enum { KEY_HINTS_MAX = 160 }; /* bytes that a row of them takes at most */

/* Appends as many of them as `cols` columns have room for. The last one, which is
 * the way out, is kept; those before it are left out first. */
void key_hints(const struct keymap *map, const struct key_hint *hints, size_t n, int cols,
               struct buf *out);

#endif
