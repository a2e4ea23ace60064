/* Panels: overlays that get keys and the mouse first.
 *
 * A kind of panel (list, form ...) knows what it shows and answers with flags; what these mean is up to
 * whoever opened it. Where the screen is too small for a frame, the panel goes without. UI thread
 * only. */
#ifndef SOTTO_VIEW_PANEL_H
#define SOTTO_VIEW_PANEL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/name_list.h"
#include "config/settings.h"
#include "config/theme.h"
#include "terminal/cells.h"
#include "terminal/key.h"
#include "turn/inspection.h"

enum panel_result {
	PANEL_IGNORED = 0,             /* not for the panel: the app handles it */
	PANEL_TAKEN = 1 << 0,
	PANEL_CLOSE = 1 << 1,          /* the panel is to be closed */
	PANEL_CHANGED = 1 << 2,        /* another row of a list is selected, a slider was moved */
	PANEL_CHOSEN = 1 << 3,         /* Enter on a row; comes with PANEL_CLOSE */
	PANEL_KEEP = 1 << 4,           /* what is shown, or with PANEL_CHOSEN the row, is to be kept */
};

struct panel;

/* What a kind of panel does. Rows and columns are those inside the frame;
 * mouse coordinates count from there. */
struct panel_ops {
	/* What it would like; comes with what there is at most. */
	void (*measure)(const struct panel *panel, int *rows, int *cols);
	void (*draw)(struct panel *panel, WINDOW *win, int y, int x, int rows, int cols);
	unsigned (*key)(struct panel *panel, struct key key);
	unsigned (*mouse)(struct panel *panel, struct mouse mouse);
	void (*close)(struct panel *panel); /* frees what it owns; NULL: nothing */
	/* Pasted text; NULL: not for this kind of panel. */
	unsigned (*paste)(struct panel *panel, const char *bytes, size_t n);
	/* Where there is no screen to draw on: the panel as lines, which begin with its title. What can
	 * be chosen is numbered. */
	void (*print)(const struct panel *panel, struct buf *out);
	/* A line that was entered after that; NULL: there is nothing to answer. PANEL_TAKEN alone: it is
	 * printed again. */
	unsigned (*answer)(struct panel *panel, const char *line);
};

struct panel {
	const struct panel_ops *ops;
	void *state;            /* of whoever opened it; owned, one block of memory, or NULL */
	const char *title;
	const char *hint;       /* keys, on the frame's lower edge; NULL */
	int y, x, rows, cols;   /* on the screen, with the frame */
	bool framed;
	bool has_caret;         /* text is typed into it, as last drawn: */
	int caret_y, caret_x;
};

/* Fits the panel into an area of the screen; call at opening and resizing. */
void panel_layout(struct panel *panel, int y, int x, int rows, int cols);
void panel_draw(struct panel *panel, WINDOW *win);
unsigned panel_key(struct panel *panel, struct key key);
/* `mouse` in screen coordinates. A press outside closes. */
unsigned panel_mouse(struct panel *panel, struct mouse mouse);
void panel_close(struct panel *panel); /* frees it */

/* Makes *text a copy of at most `max` bytes, which the list owns; NULL stays NULL. False: no
 * memory. */
bool panel_keep_text(struct name_list *texts, const char **text, size_t max);

/* Wraps a text to `cols` and draws those of its lines that fall into rows 0 .. rows - 1 if the
 * first one is at row `row` (which may be negative); with win NULL none. Returns how many lines it
 * has: none for "". */
int panel_draw_text(WINDOW *win, int y, int x, int row, int rows, int cols, enum theme_role role,
                    const char *text);

/* How many lines it has, from `least` to `most` of them. */
int panel_text_rows(const char *text, int cols, int least, int most);

/* A line from top to bottom, between what stands beside each other. */
void panel_draw_divider(WINDOW *win, int y, int x, int rows);

/* Draws columns, as far to the left as they leave room for the texts of a list, in `widths`,
 * aligned to the right. A text may be NULL; a column without a width ends it. Returns the columns
 * that are left. */
int panel_draw_columns(WINDOW *win, int y, int x, int cols, enum theme_role role,
                       const char *const *texts, const int *widths, size_t n);
enum { PANEL_COLUMN_GAP = 2, PANEL_TEXT_MIN = 20 };

/* The rule for the keys that move, in all panels: Up and Down a row, PgUp and PgDn a page, Home and End to
 * the first and the last row; in a line of text that is typed Home and End are that line's. Where a key
 * goes from row *row of `n`, of which `page` are in sight. False: it does not move, *row is as it was. */
bool panel_move_key(struct key key, size_t n, size_t page, size_t *row);
/* The first of the rows in sight, of which there are `page`, so that the selected one is. */
size_t panel_top(size_t top, size_t selected, size_t page);
/* A key that edits a text that is typed, up to its maximum: a character, Backspace, Ctrl+U for all
 * of it. PANEL_CHANGED, too, if it has changed. */
unsigned panel_type_key(struct buf *text, struct key key);
/* The same for what is pasted. */
unsigned panel_type(struct buf *text, const char *bytes, size_t n);
/* A line that answers a list of `n` rows: a number chooses one, nothing closes it. 0: it is a text. */
unsigned panel_answer_number(const char *line, size_t n, size_t *selected);
/* How many lines a key scrolls a text of which `rows` are in sight, or the wheel does; 0: it does
 * not. Home and End give more than any text has. */
int panel_scroll_key(struct key key, int rows);
int panel_scroll_wheel(struct mouse mouse);

/* The kinds. NULL without memory. */

/* A prompt that was counted with its tokens; copied. */
struct panel *panel_inspect_open(const struct inspection *inspected);

enum { LIST_COLUMNS_MAX = 6 };

struct list_item {
	const char *text;   /* shown and filtered by; sanitised when drawn */
	const char *note;   /* more about it, in a column of its own; filtered by, too. NULL for none */
	const char *detail; /* shown at the right, NULL for none */
	const char *value;  /* what panel_list_selected gives */
	bool is_broken;     /* the note says why */
	/* With list_extras.heads: these replace `detail`; NULL is empty. The note is then
	 * shown below the list, not in the row. */
	const char *columns[LIST_COLUMNS_MAX];
};

/* A list with a filter line; borrows the title, copies the items. `current` is the value
 * selected at first, NULL for the first row. Typing filters, Enter chooses.
 * Where notes do not fit into their column, that of the selected row is shown
 * in full below the list. */
struct panel *panel_list_open(const char *title, const struct list_item *items, size_t n,
                              const char *current);
/* What some lists have besides; borrowed. */
struct list_extras {
	/* Of columns to the right of the texts, at most LIST_COLUMNS_MAX: if there is too little
	 * room, the first ones are dropped first. */
	const char *const *heads;
	size_t n_columns;
	bool can_keep;            /* Ctrl+K chooses a row to be kept (PANEL_KEEP) */
	int picture_rows;         /* a picture below the rows, where there is room for both */
	void (*draw_picture)(WINDOW *win, int y, int x, int cols);
};
void panel_list_set_extras(struct panel *panel, const struct list_extras *extras);
/* What an empty list shows instead of "(none)"; copied. */
bool panel_list_set_empty(struct panel *panel, const char *text);
/* What is shown below the rows of a short list; copied, NULL: nothing. */
bool panel_list_set_below(struct panel *panel, const char *text);
/* Other items; the filter stays, and the selected value, but for the first row that nobody has chosen: that is the
 * first one then, too. False without memory: the old ones stay. */
bool panel_list_replace(struct panel *panel, const struct list_item *items, size_t n);
/* The selected row's value; NULL when the filter leaves none. Borrowed. */
const char *panel_list_selected(const struct panel *panel);

#endif
