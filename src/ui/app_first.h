/* The first screen of an empty chat. UI thread only. */
#ifndef SOTTO_UI_APP_FIRST_H
#define SOTTO_UI_APP_FIRST_H

#include <stdbool.h>

#include "terminal/key.h"

struct app;

struct app_first {
	const char *const *questions; /* as last drawn; NULL: none */
	char digit;                   /* that took one just now; '\0': none did */
};

/* Draws it into the transcript's upper rows; returns how many it takes. */
int app_draw_first(struct app *app, int rows, int cols);
/* Tab and digits put one of its questions into the empty line. True: the key was taken. */
bool app_take_question(struct app *app, struct key key);

#endif
