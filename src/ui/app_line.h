/* The chat in lines (--accessible, --inline): the same app with its state, commands and events, but its
 * output is printed, and what was printed is never changed. The files of ui call these where they
 * would draw; app->line is NULL on the full screen. UI thread only. */
#ifndef SOTTO_UI_APP_LINE_H
#define SOTTO_UI_APP_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "config/theme.h"

struct app;
struct app_line;

/* Makes app->line, if the settings want one; the terminal is open. */
enum status app_line_open(struct app *app, struct error *err) MUST_CHECK;
void app_line_close(struct app *app); /* prints what is left; the cursor goes to a new row */
/* The prompt for input_line_open; NULL: the full screen. */
const char *app_line_prompt(const struct app *app);

/* Instead of app_draw: prints what is new, and shows the prompt when it is the user's turn. */
void app_line_draw(struct app *app);
/* A message or notice. */
void app_line_say(struct app *app, enum theme_role role, const char *text);
void app_line_resized(struct app *app); /* the window has another size */
void app_line_restyle(struct app *app); /* the theme has changed */

/* The chat is another one. Its messages are printed, unless they were printed as the old one's. */
void app_line_new_chat(struct app *app, bool is_said);
/* What a reply has said so far turns out to be reasoning. */
void app_line_recanted(struct app *app);
/* Whether the user's next message is in the terminal already, as it was typed. */
void app_line_typed(struct app *app, bool typed);
/* Prints a message again. */
void app_line_repeat(struct app *app, uint32_t id);
/* What the model thought before its last reply. */
void app_line_say_thinking(struct app *app);
/* The open panel is new, or has other rows. One that takes no answer is printed and closed at once. */
void app_line_new_panel(struct app *app);
/* An answer of the worker or the search is under way and is printed as soon as it comes: the prompt
 * and the panel wait for it. */
void app_line_wait(struct app *app, bool waits);
/* A line that was entered: an answer to the panel that was printed last. False: there is none, or the
 * line does not answer it. */
bool app_line_answer(struct app *app, const char *line);

#endif
