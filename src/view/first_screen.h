/* The first screen: an empty chat shows what sotto is, who answers, the keys to know first and some
 * questions to ask. It is only drawn; none of it is part of the chat. UI thread only. */
#ifndef SOTTO_VIEW_FIRST_SCREEN_H
#define SOTTO_VIEW_FIRST_SCREEN_H

#include <stdbool.h>

#include "terminal/cells.h"

enum { FIRST_QUESTIONS = 3 };

struct first_screen {
	const char *who, *who_short;  /* who answers; NULL: nobody, so that nothing is asked */
	bool is_elsewhere;            /* the model is not on this machine */
	const char *offer;            /* what Enter does now, or how far that is; NULL: nothing */
	const char *help_key, *quit_key; /* what they are; no key quits: NULL */
	const char *const *questions; /* FIRST_QUESTIONS of them; NULL: none */
};

/* Questions for the guide, or for any other model. */
const char *const *first_screen_questions(bool is_guide);

/* The form in which it fits. */
struct first_layout {
	int rows;            /* rows that it takes, 0: there is no room */
	bool has_questions;
	unsigned form;       /* for first_screen_draw */
};

struct first_layout first_screen_layout(const struct first_screen *first, int rows, int cols);
/* Draws its texts from the window's top row on; the caller fills the background. */
void first_screen_draw(const struct first_screen *first, const struct first_layout *layout,
                       WINDOW *win, int cols);

#endif
