#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

#include "base/buf.h"
#include "base/limits.h"
#include "line/input_line.h"
#include "line/line_history.h"
#include "terminal/input.h"
#include "terminal/term.h"
#include "ui/commands.h"
#include "ui/complete.h"

static struct buf submitted;
static int n_edits;
static struct input input;

static bool refuses; /* the line comes back */

static void on_submit(void *context, const char *line)
{
	(void)context;
	if (refuses) {
		cr_assert_eq(input_line_set(line, strlen(line), NULL), STATUS_OK);
		return;
	}
	buf_printf(&submitted, "[%s]", line);
}

static void on_edit(void *context)
{
	(void)context;
	n_edits++;
}

static void on_input(void *context, const struct input_event *event)
{
	(void)context;
	if (event->kind == INPUT_KEY)
		input_line_key(event->key, event->bytes, event->len);
	else if (event->kind == INPUT_PASTE)
		cr_assert_eq(input_line_insert(event->bytes, event->len, NULL), STATUS_OK);
}

static void on_complete(void *context, const char *text, size_t caret, struct complete_list *list)
{
	(void)context;
	complete_line(&commands, NULL, text, caret, list);
}

static void open_line(const char *inputrc)
{
	const struct input_line_config config = {.submit = on_submit, .edit = on_edit, .complete = on_complete};

	setenv("INPUTRC", inputrc, 1);
	setenv("XDG_STATE_HOME", "/nonexistent", 1);
	term_set_locale();
	buf_init(&submitted, MIB(16));
	input_init(&input, on_input, NULL);
	cr_assert_eq(input_line_open(&config, NULL), STATUS_OK);
}

static void begin(void)
{
	open_line("/dev/null");
}

static void end(void)
{
	input_line_close();
	input_deinit(&input);
	buf_free(&submitted);
}

/* Types the bytes; enough time passes after them. */
static void type(const char *bytes)
{
	static uint64_t now = 1000;

	input_feed(&input, bytes, strlen(bytes), now += 10000);
	input_expire(&input, now += 10000);
}

static void expect(const char *text)
{
	size_t len;
	const char *line = input_line_text(&len);

	cr_expect_eq(len, strlen(text));
	cr_expect_str_eq(line, text, "\"%s\"", line);
}

static void type_gives(const char *bytes, const char *text)
{
	type(bytes);
	expect(text);
}

TestSuite(input_line, .init = begin, .fini = end);

Test(input_line, edits_as_readline_does)
{
	static const struct {
		const char *keys, *text;
	} rows[] = {
		{"abc", "abc"},
		{"abc\001x", "xabc"},              /* Ctrl+A */
		{"abc\033[Dx", "abxc"},            /* Left */
		{"abc\033[Hx", "xabc"},            /* Home */
		{"abc\033[D\033[3~", "ab"},        /* Delete */
		{"one two\027", "one "},           /* Ctrl+W */
		{"one two\033b\013", "one "},      /* Alt+B, Ctrl+K */
		{"one two\025\031\031", "one twoone two"}, /* Ctrl+U, yank twice */
		{"one two\027\037", "one two"},    /* undo */
		{"one two\033[1;5Dx", "one xtwo"}, /* Ctrl+Left */
		{"\346\227\245\346\234\254\177", "\346\227\245"},
		{"a\033[1;2Pb", "ab"},             /* Shift+F1: nobody's; leaves nothing behind */
		{"a\033[5~b", "ab"},
		{"ab\024", "ba"},                  /* Ctrl+T */
		{"a\026\003", "a\003"},            /* Ctrl+V quotes */
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		input_line_clear();
		type_gives(rows[i].keys, rows[i].text);
	}
	cr_expect_eq(submitted.len, 0);
}

Test(input_line, enter_submits_and_leaves_an_empty_line)
{
	type("hello\rworld\r");
	cr_expect_str_eq(buf_text(&submitted), "[hello][world]");
	cr_expect(input_line_is_empty());
}

/* What becomes of a selected line, by the next key. */
Test(input_line, a_selected_line_is_replaced_by_what_is_typed)
{
	static const struct {
		const char *keys, *text;
	} rows[] = {
		{"/", "/"},
		{"\346\227\245", "\346\227\245"},
		{" ", " "},
		{"\033[200~one\ntwo\033[201~", "one\ntwo"},
		{"\177", ""},
		{"\033[3~", ""},
		{"\033[Cx", "/nonsensex"},  /* Right, and the other keys that move: it is edited */
		{"\033[Dx", "/nonsensxe"},
		{"\001x", "x/nonsense"},
		{"\033[Hx", "x/nonsense"},
		{"\027x", "x"},             /* Ctrl+W: as in any line */
		{"\033[A", "/nonsense"},     /* Up: it is the last one of what was typed */
		{"\r\r", ""},               /* Enter sends it again */
	};

	add_history("/nonsense");
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		input_line_clear();
		cr_assert_eq(input_line_set("/nonsense", 9, NULL), STATUS_OK);
		input_line_select();
		cr_expect(input_line_is_selected());
		type(rows[i].keys);
		cr_expect_not(input_line_is_selected());
		expect(rows[i].text);
	}
	cr_expect_str_eq(buf_text(&submitted), "[/nonsense][]");
	input_line_clear();
	type_gives("x\033[A", "/nonsense"); /* and it comes back */
}

Test(input_line, a_paste_never_submits_and_keeps_its_lines)
{
	type_gives("a\033[200~one\r\ntwo\rthree\nfour\377\033[201~", "aone\ntwo\nthree\nfour\357\277\275");
	cr_expect_eq(submitted.len, 0);
	type_gives("\037", "a"); /* one undo takes all of it out */
	type("\r");
	cr_expect_str_eq(buf_text(&submitted), "[a]");
}

/* A long paste is one character for the keys, and all of it for everyone else. */
Test(input_line, a_long_paste_is_edited_as_one_character)
{
	char text[64] = "", whole[160];

	for (int i = 0; i < 21; i++)
		strcat(text, "x\n");
	type("ab\033[D");
	cr_assert_eq(input_line_paste(text, strlen(text), NULL), STATUS_OK);
	snprintf(whole, sizeof whole, "a%sb", text);
	expect(whole);
	cr_assert_eq(rl_end, 6);
	type_gives("\177", "ab"); /* Backspace */
	type_gives("\037", whole); /* undone */
	type_gives("\033[D\033[3~", "ab"); /* Left, Delete */
	type_gives("\037\001\013", ""); /* undone, Ctrl+A, Ctrl+K ... */
	type("\031\031"); /* ... yanked twice */
	snprintf(whole, sizeof whole, "a%sba%sb", text, text);
	expect(whole);
	cr_assert_eq(input_line_rows(60, 10), 1);
	refuses = true;
	type("\r");
	cr_assert_eq(rl_end, 12, "the line comes back as it was");
	refuses = false;
	type("\r");
	snprintf(whole, sizeof whole, "[a%sba%sb]", text, text);
	cr_expect_str_eq(buf_text(&submitted), whole);
	cr_assert_not(input_line_unfold(), "nothing to unfold");
	cr_assert_eq(input_line_paste(text, strlen(text), NULL), STATUS_OK);
	cr_assert(input_line_unfold());
	expect(text);
	cr_assert_eq(rl_end, (int)strlen(text));
	type_gives("\037", text); /* undone: folded again */
	cr_assert_eq(rl_end, 4);
}

/* Characters that stand for pastes mean nothing when they are typed or pasted. */
Test(input_line, what_looks_like_a_folded_paste_is_itself)
{
	static const char own[] = "\xf4\x8f\x80\x80";
	char text[128];

	cr_assert_eq(input_line_insert(own, 4, NULL), STATUS_OK);
	expect(own);
	type(own);
	snprintf(text, sizeof text, "%s%s", own, own);
	expect(text);
	cr_assert_not(input_line_unfold(), "it stays");
	expect(text);
	type("\r");
	snprintf(text, sizeof text, "[%s%s]", own, own);
	cr_expect_str_eq(buf_text(&submitted), text);
}

extern int rl_line_buffer_len; /* exported by readline, but not declared */

/* readline lets its buffer grow by 256 bytes a time, each of which is a copy of the
 * whole where realloc cannot extend it, as with the address sanitizer: minutes. */
static void make_room(size_t n)
{
	char *buffer = realloc(rl_line_buffer, n);

	cr_assert_not_null(buffer);
	rl_line_buffer = buffer;
	rl_line_buffer_len = (int)n;
}

Test(input_line, keeps_to_the_limit_of_a_message)
{
	char *text = malloc(LIMIT_MESSAGE + 1);
	struct error err;
	size_t len;

	cr_assert_not_null(text);
	make_room(LIMIT_MESSAGE + 512);
	memset(text, 'x', LIMIT_MESSAGE + 1);
	cr_expect_eq(input_line_set(text, LIMIT_MESSAGE + 1, &err), STATUS_LIMIT);
	cr_expect(input_line_is_empty());
	cr_expect_eq(input_line_set(text, LIMIT_MESSAGE, &err), STATUS_OK);
	cr_expect_eq(input_line_insert("y", 1, &err), STATUS_LIMIT);
	type("y");
	input_line_text(&len);
	cr_expect_eq(len, LIMIT_MESSAGE);
	free(text);
}

Test(input_line, clear_drops_half_a_key_sequence_and_a_search)
{
	type("abc\030"); /* Ctrl+X: half a sequence */
	cr_expect(input_line_is_mid_sequence());
	input_line_clear();
	cr_expect_not(input_line_is_mid_sequence());
	type_gives("x", "x");
	type("\022a"); /* Ctrl+R */
	cr_expect(input_line_is_searching());
	input_line_clear();
	cr_expect_not(input_line_is_searching());
	cr_expect(input_line_is_empty());
}

Test(input_line, searches_the_history_and_escape_ends_the_search)
{
	cr_assert_eq(line_history_add("first thing", false, NULL), STATUS_OK);
	cr_assert_eq(line_history_add("second\nthing", false, NULL), STATUS_OK);
	type("\022first");
	cr_expect(input_line_wants_escape());
	expect("first thing");
	type("\033");
	cr_expect_not(input_line_is_searching());
	expect("first thing");
	cr_expect_not(input_line_wants_escape());
	type_gives("\033[B", "second\nthing"); /* the search has left us at its entry of the history */
	type("\r");
	cr_expect_str_eq(buf_text(&submitted), "[second\nthing]");
	cr_assert_eq(line_history_add("third", false, NULL), STATUS_OK);
	type_gives("\033[A", "third");
	type_gives("\033[A", "second\nthing");
}

Test(input_line, a_failed_search_turns_round)
{
	cr_assert_eq(line_history_add("z first", false, NULL), STATUS_OK);
	cr_assert_eq(line_history_add("a longer line", false, NULL), STATUS_OK);
	type("\033[A\023z"); /* Up, Ctrl+S: nothing there */
	cr_expect(input_line_is_searching());
	type("\022"); /* Ctrl+R */
	cr_expect(input_line_is_searching());
	expect("z first");
}

/* Readline aborts while more input than a key is under way. */
Test(input_line, survives_what_aborts_within_a_macro)
{
	static const char *const macros[] = {
		"\"\\C-o\": \"ab\\C-xz\"",  /* Ctrl+X z is bound to nothing */
		"\"\\C-o\": \"ab\\e2\\C-g\"", /* a repeat count is given up */
	};

	for (size_t i = 0; i < sizeof macros / sizeof macros[0]; i++) {
		char *binding = strdup(macros[i]);

		cr_assert_not_null(binding);
		cr_assert_eq(rl_parse_and_bind(binding), 0);
		free(binding);
		input_line_clear();
		type_gives("\017", "ab");
		type_gives("c\017d", "abcabd");
	}
}

Test(input_line, the_editor_is_asked_for_by_control_x_control_e)
{
	type("draft\030\005");
	cr_expect_eq(n_edits, 1);
	expect("draft");
}

Test(input_line, completes_commands_and_shows_candidates)
{
	size_t n;
	const char *const *items;

	type_gives("/he\t", "/help ");
	input_line_clear();
	type_gives("/s\t", "/s");
	items = input_line_candidates(&n);
	cr_assert_gt(n, 3);
	for (size_t i = 0; i < n; i++)
		cr_expect_eq(strncmp(items[i], "/s", 2), 0, "%s", items[i]);
	type("e");
	input_line_candidates(&n);
	cr_expect_eq(n, 0, "the next key takes the list away");
}

Test(input_line, closes_and_opens_again)
{
	type("abc");
	end();
	begin();
	cr_expect(input_line_is_empty());
	type("x\r");
	cr_expect_str_eq(buf_text(&submitted), "[x]");
}

static char inputrc[] = "/tmp/sotto-inputrc-XXXXXX";

static void begin_vi(void)
{
	int fd = mkstemp(inputrc);
	FILE *file;

	cr_assert_geq(fd, 0);
	file = fdopen(fd, "w");
	fputs("$if sotto\nset editing-mode vi\n$endif\n\"\\C-o\": \"macro\"\n", file);
	fclose(file);
	open_line(inputrc);
}

static void end_vi(void)
{
	end();
	unlink(inputrc);
}

TestSuite(input_line_vi, .init = begin_vi, .fini = end_vi);

Test(input_line_vi, follows_the_inputrc)
{
	type("one two");
	cr_expect(input_line_wants_escape(), "in insert mode Esc is readline's");
	type("\033");
	cr_expect_not(input_line_wants_escape(), "in command mode it is the chat's");
	type_gives("bdw", "one ");
	type_gives("Ax\033ux", "one"); /* append, undo it, delete a character */
	type_gives("i\017", "onmacroe");
	type("\033v");
	cr_expect_eq(n_edits, 1, "v asks for the editor");
	type("\r");
	cr_expect_str_eq(buf_text(&submitted), "[onmacroe]");
}
