#include "screen/checker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

enum { ESC = 0x1b, MAX_PARAMS = 16, MAX_REPEAT = 1000 };

static const struct {
	enum checker_mode mode;
	int number;   /* of CSI ? number h; 0 for those set otherwise */
	bool on_by_l; /* the mode is named for the unusual state, which "l" sets */
	const char *name;
} modes[] = {
	{MODE_ALTERNATE, 1049, false, "alternate screen"},
	{MODE_PASTE, 2004, false, "bracketed paste"},
	{MODE_MOUSE_CLICK, 1000, false, "mouse clicks"},
	{MODE_MOUSE_DRAG, 1002, false, "mouse drags"},
	{MODE_MOUSE_MOVE, 1003, false, "mouse moves"},
	{MODE_MOUSE_SGR, 1006, false, "SGR mouse"},
	{MODE_CURSOR_HIDDEN, 25, true, "hidden cursor"},
	{MODE_CURSOR_KEYS, 1, false, "application cursor keys"},
	{MODE_NO_WRAP, 7, true, "no wrapping"},
	{MODE_FOCUS, 1004, false, "focus reports"},
	{MODE_WHEEL_QUIET, 1007, true, "quiet wheel"},
	{MODE_TITLE, 0, false, "a title of its own"},
	{MODE_KEYPAD, 0, false, "application keypad"},
	{MODE_INSERT, 0, false, "insert mode"},
	{MODE_LINE_DRAWING, 0, false, "line drawing"},
	{MODE_ATTRIBUTES, 0, false, "attributes"},
	{MODE_KITTY_KEYS, 0, false, "the Kitty keyboard"},
	{MODE_OTHER_KEYS, 0, false, "modifyOtherKeys"},
};

#define N_MODES (sizeof(modes) / sizeof(modes[0]))

void checker_init(struct checker *checker)
{
	memset(checker, 0, sizeof(*checker));
	copied_init(&checker->copied);
}

void checker_deinit(struct checker *checker)
{
	copied_deinit(&checker->copied);
}

void checker_describe_modes(unsigned set, struct buf *out)
{
	for (size_t i = 0; i < N_MODES; i++)
		if (set & modes[i].mode)
			buf_printf(out, "%s%s", out->len ? ", " : "", modes[i].name);
}

static void violate(struct checker *checker, const char *what)
{
	size_t used;

	if (checker->violation[0])
		return;
	snprintf(checker->violation, sizeof(checker->violation), "%s:", what);
	for (size_t i = 0; i < checker->n_seq; i++) {
		unsigned char c = (unsigned char)checker->seq[i];

		used = strlen(checker->violation);
		if (c >= 0x20 && c < 0x7f)
			snprintf(checker->violation + used, sizeof(checker->violation) - used, "%c", c);
		else
			snprintf(checker->violation + used, sizeof(checker->violation) - used, "<%02X>", c);
	}
}

static void set_mode(struct checker *checker, unsigned mode, bool on)
{
	if (on)
		checker->modes |= mode;
	else
		checker->modes &= ~mode;
}

/* CSI ? numbers h|l. ?12 (blinking) and ?34 are harmless. */
static bool private_modes(struct checker *checker, const long *params, size_t n, bool set)
{
	for (size_t i = 0; i < n; i++) {
		size_t m = 0;

		if (params[i] == 12)
			continue;
		while (m < N_MODES && (modes[m].number == 0 || modes[m].number != params[i]))
			m++;
		if (m == N_MODES)
			return false;
		if (modes[m].mode == MODE_ALTERNATE && checker->modes & MODE_KITTY_KEYS)
			return false; /* the other screen has a stack of its own */
		set_mode(checker, modes[m].mode, set != modes[m].on_by_l);
		checker->n_entered += set && modes[m].mode == MODE_ALTERNATE;
	}
	return n > 0;
}

static bool is_color(long p)
{
	return (p >= 30 && p <= 38) || (p >= 40 && p <= 48) || (p >= 90 && p <= 97) ||
	       (p >= 100 && p <= 107);
}

static bool attributes(struct checker *checker, const long *params, size_t n)
{
	bool color = false, plain = true;

	for (size_t i = 0; i < n; i++) {
		long p = params[i] < 0 ? 0 : params[i];

		if (p == 38 || p == 48) { /* 38;5;N or 38;2;R;G;B */
			color = true;
			plain = false;
			if (i + 1 < n && params[i + 1] == 5)
				i += 2;
			else if (i + 1 < n && params[i + 1] == 2)
				i += 4;
			else
				return false;
			continue;
		}
		if (p > 107)
			return false;
		color |= is_color(p);
		if (p == 0)
			plain = true;
		else if (p < 10 || is_color(p))
			plain = false;
	}
	checker->n_styles++;
	if (color)
		checker->n_colors++;
	set_mode(checker, MODE_ATTRIBUTES, !plain);
	return true;
}

static bool is_paste_mode(const struct checker *checker)
{
	return checker->n_seq == 8 && memcmp(checker->seq, "\033[?2004", 7) == 0;
}

static bool is_title_stack(const long *params, size_t n)
{
	return n == 3 && (params[0] == 22 || params[0] == 23) && params[1] == 0 && params[2] == 0;
}

/* 22;2t and 23;2t: the program keeps the title itself, once. */
static bool keeps_title(struct checker *checker, const long *params, size_t n)
{
	bool push = params[0] == 22;

	if (n != 2 || (!push && params[0] != 23) || params[1] != 2 ||
	    push == !!(checker->modes & MODE_TITLE))
		return false;
	set_mode(checker, MODE_TITLE, push);
	return true;
}

/* What is asked of the keyboard: it is turned on once, and off where it is on. */
static bool keyboard(struct checker *checker, bool *ok)
{
	static const struct {
		const char *seq;
		unsigned mode;
		bool on;
	} rows[] = {
		{"\033[?u", 0, false}, {"\033[>c", 0, true},
		{"\033[>5u", MODE_KITTY_KEYS, true}, {"\033[<u", MODE_KITTY_KEYS, false},
		{"\033[>4;1m", MODE_OTHER_KEYS, true}, {"\033[>4m", MODE_OTHER_KEYS, false},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (strlen(rows[i].seq) != checker->n_seq || memcmp(rows[i].seq, checker->seq, checker->n_seq) != 0)
			continue;
		*ok = !rows[i].mode || rows[i].on == !(checker->modes & rows[i].mode);
		set_mode(checker, rows[i].mode, rows[i].on);
		checker->n_asked += !rows[i].mode && rows[i].on;
		return true;
	}
	return false;
}

/* seq is ESC [ ... final. */
static bool control_sequence(struct checker *checker, struct buf *out)
{
	const char *p = checker->seq + 2, *end = checker->seq + checker->n_seq - 1;
	char final = *end;
	bool private = *p == '?';
	long params[MAX_PARAMS];
	size_t n = 0;
	bool ok;

	if (keyboard(checker, &ok))
		return ok;
	if (private)
		p++;
	while (p < end || (p == end && n == 0)) {
		if (n == MAX_PARAMS)
			return false;
		if (p == end || *p == ';') {
			params[n++] = -1;
		} else {
			char *stop;
			unsigned long value = strtoul(p, &stop, 10);

			if (stop == p || value > 99999)
				return false;
			params[n++] = (long)value;
			p = stop;
		}
		if (p < end && *p++ != ';')
			return false;
	}
	if (private && (final == 's' || final == 'r')) { /* modes saved and restored */
		if (n != 1 || params[0] != 1007)
			return false;
		if (final == 'r')
			set_mode(checker, MODE_WHEEL_QUIET, false);
		return true;
	}
	checker->n_moves += final != 'm' && !is_paste_mode(checker);
	if (private)
		return (final == 'h' || final == 'l') && private_modes(checker, params, n, final == 'h');
	switch (final) {
	case 'J':
		checker->n_clears += params[0] == 2 || checker->clear_armed;
		break;
	case 'A': case 'B': case 'C': case 'D': case 'E': case 'F': case 'G': case 'H':
	case 'I': case 'K': case 'L': case 'M': case 'P': case 'S': case 'T': case 'X':
	case 'Z': case '@': case 'd': case 'f': case 'r':
		break;
	case 'b': /* REP */
		if (checker->n_last == 0 || params[0] > MAX_REPEAT)
			return false;
		for (long i = 0; i < (params[0] < 1 ? 1 : params[0]); i++)
			buf_append(out, checker->last, checker->n_last);
		checker->n_seq = 0; /* written out */
		return true;
	case 'm':
		return attributes(checker, params, n);
	case 'h': case 'l':
		if (n != 1 || params[0] != 4)
			return false;
		set_mode(checker, MODE_INSERT, final == 'h');
		break;
	case 't': /* smcup and rmcup push and pop the title, too */
		if (!is_title_stack(params, n) && !keeps_title(checker, params, n))
			return false;
		break;
	default:
		return false;
	}
	checker->clear_armed = final == 'H' && params[0] <= 1 && (n < 2 || params[1] <= 1);
	return true;
}

/* What curses sends by itself when it comes back from the shell: the colours
 * of the palette as they were. No other string goes to the terminal. */
static const char reset_palette[] = "\033]104\a";

static bool short_escape(struct checker *checker)
{
	switch (checker->seq[1]) {
	case '7': case '8': case 'M': case 'D': case 'E':
		checker->n_moves++;
		return true;
	case '=':
		checker->modes |= MODE_KEYPAD;
		return true;
	case '>':
		checker->modes &= ~(unsigned)MODE_KEYPAD;
		return true;
	case '(':
		/* Said with each reset of attributes, and nothing new; but libvterm would from then on
		 * read ASCII apart from a mark that follows, and lose the mark in the last column. */
		if (checker->seq[2] == 'B' && !(checker->modes & MODE_LINE_DRAWING)) {
			checker->n_seq = 0;
			return true;
		}
		set_mode(checker, MODE_LINE_DRAWING, checker->seq[2] == '0');
		return checker->seq[2] == '0' || checker->seq[2] == 'B';
	default:
		return false;
	}
}

/* Characters that show nothing or move what others show; terminal/cells.h has to
 * spell them out. U+200C, U+200D and U+FE0F may stand inside a cluster. */
static bool is_forbidden(int32_t cp)
{
	return (cp >= 0x80 && cp < 0xa0) || cp == 0xad || cp == 0x61c || cp == 0x180e ||
	       cp == 0x200b || cp == 0x200e || cp == 0x200f || (cp >= 0x2028 && cp <= 0x202e) ||
	       (cp >= 0x2060 && cp <= 0x206f) || cp == 0xfeff || (cp >= 0xe000 && cp <= 0xf8ff) ||
	       cp >= 0xe0000;
}

/* The bytes in seq are complete, or can still become something: false. */
static bool complete(struct checker *checker, struct buf *out)
{
	unsigned char first = (unsigned char)checker->seq[0];
	unsigned char last = (unsigned char)checker->seq[checker->n_seq - 1];
	int32_t cp;

	if (first == ESC) {
		if (checker->n_seq == 1)
			return false;
		if (checker->seq[1] == '[') {
			if (checker->n_seq == 2)
				return false;
			if (last >= 0x20 && last < 0x40) {
				if (checker->n_seq < sizeof(checker->seq) - 1)
					return false;
				violate(checker, "endless control sequence");
			} else if (!control_sequence(checker, out)) {
				violate(checker, "control sequence");
			}
			return true;
		}
		if (checker->seq[1] == '(' && checker->n_seq == 2)
			return false;
		if (memcmp(checker->seq, reset_palette, checker->n_seq) == 0)
			return reset_palette[checker->n_seq] == '\0';
		if (!short_escape(checker))
			violate(checker, "escape sequence");
		return true;
	}
	if (first < 0x20 || first == 0x7f) {
		if (!strchr("\a\b\t\n\r\016\017", first) || first == 0)
			violate(checker, "control character");
		checker->n_bells += first == '\a';
		return true;
	}
	utf8_decode(checker->seq, checker->n_seq, &cp);
	if (cp == -2)
		return false;
	if (cp == -1)
		violate(checker, "ill-formed UTF-8");
	else if (is_forbidden(cp))
		violate(checker, "forbidden character");
	checker->clear_armed = false;
	memcpy(checker->last, checker->seq, checker->n_seq > 4 ? 4 : checker->n_seq);
	checker->n_last = checker->n_seq;
	return true;
}

/* True: the byte belongs to a copy to the clipboard. */
static bool is_copied(struct checker *checker, char byte)
{
	bool begins = checker->n_seq == 1 && checker->seq[0] == ESC;
	bool is_52 = checker->n_seq == 2 && memcmp(checker->seq, "\033]", 2) == 0 && byte == '5';
	enum copied_answer answer;

	if (!checker->wants_copies || (begins && byte == ']')) /* the number tells */
		return false;
	if (is_52)
		copied_take(&checker->copied, true, ']');
	answer = copied_take(&checker->copied, begins, byte);
	if (answer == COPIED_NOTHING)
		return false;
	checker->n_seq = 0; /* nothing is shown */
	if (answer == COPIED_WRONG)
		violate(checker, "copy to the clipboard");
	return true;
}

/* The text of a title or notification: like what is shown, and one line. */
static bool is_clean(const char *text)
{
	size_t n = strlen(text);

	for (size_t at = 0; at < n;) {
		int32_t cp;
		size_t len = utf8_decode(text + at, n - at, &cp);

		if (cp < 0x20 || cp == 0x7f || is_forbidden(cp))
			return false;
		at += len;
	}
	return true;
}

static void end_string(struct checker *checker)
{
	char *string = checker->string;

	string[checker->n_string] = '\0';
	checker->n_string = 0;
	if (!is_clean(string) ||
	    !(strncmp(string, "2;", 2) == 0 ? checker->modes & MODE_TITLE : checker->wants_notices)) {
		violate(checker, "title or notification");
	} else if (string[0] == '2') {
		snprintf(checker->title, sizeof checker->title, "%s", string + 2);
	} else {
		snprintf(checker->notice, sizeof checker->notice, "%s", string);
		checker->n_notices++;
	}
}

/* True: the byte belongs to a title or a notification, up to its BEL. */
static bool is_in_string(struct checker *checker, char byte)
{
	static const char *const begins[] = {"\033]2;", "\033]9;", "\033]777;"};

	if (checker->n_string) {
		if (byte == '\a')
			end_string(checker);
		else if (checker->n_string < sizeof checker->string - 1)
			checker->string[checker->n_string++] = byte;
		return true;
	}
	for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++) {
		size_t len = strlen(begins[i]);

		if (checker->n_seq != len - 1 || byte != ';' ||
		    memcmp(checker->seq, begins[i], len - 1) != 0)
			continue;
		checker->n_string = len - 2;
		memcpy(checker->string, begins[i] + 2, len - 2);
		checker->n_seq = 0;
		return true;
	}
	return false;
}

/* The beginning of one of these: more is needed to tell. */
static bool may_be_string(const struct checker *checker)
{
	static const char *const begins[] = {"\033]2", "\033]9", "\033]777"};

	for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++)
		if (strncmp(begins[i], checker->seq, checker->n_seq) == 0 &&
		    checker->n_seq <= strlen(begins[i]))
			return true;
	return false;
}

void checker_feed(struct checker *checker, const char *bytes, size_t n, struct buf *out)
{
	for (size_t i = 0; i < n; i++) {
		if (is_copied(checker, bytes[i]) || is_in_string(checker, bytes[i]))
			continue;
		checker->seq[checker->n_seq++] = bytes[i];
		if ((checker->n_seq > 1 && may_be_string(checker)) || !complete(checker, out))
			continue;
		buf_append(out, checker->seq, checker->n_seq);
		checker->n_seq = 0;
	}
}
