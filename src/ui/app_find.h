/* /find: looking for words in the chat. UI thread only. */
#ifndef SOTTO_UI_APP_FIND_H
#define SOTTO_UI_APP_FIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "terminal/key.h"

struct app;
struct command_call;

/* What /find has found, or a word that the model was unsure of. */
struct app_hit {
	uint32_t node;
	size_t start, end;    /* bytes of its text */
	float p;              /* how probable the model took it for; 0: that is not asked */
};

struct app_find {
	struct app_hit *hits; /* owned; in the order of the chat */
	size_t n, cap;        /* 0: nothing is looked for */
	size_t at;            /* the one that is shown */
	const char *what;     /* what they are, "unsure word"; static, NULL: matches */
	struct app_hit last;  /* the one that was shown when it ended; node 0: none */
};

void app_find_end(struct app *app); /* nothing is marked any more */
/* n, N and Esc, while something is marked; other keys end it. True: the key was taken. */
bool app_find_key(struct app *app, struct key key);
/* Shows what was found otherwise, in the place of what is marked, and goes through it in the same way. Takes over the
 * hits, of which there are some. */
void app_find_places(struct app *app, const struct app_find *places);
bool app_find(struct app *app, const struct command_call *call);

#endif
