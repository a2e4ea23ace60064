/* The transcript: the path of a message tree, with notices in between, wrapped to the width of the
 * screen.
 *
 * It borrows the tree and reads message texts in place: after any change (text appended, node
 * added, leaf moved) call chat_view_sync. Wrapping is kept for each message and done only for what
 * is shown; appending re-wraps the end of the last message. Replies are shown as Markdown
 * (markdown/markdown.h). The view follows the end only while the end is in sight. What is below is in
 * chat_view.c, chat_scroll.c (where it stands) and chat_draw.c. UI thread only. */
#ifndef SOTTO_VIEW_CHAT_VIEW_H
#define SOTTO_VIEW_CHAT_VIEW_H

#include <stddef.h>

#include "base/error.h"
#include "chat/tree.h"
#include "config/theme.h"
#include "kept/kept.h"
#include "kept/measures.h"
#include "terminal/cells.h"

struct chat_view;

/* NULL without memory. */
struct chat_view *chat_view_create(void);
void chat_view_free(struct chat_view *view);

/* Shows another tree (NULL: none) at its end; notices are removed. */
void chat_view_set_tree(struct chat_view *view, const struct tree *tree);
/* The messages that are not sent to the model because there is no room for them, in rising order:
 * they are marked from the next sync on, as are those that are dropped or summed up. */
enum status chat_view_set_left_out(struct chat_view *view, const uint32_t *messages,
                                   size_t n) MUST_CHECK;
/* Marks the label of a message; 0: of none. */
void chat_view_set_picked(struct chat_view *view, uint32_t message);
/* Call before drawing when the tree has changed. Cheap when little has. */
enum status chat_view_sync(struct chat_view *view) MUST_CHECK;

/* How long a notice stays, if what it stands behind stays on the path. */
enum notice_life {
	NOTICE_STAYS,
	NOTICE_UNTIL_COMMAND, /* why a command failed: until the next command or message */
	NOTICE_UNTIL_REPLY,   /* how a reply ended: until that one is continued, or there is another */
};
/* One or more lines from the program, after what is there now. `role` is STYLE_SYSTEM, STYLE_ERROR,
 * STYLE_WARNING ... */
enum status chat_view_notice(struct chat_view *view, enum notice_life life, enum theme_role role,
                             const char *text, size_t len) MUST_CHECK;
/* Takes away the notices whose life has ended; NOTICE_UNTIL_REPLY: those behind the last message. */
void chat_view_drop_notices(struct chat_view *view, enum notice_life life);

/* Reasoning is shown while the model thinks and folded to one row afterwards, files that were sent with
 * a message are folded; this unfolds all of them, and folds them again. */
void chat_view_toggle_reasoning(struct chat_view *view);
/* The key for that, for a hint; borrowed. */
void chat_view_set_fold_key(struct chat_view *view, const char *key);

/* The key that goes on with an interrupted reply, which says so while it is the last message; borrowed.
 * NULL: none. */
void chat_view_set_continue_key(struct chat_view *view, const char *key);

/* Whether replies are shown as they are written, not as Markdown; keeps the place that is being
 * read. */
void chat_view_show_raw(struct chat_view *view, bool raw);

/* By what replies are shaded, and where that is known from. */
struct chat_view_shade {
	enum kept_shade by; /* SHADE_NONE: they are not */
	/* What is kept of a reply; NULL: nothing, and `*why` says why in a few words, for its label; borrowed until the next
	 * call. */
	const struct kept_reply *(*look)(void *ctx, uint32_t reply, const char **why);
	void *ctx;
};
/* From the next sync on. A reply of which something is known is shown as it was written, not as Markdown; the place
 * that is being read is kept. */
enum status chat_view_set_shade(struct chat_view *view, const struct chat_view_shade *shade) MUST_CHECK;

/* The size to fit into, and how wide messages may be (0: as wide as that); keeps the place that is
 * being read. */
void chat_view_resize(struct chat_view *view, int rows, int cols, int width);
/* How many rows there are to show; at most `max`. */
int chat_view_height(struct chat_view *view, int max);
/* Draws all rows x cols cells at y, x of the window. */
void chat_view_draw(struct chat_view *view, WINDOW *win, int y, int x);

/* Marks bytes [start, end) of a message's text, and scrolls to them if the message is on the path and
 * they are not in sight. Node 0: marks nothing, and does not scroll. */
void chat_view_show_text(struct chat_view *view, uint32_t node, size_t start, size_t end);

/* Lines down, negative: up. */
void chat_view_scroll(struct chat_view *view, int lines);
void chat_view_page(struct chat_view *view, int pages);
void chat_view_step(struct chat_view *view, int messages);
void chat_view_to_top(struct chat_view *view);
void chat_view_to_bottom(struct chat_view *view); /* and follow again */
/* How much of the text is above what is shown, in percent; -1: the end is in sight. Computed from the
 * lengths of the texts, since rows would have to be laid out first. */
int chat_view_percent(struct chat_view *view);
/* The end, if the message is in sight there; otherwise the message at the top. */
void chat_view_show(struct chat_view *view, uint32_t message);

#endif
