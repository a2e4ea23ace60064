/* Reads what a program asks its terminal to put into the clipboard (OSC 52): plain, or wrapped for
 * tmux or screen. Strict: anything else in such a sequence is wrong.
 *
 * A test that expects a copy says so to its screen's checker; for all others OSC 52 is a
 * violation like any other sequence that nobody should send. */
#ifndef SOTTO_SCREEN_COPIED_H
#define SOTTO_SCREEN_COPIED_H

#include <stdbool.h>

#include "base/buf.h"

struct copied {
	unsigned n_direct, n_tmux, n_screen; /* copies so far, by how they came */
	struct buf text;    /* the last one's */
	unsigned n_pieces;  /* that screen was to pass on, of all copies */
	size_t longest;     /* bytes of a piece */

	char kind;          /* ']' or 'P' of the string under way; 0: none is */
	bool escaped;       /* the byte before was ESC */
	struct buf string;
	struct buf relayed; /* by screen, of a sequence that has not ended */
};

enum copied_answer { COPIED_NOTHING, COPIED_TAKEN, COPIED_WRONG };

void copied_init(struct copied *copied);
void copied_deinit(struct copied *copied);
/* A byte; `begins`: right after an ESC that begins a sequence. COPIED_NOTHING: not for us. */
enum copied_answer copied_take(struct copied *copied, bool begins, char byte);

#endif
