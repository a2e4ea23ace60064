/* The input line: GNU readline through its callback interface, fed with whole
 * keys from terminal/input.c and drawn by us, with the terminal's real cursor at the
 * caret. The user's inputrc, emacs and vi modes, kill ring, undo, history and
 * Ctrl+R search are readline's own.
 *
 * There is one readline a process, so there is one input line. UI thread only. */
#ifndef SOTTO_LINE_INPUT_LINE_H
#define SOTTO_LINE_INPUT_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "line/complete_list.h"
#include "terminal/cells.h"
#include "terminal/key.h"

struct input_line_config {
	void *context;
	/* Enter: the line, without a newline at its end. It is no longer in the input line;
	 * input_line_set brings it back. */
	void (*submit)(void *context, const char *line);
	/* Ctrl+X Ctrl+E. */
	void (*edit)(void *context);
	/* What Tab offers for the text before the caret; NULL: nothing. The line frees the list. */
	void (*complete)(void *context, const char *line, size_t caret, struct complete_list *list);
	/* Readline shows the line itself, after this prompt, in the terminal's normal flow: see
	 * input_line_show. NULL: we draw it. */
	const char *prompt;
};

/* After term_set_locale and before curses starts: both read the terminal's description. */
enum status input_line_open(const struct input_line_config *config, struct error *err) MUST_CHECK;
void input_line_close(void);

/* A key that nothing else has taken; `bytes` are the key's own. */
void input_line_key(struct key key, const char *bytes, size_t n);
/* Inserts at the caret: line ends become \n, ill-formed UTF-8 is repaired. Never sends. STATUS_LIMIT
 * when the line would outgrow LIMIT_MESSAGE: nothing is inserted then. */
enum status input_line_insert(const char *text, size_t n, struct error *err) MUST_CHECK;
/* The same; a long text is folded: one character for readline, "[40 lines pasted]" on the screen, and
 * the text itself for everyone who asks for the line. */
enum status input_line_paste(const char *text, size_t n, struct error *err) MUST_CHECK;
/* Whether something in the line is folded. On a full screen its label shows that; in lines, where
 * readline shows the line itself, it stands there as: */
#define INPUT_LINE_FOLD "\u00B6"
bool input_line_is_folded(void);
/* False: nothing in the line is folded. */
bool input_line_unfold(void);
/* In the place of what is there; the long pastes that are in it are folded as they were. */
enum status input_line_set(const char *text, size_t n, struct error *err) MUST_CHECK;
/* What is in the line is selected until the next key: a character, a newline or a paste replaces it,
 * Backspace and Delete delete it, other keys work on it as ever. */
void input_line_select(void);
bool input_line_is_selected(void);
/* Empties the line; a search or half a key sequence is dropped too. */
void input_line_clear(void);
/* The same; readline's kill ring keeps what was there, for Ctrl+Y. False: there was nothing to keep. */
bool input_line_kill(void);

/* All of it, unfolded. Borrowed until the next call. */
const char *input_line_text(size_t *len);
bool input_line_is_empty(void);
bool input_line_is_at_end(void); /* the caret */
/* Readline wants Esc itself: a search, vi's insert mode, half a sequence. */
bool input_line_wants_escape(void);
/* After Ctrl+X and the like: the next key is readline's, whatever it is. */
bool input_line_is_mid_sequence(void);
/* Within a Ctrl+R search. */
bool input_line_is_searching(void);

/* Tab's candidates until the next key; n = 0 when there are none. Borrowed. Another Tab continues
 * after those that were drawn. */
const char *const *input_line_candidates(size_t *n);
void input_line_candidates_drawn(size_t n);

/* For a line that readline shows (config.prompt). While it is hidden it takes keys all the same. */
/* Prompt and line appear where the cursor is, which is at the beginning of a row. */
void input_line_show(int rows, int cols);
/* The window has another size. What the terminal shows of the line is still right, unless it takes, or
 * took, more than one row: then it is shown again in its place. `reflows`: the terminal has broken its
 * rows again for the new width. */
void input_line_resize(int rows, int cols, bool reflows);
/* Leaves them where they stand and goes to the beginning of the next row. */
void input_line_hide(void);
bool input_line_is_visible(void);
/* Shows what has changed in it. */
void input_line_refresh(void);

/* Rows that the line takes at this width, at least 1 and at most `max`. */
int input_line_rows(int width, int max);
/* Draws into rows x cols cells; *caret_y and *caret_x are in the window. */
void input_line_draw(WINDOW *win, int y, int x, int rows, int cols, int *caret_y, int *caret_x);

#endif
