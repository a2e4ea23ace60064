/* What a terminal is told besides what it draws, by control sequences (OSC): a text for its
 * clipboard (OSC 52), its title (OSC 2), and that something is done (the bell, or a desktop
 * notification: iTerm2's OSC 9 or rxvt's OSC 777).
 *
 * The texts are foreign, so that nothing in them may end a sequence or begin another: for the
 * clipboard they are in base64, the others are sanitised here. */
#ifndef SOTTO_TERMINAL_OSC_H
#define SOTTO_TERMINAL_OSC_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* What stands between us and the terminal, and takes only wrapped what is not for itself. */
enum osc_wrapper {
	OSC_DIRECT, /* nothing */
	OSC_TMUX,   /* its option allow-passthrough has to be on */
	OSC_SCREEN,
};

/* Which it is, as the environment says. */
enum osc_wrapper osc_wrapper_here(void);

/* A sequence of 100,000 bytes, the most that some terminals take, carries so many of a text. */
enum { OSC_CLIPBOARD_SURE = 74994 };

enum status osc_put_clipboard(struct buf *out, enum osc_wrapper wrapper, const char *text,
                              size_t len);
void osc_put_base64(struct buf *out, const char *text, size_t len);

enum notify_way { NOTIFY_OFF, NOTIFY_BELL, NOTIFY_OSC9, NOTIFY_OSC777, NOTIFY_WAYS };
extern const char *const notify_way_names[]; /* NULL-terminated */

/* At most this many bytes of a notification or title are sent. */
enum { OSC_TEXT_MAX = 160 };

enum status osc_put_notification(struct buf *out, enum notify_way way, enum osc_wrapper wrapper,
                                 const char *text);
/* tmux and screen show it by themselves. */
enum status osc_put_title(struct buf *out, const char *text);
/* Whether a terminal of this type (TERM) understands notifications and titles; some print them. */
bool osc_are_taken_by(const char *type);

#endif
