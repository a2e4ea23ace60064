/* How sure the model was: /confidence shades replies by it, a key goes from one unsure word to the next, and /stats tells
 * the figures. UI thread only. */
#ifndef SOTTO_UI_APP_CONFIDENCE_H
#define SOTTO_UI_APP_CONFIDENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct app;
struct command_call;
struct node;

struct app_confidence {
	unsigned explained; /* what the bands of a shade look like (1 << shade); once */
	uint32_t reply;     /* of which a word was gone to last */
	char why[96];       /* why nothing is known of a reply, as last asked */
};

bool app_confidence(struct app *app, const struct command_call *call);
bool app_next_unsure(struct app *app, int by); /* of a key */
/* The token of this reply that the key went to last; 0: none. */
size_t app_unsure_token(struct app *app, const struct node *reply);
/* Has the view shade replies as the option says. */
void app_shade(struct app *app);
/* Appends lines for /stats: perplexity, and how entropy and speed went. Nothing where nothing is known. */
void app_confidence_put(struct app *app, const struct node *reply, struct buf *out);

#endif
