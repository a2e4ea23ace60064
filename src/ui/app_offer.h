/* What who has no model is offered: a published one, which Enter fetches. UI thread only. */
#ifndef SOTTO_UI_APP_OFFER_H
#define SOTTO_UI_APP_OFFER_H

#include <stdbool.h>

struct app;
struct buf;

/* The search has found no model on this machine that can be loaded, and no server is configured: from now on there
 * is an offer. */
void app_offer(struct app *app);
/* "Enter fetches Qwen3.5 4B (2.74 GB, about 9 tokens a second here)", or why it does not. False: nothing is offered now. */
bool app_offer_put(const struct app *app, struct buf *out);
/* Enter on the empty line. False: nothing is offered now. */
bool app_offer_take(struct app *app);

#endif
