#include "screen/copied.h"

#include <stdint.h>
#include <string.h>

enum { ESC = 0x1b, BEL = 7, STRING_MAX = 1 << 22 };

void copied_init(struct copied *copied)
{
	*copied = (struct copied){.kind = 0};
	buf_init(&copied->text, STRING_MAX);
	buf_init(&copied->string, STRING_MAX);
	buf_init(&copied->relayed, STRING_MAX);
}

void copied_deinit(struct copied *copied)
{
	buf_free(&copied->text);
	buf_free(&copied->string);
	buf_free(&copied->relayed);
}

static int digit(char c)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *found = c ? strchr(digits, c) : NULL;

	return found ? (int)(found - digits) : -1;
}

/* Whole groups of 4, padded at the end only. */
static bool decode(const char *code, size_t n, struct buf *out)
{
	buf_clear(out);
	if (n == 0 || n % 4)
		return false;
	for (size_t at = 0; at < n; at += 4) {
		int pad = at + 4 == n ? (code[at + 3] == '=') + (code[at + 2] == '=') : 0;
		uint32_t bits = 0;

		for (int i = 0; i < 4; i++) {
			int value = i < 4 - pad ? digit(code[at + (size_t)i]) : 0;

			if (value < 0)
				return false;
			bits = bits << 6 | (uint32_t)value;
		}
		for (int i = 0; i < 3 - pad; i++)
			buf_putc(out, (char)(bits >> (16 - 8 * i) & 0xff));
	}
	return buf_status(out) == STATUS_OK;
}

/* "52;c;" and base64. */
static bool is_copy(struct copied *copied, const char *bytes, size_t n)
{
	static const char begin[] = "52;c;";
	size_t len = sizeof begin - 1;

	return n > len && memcmp(bytes, begin, len) == 0 &&
	       decode(bytes + len, n - len, &copied->text);
}

/* A whole sequence, as the terminal behind tmux or screen gets it. */
static bool is_sequence(struct copied *copied, const char *bytes, size_t n)
{
	return n > 3 && bytes[0] == ESC && bytes[1] == ']' && bytes[n - 1] == BEL &&
	       is_copy(copied, bytes + 2, n - 3);
}

static enum copied_answer end_of_command(struct copied *copied)
{
	if (strcmp(buf_text(&copied->string), "104") == 0) /* curses: the palette as it was */
		return COPIED_TAKEN;
	if (!is_copy(copied, buf_text(&copied->string), copied->string.len))
		return COPIED_WRONG;
	copied->n_direct++;
	return COPIED_TAKEN;
}

static enum copied_answer end_of_wrapper(struct copied *copied)
{
	static const char tmux[] = "tmux;";
	const char *bytes = buf_text(&copied->string);
	size_t n = copied->string.len, len = sizeof tmux - 1;

	if (n > len && memcmp(bytes, tmux, len) == 0) {
		if (!is_sequence(copied, bytes + len, n - len))
			return COPIED_WRONG;
		copied->n_tmux++;
		return COPIED_TAKEN;
	}
	copied->n_pieces++;
	copied->longest = n > copied->longest ? n : copied->longest;
	if (buf_append(&copied->relayed, bytes, n))
		return COPIED_WRONG;
	if (n && bytes[n - 1] == BEL) {
		if (!is_sequence(copied, copied->relayed.data, copied->relayed.len))
			return COPIED_WRONG;
		copied->n_screen++;
		buf_clear(&copied->relayed);
	}
	return COPIED_TAKEN;
}

enum copied_answer copied_take(struct copied *copied, bool begins, char byte)
{
	char kind = copied->kind;

	if (!kind && (!begins || (byte != ']' && byte != 'P')))
		return COPIED_NOTHING;
	if (!kind) {
		copied->kind = byte;
		copied->escaped = false;
		buf_clear(&copied->string);
		return COPIED_TAKEN;
	}
	if (kind == ']') {
		if (byte != BEL)
			return buf_putc(&copied->string, byte) ? COPIED_WRONG : COPIED_TAKEN;
		copied->kind = 0;
		return end_of_command(copied);
	}
	if (!copied->escaped && byte == ESC) {
		copied->escaped = true;
		return COPIED_TAKEN;
	}
	if (copied->escaped && byte == '\\') {
		copied->kind = 0;
		return end_of_wrapper(copied);
	}
	if (copied->escaped && byte != ESC) /* a doubled one is tmux's spelling of one */
		buf_putc(&copied->string, ESC);
	copied->escaped = false;
	return buf_putc(&copied->string, byte) ? COPIED_WRONG : COPIED_TAKEN;
}
