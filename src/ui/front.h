/* The two ways to show the chat: the full screen (front_screen.c), and lines (--inline,
 * --accessible; front_lines.c), where what was printed is never changed. State, commands and events are the same; who
 * shows something asks the one in use, app->front. UI thread only. */
#ifndef SOTTO_UI_FRONT_H
#define SOTTO_UI_FRONT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "config/theme.h"
#include "view/chat_view.h"

struct app;

struct front {
	bool is_screen; /* panels take the keys, and what is shown can be changed */
	enum status (*open)(struct app *app, struct error *err); /* the terminal */
	void (*close)(struct app *app); /* before the terminal is; also after a failed open */
	void (*draw)(struct app *app);  /* all, or in lines what is new */
	void (*resized)(struct app *app); /* the window has another size */
	void (*restyle)(struct app *app); /* the theme has changed */

	/* A message that is in the bar's place; a notice. */
	void (*say)(struct app *app, enum theme_role role, const char *text);
	enum status (*notice)(struct app *app, enum notice_life life, enum theme_role role,
	                      const char *text, size_t n) MUST_CHECK;
	/* The chat is another one. `is_said`: its messages were shown as the old one's. */
	void (*new_chat)(struct app *app, bool is_said);
	/* What a reply has said so far turns out to be reasoning. */
	void (*recanted)(struct app *app);
	/* A message is asked for that was shown before. */
	void (*repeat)(struct app *app, uint32_t id);
	/* What the model thought before its last reply: shows it, or folds it again. */
	void (*reasoning)(struct app *app);

	/* The open panel is new, or has other rows. In lines, one that takes no answer is printed and closed
	 * at once. */
	void (*new_panel)(struct app *app);
};

extern const struct front front_screen, front_lines;

#endif
