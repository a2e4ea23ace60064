/* What stays in the terminal. UI thread only. */
#ifndef SOTTO_UI_APP_SCROLLBACK_H
#define SOTTO_UI_APP_SCROLLBACK_H

#include <stddef.h>

struct app;
struct buf;
struct tree;

/* Appends the last messages of the path, as many as fit `rows` rows of `cols` columns, and how many
 * were left out. Only what may be shown. */
void app_scrollback_put(const struct tree *tree, size_t rows, int cols, struct buf *out);
/* Prints them, once the screen is closed. */
void app_scrollback_print(const struct app *app);

#endif
