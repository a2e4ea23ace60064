/* The panel of chats: a line to type what to look for in their texts, and below it the chats that
 * contain it, each with the matching line. Whoever opens the panel does what its keys ask for. */
#ifndef SOTTO_VIEW_PANEL_CHATS_H
#define SOTTO_VIEW_PANEL_CHATS_H

#include "base/role.h"
#include "view/panel.h"

/* A row; borrowed until the next panel_chats_set. */
struct chats_row {
	const char *path, *id, *title;
	const char *model; /* NULL: not known */
	const char *line;  /* the matching line; NULL: the match is in the title */
	size_t len, from, to;
	enum role role;
	int64_t modified;
	size_t n_messages; /* 0: not known */
	size_t twin;       /* of several with this title; 0: it is the only one */
};

/* What the last key asked for; comes with PANEL_CHANGED. */
enum chats_act {
	CHATS_SELECT,  /* another row is selected: nothing is to be done */
	CHATS_SEARCH,  /* the text has changed */
	CHATS_SORT, CHATS_TRASH, /* the next order; the trash instead of the chats, or back */
	CHATS_DELETE,  /* the selected chat */
	CHATS_RENAME, CHATS_EXPORT, /* ... to panel_chats_answer */
	CHATS_EMPTY,   /* the trash; the user has confirmed it */
};

typedef void chats_date_fn(int64_t when, char text[32]);

/* `here` is the path of the chat on the screen, or NULL; copied. */
struct panel *panel_chats_open(const char *here, chats_date_fn *date);
/* The selected chat stays selected if it is among the rows. */
void panel_chats_set(struct panel *panel, const struct chats_row *rows, size_t n);
/* The text in the upper edge; copied, cut. */
void panel_chats_set_title(struct panel *panel, const char *title, bool in_trash);
void panel_chats_set_note(struct panel *panel, const char *note); /* below the rows; copied, cut */

enum chats_act panel_chats_act(const struct panel *panel);
const char *panel_chats_text(const struct panel *panel);   /* what is looked for */
const char *panel_chats_answer(const struct panel *panel); /* the title, the file */
const struct chats_row *panel_chats_selected(const struct panel *panel); /* NULL: none */

#endif
