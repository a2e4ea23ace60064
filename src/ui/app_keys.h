/* Where keys, mouse and pastes go. UI thread only. */
#ifndef SOTTO_UI_APP_KEYS_H
#define SOTTO_UI_APP_KEYS_H

#include <stdbool.h>

struct app;
struct input_event;

void app_on_input(void *context, const struct input_event *event); /* an input_emit_fn */
void app_on_edit(void *context);
void app_after_editor(struct app *app);

/* What rows of keys.c name. False: at the moment the key is readline's. */
bool app_newline(struct app *app, int by);
bool app_escape(struct app *app, int by);
bool app_interrupt(struct app *app, int by); /* Ctrl+C, or a SIGINT from outside */
bool app_end_of_file(struct app *app, int by);
bool app_page(struct app *app, int by);
bool app_scroll(struct app *app, int by);
bool app_step(struct app *app, int by);
bool app_to_end(struct app *app, int by);
bool app_unfold_reasoning(struct app *app, int by);
bool app_unfold_paste(struct app *app, int by);
bool app_detach_last(struct app *app, int by);
bool app_redraw(struct app *app, int by);
bool app_suspend(struct app *app, int by);

#endif
