/* OSC 52, the escape sequence that asks a terminal to put a text into its clipboard.
 *
 * It is the one sequence of ours that carries foreign text. The text is in base64, so that no byte
 * of it can end the sequence or begin another. */
#ifndef SOTTO_TERMINAL_OSC52_H
#define SOTTO_TERMINAL_OSC52_H

#include <stddef.h>

#include "base/buf.h"

/* What stands between us and the terminal, and takes only wrapped what is not for itself. */
enum osc52_wrapper {
	OSC52_DIRECT, /* nothing */
	OSC52_TMUX,   /* its option allow-passthrough has to be on */
	OSC52_SCREEN,
};

/* Which it is, as the environment says. */
enum osc52_wrapper osc52_wrapper_here(void);

/* A sequence of 100,000 bytes, the most that some terminals take, carries so many of a text. */
enum { OSC52_SURE = 74994 };

void osc52_put_base64(struct buf *out, const char *text, size_t len);
enum status osc52_put(struct buf *out, enum osc52_wrapper wrapper, const char *text, size_t len);

#endif
