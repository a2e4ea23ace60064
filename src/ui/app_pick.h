/* The message that keys act on. UI thread only. */
#ifndef SOTTO_UI_APP_PICK_H
#define SOTTO_UI_APP_PICK_H

#include <stdbool.h>
#include <stdint.h>

struct app;
struct buf;

void app_pick(struct app *app, int step); /* the one above (-1) or below (1) */
bool app_unpick(struct app *app); /* false: there was none */
uint32_t app_picked(const struct app *app); /* 0: none */
/* The keys that act on the picked message. */
void app_pick_hints(const struct app *app, int cols, struct buf *out);

#endif
