/* Key bindings: one row each, which drives the keys, the help, the hints and the man page, and what
 * keys.yaml makes of the table of them, which is keys.c's. */
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

struct app;

/* A row. Rows of the same name follow each other; the first has the help. Without a name and a
 * function it is listed for the help only: readline or a panel does it. */
struct binding {
	struct key key;
	enum keymap_context context;
	const char *help; /* one line, lower case, no final dot; NULL: as the row before */
	/* "/command", perhaps with an argument, or the name of what `run` does in keys.yaml; NULL:
	 * keys.yaml cannot name it, nor rebind its key. */
	const char *name;
	/* False: at the moment the key is readline's. NULL: a command, or listed only. */
	bool (*run)(struct app *app, int by);
	int by; /* for `run`: -1 up, 1 down */
	/* What a chat in lines says instead ("": nothing); NULL: the key works there, too. */
	const char *in_lines;
	bool is_users; /* keys.yaml says so */
};

struct key_table {
	const struct binding *rows;
	size_t n;
};

/* sotto's own bindings. */
extern const struct key_table bindings;

enum { KEYMAP_CHANGES_MAX = 128, KEYMAP_ROWS_MAX = 256 };

/* The keys in force: a table, as keys.yaml changes it. One thread's. */
struct keymap {
	const struct key_table *table;
	struct binding rows[KEYMAP_ROWS_MAX]; /* in its order; borrow from the rest */
	size_t n;
	bool has_no_shift_enter; /* the terminal sends it as Enter */
	struct binding changes[KEYMAP_CHANGES_MAX]; /* the file's lines; no name: unbound */
	size_t n_changes;
	char *texts[KEYMAP_CHANGES_MAX];      /* owned: their commands; NULL: none */
	/* The first key of each row of the table that has help; "": none. */
	char hints[KEYMAP_ROWS_MAX][KEY_TEXT_MAX];
};

/* The table as it is. */
void keymap_init(struct keymap *map, const struct key_table *table);
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
/* The key of a command or an action; NULL: it has none. */
const char *keymap_key_of(const struct keymap *map, const char *name);

/* ---- a row of hints: "Alt+E edit  Alt+R another reply  Esc unpick" ---- */

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
