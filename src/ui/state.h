/* What the files of the chat share: plain types, and pointers to the states of the subjects. What a subject
 * keeps is defined in its own header, which only those include that use it. UI thread only. */
#ifndef SOTTO_UI_STATE_H
#define SOTTO_UI_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/app.h"

enum app_phase {
	PHASE_NO_MODEL,
	PHASE_LOADING,
	PHASE_READY,
	PHASE_PREFILL,
	PHASE_GENERATING,
};

#define APP_NEVER UINT64_MAX

/* app.c defines all that is pointed to here, but for what is said to be owned or NULL. Behind each pointer is the
 * header that has its struct, or what can be done with it. */
struct app {
	const struct app_config *config; /* ui/app.h; the caller's: settings and what they fill */
	const struct command_table *commands; /* ui/command.h */
	struct worker *worker;  /* engine/worker.h; the engine */
	struct term *term;      /* terminal/term.h */
	struct input *input;    /* terminal/input.h; decodes what the terminal sends */
	struct editor *editor;  /* terminal/editor.h; the external one, while it runs */
	struct theme *theme;    /* config/theme.h; the one in use */
	struct keymap *keys;    /* ui/keymap.h */
	struct chat_view *view; /* view/chat_view.h; the transcript as it is shown */
	struct panel *panel;    /* view/panel.h; the open one; owned, NULL: none */
	const struct panel_use *panel_use; /* ui/app_panel.h; what its answers mean */
	uint64_t panel_look_at; /* milliseconds: when panel_use->look is called next */
	const struct front *front; /* ui/front.h; how all is shown */
	struct lines *lines;    /* ui/front_lines.c; owned, NULL: on the full screen */

	enum app_phase phase;
	bool stopping;          /* cancelled, the end has not come yet */
	bool failed;            /* the last turn or loading ended in an error */
	/* An answer of the worker or the search is under way and is shown as soon as it comes: in lines, the
	 * prompt and the panel wait for it. */
	bool waits;
	bool is_typed;          /* in lines: the user's next message is in the terminal already */
	struct model_info *model; /* turn/turn.h; in memory now; generation is 0 if there is none */
	struct app_wait *wait;    /* ui/app_wait.h; what a server is waited for */

	/* The subjects. */
	struct dialog *dialog;     /* dialog/dialog.h; the conversation on the screen */
	struct app_chat *chat;     /* ui/app_open.h; what else belongs to the conversation */
	struct app_gauge *gauge;   /* ui/app_inspect.h */
	struct app_models *models; /* ui/app_models.h */
	struct app_chats *chats;   /* ui/app_chats.h; what F5 shows */
	struct app_import *import; /* ui/app_import.h */
	struct app_convert *convert; /* ui/app_convert.h; a folder of safetensors that becomes a model */
	struct app_pull *pull;     /* ui/app_pull.h; a published model on its way */
	struct app_copy *copy;     /* ui/app_copy.h */
	struct app_confidence *confidence; /* ui/app_confidence.h */
	struct app_find *find;     /* ui/app_find.h */
	struct app_part *part;     /* ui/app_pick.h */
	struct app_first *first;   /* ui/app_first.h; the first screen */
	struct app_examine *examine; /* ui/app_examine.h; a reply that is gone through once more */
	struct app_score *score;   /* ui/app_score.h; texts that are weighed */
	struct app_focus *focus;   /* ui/app_terminal.h */
	struct app_told *told;     /* ui/tell.h */
	struct app_bar_message *bar; /* ui/tell.h; in the status bar's place */

	struct {
		bool now;               /* a key, a resize, the end of a reply ... */
		bool soon;              /* tokens: with the next frame */
		uint64_t at;            /* when it was done last */
	} draw;
	struct {
		bool quit;
		bool gone;              /* the terminal is gone: no farewell */
		int exit_status;
	} end;
	size_t n_hidden;        /* invisible characters in the input line */
	uint64_t armed_until;   /* a Ctrl+C before this quits; 0: not armed */
};

static inline bool app_is_busy(const struct app *app)
{
	return app->phase == PHASE_LOADING || app->phase == PHASE_PREFILL ||
	       app->phase == PHASE_GENERATING;
}

static inline bool app_has_model(const struct app *app)
{
	return app->phase != PHASE_NO_MODEL && app->phase != PHASE_LOADING;
}

#endif
