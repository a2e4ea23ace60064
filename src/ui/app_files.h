/* Files that wait to be sent. UI thread only. */
#ifndef SOTTO_UI_APP_FILES_H
#define SOTTO_UI_APP_FILES_H

#include <stdbool.h>
#include <stddef.h>

struct app;
struct attachments;
struct command_call;
struct outgoing;
struct event;

/* The message in the line, with them. False: says why. */
bool app_files_join(struct app *app, const char *words, size_t len, struct outgoing *out);
/* Adds those of a message. False: they do not fit, and the user was told. */
bool app_files_take_from(struct app *app, const char *text, const struct attachments *list);
void app_files_tell_edited(struct app *app); /* in lines: which the message in the line has */
/* Whether they can be sent, as far as is known; says what is too long. */
bool app_files_have_room(struct app *app);
void app_files_count(struct app *app); /* asks for their tokens, if these are not known */
void app_files_counted(struct app *app, const struct event *event);
void app_files_draw(const struct app *app, int y, int rows, int cols);
bool app_read(struct app *app, const struct command_call *call);
bool app_detach(struct app *app, const struct command_call *call);

/* Brings the mentioned files up to date with the line. */
void app_mentions_update(struct app *app);
void app_mentions_update_for(struct app *app, const char *line, size_t len); /* that has been taken out */
/* Enter on a line that mentions what cannot be attached, or files that have not been shown yet: says
 * so, once. True: it is not to be sent yet. */
bool app_mentions_refuse(struct app *app, const char *line, size_t len);

#endif
