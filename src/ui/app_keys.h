/* Where keys, mouse and pastes go. UI thread only. */
#ifndef SOTTO_UI_APP_KEYS_H
#define SOTTO_UI_APP_KEYS_H

struct app;
struct input_event;

void app_on_input(void *context, const struct input_event *event); /* an input_emit_fn */
void app_on_submit(void *context, const char *line);
void app_on_edit(void *context);
void app_interrupt(struct app *app); /* Ctrl+C, or a SIGINT from outside */
void app_after_editor(struct app *app);

#endif
