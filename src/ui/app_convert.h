/* Converting a folder of safetensors beside the chat: /model FOLDER. UI thread only. */
#ifndef SOTTO_UI_APP_CONVERT_H
#define SOTTO_UI_APP_CONVERT_H

#include <stdbool.h>

struct app;
struct maker;

struct app_convert {
	struct maker *maker; /* owned; NULL: nothing was asked for yet */
	char title[160];     /* of its panel, which borrows it */
	unsigned said;       /* in lines: how many tenths, as last said */
	bool is_new;         /* it is made, and not loaded yet, nor said how to */
};

/* Whether a name that was typed is such a folder; then what would be made of it is looked for and offered. */
bool app_convert_offer(struct app *app, const char *typed);
int app_convert_fd(const struct app *app); /* to be polled: app_convert_news */
void app_convert_news(struct app *app);
/* What was made is loaded, or the user is told how. */
void app_convert_step(struct app *app);
bool app_convert_interrupt(struct app *app); /* Ctrl+C in lines; false: nothing is made */
void app_convert_end(struct app *app);       /* wishes it to stop: nothing is left of it */
void app_convert_free(struct app *app);

#endif
