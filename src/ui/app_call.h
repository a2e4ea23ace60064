/* A line that was entered. UI thread only. */
#ifndef SOTTO_UI_APP_CALL_H
#define SOTTO_UI_APP_CALL_H

struct app;

void app_on_submit(void *context, const char *line);
/* "/command", of a key, as if it had been typed. */
void app_call_line(struct app *app, const char *line);

#endif
