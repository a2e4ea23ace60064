#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "terminal/notify.h"

static void assert_notice(enum notify_way way, enum osc52_wrapper wrapper, const char *text,
                          const char *expected)
{
	struct buf out = {.max = MIB(1)};

	cr_assert_eq(notify_put(&out, way, wrapper, text), STATUS_OK);
	cr_expect_str_eq(buf_text(&out), expected);
	buf_free(&out);
}

Test(notify, says_it_in_each_way_and_through_tmux_and_screen)
{
	assert_notice(NOTIFY_OFF, OSC52_DIRECT, "done", "");
	assert_notice(NOTIFY_BELL, OSC52_DIRECT, "done", "\a");
	assert_notice(NOTIFY_BELL, OSC52_TMUX, "done", "\a");
	assert_notice(NOTIFY_OSC9, OSC52_DIRECT, "done", "\033]9;done\a");
	assert_notice(NOTIFY_OSC9, OSC52_TMUX, "done", "\033Ptmux;\033\033]9;done\a\033\\");
	assert_notice(NOTIFY_OSC777, OSC52_DIRECT, "done", "\033]777;notify;sotto;done\a");
	assert_notice(NOTIFY_OSC777, OSC52_SCREEN, "done", "\033P\033]777;notify;sotto;done\a\033\\");
}

static const char *title_of(const char *text)
{
	static char title[1024];
	struct buf out = {.max = MIB(1)};

	cr_assert_eq(notify_put_title(&out, text), STATUS_OK);
	snprintf(title, sizeof title, "%s", buf_text(&out));
	buf_free(&out);
	return title;
}

/* Every byte and code point below U+3000: nothing ends the sequence but its own end. */
Test(notify, no_text_can_end_the_sequence)
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

Test(notify, a_long_text_is_cut_between_characters)
{
	char text[NOTIFY_TEXT_MAX * 2 + 1] = "", expected[NOTIFY_TEXT_MAX + 8];

	for (size_t i = 0; i < NOTIFY_TEXT_MAX; i++)
		strcat(text, "\303\251");
	snprintf(expected, sizeof expected, "\033]2;%.*s\a", NOTIFY_TEXT_MAX, text);
	cr_expect_str_eq(title_of(text), expected);
	snprintf(expected, sizeof expected, "\033]2;x%.*s\a", NOTIFY_TEXT_MAX - 2, text);
	memmove(text + 1, text, strlen(text) - 1);
	text[0] = 'x';
	cr_expect_str_eq(title_of(text), expected);
}

Test(notify, consoles_get_none)
{
	static const char *const not[] = {"linux", "linux-16color", "dumb", "vt100", "vt220", "ansi"};
	static const char *const yes[] = {"xterm", "xterm-256color", "tmux-256color", "screen",
	                                  "rxvt-unicode-256color", "alacritty", "foot", "xterm-kitty"};

	for (size_t i = 0; i < sizeof not / sizeof not[0]; i++)
		cr_expect(!notify_is_taken_by(not[i]), "%s", not[i]);
	for (size_t i = 0; i < sizeof yes / sizeof yes[0]; i++)
		cr_expect(notify_is_taken_by(yes[i]), "%s", yes[i]);
	cr_expect(!notify_is_taken_by(NULL));
}
