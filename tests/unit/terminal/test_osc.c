#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "terminal/osc.h"

static const char alphabet[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";

static void assert_sequence(enum osc_wrapper wrapper, const char *text, const char *expected)
{
	struct buf out = {.max = MIB(1)};

	cr_assert_eq(osc_put_clipboard(&out, wrapper, text, strlen(text)), STATUS_OK);
	cr_assert_str_eq(buf_text(&out), expected, "of '%s'", text);
	buf_free(&out);
}

/* The vectors of RFC 4648. */
Test(osc, carries_base64)
{
	assert_sequence(OSC_DIRECT, "", "\033]52;c;\a");
	assert_sequence(OSC_DIRECT, "f", "\033]52;c;Zg==\a");
	assert_sequence(OSC_DIRECT, "fo", "\033]52;c;Zm8=\a");
	assert_sequence(OSC_DIRECT, "foo", "\033]52;c;Zm9v\a");
	assert_sequence(OSC_DIRECT, "foob", "\033]52;c;Zm9vYg==\a");
	assert_sequence(OSC_DIRECT, "fooba", "\033]52;c;Zm9vYmE=\a");
	assert_sequence(OSC_DIRECT, "foobar", "\033]52;c;Zm9vYmFy\a");
	assert_sequence(OSC_DIRECT, "\xff\xfe\xfb", "\033]52;c;//77\a");
}

Test(osc, is_wrapped_for_what_is_in_between)
{
	assert_sequence(OSC_TMUX, "foo", "\033Ptmux;\033\033]52;c;Zm9v\a\033\\");
	assert_sequence(OSC_SCREEN, "foo", "\033P\033]52;c;Zm9v\a\033\\");
}

/* The bytes between two wrappers never are more than 256, ESC P and ESC \ included. */
Test(osc, comes_in_pieces_for_screen)
{
	char text[1000];
	struct buf out = {.max = MIB(1)};
	size_t n_pieces = 0, since = 0;

	memset(text, 'x', sizeof text);
	cr_assert_eq(osc_put_clipboard(&out, OSC_SCREEN, text, sizeof text), STATUS_OK);
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
Test(osc, lets_no_byte_of_the_text_out)
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
		struct buf out = {.max = MIB(1)};

		for (int wrapper = OSC_DIRECT; wrapper <= OSC_SCREEN; wrapper++) {
			size_t n_pieces = wrapper == OSC_SCREEN ? (n_code + 239) / 240 : 1, n = 0;
			const size_t own[] = {8, 18, 8 + 4 * n_pieces};

			cr_assert_eq(osc_put_clipboard(&out, (enum osc_wrapper)wrapper, text, len), STATUS_OK);
			cr_assert_eq(out.len, own[wrapper] + n_code);
			for (size_t k = 0; k < out.len; k++)
				n += !memchr(alphabet, out.data[k], sizeof alphabet - 1);
			/* ESC ] ; ; BEL, and those of the wrappers; the letters among them are in the alphabet */
			cr_assert_eq(n, wrapper == OSC_DIRECT ? 5u : wrapper == OSC_TMUX ? 10u
			                                                : 5 + 3 * n_pieces);
			buf_free(&out);
		}
	}
}

static void assert_notice(enum notify_way way, enum osc_wrapper wrapper, const char *text,
                          const char *expected)
{
	struct buf out = {.max = MIB(1)};

	cr_assert_eq(osc_put_notification(&out, way, wrapper, text), STATUS_OK);
	cr_expect_str_eq(buf_text(&out), expected);
	buf_free(&out);
}

Test(osc, says_it_in_each_way_and_through_tmux_and_screen)
{
	assert_notice(NOTIFY_OFF, OSC_DIRECT, "done", "");
	assert_notice(NOTIFY_BELL, OSC_DIRECT, "done", "\a");
	assert_notice(NOTIFY_BELL, OSC_TMUX, "done", "\a");
	assert_notice(NOTIFY_OSC9, OSC_DIRECT, "done", "\033]9;done\a");
	assert_notice(NOTIFY_OSC9, OSC_TMUX, "done", "\033Ptmux;\033\033]9;done\a\033\\");
	assert_notice(NOTIFY_OSC777, OSC_DIRECT, "done", "\033]777;notify;sotto;done\a");
	assert_notice(NOTIFY_OSC777, OSC_SCREEN, "done", "\033P\033]777;notify;sotto;done\a\033\\");
}

static const char *title_of(const char *text)
{
	static char title[1024];
	struct buf out = {.max = MIB(1)};

	cr_assert_eq(osc_put_title(&out, text), STATUS_OK);
	snprintf(title, sizeof title, "%s", buf_text(&out));
	buf_free(&out);
	return title;
}

/* Every byte and code point below U+3000: nothing ends the sequence but its own end. */
Test(osc, no_text_can_end_the_sequence)
{
	for (uint32_t cp = 1; cp < 0x3000; cp++) {
		char text[32];
		const char *title, *body;
		size_t n = 0;

		if (cp < 0x100) /* alone, as bytes come from a file */
			text[n++] = (char)cp;
		n += utf8_encode(cp, text + n);
		strcpy(text + n, "]0;x");
		title = title_of(text);
		cr_assert_eq(strncmp(title, "\033]2;", 4), 0);
		body = title + 4;
		cr_assert_eq(body[strlen(body) - 1], '\a');
		for (size_t i = 0; i + 1 < strlen(body); i++) {
			cr_assert((unsigned char)body[i] >= 0x20 && body[i] != 0x7f, "U+%04X", cp);
			cr_assert(!((unsigned char)body[i] == 0xc2 && (unsigned char)body[i + 1] < 0xa0),
			          "U+%04X", cp);
		}
	}
	cr_expect_str_eq(title_of("two\nlines"), "\033]2;two lines\a");
}

Test(osc, a_long_text_is_cut_between_characters)
{
	char text[OSC_TEXT_MAX * 2 + 1] = "", expected[OSC_TEXT_MAX + 8];

	for (size_t i = 0; i < OSC_TEXT_MAX; i++)
		strcat(text, "\303\251");
	snprintf(expected, sizeof expected, "\033]2;%.*s\a", OSC_TEXT_MAX, text);
	cr_expect_str_eq(title_of(text), expected);
	snprintf(expected, sizeof expected, "\033]2;x%.*s\a", OSC_TEXT_MAX - 2, text);
	memmove(text + 1, text, strlen(text) - 1);
	text[0] = 'x';
	cr_expect_str_eq(title_of(text), expected);
}

Test(osc, consoles_get_none)
{
	static const char *const not[] = {"linux", "linux-16color", "dumb", "vt100", "vt220", "ansi"};
	static const char *const yes[] = {"xterm", "xterm-256color", "tmux-256color", "screen",
	                                  "rxvt-unicode-256color", "alacritty", "foot", "xterm-kitty"};

	for (size_t i = 0; i < sizeof not / sizeof not[0]; i++)
		cr_expect(!osc_are_taken_by(not[i]), "%s", not[i]);
	for (size_t i = 0; i < sizeof yes / sizeof yes[0]; i++)
		cr_expect(osc_are_taken_by(yes[i]), "%s", yes[i]);
	cr_expect(!osc_are_taken_by(NULL));
}
