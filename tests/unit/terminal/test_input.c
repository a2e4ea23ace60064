#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "terminal/input.h"
#include "terminal/key.h"

/* What was emitted, as one line: keys by name, "press1@4,3", "paste[...]". */
static void record(void *context, const struct input_event *event)
{
	static const char *const kinds[] = {"press", "release", "drag", "wheel-up", "wheel-down"};
	struct buf *out = context;
	char name[KEY_TEXT_MAX];

	if (out->len)
		buf_putc(out, ' ');
	switch (event->kind) {
	case INPUT_KEY:
		buf_puts(out, key_text(event->key, name));
		cr_assert_gt(event->len, 0);
		break;
	case INPUT_MOUSE:
		buf_printf(out, "%s%d@%d,%d", kinds[event->mouse.kind], event->mouse.button,
		           event->mouse.x, event->mouse.y);
		break;
	case INPUT_REPORT:
		buf_printf(out, "%s %u", event->report == REPORT_KITTY ? "kitty" : "terminal", (unsigned)event->number);
		break;
	case INPUT_FOCUS: buf_puts(out, event->focused ? "focus" : "blur"); break;
	case INPUT_PASTE:
		buf_printf(out, "paste[%.*s]%s", (int)event->len, event->bytes, event->cut ? "cut" : "");
		break;
	}
}

/* Feeds the bytes in pieces of at most `step`, all at the time 1000; then time passes. */
static void feed(const char *bytes, size_t n, size_t step, struct buf *out)
{
	struct input input;

	buf_init(out, MIB(16));
	input_init(&input, record, out);
	for (size_t at = 0; at < n; at += step)
		input_feed(&input, bytes + at, n - at < step ? n - at : step, 1000);
	input_expire(&input, 1000 + INPUT_PASTE_MS);
	cr_assert_eq(input_deadline(&input), UINT64_MAX);
	input_deinit(&input);
}

static const struct {
	const char *bytes, *events;
} rows[] = {
	{"a", "a"},
	{"\033[1;2I\033[1O", ""}, /* no such reports */
	{"\r", "Enter"},
	{"\n", "Ctrl+J"},
	{"\t", "Tab"},
	{"\177", "Backspace"},
	{"\010", "Backspace"},
	{"\003", "Ctrl+C"},
	{"\032", "Ctrl+Z"},
	{"\037", "Ctrl+_"},
	{"?", "?"},
	{" ", "Space"},
	{"\303\251\346\227\245\360\237\230\200", "\303\251 \346\227\245 \360\237\230\200"},
	/* Ill-formed: overlong, lone continuation, cut short by another character. */
	{"\300\257x", "\357\277\275 \357\277\275 x"},
	{"\200x", "\357\277\275 x"},
	{"\346\227x", "\357\277\275 x"},
	{"\346\303\251", "\357\277\275 \303\251"},
	{"\302\205x", "x"}, /* C1: no key */
	/* Esc, alone and before a character. */
	{"\033", "Esc"},
	{"\033\033", "Esc Esc"},
	{"\033r", "Alt+R"},
	{"\033\r", "Alt+Enter"},
	{"\033\177", "Alt+Backspace"},
	{"\033\303\251", "Alt+\303\251"},
	{"\033\003", "Ctrl+Alt+C"},
	{"\033[", "Alt+["},
	{"\033O", "Alt+Shift+O"},
	{"\033P", "Alt+Shift+P"},
	/* Cursor and editing keys, as the terminals send them. */
	{"\033[A\033[B\033[C\033[D", "Up Down Right Left"},
	{"\033OA\033OB\033OC\033OD", "Up Down Right Left"},
	{"\033[H\033[F\033[1~\033[4~\033[7~\033[8~\033OH\033OF",
	 "Home End Home End Home End Home End"},
	{"\033[2~\033[3~\033[5~\033[6~", "Ins Del PgUp PgDn"},
	{"\033[1;2A\033[1;5D\033[1;3C\033[5;5~", "Shift+Up Ctrl+Left Alt+Right Ctrl+PgUp"},
	{"\033[1;5H\033[1;5F", "Ctrl+Home Ctrl+End"},
	{"\033[Z", "Shift+Tab"},
	{"\033O5P", "Ctrl+F1"},
	{"\033OM\033Oj\033Ou", "Enter * 5"},
	/* Function keys: xterm, vt220, the Linux console. */
	{"\033OP\033OQ\033OR\033OS", "F1 F2 F3 F4"},
	{"\033[11~\033[12~\033[13~\033[14~\033[15~\033[17~\033[18~\033[19~\033[20~\033[21~\033[23~\033[24~",
	 "F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12"},
	{"\033[[A\033[[Ex", "F1 F5 x"},
	{"\033[1;2P\033[1;2R", "Shift+F1 Shift+F3"},
	/* Keys as code points. */
	{"\033[13;2u", "Shift+Enter"},
	{"\033[27;2;13~", "Shift+Enter"},
	{"\033[99;5u\033[97u\033[114;3u", "Ctrl+C a Alt+R"},
	{"\033[27u\033[27;2u\033[27;129u", "Esc Esc Esc"},
	{"\033[13;5u\033[13;3u\033[13u", "Ctrl+Enter Alt+Enter Enter"},
	{"\033[9;2u\033[9;5u\033[127;5u\033[127;3u", "Shift+Tab Tab Backspace Alt+Backspace"},
	{"\033[32;5u\033[47;5u\033[45:95;6u\033[105;5u\033[109;5u", "Ctrl+Space Ctrl+_ Ctrl+_ Tab Enter"},
	/* The keypad's keys are those of the same name. */
	{"\033[57414u\033[57414;2u\033[57414;3u", "Enter Shift+Enter Alt+Enter"},
	{"\033[57399u\033[57408u\033[57409u\033[57410u\033[57411u\033[57412u\033[57413u\033[57415u\033[57416u",
	 "0 9 . / * - + = ,"},
	{"\033[57417u\033[57418u\033[57419u\033[57420u\033[57421u\033[57422u\033[57423u\033[57424u\033[57425u"
	 "\033[57426u", "Left Right Up Down PgUp PgDn Home End Ins Del"},
	{"\033[57424;5u\033[57419;130u", "Ctrl+End Shift+Up"},
	/* With Shift, a layout, and the states of Caps Lock and Num Lock. */
	{"\033[121;4u\033[121:89;4u\033[44:60;4u\033[99;134u", "Alt+Shift+Y Alt+Shift+Y Alt+< Ctrl+C"},
	{"\033[1089::99;5u\033[1089:1057:99;4u\033[1089;1u", "Ctrl+C Alt+Shift+C \321\201"},
	{"\033[1;129A\033[1;133D\033[5;193~\033[13;130u", "Up Ctrl+Left PgUp Shift+Enter"},
	{"\033[?0u\033[?5u\033[>41;380;0c", "kitty 0 kitty 5 terminal 41"},
	{"\033[97;1:1u", "a"},
	/* Mouse. */
	{"\033[<0;5;4M\033[<0;5;4m", "press1@4,3 release1@4,3"},
	{"\033[<32;6;4M\033[<2;1;1M", "drag1@5,3 press3@0,0"},
	{"\033[<64;1;2M\033[<65;1;2M", "wheel-up0@0,1 wheel-down0@0,1"},
	{"\033[<0;0;0M\033[<0;99999;1M\033[<0;1M\033[<35;3;3M", ""},
	{"\033[M !!x", "press1@0,0 x"},
	{"\033[Ix\033[Oy", "focus x blur y"},
	/* Nobody knows these; none of their bytes may become a key. */
	{"\033[?1;2cx", "x"},
	{"\033[24;80Rx", "x"},
	{"\033[999~x", "x"},
	{"\033[1;2;3;4;5;6Ax", "x"},
	{"\033[ qx", "x"},
	{"\033[57358ux\033[57441;2ux", "x x"}, /* Caps Lock, Shift */
	{"\033[57427ux", "x"},
	{"\033[99;9ux", "x"}, /* Super+C is the desktop's */
	{"\033]11;rgb:0000/0000/0000\033\\x", "x"},
	{"\033]0;title\007x", "x"},
	{"\033P1+r436f\033\\x", "x"},
	{"\033_Gi=1;OK\033\\x", "x"},
	/* Broken off by a control character, which counts. */
	{"\033[1;\r", "Enter"},
	{"\033[12\030x", "x"},
	{"\033[1\033[A", "Up"},
	{"\033O\r", "Enter"},
	/* Pastes. */
	{"\033[200~one\rtwo\033[201~", "paste[one\rtwo]"},
	{"a\033[200~\033[A\003\033[201~", "a paste[\033[A\003]"},
	{"\033[200~\033[20\033[2\033x\033[201~", "paste[\033[20\033[2\033x]"},
	{"\033[200~\033[201~", ""},
	{"\033[200~a\033[202~b\033[201~", "paste[a\033[202~b]"},
	/* An end mark that was in the pasted text: what follows it at once was pasted too. */
	{"\033[200~a\033[201~/quit\r\033[201~", "paste[a/quit\r]"},
	{"\033[200~a\033[201~\r", "paste[a\r]"},
	{"\033[200~a\033[200~b\033[201~", "paste[ab]"},
	/* The end never comes. */
	{"\033[200~abc\033[20", "paste[abc\033[20]"},
	{"\033[201~x", "x"},
};

Test(input, turns_bytes_into_events_however_they_are_cut)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		size_t n = strlen(rows[i].bytes);

		for (size_t step = 1; step <= n; step++) {
			struct buf out;

			feed(rows[i].bytes, n, step, &out);
			cr_assert_str_eq(buf_text(&out), rows[i].events, "row %zu in steps of %zu: %s", i,
			                 step, buf_text(&out));
			buf_free(&out);
		}
	}
}

Test(input, a_sequence_longer_than_any_is_dropped_whole)
{
	char bytes[400] = "\033[";
	struct buf out;

	memset(bytes + 2, '1', sizeof bytes - 2);
	bytes[sizeof bytes - 2] = 'A';
	bytes[sizeof bytes - 1] = 'x';
	feed(bytes, sizeof bytes, 7, &out);
	cr_assert_str_eq(buf_text(&out), "x");
	buf_free(&out);
}

static void record_bytes(void *context, const struct input_event *event)
{
	buf_printf(context, "%.*s|", (int)event->len, event->bytes);
}

/* What readline gets is what it knows from terminals that report nothing. */
Test(input, readline_gets_the_usual_bytes)
{
	static const struct {
		const char *bytes, *usual;
	} keys[] = {
		{"\033[99;5u\033[114;3u\033[27u\033[13;2u", "\003|\033r|\033|\r|"},
		{"\033[57414u\033[57400u\033[57417u\033[57424;5u\033[57426u", "\r|1|\033[D|\033[1;5F|\033[3~|"},
		{"\033[1;129A\033[1;133D\033[5;193~", "\033[A|\033[1;5D|\033[5~|"},
		{"\033[45:95;6u\033[47;5u\033[56;5u\033[51;5u\033[55;5u", "\037|\037|\177|\033|\037|"},
		{"\033[44:60;4u\033[1089::99;5u\033[9;2u\033[27;2;9~", "\033<|\003|\033[Z|\033[Z|"},
	};

	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
		struct input input;
		struct buf out = {.max = MIB(1)};

		input_init(&input, record_bytes, &out);
		input_feed(&input, keys[i].bytes, strlen(keys[i].bytes), 1000);
		cr_expect_str_eq(buf_text(&out), keys[i].usual, "row %zu: %s", i, buf_text(&out));
		input_deinit(&input);
		buf_free(&out);
	}
}

static struct buf timed_out;
static struct input timed;

static void timed_begin(void)
{
	buf_init(&timed_out, MIB(16));
	input_init(&timed, record, &timed_out);
}

static void timed_end(void)
{
	input_deinit(&timed);
	buf_free(&timed_out);
}

static void at(uint64_t ms, const char *bytes)
{
	input_feed(&timed, bytes, strlen(bytes), ms);
}

TestSuite(input_time, .init = timed_begin, .fini = timed_end);

Test(input_time, a_lone_escape_waits_25_ms)
{
	at(1000, "\033");
	cr_assert_eq(input_deadline(&timed), 1000 + INPUT_ESC_MS);
	input_expire(&timed, 1000 + INPUT_ESC_MS - 1);
	cr_assert_str_eq(buf_text(&timed_out), "");
	input_expire(&timed, 1000 + INPUT_ESC_MS);
	cr_assert_str_eq(buf_text(&timed_out), "Esc");
	cr_assert_eq(input_deadline(&timed), UINT64_MAX);
}

Test(input_time, what_comes_later_than_that_is_another_key)
{
	at(1000, "\033");
	at(1000 + INPUT_ESC_MS, "[A"); /* nobody called input_expire in between */
	cr_assert_str_eq(buf_text(&timed_out), "Esc [ A");
}

Test(input_time, half_a_sequence_is_dropped_after_a_while)
{
	at(1000, "\033[1;");
	at(1000 + INPUT_SEQUENCE_MS - 1, "5");
	input_expire(&timed, 1000 + 2 * INPUT_SEQUENCE_MS);
	at(1000 + 2 * INPUT_SEQUENCE_MS, "x");
	cr_assert_str_eq(buf_text(&timed_out), "x");
}

/* Whoever reads may be held up: nobody looked meanwhile, so nothing says that the bytes came late. */
Test(input_time, what_was_not_looked_for_is_not_late)
{
	at(1000, "\033[1;");
	at(1000 + 10 * INPUT_SEQUENCE_MS, "5C");
	cr_assert_str_eq(buf_text(&timed_out), "Ctrl+Right");
	at(20000, "\033[200~a\r");
	at(20000 + 10 * INPUT_PASTE_MS, "b\r\033[201~");
	at(90000, "c\r");
	cr_assert_str_eq(buf_text(&timed_out), "Ctrl+Right");
	input_expire(&timed, 90000 + INPUT_PASTE_TAIL_MS);
	cr_assert_str_eq(buf_text(&timed_out), "Ctrl+Right paste[a\rb\rc\r]");
}

Test(input_time, half_a_character_is_held_without_a_limit)
{
	at(1000, "\346\227");
	cr_assert_eq(input_deadline(&timed), UINT64_MAX);
	at(100000, "\245");
	cr_assert_str_eq(buf_text(&timed_out), "\346\227\245");
}

Test(input_time, a_paste_without_an_end_lasts_two_seconds_from_its_last_byte)
{
	at(1000, "\033[200~a\r");
	at(1000 + INPUT_PASTE_MS - 1, "b\r");
	cr_assert_str_eq(buf_text(&timed_out), "");
	input_expire(&timed, 1000 + 2 * INPUT_PASTE_MS - 1);
	cr_assert_str_eq(buf_text(&timed_out), "paste[a\rb\r]");
	at(10000, "\r");
	cr_assert_str_eq(buf_text(&timed_out), "paste[a\rb\r] Enter");
}

Test(input_time, enter_sends_again_soon_after_a_paste)
{
	at(1000, "\033[200~a\033[201~");
	cr_assert_eq(input_deadline(&timed), 1000 + INPUT_PASTE_TAIL_MS);
	input_expire(&timed, 1000 + INPUT_PASTE_TAIL_MS);
	at(1000 + INPUT_PASTE_TAIL_MS, "\r");
	cr_assert_str_eq(buf_text(&timed_out), "paste[a] Enter");
}

static size_t pasted;
static bool pasted_cut;

static void measure(void *context, const struct input_event *event)
{
	(void)context;
	cr_assert_eq(event->kind, INPUT_PASTE, "no byte of a paste becomes a key");
	pasted += event->len;
	pasted_cut = event->cut;
}

static void paste_of(size_t n)
{
	char *bytes = malloc(n);
	struct input input;

	pasted = 0;
	cr_assert_not_null(bytes);
	memset(bytes, '\r', n);
	input_init(&input, measure, NULL);
	input_feed(&input, "\033[200~", 6, 1);
	input_feed(&input, bytes, n, 1);
	input_feed(&input, "\033[201~", 6, 1);
	input_expire(&input, 100);
	input_deinit(&input);
	free(bytes);
}

Test(input, a_paste_may_have_the_limit_but_not_a_byte_more)
{
	paste_of(LIMIT_MESSAGE);
	cr_assert_eq(pasted, LIMIT_MESSAGE);
	cr_assert_not(pasted_cut);
	paste_of(LIMIT_MESSAGE + 1);
	cr_assert_eq(pasted, LIMIT_MESSAGE);
	cr_assert(pasted_cut);
}
