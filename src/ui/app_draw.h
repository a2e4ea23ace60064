/* A frame of the full screen. UI thread only. */
#ifndef SOTTO_UI_APP_DRAW_H
#define SOTTO_UI_APP_DRAW_H

#include <stddef.h>

struct app;

void app_draw(struct app *app);
/* A row above the bar: a waiting text, and at its right what a key does with it ("": nothing). */
void app_draw_note(int y, int cols, const char *label, const char *text, size_t len, const char *keys);

#endif
