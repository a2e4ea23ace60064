#include "terminal/osc52.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ESC "\033"
#define BEGIN ESC "]52;c;" /* c: the clipboard, not the selection */
#define END "\a"
#define DCS ESC "P"
#define ST ESC "\\"

/* Old versions of screen drop what is longer than 256 bytes between DCS and ST. A multiple of 4. */
enum { SCREEN_PIECE = 240 };

/* 3 bytes or fewer as 4 characters. */
static void encode(const unsigned char *bytes, size_t n, char out[4])
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint32_t bits = (uint32_t)bytes[0] << 16;

	bits |= n > 1 ? (uint32_t)bytes[1] << 8 : 0;
	bits |= n > 2 ? bytes[2] : 0;
	out[0] = digits[bits >> 18];
	out[1] = digits[bits >> 12 & 63];
	out[2] = n > 1 ? digits[bits >> 6 & 63] : '=';
	out[3] = n > 2 ? digits[bits & 63] : '=';
}

static bool is_set(const char *name)
{
	const char *value = getenv(name);

	return value && value[0];
}

enum osc52_wrapper osc52_wrapper_here(void)
{
	if (is_set("TMUX"))
		return OSC52_TMUX;
	return is_set("STY") ? OSC52_SCREEN : OSC52_DIRECT;
}

enum status osc52_put(struct buf *out, enum osc52_wrapper wrapper, const char *text, size_t len)
{
	static const char *const begin[] = {
		[OSC52_DIRECT] = BEGIN, [OSC52_TMUX] = DCS "tmux;" ESC BEGIN, [OSC52_SCREEN] = DCS BEGIN};
	static const char *const end[] = {
		[OSC52_DIRECT] = END, [OSC52_TMUX] = END ST, [OSC52_SCREEN] = END ST};
	size_t in_piece = 0;

	buf_puts(out, begin[wrapper]);
	for (size_t at = 0; at < len; at += 3) {
		char code[4];

		if (wrapper == OSC52_SCREEN && in_piece == SCREEN_PIECE) {
			buf_puts(out, ST DCS);
			in_piece = 0;
		}
		encode((const unsigned char *)text + at, len - at, code);
		buf_append(out, code, sizeof code);
		in_piece += sizeof code;
	}
	return buf_puts(out, end[wrapper]);
}
