/* Choosing a chat. UI thread only. */
#ifndef SOTTO_UI_APP_CHATS_H
#define SOTTO_UI_APP_CHATS_H

#include <stdbool.h>
#include <stdint.h>

struct app;
struct command_call;

enum { APP_DATE_MAX = 32 };
/* "Nov 21 09:30"; with the year instead of the time when it is another one. */
void app_date_text(int64_t when, char text[APP_DATE_MAX]);
bool app_load(struct app *app, const struct command_call *call);
bool app_list_chats(struct app *app, const struct command_call *call);

#endif
