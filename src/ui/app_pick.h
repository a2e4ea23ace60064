/* The message that keys act on, and its code blocks and links. UI thread only. */
#ifndef SOTTO_UI_APP_PICK_H
#define SOTTO_UI_APP_PICK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "terminal/key.h"
#include "terminal/opener.h"

struct app;
struct buf;
struct node;

/* The code block or link of the picked message. */
struct app_part {
	uint32_t node;        /* the message */
	size_t at;            /* which, from 1; 0: the whole message */
	size_t asked;         /* the link that the next Enter opens; 0: none */
	bool trusts;          /* a link has been opened */
	struct opener opener;
};

bool app_pick(struct app *app, int step); /* of a key: the one above (-1) or below (1) */
bool app_unpick(struct app *app); /* false: there was none */
uint32_t app_picked(const struct app *app); /* 0: none */
/* The reply that is meant: the picked one, or else the last of the path. NULL: there is none. */
const struct node *app_picked_reply(const struct app *app);
void app_part_none(struct app *app); /* back to the whole message */
/* The keys that act on the picked message. */
void app_pick_hints(const struct app *app, int cols, struct buf *out);

/* Tab, Shift+Tab, Enter and Esc, while a message is picked and the line is empty. True: the key was
 * taken. */
bool app_part_key(struct app *app, struct key key);
/* Appends the address that is picked. False: none is; *block is the number of the code block that is,
 * else as it was. */
bool app_part_take(const struct app *app, struct buf *text, size_t *block);
void app_part_look(struct app *app); /* a child has ended: did the link open? */

#endif
