/* What is told to the user, by all files: a message in the bar's place, or a notice in the
 * transcript. UI thread only. */
#ifndef SOTTO_UI_TELL_H
#define SOTTO_UI_TELL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/reason.h"
#include "config/theme.h"
#include "ui/state.h"
#include "view/chat_view.h"

/* What the user is told only once. */
struct app_told {
	bool guide;       /* what the guide is */
	bool instructed;  /* that it does not do what the system message says */
	bool seed, cold;  /* what a fixed seed, and temperature 0, mean for another reply */
	char history[REASON_MAX]; /* why the lines are not kept (reason_is_news) */
};

/* A message in the status bar's place. */
struct app_bar_message {
	char text[ERROR_TEXT_MAX];
	enum theme_role role;
	uint64_t until;    /* milliseconds; 0: none */
	uint64_t lasts_ms; /* from when it is drawn; 0: that has happened, or has no end */
};

/* In the bar's place for a while. */
void app_message(struct app *app, enum theme_role role, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* Whether an operation went well; otherwise the bar says what was wrong. */
bool app_went_well(struct app *app, enum status status, const struct error *err);
/* In the transcript. */
void app_notice(struct app *app, enum theme_role role, const char *fmt, ...) PRINTF_LIKE(3, 4);
void app_notice_until(struct app *app, enum notice_life life, enum theme_role role, const char *fmt,
                      ...) PRINTF_LIKE(4, 5);
void app_error(struct app *app, const struct error *err); /* of a command: until the next one */
void app_error_until(struct app *app, enum notice_life life, const struct error *err);
/* What is wrong with NAME.yaml, for a row of a list: without its folder. */
const char *app_short_error(const struct error *err, const char *name);
/* Tells the facts that the last operations of the dialog have left (tell_facts.c); of those about
 * the settings, acts on them. */
void app_tell_facts(struct app *app);
void app_quit(struct app *app, int exit_status);
bool app_refuse_while_busy(struct app *app); /* and says so */
/* The key of a command or action, for a hint (keymap_hint). Borrowed. */
const char *app_key(const struct app *app, const char *name);

#endif
