/* Files that wait to be sent. UI thread only. */
#ifndef SOTTO_UI_APP_FILES_H
#define SOTTO_UI_APP_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct app;
struct attached;
struct attachments;
struct command_call;
struct outgoing;
struct event;

/* The message in the line, with them. False: says why. */
bool app_files_join(struct app *app, const char *words, size_t len, struct outgoing *out);
void app_files_clear(struct app *app); /* the lists are empty again */
/* Replaces the given ones; `files` is empty afterwards. */
void app_files_give(struct app *app, struct attached *files);
/* Adds those of a message. False: they do not fit, and the user was told. */
bool app_files_take_from(struct app *app, const char *text, const struct attachments *list);
/* While a message is edited, its files are there instead. False: there is not enough memory. */
bool app_files_edit(struct app *app, uint32_t edited, const char *text, const struct attachments *list);
void app_files_settle(struct app *app); /* after an edit has ended: the others are back */
void app_files_keep_edited(struct app *app); /* or those of the edited message stay */
/* Whether they can be sent, as far as is known; says what is too long. */
bool app_files_have_room(struct app *app);
void app_files_count(struct app *app); /* asks for their tokens, if these are not known */
void app_files_counted(struct app *app, const struct event *event);
size_t app_files_n(const struct app *app); /* how many there are */
void app_files_draw(const struct app *app, int y, int rows, int cols);
/* Reads the files that a path or pattern names, as it was typed, into the list; a file replaces one of
 * the same name. Files that match a pattern but are not text are left out and counted. */
enum status app_files_read(struct attached *into, const char *name, size_t *n_left_out,
                           struct error *err) MUST_CHECK;
bool app_read(struct app *app, const struct command_call *call);
bool app_detach(struct app *app, const struct command_call *call);

#endif
