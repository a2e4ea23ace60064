#include <criterion/criterion.h>

#include <string.h>

#include "base/limits.h"
#include "terminal/osc52.h"

static const char alphabet[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";

static void assert_sequence(enum osc52_wrapper wrapper, const char *text, const char *expected)
{
	struct buf out = {.max = MIB(1)};

	cr_assert_eq(osc52_put(&out, wrapper, text, strlen(text)), STATUS_OK);
	cr_assert_str_eq(buf_text(&out), expected, "of '%s'", text);
	buf_free(&out);
}

/* The vectors of RFC 4648. */
Test(osc52, carries_base64)
{
	assert_sequence(OSC52_DIRECT, "", "\033]52;c;\a");
	assert_sequence(OSC52_DIRECT, "f", "\033]52;c;Zg==\a");
	assert_sequence(OSC52_DIRECT, "fo", "\033]52;c;Zm8=\a");
	assert_sequence(OSC52_DIRECT, "foo", "\033]52;c;Zm9v\a");
	assert_sequence(OSC52_DIRECT, "foob", "\033]52;c;Zm9vYg==\a");
	assert_sequence(OSC52_DIRECT, "fooba", "\033]52;c;Zm9vYmE=\a");
	assert_sequence(OSC52_DIRECT, "foobar", "\033]52;c;Zm9vYmFy\a");
	assert_sequence(OSC52_DIRECT, "\xff\xfe\xfb", "\033]52;c;//77\a");
}

Test(osc52, is_wrapped_for_what_is_in_between)
{
	assert_sequence(OSC52_TMUX, "foo", "\033Ptmux;\033\033]52;c;Zm9v\a\033\\");
	assert_sequence(OSC52_SCREEN, "foo", "\033P\033]52;c;Zm9v\a\033\\");
}

/* The bytes between two wrappers never are more than 256, ESC P and ESC \ included. */
Test(osc52, comes_in_pieces_for_screen)
{
	char text[1000];
	struct buf out = {.max = MIB(1)};
	size_t n_pieces = 0, since = 0;

	memset(text, 'x', sizeof text);
	cr_assert_eq(osc52_put(&out, OSC52_SCREEN, text, sizeof text), STATUS_OK);
	for (size_t i = 0; i < out.len; i++) {
		since++;
		if (i && out.data[i] == '\\' && out.data[i - 1] == '\033') {
			cr_assert_leq(since, 256);
			since = 0;
			n_pieces++;
		}
	}
	cr_assert_eq(since, 0, "nothing stands outside the wrappers");
	cr_assert_eq(n_pieces, 6); /* 1,336 characters of base64 */
	buf_free(&out);
}

/* Whatever the text is: between the sequence's own bytes there is nothing but base64. */
Test(osc52, lets_no_byte_of_the_text_out)
{
	static const char *const hostile[] = {"\a\033\\\033]0;title\a", "\033P\033\\\x9c\x9d", "\n\r\b",
	                                      "\033\\\033\\\a"};
	char every[256];

	for (int i = 0; i < 256; i++)
		every[i] = (char)i;
	for (size_t i = 0; i <= sizeof hostile / sizeof hostile[0]; i++) {
		bool last = i == sizeof hostile / sizeof hostile[0];
		const char *text = last ? every : hostile[i];
		size_t len = last ? sizeof every : strlen(text), n_code = (len + 2) / 3 * 4;
		struct buf out;

		for (int wrapper = OSC52_DIRECT; wrapper <= OSC52_SCREEN; wrapper++) {
			size_t n_pieces = wrapper == OSC52_SCREEN ? (n_code + 239) / 240 : 1, n = 0;
			const size_t own[] = {8, 18, 8 + 4 * n_pieces};

			buf_init(&out, MIB(1));
			cr_assert_eq(osc52_put(&out, (enum osc52_wrapper)wrapper, text, len), STATUS_OK);
			cr_assert_eq(out.len, own[wrapper] + n_code);
			for (size_t k = 0; k < out.len; k++)
				n += !memchr(alphabet, out.data[k], sizeof alphabet - 1);
			/* ESC ] ; ; BEL, and those of the wrappers; the letters among them are in the alphabet */
			cr_assert_eq(n, wrapper == OSC52_DIRECT ? 5u : wrapper == OSC52_TMUX ? 10u
			                                                : 5 + 3 * n_pieces);
			buf_free(&out);
		}
	}
}
