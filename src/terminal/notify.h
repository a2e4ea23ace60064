/* What a terminal is told besides what it draws: its title (OSC 2), and that something is done (the
 * bell, or a desktop notification: iTerm2's OSC 9 or rxvt's OSC 777).
 *
 * Titles are foreign text: it is sanitised here, so that nothing in it can end the sequence. */
#ifndef SOTTO_TERMINAL_NOTIFY_H
#define SOTTO_TERMINAL_NOTIFY_H

#include <stdbool.h>

#include "base/buf.h"
#include "terminal/osc52.h"

enum notify_way { NOTIFY_OFF, NOTIFY_BELL, NOTIFY_OSC9, NOTIFY_OSC777, NOTIFY_WAYS };
extern const char *const notify_way_names[]; /* NULL-terminated */

/* At most this many bytes of a text are sent. */
enum { NOTIFY_TEXT_MAX = 160 };

/* One line. The wrapper makes tmux or screen pass on what they would not by themselves. */
enum status notify_put(struct buf *out, enum notify_way way, enum osc52_wrapper wrapper,
                       const char *text);
/* tmux and screen show it by themselves. */
enum status notify_put_title(struct buf *out, const char *text);
/* Whether a terminal of this type (TERM) understands such sequences; some print them. */
bool notify_is_taken_by(const char *type);

#endif
