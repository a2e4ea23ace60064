#include "screen/harness.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/sys.h"
#include "base/utf8.h"
#include "screen/keys.h"

enum { TAIL = 2048, RESTORE_MS = 3000, MIN_VT_ROWS = 1, MIN_VT_COLS = 4, GRACE_MS = 2000,
       READ_MAX = 65536 };

static struct screen *live;

/* From here on: making and ending. */

static void show_live(void)
{
	for (struct screen *s = live; s; s = s->next) {
		screen_dump(s);
		printf("last bytes: ");
		for (size_t i = 0; i < s->tail.len; i++) {
			unsigned char c = (unsigned char)s->tail.data[i];

			if (c >= 0x20 && c != 0x7f)
				putchar(c);
			else
				printf("<%02X>", c);
		}
		printf("\n");
		shell_job_close(&s->job);
	}
}

static void on_term(int sig)
{
	(void)sig;
	/* The runner's patience is over; the process is about to end, and the
	 * test sits in poll or in its own loop, so that stdio is worth the risk. */
	test_fail("runner", 0, "time limit");
}

const char *screen_home(const char *path)
{
	char name[300];

	snprintf(name, sizeof(name), "home/%s", path);
	return test_path(name);
}

static void add_env(char **env, size_t *n, const char *entry)
{
	size_t len = strcspn(entry, "=");

	for (size_t i = 0; i < *n; i++) {
		if (strncmp(env[i], entry, len) == 0 && env[i][len] == '=') {
			free(env[i]);
			env[i] = env[--*n];
			break;
		}
	}
	if (entry[len] == '=')
		env[(*n)++] = strdup(entry);
	env[*n] = NULL;
}

static void add_env_printf(char **env, size_t *n, const char *fmt, const char *a, const char *b)
{
	char entry[4096];

	snprintf(entry, sizeof(entry), fmt, a, b);
	add_env(env, n, entry);
}

/* Sanitizer reports go to files that the runner looks for. */
static void add_sanitizer(char **env, size_t *n, const char *name)
{
	const char *now = getenv(name);
	char options[4096];

	snprintf(options, sizeof(options), "%s=log_path=%s/sanitizer%s%s", name, test_directory(),
	         now ? ":" : "", now ? now : "");
	add_env(env, n, options);
}

static void make_env(char **env, const struct screen_options *options)
{
	const char *path = getenv("PATH");
	size_t n = 0;

	add_env_printf(env, &n, "PATH=%s%s", path ? path : "/usr/bin:/bin", "");
	add_env(env, &n, "TERM=xterm-256color");
	add_env(env, &n, "SOTTO_TEST_WEIGHT_RATE=20e9"); /* the same on every machine */
	add_env(env, &n, "SOTTO_TEST_MARKS=1");
	add_env(env, &n, "SOTTO_OFFER_SERVERS=no"); /* what listens on this machine is not the tests' */
	add_env_printf(env, &n, "HOME=%s/%s", test_directory(), "home");
	add_env_printf(env, &n, "XDG_CONFIG_HOME=%s/%s", test_directory(), "home/config");
	add_env_printf(env, &n, "XDG_DATA_HOME=%s/%s", test_directory(), "home/data");
	add_env_printf(env, &n, "XDG_STATE_HOME=%s/%s", test_directory(), "home/state");
	add_env_printf(env, &n, "XDG_CACHE_HOME=%s/%s", test_directory(), "home/cache");
	add_env_printf(env, &n, "INPUTRC=%s/%s", test_directory(), "home/inputrc");
	add_sanitizer(env, &n, "ASAN_OPTIONS");
	add_sanitizer(env, &n, "UBSAN_OPTIONS");
	add_sanitizer(env, &n, "TSAN_OPTIONS");
	/* newterm without a description of the terminal loses a block of its own. */
	test_write_text(test_path("lsan"), "leak:new_prescr\n");
	add_env_printf(env, &n, "LSAN_OPTIONS=print_suppressions=0:suppressions=%s%s", test_path("lsan"), "");
	for (size_t i = 0; i < SCREEN_MAX_ARGS && options->env[i]; i++)
		add_env(env, &n, options->env[i]);
}

static int clamp_rows(int rows)
{
	return rows < MIN_VT_ROWS ? MIN_VT_ROWS : rows;
}

/* libvterm dies below two columns; what it shows there is not looked at. */
static int clamp_cols(int cols)
{
	return cols < MIN_VT_COLS ? MIN_VT_COLS : cols;
}

struct screen *screen_start(const struct screen_options *options)
{
	const char *binary = getenv("SOTTO_BINARY");
	const char *argv[SCREEN_MAX_ARGS + 2] = {0};
	char *env[64] = {0};
	struct shell_job_options job = {0};
	struct screen *s = calloc(1, sizeof(*s));

	EXPECT(s, "memory");
	test_on_fail(show_live);
	signal(SIGTERM, on_term);
	signal(SIGPIPE, SIG_IGN);
	test_make_directory(screen_home(""));
	s->rows = options->rows ? options->rows : 24;
	s->cols = options->cols ? options->cols : 80;
	buf_init(&s->written, MIB(64));
	buf_init(&s->text, MIB(4));
	buf_init(&s->tail, MIB(1));
	checker_init(&s->checker);
	s->lenient = options->other_terminal;
	s->keyboard = options->keyboard ? options->keyboard : "\033[>41;380;0c";
	s->vt = vterm_new(clamp_rows(s->rows), clamp_cols(s->cols));
	vterm_set_utf8(s->vt, 1);
	s->cells = vterm_obtain_screen(s->vt);
	vterm_screen_enable_altscreen(s->cells, 1);
	vterm_screen_reset(s->cells, 1);

	argv[0] = options->program ? options->program : binary && *binary ? binary : TEST_BUILDDIR "/sotto";
	for (size_t i = 0; i < SCREEN_MAX_ARGS && options->args[i]; i++)
		argv[i + 1] = options->args[i];
	make_env(env, options);
	job.rows = s->rows;
	job.cols = s->cols;
	job.directory = test_directory();
	job.argv = argv;
	job.environ = (const char *const *)env;
	job.leads_session = options->leads_session;
	job.typed = options->typed;
	s->n_sent = options->typed ? strlen(options->typed) : 0;
	shell_job_start(&s->job, &job);
	for (size_t i = 0; env[i]; i++)
		free(env[i]);
	s->next = live;
	live = s;
	return s;
}

void screen_free(struct screen *s)
{
	struct screen **link = &live;

	while (*link && *link != s)
		link = &(*link)->next;
	if (*link)
		*link = s->next;
	shell_job_close(&s->job);
	vterm_free(s->vt);
	buf_free(&s->written);
	buf_free(&s->text);
	buf_free(&s->tail);
	checker_deinit(&s->checker);
	free(s->masked);
	free(s);
}

/* From here on: bytes in and out. */

/* The marks that synthetic replies have: accents, the joiner, variation selectors. */
static bool is_mark(int32_t cp)
{
	return (cp >= 0x300 && cp < 0x370) || cp == 0x200d || (cp >= 0xfe00 && cp < 0xfe10);
}

/* How what ends in the row's last column is written once more, if that is where the cursor is. */
static void append_last_column(struct screen *s, struct buf *out)
{
	VTermScreenCell cell;
	VTermPos at;
	int rows, cols;
	char bytes[UTF8_MAX];

	vterm_get_size(s->vt, &rows, &cols);
	vterm_state_get_cursorpos(vterm_obtain_state(s->vt), &at);
	if (!vterm_screen_get_cell(s->cells, at, &cell) || at.col + cell.width < cols)
		return;
	buf_printf(out, "\033[%dG", at.col + 1);
	for (size_t i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell.chars[i]; i++)
		buf_append(out, bytes, utf8_encode(cell.chars[i], bytes));
}

/* libvterm loses a combining mark that comes apart from a base in the last column, where the
 * cursor does not move on: it gets the base again. `bytes` are whole characters. */
static void feed(struct screen *s, const char *bytes, size_t n)
{
	struct buf out = {.max = MIB(64)};
	int32_t cp;

	if (utf8_decode(bytes, n, &cp) && is_mark(cp))
		append_last_column(s, &out);
	buf_append(&out, bytes, n);
	vterm_input_write(s->vt, out.data, out.len);
	buf_free(&out);
}

static void take(struct screen *s, const char *bytes, size_t n)
{
	struct buf plain = {.max = MIB(64)};

	checker_feed(&s->checker, bytes, n, &plain);
	if (plain.len)
		feed(s, plain.data, plain.len);
	buf_free(&plain);
	for (; s->n_answered < s->checker.n_asked; s->n_answered++)
		if (write(s->job.terminal, s->keyboard, strlen(s->keyboard)) < 0)
			test_fail(__FILE__, __LINE__, "write: %s", strerror(errno));
	s->n_bytes += n;
	s->last_us = sys_now_us();
	buf_append(&s->tail, bytes, n);
	if (s->secret && memmem(s->tail.data, s->tail.len, s->secret, strlen(s->secret)))
		test_fail(__FILE__, __LINE__, "the program wrote '%s'", s->secret);
	if (s->tail.len > TAIL)
		buf_remove(&s->tail, 0, s->tail.len - TAIL);
	if (s->checker.violation[0] && !s->lenient)
		test_fail("checker", 0, "the program wrote a forbidden %s", s->checker.violation);
}

/* What can be read now. */
static void read_output(struct screen *s)
{
	char bytes[READ_MAX];
	ssize_t got = read(s->job.terminal, bytes, sizeof bytes);

	if (got > 0) {
		EXPECT(buf_append(&s->written, bytes, (size_t)got) == STATUS_OK, "memory");
	} else if (got < 0 && errno == EIO) {
		usleep(2000); /* the program led the session and has closed its side */
	}
}

#define MARK "\033_sotto:"
#define MARK_END "\033\\"

/* Where the next mark begins, which may be cut off; `written.len` if there is none. */
static size_t find_mark(const struct buf *written)
{
	for (size_t at = 0; at < written->len; at++) {
		size_t n = written->len - at < strlen(MARK) ? written->len - at : strlen(MARK);

		if (memcmp(written->data + at, MARK, n) == 0)
			return at;
	}
	return written->len;
}

/* What the mark with this text says. */
static void note_mark(struct screen *s, const char *text)
{
	s->has_marks = true;
	s->in_frame = strncmp(text, "frame", 5) == 0;
	if (strncmp(text, "away", 4) == 0)
		s->away = true;
	if (strncmp(text, "end:", 4) == 0)
		s->n_taken = strtoull(text + 4, NULL, 10);
	if (strncmp(text, "back:", 5) == 0) { /* others may have read what was sent */
		s->away = false;
		s->n_sent = s->n_taken = strtoull(text + 5, NULL, 10);
	}
	if (s->n_sent < s->n_taken)
		s->n_sent = s->n_taken;
}

static void take_first(struct screen *s, size_t n)
{
	if (n)
		take(s, s->written.data, n);
	buf_remove(&s->written, 0, n);
}

/* Takes what was written, up to the end of the first frame in it: true if there is one. A frame is
 * taken whole or not at all, unless there will be no more of it. */
static bool take_written(struct screen *s, bool ended)
{
	for (;;) {
		size_t n = find_mark(&s->written);
		bool was_frame = s->in_frame;
		const char *end = n < s->written.len ? strstr(buf_text(&s->written) + n, MARK_END) : NULL;

		if (!end) {
			if (ended)
				take_first(s, s->written.len);
			else if (!was_frame)
				take_first(s, n);
			return false;
		}
		take_first(s, n);
		end = strstr(buf_text(&s->written), MARK_END);
		note_mark(s, s->written.data + strlen(MARK));
		buf_remove(&s->written, 0, (size_t)(end - s->written.data) + strlen(MARK_END));
		if (was_frame)
			return true;
	}
}

/* One round of poll. Writes from *out as the terminal takes it. */
static void exchange(struct screen *s, int ms, const char **out, size_t *n_out)
{
	bool writing = out && *n_out > 0;
	struct pollfd fds[2] = {
		{.fd = s->job.terminal, .events = (short)(writing ? POLLIN | POLLOUT : POLLIN)},
		{.fd = s->job.reports, .events = POLLIN},
	};
	ssize_t got;

	if (!writing && take_written(s, false))
		return;
	if (s->job.state == JOB_ENDED || s->job.state == JOB_LOST)
		fds[1].fd = -1;
	/* A direct or orphaned child reports nothing: look at it now and then. */
	if ((s->job.reports < 0 || s->job.program == s->job.leader) && ms > 5)
		ms = 5;
	if (poll(fds, 2, ms) < 0 && errno != EINTR)
		test_fail(__FILE__, __LINE__, "poll: %s", strerror(errno));
	if (fds[0].revents & (POLLIN | POLLHUP))
		read_output(s);
	if (writing && fds[0].revents & POLLOUT) {
		got = write(s->job.terminal, *out, *n_out);
		if (got > 0) {
			s->n_sent += (uint64_t)got;
			*out += got;
			*n_out -= (size_t)got;
		}
	}
	if (shell_job_poll(&s->job))
		s->ended_ms = s->job.state == JOB_ENDED ? sys_now_ms() : 0;
	if (!writing || s->job.state != JOB_RUNNING)
		take_written(s, s->job.state != JOB_RUNNING && !(fds[0].revents & POLLIN));
}

void screen_sync(struct screen *s)
{
	uint64_t deadline = screen_deadline(20000);

	while (s->has_marks && !s->away && s->n_taken < s->n_sent && s->job.state == JOB_RUNNING) {
		EXPECT(sys_now_ms() < deadline, "of %llu bytes the program has taken only %llu",
		       (unsigned long long)s->n_sent, (unsigned long long)s->n_taken);
		exchange(s, 50, NULL, NULL);
	}
}

void screen_pump(struct screen *s, int ms)
{
	exchange(s, ms, NULL, NULL);
}

void screen_pause(struct screen *s, int ms)
{
	uint64_t end = sys_now_ms() + test_stretch((uint64_t)ms);

	for (uint64_t now = sys_now_ms(); now < end; now = sys_now_ms())
		exchange(s, (int)(end - now), NULL, NULL);
}

void screen_quiet(struct screen *s, int ms)
{
	uint64_t wanted_us = test_stretch((uint64_t)ms) * 1000;
	uint64_t start;

	screen_sync(s);
	start = sys_now_us();
	for (;;) {
		uint64_t now = sys_now_us();
		uint64_t since = s->last_us > start ? s->last_us : start;

		if (now - since >= wanted_us)
			return;
		exchange(s, (int)((wanted_us - (now - since)) / 1000) + 1, NULL, NULL);
	}
}

void screen_bytes(struct screen *s, const char *bytes, size_t n)
{
	uint64_t deadline = screen_deadline(20000);

	while (n > 0) {
		exchange(s, 50, &bytes, &n);
		if (s->job.state == JOB_ENDED)
			return;
		EXPECT(sys_now_ms() < deadline, "the program does not read its input: %zu bytes left", n);
	}
}

void screen_send_keys(struct screen *s, const char *keys, const char *file, int line)
{
	struct buf bytes = {.max = MIB(16)};
	const char *bad = "";

	if (!keys_encode(keys, s->checker.modes & MODE_CURSOR_KEYS, &bytes, &bad))
		test_fail(file, line, "no such key: %s", bad);
	screen_bytes(s, buf_text(&bytes), bytes.len);
	buf_free(&bytes);
}

void screen_paste(struct screen *s, const char *bytes, size_t n)
{
	EXPECT(s->checker.modes & MODE_PASTE, "bracketed paste is off");
	screen_bytes(s, "\033[200~", 6);
	screen_bytes(s, bytes, n);
	screen_bytes(s, "\033[201~", 6);
}

void screen_mouse(struct screen *s, int button, int row, int col, bool press)
{
	char report[64];

	EXPECT(s->checker.modes & (MODE_MOUSE_CLICK | MODE_MOUSE_DRAG | MODE_MOUSE_MOVE) &&
	       s->checker.modes & MODE_MOUSE_SGR, "mouse reports are off");
	snprintf(report, sizeof(report), "\033[<%d;%d;%d%c", button, col + 1, row + 1, press ? 'M' : 'm');
	screen_bytes(s, report, strlen(report));
}

void screen_click(struct screen *s, int row, int col)
{
	screen_mouse(s, 0, row, col, true);
	screen_mouse(s, 0, row, col, false);
}

void screen_resize(struct screen *s, int rows, int cols)
{
	struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};

	s->rows = rows;
	s->cols = cols;
	vterm_set_size(s->vt, clamp_rows(rows), clamp_cols(cols));
	if (ioctl(s->job.terminal, TIOCSWINSZ, &size) < 0)
		test_fail(__FILE__, __LINE__, "TIOCSWINSZ: %s", strerror(errno));
}

/* From here on: waiting. */

uint64_t screen_deadline(uint64_t ms)
{
	return sys_now_ms() + test_stretch(ms);
}

void screen_wait_more(struct screen *s, uint64_t deadline_ms, const char *what, const char *file,
                      int line)
{
	uint64_t now = sys_now_ms();

	if (take_written(s, false))
		return;
	if (now >= deadline_ms)
		test_fail(file, line, "waited in vain for: %s", what);
	/* What it wrote last may still be on its way through the pty. */
	if (s->job.state == JOB_ENDED && now - s->ended_ms > GRACE_MS)
		test_fail(file, line, "the program ended (wait status 0x%x) before: %s",
		          (unsigned)s->job.wait_status, what);
	exchange(s, deadline_ms - now > 50 ? 50 : (int)(deadline_ms - now), NULL, NULL);
}

void screen_settle(struct screen *s)
{
	uint64_t start = sys_now_us(), now = start;

	screen_sync(s);
	while ((!s->has_marks || s->away || s->job.state != JOB_RUNNING) && now - start < 20000 && s->job.terminal >= 0) {
		uint64_t bytes = s->n_bytes;

		exchange(s, 4, NULL, NULL);
		if (s->n_bytes == bytes)
			return;
		now = sys_now_us();
	}
}

void screen_wait_texts(struct screen *s, const char *const *texts, bool there, const char *file,
                       int line)
{
	for (; *texts; texts++) {
		uint64_t deadline = screen_deadline(20000);
		char what[300];

		snprintf(what, sizeof(what), "\"%s\"%s", *texts, there ? "" : " to go");
		while (screen_has(s, *texts) != there)
			screen_wait_more(s, deadline, what, file, line);
		screen_settle(s);
	}
}

void screen_check_restored(struct screen *s, const char *file, int line)
{
	uint64_t deadline = screen_deadline(RESTORE_MS);
	struct buf names = {.max = 1024};

	/* The last bytes may still be on their way through the pty. */
	while (s->checker.modes != 0 && sys_now_ms() < deadline && !s->lenient)
		exchange(s, 20, NULL, NULL);
	checker_describe_modes(s->checker.modes, &names);
	if (names.len && !s->lenient)
		test_fail(file, line, "left on the terminal: %s", names.data);
	buf_free(&names);
	if (!s->job.modes_restored)
		test_fail(file, line, "the terminal's line settings were not restored");
}

void screen_wait_end(struct screen *s, int expected, const char *file, int line)
{
	uint64_t deadline = screen_deadline(20000);
	int status;

	while (s->job.state != JOB_ENDED) {
		if (sys_now_ms() >= deadline)
			test_fail(file, line, "the program does not end");
		exchange(s, 50, NULL, NULL);
	}
	screen_check_restored(s, file, line);
	status = s->job.wait_status;
	status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	if (status != expected)
		test_fail(file, line, "exit status %d, not %d", status, expected);
	screen_free(s);
}

/* From here on: reading the screen. */

VTermScreenCell screen_cell(struct screen *s, int row, int col)
{
	VTermScreenCell cell = {0};

	vterm_screen_get_cell(s->cells, (VTermPos){.row = row, .col = col}, &cell);
	if (s->masked && s->masked[row * s->cols + col]) {
		cell.chars[0] = '#';
		cell.chars[1] = 0;
	}
	return cell;
}

void screen_mask(struct screen *s, int row, int from, int to)
{
	if (!s->masked)
		s->masked = calloc((size_t)(s->rows * s->cols), sizeof(*s->masked));
	for (int col = from; s->masked && col < to; col++)
		s->masked[row * s->cols + col] = true;
}

VTermPos screen_cursor(struct screen *s)
{
	VTermPos pos;

	vterm_state_get_cursorpos(vterm_obtain_state(s->vt), &pos);
	return pos;
}

/* Appends a row without its trailing blanks. */
static void append_row(struct screen *s, int row)
{
	size_t end = s->text.len;

	for (int col = 0; col < s->cols; col++) {
		VTermScreenCell cell = screen_cell(s, row, col);

		if (cell.chars[0] == (uint32_t)-1) /* right half of a wide character */
			continue;
		if (cell.chars[0] == 0) {
			buf_putc(&s->text, ' ');
			continue;
		}
		for (size_t i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell.chars[i]; i++) {
			char bytes[UTF8_MAX];

			buf_append(&s->text, bytes, utf8_encode(cell.chars[i], bytes));
		}
		if (cell.chars[0] != ' ')
			end = s->text.len;
	}
	if (s->text.len > end)
		buf_remove(&s->text, end, s->text.len - end);
}

const char *screen_row(struct screen *s, int row)
{
	buf_clear(&s->text);
	append_row(s, row);
	return buf_text(&s->text);
}

const char *screen_text(struct screen *s)
{
	buf_clear(&s->text);
	for (int row = 0; row < s->rows; row++) {
		append_row(s, row);
		buf_putc(&s->text, '\n');
	}
	return buf_text(&s->text);
}

bool screen_has(struct screen *s, const char *text)
{
	return strstr(screen_text(s), text) != NULL;
}

size_t screen_count(struct screen *s, const char *text)
{
	size_t n = 0;

	for (const char *p = screen_text(s); (p = strstr(p, text)) != NULL; p += strlen(text))
		n++;
	return n;
}

int screen_row_of(struct screen *s, const char *text)
{
	for (int row = 0; row < s->rows; row++)
		if (strstr(screen_row(s, row), text))
			return row;
	return -1;
}

int screen_col_of(struct screen *s, int row, const char *text)
{
	const char *line = screen_row(s, row);
	const char *found = strstr(line, text);
	size_t before = found ? (size_t)(found - line) : 0;

	if (!found)
		return -1;
	for (int col = 0; col < s->cols; col++) {
		VTermScreenCell cell = screen_cell(s, row, col);

		if (before == 0)
			return col;
		if (cell.chars[0] == (uint32_t)-1)
			continue;
		for (size_t i = 0; i == 0 || (i < VTERM_MAX_CHARS_PER_CELL && cell.chars[i]); i++) {
			char bytes[UTF8_MAX];
			size_t n = cell.chars[i] ? utf8_encode(cell.chars[i], bytes) : 1;

			before -= n < before ? n : before;
		}
	}
	return -1;
}

char *screen_snapshot(struct screen *s)
{
	return strdup(screen_text(s));
}

void screen_dump(struct screen *s)
{
	VTermPos cursor = screen_cursor(s);

	printf("screen %d x %d, cursor at row %d, column %d:\n", s->rows, s->cols, cursor.row, cursor.col);
	for (int row = 0; row < s->rows; row++)
		printf("%3d|%s\n", row, screen_row(s, row));
}

void screen_scramble(struct screen *s)
{
	/* Behind the program's back: only its picture is lost, not its modes. */
	vterm_input_write(s->vt, "\0337", 2);
	for (int row = 0; row < clamp_rows(s->rows); row++) {
		char line[64];
		int n = snprintf(line, sizeof(line), "\033[%d;1H\033[2K?scrambled?", row + 1);

		vterm_input_write(s->vt, line, (size_t)n);
	}
	vterm_input_write(s->vt, "\0338", 2);
}
