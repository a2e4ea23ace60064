/* Writing a reply or the chat to a file. UI thread only. */
#ifndef SOTTO_UI_APP_WRITE_H
#define SOTTO_UI_APP_WRITE_H

#include <stdbool.h>
#include <stddef.h>

struct app;
struct buf;
struct command_call;

/* "Chat written to x.md (in FOLDER), 12 bytes": what, and where. 0 bytes: not told. */
void app_tell_written(struct app *app, const char *what, const char *path, size_t bytes);
/* Writes a text to the file that was typed; over another one only if the command has a "!". Says
 * what came of it. */
bool app_write_file(struct app *app, const char *name, const struct buf *text, const char *what,
                    const struct command_call *call);
bool app_export(struct app *app, const struct command_call *call);
bool app_write(struct app *app, const struct command_call *call);

#endif
