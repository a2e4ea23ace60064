/* Key bindings: the one table that drives the keys, the help overlay and the
 * man page. */
#ifndef SOTTO_UI_KEYMAP_H
#define SOTTO_UI_KEYMAP_H

#include <stdbool.h>
#include <stddef.h>

#include "terminal/key.h"

enum keymap_context {
	CONTEXT_ALWAYS,     /* unless a panel took the key */
	CONTEXT_EMPTY_LINE, /* only while the input line is empty; otherwise readline's */
	CONTEXT_PANEL,      /* in panels, which decode it themselves: listed for the help only */
};

enum key_action {
	KEY_ACTION_READLINE, /* readline does it: listed for the help only */
	KEY_ACTION_PANEL,    /* a panel does it: listed for the help only */
	KEY_ACTION_COMMAND,  /* a slash command without argument */
	KEY_ACTION_NEWLINE,
	KEY_ACTION_ESCAPE,
	KEY_ACTION_INTERRUPT,
	KEY_ACTION_END_OF_FILE,
	KEY_ACTION_PAGE_UP, KEY_ACTION_PAGE_DOWN,
	KEY_ACTION_LINE_UP, KEY_ACTION_LINE_DOWN,
	KEY_ACTION_TOP, KEY_ACTION_BOTTOM,
	KEY_ACTION_FREE, /* says that nothing is bound, for users who try all function keys */
	KEY_ACTION_THINKING,
	KEY_ACTION_COPY_BLOCK,
	KEY_ACTION_TAKE_BACK,
	KEY_ACTION_PICK_UP, KEY_ACTION_PICK_DOWN,
	KEY_ACTION_REDRAW,
	KEY_ACTION_SUSPEND,
};

/* A row. Rows that share an action follow each other; the first has the help. */
struct binding {
	struct key key;
	enum keymap_context context;
	enum key_action action;
	const char *help; /* one line, lower case, no final dot; NULL: as the row before */
	const char *command; /* KEY_ACTION_COMMAND: its name */
};

extern const struct binding bindings[];
extern const size_t bindings_n;

/* What a key outside panels does; NULL for what is readline's. */
const struct binding *keymap_find(struct key key, bool line_is_empty);

#endif
