#include "terminal/osc52.h"

#include <stdint.h>

#include "base/sys.h"

#define ESC "\033"
#define BEGIN ESC "]52;c;" /* c: the clipboard, not the selection */
#define END "\a"
#define DCS ESC "P"
#define ST ESC "\\"

/* Old versions of screen drop what is longer than 256 bytes between DCS and ST. These are 240 in base64. */
enum { SCREEN_PIECE = 180 };

void osc52_put_base64(struct buf *out, const char *text, size_t len)
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

enum osc52_wrapper osc52_wrapper_here(void)
{
	if (sys_variable("TMUX"))
		return OSC52_TMUX;
	return sys_variable("STY") ? OSC52_SCREEN : OSC52_DIRECT;
}

enum status osc52_put(struct buf *out, enum osc52_wrapper wrapper, const char *text, size_t len)
{
	static const char *const begin[] = {
		[OSC52_DIRECT] = BEGIN, [OSC52_TMUX] = DCS "tmux;" ESC BEGIN, [OSC52_SCREEN] = DCS BEGIN};
	static const char *const end[] = {
		[OSC52_DIRECT] = END, [OSC52_TMUX] = END ST, [OSC52_SCREEN] = END ST};

	buf_puts(out, begin[wrapper]);
	for (size_t at = 0, n; at < len; at += n) {
		n = wrapper == OSC52_SCREEN && len - at > SCREEN_PIECE ? SCREEN_PIECE : len - at;
		if (at)
			buf_puts(out, ST DCS);
		osc52_put_base64(out, text + at, n);
	}
	return buf_puts(out, end[wrapper]);
}
