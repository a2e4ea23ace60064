#include "terminal/osc.h"

#include <stdint.h>
#include <string.h>

#include "base/sanitize.h"
#include "base/sys.h"
#include "base/utf8.h"

/* How screen's passing on begins and ends; tmux's ends like it. */
#define DCS "\033P"
#define ST "\033\\"

/* Old versions of screen drop what is longer than 256 bytes between DCS and ST. These are 240 in
 * base64. */
enum { SCREEN_PIECE = 180 };

const char *const notify_way_names[] = {"off", "bell", "osc9", "osc777", NULL};

enum osc_wrapper osc_wrapper_here(void)
{
	if (sys_variable("TMUX"))
		return OSC_TMUX;
	return sys_variable("STY") ? OSC_SCREEN : OSC_DIRECT;
}

static void begin(struct buf *out, enum osc_wrapper wrapper)
{
	static const char *const texts[] = {
		[OSC_DIRECT] = "\033]", [OSC_TMUX] = DCS "tmux;\033\033]",
		[OSC_SCREEN] = DCS "\033]"};

	buf_puts(out, texts[wrapper]);
}

static enum status end(struct buf *out, enum osc_wrapper wrapper)
{
	return buf_puts(out, wrapper == OSC_DIRECT ? "\a" : "\a" ST);
}

void osc_put_base64(struct buf *out, const char *text, size_t len)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *bytes = (const unsigned char *)text;

	for (size_t at = 0; at < len; at += 3) { /* 3 bytes or fewer as 4 characters */
		size_t n = len - at < 3 ? len - at : 3;
		uint32_t bits = (uint32_t)bytes[at] << 16 | (n > 1 ? (uint32_t)bytes[at + 1] << 8 : 0) |
		                (n > 2 ? bytes[at + 2] : 0u);

		for (size_t digit = 0; digit < 4; digit++)
			buf_putc(out, digit <= n ? digits[bits >> (18 - 6 * digit) & 63] : '=');
	}
}

enum status osc_put_clipboard(struct buf *out, enum osc_wrapper wrapper, const char *text,
                              size_t len)
{
	begin(out, wrapper);
	buf_puts(out, "52;c;"); /* c: the clipboard, not the selection */
	for (size_t at = 0, n; at < len; at += n) {
		n = wrapper == OSC_SCREEN && len - at > SCREEN_PIECE ? SCREEN_PIECE : len - at;
		if (at)
			buf_puts(out, ST DCS);
		osc_put_base64(out, text + at, n);
	}
	return end(out, wrapper);
}

static void put_text(struct buf *out, const char *text)
{
	sanitize_line(out, text, utf8_cut(text, strlen(text), OSC_TEXT_MAX));
}

enum status osc_put_notification(struct buf *out, enum notify_way way, enum osc_wrapper wrapper,
                                 const char *text)
{
	if (way == NOTIFY_OFF)
		return STATUS_OK;
	if (way == NOTIFY_BELL) /* tmux and screen have a bell of their own */
		return buf_puts(out, "\a");
	begin(out, wrapper);
	buf_puts(out, way == NOTIFY_OSC9 ? "9;" : "777;notify;sotto;");
	put_text(out, text);
	return end(out, wrapper);
}

enum status osc_put_title(struct buf *out, const char *text)
{
	begin(out, OSC_DIRECT);
	buf_puts(out, "2;");
	put_text(out, text);
	return end(out, OSC_DIRECT);
}

bool osc_are_taken_by(const char *type)
{
	static const char *const others[] = {"linux", "dumb", "vt", "ansi", "cons", "sun", "wy", "eterm"};

	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		if (!type || strncmp(type, others[i], strlen(others[i])) == 0)
			return false;
	return true;
}
