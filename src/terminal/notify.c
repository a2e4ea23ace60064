#include "terminal/notify.h"

#include <string.h>

#include "base/sanitize.h"
#include "base/utf8.h"

const char *const notify_way_names[] = {"off", "bell", "osc9", "osc777", NULL};

static void put_text(struct buf *out, const char *text)
{
	sanitize_line(out, text, utf8_cut(text, strlen(text), NOTIFY_TEXT_MAX));
}

enum status notify_put(struct buf *out, enum notify_way way, enum osc52_wrapper wrapper,
                       const char *text)
{
	static const char *const begin[] = {
		[OSC52_DIRECT] = "\033]", [OSC52_TMUX] = "\033Ptmux;\033\033]", [OSC52_SCREEN] = "\033P\033]"};

	if (way == NOTIFY_OFF)
		return STATUS_OK;
	if (way == NOTIFY_BELL) /* tmux and screen have a bell of their own */
		return buf_puts(out, "\a");
	buf_puts(out, begin[wrapper]);
	buf_puts(out, way == NOTIFY_OSC9 ? "9;" : "777;notify;sotto;");
	put_text(out, text);
	return buf_puts(out, wrapper == OSC52_DIRECT ? "\a" : "\a\033\\");
}

enum status notify_put_title(struct buf *out, const char *text)
{
	buf_puts(out, "\033]2;");
	put_text(out, text);
	return buf_puts(out, "\a");
}

bool notify_is_taken_by(const char *type)
{
	static const char *const others[] = {"linux", "dumb", "vt", "ansi", "cons", "sun", "wy", "eterm"};

	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		if (!type || strncmp(type, others[i], strlen(others[i])) == 0)
			return false;
	return true;
}
