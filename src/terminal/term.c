#include "terminal/term.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <curses.h>
#include <termcap.h>

#include "base/alloc.h"
#include "base/io.h"
#include "base/limits.h"
#include "base/sys.h"
#include "terminal/direct_color.h"
#include "terminal/osc.h"
#include "terminal/signals.h"
#include "terminal/test_marks.h"

#define PASTE_ON "\033[?2004h"
#define PASTE_OFF "\033[?2004l"
/* Presses and drags (1000, 1002), with coordinates as numbers (1006). */
#define MOUSE_ON "\033[?1000h\033[?1002h\033[?1006h"
#define MOUSE_OFF "\033[?1006l\033[?1002l\033[?1000l"

/* In the alternate screen many terminals turn the wheel into cursor keys, which would move through
 * the input history. The mode is saved and restored if the terminal can do that, and otherwise left
 * on, which is the usual default. */
#define WHEEL_KEYS_OFF "\033[?1007s\033[?1007l"
#define WHEEL_KEYS_BACK "\033[?1007h\033[?1007r"
/* CSI I and CSI O when the window gets and loses the focus. */
#define FOCUS_ON "\033[?1004h"
#define FOCUS_OFF "\033[?1004l"
/* xterm's stack of titles: what we found is there meanwhile. */
#define TITLE_PUSH "\033[22;2t"
#define TITLE_POP "\033[23;2t"
#define MODES_ON PASTE_ON WHEEL_KEYS_OFF
#define MODES_OFF FOCUS_OFF MOUSE_OFF PASTE_OFF WHEEL_KEYS_BACK

enum { TITLE_MAX = 256 };
enum { LOG_MAX = 1 << 20 }; /* a longer log is started again */

struct term {
	SCREEN *screen;
	struct termios before; /* the modes that we found */
	int stderr_before;     /* -1: not redirected */
	bool mouse, focus;
	enum keyboard_way keyboard;
	bool reflows;
	uint64_t asked_at; /* 0: the keyboard has not been asked for */
	bool takes_title, titled; /* titled: the one from before is on the terminal's stack */
	char title[TITLE_MAX]; /* "": none of ours */
	bool plain;            /* no curses: normal output */
	struct termios own;    /* plain: the modes that we have set */
	int rows, cols;        /* plain: its size */
	bool entered; /* the screen has been ours */
	bool away;
	size_t n_typed; /* bytes that wait, of before the modes were ours */
	struct test_marks marks;
};

void term_set_locale(void)
{
	if (!setlocale(LC_ALL, "") || strcasecmp(nl_langinfo(CODESET), "UTF-8") != 0) {
		const char *all = getenv("LC_ALL");

		setlocale(LC_CTYPE, "C.UTF-8");
		/* Readline asks the environment again for each line. The language stays. */
		setenv("LC_CTYPE", "C.UTF-8", 1);
		if (all && all[0])
			setenv("LC_MESSAGES", all, 1);
		unsetenv("LC_ALL");
	}
	setlocale(LC_NUMERIC, "C");
}

/* Modes that curses does not know are written past its own buffer: only while that is empty, as
 * after a refresh, so that they do not land inside a sequence. */
static bool write_past_curses(const char *bytes, size_t n)
{
	size_t done;

	/* If the terminal is gone, poll says so. */
	return !io_write_all(&io_system, STDOUT_FILENO, bytes, n, &done);
}

static void write_modes(const char *text)
{
	write_past_curses(text, strlen(text));
}

/* Messages of libraries go to $XDG_STATE_HOME/sotto/log, or nowhere. */
static void redirect_stderr(struct term *term)
{
	struct buf path = {.max = KIB(8)};
	struct stat st;
	int fd = -1;

	if (sys_user_path(SYS_DIR_STATE, "", &path, NULL) == STATUS_OK &&
	    sys_make_dirs(buf_text(&path), NULL) == STATUS_OK && buf_puts(&path, "/log") == STATUS_OK)
		fd = open(buf_text(&path), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
	buf_free(&path);
	if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size > LOG_MAX && ftruncate(fd, 0) != 0)
		st.st_size = 0; /* it keeps growing: no harm */
	if (fd < 0)
		fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	fflush(stderr);
	term->stderr_before = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	if (term->stderr_before >= 0)
		dup2(fd, STDERR_FILENO);
	close(fd);
}

static void restore_stderr(struct term *term)
{
	if (term->stderr_before < 0)
		return;
	fflush(stderr);
	dup2(term->stderr_before, STDERR_FILENO);
	close(term->stderr_before);
	term->stderr_before = -1;
}

const char *term_capability(const char *name)
{
	const char *text = tigetstr(name);

	return text == (const char *)-1 ? NULL : text;
}

void term_put_capability(struct buf *out, const char *text)
{
	while (text && *text) {
		const char *end = text[0] == '$' && text[1] == '<' ? strchr(text, '>') : NULL;

		if (!end)
			buf_putc(out, *text);
		text = (end ? end : text) + 1;
	}
}

bool term_is_dumb(void)
{
	const char *name = sys_variable("TERM");

	return !name || strcmp(name, "dumb") == 0;
}

/* A plain terminal is asked for bracketed paste, as readline does: without it a paste of several
 * lines would be several messages. */
static const char *plain_modes(bool on)
{
	return term_is_dumb() ? "" : on ? PASTE_ON : PASTE_OFF;
}

/* What a crash has to write: prepared now, since nothing can be asked then. */
static void arm_restore(struct term *term)
{
	struct buf text = {.max = SIGNALS_RESTORE_MAX};

	buf_puts(&text, keyboard_off(term->keyboard));
	buf_puts(&text, term->plain ? plain_modes(false) : MODES_OFF);
	if (term->titled)
		buf_puts(&text, TITLE_POP);
	if (!term->plain) {
		static const char *const names[] = {"sgr0", "op", "rmcup", "cnorm"};

		for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
			term_put_capability(&text, term_capability(names[i]));
	}
	buf_puts(&text, "\r\n");
	if (!buf_status(&text))
		signals_set_restore(STDOUT_FILENO, buf_text(&text), text.len, &term->before);
	buf_free(&text);
}

/* In one write with what turns it off before: a crash in between would turn it off twice, and some terminals
 * count. */
static void turn_keyboard_on(const struct term *term, const char *off)
{
	char text[64];

	snprintf(text, sizeof text, "%s%s", off, keyboard_on(term->keyboard));
	write_modes(text);
}

static void ask_for_keyboard(struct term *term)
{
	if (!keyboard_can_ask(getenv("TERM")))
		return;
	write_modes(KEYBOARD_ASK);
	term->asked_at = sys_now_ms();
}

/* What has been asked is answered to us, and not to the shell or the editor that reads the terminal next.
 * An answer that has not come for so long will not come. */
static void await_answer(struct term *term)
{
	enum { ANSWER_MS = 1000, READ_MS = 250 };
	static const char second[] = "\033[>";
	size_t matched = 0;

	if (!term->asked_at || term->keyboard != KEYBOARD_UNKNOWN || sys_now_ms() - term->asked_at > ANSWER_MS)
		return;
	if (tcgetpgrp(STDIN_FILENO) != getpgrp())
		return; /* reading would stop us */
	for (bool done = false; !done;) {
		struct pollfd fd = {.fd = STDIN_FILENO, .events = POLLIN};
		char byte;

		if (poll(&fd, 1, READ_MS) != 1 || read(STDIN_FILENO, &byte, 1) != 1)
			break;
		if (matched == sizeof second - 1)
			done = byte >= '@';
		else
			matched = byte == second[matched] ? matched + 1 : byte == second[0];
	}
	term->asked_at = 0;
}

void term_on_report(struct term *term, enum input_report report, uint32_t number)
{
	enum keyboard_way before = term->keyboard;

	if (report == REPORT_TERMINAL)
		term->reflows = keyboard_reflows(number);
	if (!term->asked_at || term->away || !keyboard_learn(&term->keyboard, report, number))
		return;
	arm_restore(term); /* first, lest a crash in between leaves it on */
	turn_keyboard_on(term, keyboard_off(before));
}

bool term_reflows(const struct term *term)
{
	return term->reflows;
}

enum keyboard_way term_keyboard(const struct term *term)
{
	return term->keyboard;
}

/* Enter (CR) and Ctrl+J (LF) stay different, all control characters arrive. */
static void read_keys(struct termios *modes)
{
	modes->c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IGNCR | ISTRIP | IXON | IXOFF);
	modes->c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG | IEXTEN);
	modes->c_cc[VMIN] = 1;
	modes->c_cc[VTIME] = 0;
}

static void set_modes(void)
{
	struct termios modes;

	raw();
	noecho();
	nonl();
	if (tcgetattr(STDIN_FILENO, &modes) == 0) {
		read_keys(&modes);
		tcsetattr(STDIN_FILENO, TCSADRAIN, &modes);
	}
	def_prog_mode();
}

/* Right after the modes were set: what is there was typed before. */
static void count_typed(struct term *term)
{
	int n = 0;

	if (ioctl(STDIN_FILENO, FIONREAD, &n) == 0 && n > 0)
		term->n_typed = (size_t)n;
}

size_t term_take_typed(struct term *term)
{
	size_t n = term->n_typed;

	term->n_typed = 0;
	return n;
}

/* With direct colour, if the terminal has it. */
static SCREEN *open_screen(const char *name)
{
	char *described = direct_color_is_offered() ? direct_color_describe(name) : NULL;
	const char *value = getenv("TERMINFO");
	char *before = value ? alloc_strndup(value, strlen(value)) : NULL;
	SCREEN *screen = NULL;

	if (described && (before || !value) && setenv("TERMINFO", described, 1) == 0) {
		screen = newterm(NULL, stdout, stdin);
		if (before)
			setenv("TERMINFO", before, 1);
		else
			unsetenv("TERMINFO");
	}
	free(before);
	free(described);
	return screen ? screen : newterm(NULL, stdout, stdin);
}

static void write_title(struct term *term)
{
	struct buf bytes = {.max = KIB(4)};

	if (!term->title[0] || !term->takes_title)
		return;
	if (!term->titled)
		buf_puts(&bytes, TITLE_PUSH);
	if (!osc_put_title(&bytes, term->title)) {
		if (!term->titled) { /* first, lest a crash in between leaves ours there */
			term->titled = true;
			arm_restore(term);
		}
		write_past_curses(bytes.data, bytes.len);
	}
	buf_free(&bytes);
}

static void give_title_back(struct term *term)
{
	if (term->titled)
		write_modes(TITLE_POP);
	term->titled = false;
}

static void leave_screen(struct term *term)
{
	await_answer(term);
	write_modes(keyboard_off(term->keyboard));
	write_modes(term->plain ? plain_modes(false) : MODES_OFF);
	give_title_back(term);
	if (!term->plain)
		endwin();
}

/* *out is to be closed, also after an error. */
static enum status create(struct term **out, bool plain, struct error *err)
{
	struct term *term = *out = alloc_array(1, sizeof *term);

	if (!term)
		return error_no_memory(err, "for the screen");
	term->stderr_before = -1;
	term->plain = plain;
	test_marks_init(&term->marks);
	term_set_locale();
	if (tcgetattr(STDIN_FILENO, &term->before) != 0)
		return error_errno(err, errno, "standard input is not a terminal");
	return signals_open(err);
}

/* A terminal that cannot show a screen. */
#define WHAT_TO_DO "; `sotto --accessible` chats on any terminal, `sotto run` answers one prompt"

static enum status start_curses(struct term *term, struct error *err)
{
	const char *name = sys_variable("TERM");

	if (!name)
		return error_set(err, STATUS_USAGE, "TERM, which names the type of terminal, is not set"
		                 WHAT_TO_DO);
	/* Checked first, since newterm leaks memory for a type that it does not know. */
	if (tgetent(NULL, name) == 1)
		term->screen = open_screen(name);
	if (!term->screen)
		return error_set(err, STATUS_USAGE, "this machine has no description of the terminal "
		                 "TERM=%.64s" WHAT_TO_DO, name);
	if (!term_capability("cup") || !term_capability("clear"))
		return error_set(err, STATUS_USAGE, "the terminal TERM=%.64s cannot move its cursor"
		                 WHAT_TO_DO, name);
	term->takes_title = osc_are_taken_by(name);
	return STATUS_OK;
}

enum status term_open(struct term **out, struct error *err)
{
	struct term *term;
	enum status status = create(&term, false, err);

	if (!status)
		status = start_curses(term, err);
	if (status) {
		term_close(term);
		return status;
	}
	term->entered = true;
	arm_restore(term);
	redirect_stderr(term);
	set_modes();
	count_typed(term);
	typeahead(-1); /* a frame is written whole, whatever is typed meanwhile: nothing may come that draws the rest */
	leaveok(stdscr, FALSE);
	idlok(stdscr, FALSE);
	term_resize(term);
	curs_set(1); /* sends what curses has held back since newterm */
	write_modes(MODES_ON);
	ask_for_keyboard(term);
	*out = term;
	return STATUS_OK;
}

enum status term_open_plain(struct term **out, struct error *err)
{
	struct term *term;
	enum status status = create(&term, true, err);

	if (status) {
		term_close(term);
		return status;
	}
	term->own = term->before;
	read_keys(&term->own);
	term->own.c_oflag |= OPOST | ONLCR;
	term->entered = true;
	arm_restore(term);
	redirect_stderr(term);
	tcsetattr(STDIN_FILENO, TCSADRAIN, &term->own);
	term_resize(term);
	write_modes(plain_modes(true));
	ask_for_keyboard(term);
	*out = term;
	return STATUS_OK;
}

void term_close(struct term *term)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, before;

	if (!term)
		return;
	/* In the background, changing modes would stop us for good. */
	sigaction(SIGTTOU, &ignore, &before);
	if (term->entered && !term->away)
		leave_screen(term);
	if (term->entered || term->screen) {
		tcsetattr(STDIN_FILENO, TCSADRAIN, &term->before);
		signals_set_restore(-1, NULL, 0, NULL);
	}
	if (term->screen)
		delscreen(term->screen);
	sigaction(SIGTTOU, &before, NULL);
	restore_stderr(term);
	signals_close();
	free(term);
}

struct test_marks *term_test_marks(struct term *term)
{
	return &term->marks;
}

int term_stderr(const struct term *term)
{
	return term->stderr_before >= 0 ? term->stderr_before : STDERR_FILENO;
}

bool term_resize(struct term *term)
{
	struct winsize size;
	int rows, cols;

	term_size(term, &rows, &cols);
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || !size.ws_row || !size.ws_col ||
	    (rows == size.ws_row && cols == size.ws_col))
		return false;
	term->rows = size.ws_row;
	term->cols = size.ws_col;
	if (!term->plain)
		resizeterm(term->rows, term->cols);
	return true;
}

void term_size(const struct term *term, int *rows, int *cols)
{
	*rows = !term->plain ? LINES : term->rows ? term->rows : 24;
	*cols = !term->plain ? COLS : term->cols ? term->cols : 80;
}

/* The terminal's scrolling region becomes all of it: where a frame that scrolled part of the screen, and
 * set the region back, met a new size, it was set to the old size, and curses does not look. */
static void free_margins(const struct term *term)
{
	struct buf text = {.max = KIB(1)};
	const char *set = term_capability("csr");

	if (set)
		term_put_capability(&text, tiparm(set, 0, LINES - 1));
	if (!buf_status(&text) && !term->away)
		write_modes(buf_text(&text));
	buf_free(&text);
}

void term_redraw(const struct term *term)
{
	if (term->plain)
		return;
	free_margins(term);
	clearok(curscr, TRUE);
}

static void set_mode(struct term *term, bool *is_on, bool on, const char *bytes)
{
	if (*is_on == on || term->plain)
		return;
	*is_on = on;
	if (!term->away)
		write_modes(bytes);
}

void term_set_mouse(struct term *term, bool on)
{
	set_mode(term, &term->mouse, on, on ? MOUSE_ON : MOUSE_OFF);
}

void term_set_focus_reports(struct term *term, bool on)
{
	set_mode(term, &term->focus, on, on ? FOCUS_ON : FOCUS_OFF);
}

void term_set_title(struct term *term, const char *title)
{
	if (strcmp(term->title, title) == 0)
		return;
	snprintf(term->title, sizeof term->title, "%s", title);
	if (term->away)
		return;
	if (title[0]) {
		write_title(term);
	} else {
		give_title_back(term);
		arm_restore(term);
	}
}

bool term_send(struct term *term, const char *bytes, size_t n)
{
	return !term->away && write_past_curses(bytes, n);
}

void term_leave(struct term *term)
{
	if (term->away)
		return;
	term->away = true;
	test_marks_leave(&term->marks);
	leave_screen(term);
	tcsetattr(STDIN_FILENO, TCSADRAIN, &term->before);
	signals_set_restore(-1, NULL, 0, NULL);
}

void term_return(struct term *term)
{
	const char *again = term->away ? "" : keyboard_off(term->keyboard); /* it was stopped from outside */

	term->away = false;
	test_marks_return(&term->marks);
	arm_restore(term); /* first, lest a crash in between leaves it ours */
	if (term->plain) {
		tcsetattr(STDIN_FILENO, TCSADRAIN, &term->own);
		write_modes(plain_modes(true));
		turn_keyboard_on(term, again);
		term_resize(term);
		return;
	}
	reset_prog_mode();
	count_typed(term);
	write_modes(term->mouse ? MODES_ON MOUSE_ON : MODES_ON);
	if (term->focus)
		write_modes(FOCUS_ON);
	write_title(term);
	term_resize(term);
	term_redraw(term);
	refresh(); /* the next refresh ends endwin: smcup, and the whole screen */
	turn_keyboard_on(term, again); /* which the alternate screen has for itself */
}
