/* Key bindings: the one table that drives the keys, the help overlay, the hints and the man page,
 * and what keys.yaml makes of it. */
#ifndef SOTTO_UI_KEYMAP_H
#define SOTTO_UI_KEYMAP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "config/settings.h"
#include "terminal/key.h"

enum keymap_context {
	CONTEXT_ALWAYS,     /* unless a panel took the key */
	CONTEXT_EMPTY_LINE, /* only while the input line is empty; otherwise readline's */
	CONTEXT_PANEL,      /* in panels, which decode it themselves: listed for the help only */
};

enum key_action {
	KEY_ACTION_READLINE, /* readline does it: listed for the help only */
	KEY_ACTION_PANEL,    /* a panel does it: listed for the help only */
	KEY_ACTION_COMMAND,  /* a slash command */
	KEY_ACTION_NEWLINE,
	KEY_ACTION_ESCAPE,
	KEY_ACTION_INTERRUPT,
	KEY_ACTION_END_OF_FILE,
	KEY_ACTION_PAGE_UP, KEY_ACTION_PAGE_DOWN,
	KEY_ACTION_LINE_UP, KEY_ACTION_LINE_DOWN,
	KEY_ACTION_MESSAGE_UP, KEY_ACTION_MESSAGE_DOWN,
	KEY_ACTION_TOP, KEY_ACTION_BOTTOM,
	KEY_ACTION_REASONING,
	KEY_ACTION_COPY_BLOCK,
	KEY_ACTION_TAKE_BACK, KEY_ACTION_UNFOLD, KEY_ACTION_DETACH,
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
	/* KEY_ACTION_COMMAND: the command without its slash, perhaps with an argument. Otherwise the
	 * action's name in keys.yaml; NULL: keys.yaml cannot name it, nor rebind its key. */
	const char *name;
	bool is_users; /* keys.yaml says so */
};

/* sotto's own bindings. */
extern const struct binding bindings[];
extern const size_t bindings_n;

enum { KEYMAP_CHANGES_MAX = 128, KEYMAP_ROWS_MAX = 256 };

/* The keys in force: the table, as keys.yaml changes it. One thread's. */
struct keymap {
	struct binding rows[KEYMAP_ROWS_MAX]; /* as `bindings`, in its order; borrow from the rest */
	size_t n;
	bool has_no_shift_enter; /* the terminal sends it as Enter */
	/* The file's lines, in its order; KEY_ACTION_READLINE is what was unbound. */
	struct binding changes[KEYMAP_CHANGES_MAX];
	size_t n_changes;
	char *texts[KEYMAP_CHANGES_MAX];      /* owned: their commands; NULL: none */
	/* For keymap_hint: the first key of each row of `bindings`, or what else leads there. */
	char hints[KEYMAP_ROWS_MAX][KEY_TEXT_MAX];
};

/* The table as it is. */
void keymap_init(struct keymap *map);
void keymap_deinit(struct keymap *map);

struct command_table;

/* Takes in a file of lines `KEY: /command`, `KEY: action` or `KEY: none`, in place of what was taken
 * in before. For each line with an error, appends to `problems` a line with the file's name and the
 * line's number; the rest applies. `settings` is for commands that are options' names. */
void keymap_read(struct keymap *map, const char *path, const char *text, size_t len,
                 const struct command_table *commands, const struct settings *settings,
                 struct buf *problems);

/* What a key outside panels does; NULL for what is readline's. Borrows the map. */
const struct binding *keymap_find(const struct keymap *map, struct key key, bool line_is_empty);

/* The key of a command ("model") or an action ("thinking") of the table, for a hint: "F6". If
 * keys.yaml leaves it none, the command itself ("/model"), or "no key". */
const char *keymap_hint(const struct keymap *map, const char *name);
/* The key of a command; NULL: it has none. */
const char *keymap_key_of(const struct keymap *map, const char *command);

#endif
