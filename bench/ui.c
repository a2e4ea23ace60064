/* How quick the screen is: first paint, a key's way to the screen while tokens
 * stream, CPU while nothing happens. The real program on a test backend, in
 * the screen tests' terminal; libvterm's own time is in the figures.
 *
 * usage: bench/ui [--quick]     (prints a table; exit status 1 when over a limit)
 *        bench/ui MODEL [MINUTES]   the same with a model that computes: first
 *        paint, keys while it replies (for 1 minute), how soon Esc stops it */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sys.h"
#include "bench/table.h"
#include "screen/harness.h"

static bool quick;
static bool over;

static void row(const char *what, double value, const char *unit, double limit)
{
	over |= table_row(what, value, unit, limit);
}

static void rows(const char *what, double *samples, size_t n, double p99_limit)
{
	over |= table_rows(what, samples, n, p99_limit);
}

static bool is_blank(struct screen *s)
{
	return strspn(screen_text(s), " \n") == strlen(screen_text(s));
}

static void first_paint(void)
{
	double samples[50];
	size_t n = quick ? 5 : 50;

	for (size_t i = 0; i < n; i++) {
		struct screen_options options = {.args = {"-m", "synthetic:load_ms=500", "--no-save"}};
		struct screen *s = screen_start(&options);

		WAIT_NOW(s, 20000, !is_blank(s));
		samples[i] = (double)(s->last_us - s->job.started_us) / 1000.0;
		screen_free(s);
	}
	rows("first paint after exec", samples, n, 50);
}

static void pause_ms(struct screen *s, int ms)
{
	uint64_t end = sys_now_us() + (uint64_t)ms * 1000;

	for (uint64_t now = sys_now_us(); now < end; now = sys_now_us())
		screen_pump(s, (int)((end - now + 999) / 1000));
}

static void key_echo(const char *model, const char *what, double limit)
{
	struct screen_options options = {.args = {"-m", model, "--no-save"}};
	struct screen *s = screen_start(&options);
	static double samples[1000];
	size_t n = quick ? 50 : 1000;
	uint64_t random = 88172645463325252ULL, bytes, started;
	int first, col, line;

	WAIT(s, !is_blank(s));
	screen_quiet(s, 300);
	line = screen_cursor(s).row;
	first = col = screen_cursor(s).col;
	screen_keys(s, "hello<Enter>");
	WAIT_TEXT(s, "warm ");
	bytes = s->n_bytes;
	started = sys_now_us();
	for (size_t i = 0; i < n; i++) {
		char key = (char)('a' + test_random(&random) % 26);
		uint64_t sent = sys_now_us();

		screen_bytes(s, &key, 1);
		WAIT_NOW(s, 20000, screen_cell(s, line, col).chars[0] == (uint32_t)key);
		samples[i] = (double)(s->last_us - sent) / 1000.0;
		if (++col > 60) {
			screen_keys(s, "<C-u>");
			WAIT(s, screen_cell(s, line, first).chars[0] == 0 || screen_cell(s, line, first).chars[0] == ' ');
			col = first;
		}
		pause_ms(s, 2 + (int)(test_random(&random) % 25));
	}
	rows(what, samples, n, limit);
	row("  written to the terminal meanwhile", (double)(s->n_bytes - bytes) * 1000.0 /
	    (double)(sys_now_us() - started), "kB/s", -1);
	screen_free(s);
}

/* CPU time of all threads so far, in nanoseconds (scheduler statistics). */
static double cpu_ns(pid_t pid)
{
	char path[64];
	double total = 0;
	struct dirent *entry;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	dir = opendir(path);
	EXPECT(dir, "%s", path);
	while ((entry = readdir(dir)) != NULL) {
		char file[400];
		unsigned long long ns = 0;
		FILE *f;

		if (entry->d_name[0] == '.')
			continue;
		snprintf(file, sizeof(file), "%s/%s/schedstat", path, entry->d_name);
		f = fopen(file, "r");
		if (f && fscanf(f, "%llu", &ns) == 1)
			total += (double)ns;
		if (f)
			fclose(f);
	}
	closedir(dir);
	return total;
}

static void idle(const char *what, bool panel)
{
	struct screen_options options = {.args = {"-m", "synthetic:rate=0,tokens=30", "--no-save"}};
	struct screen *s = screen_start(&options);
	int seconds = quick ? 1 : 5;
	uint64_t bytes;
	double before;

	WAIT(s, !is_blank(s));
	screen_keys(s, "hello<Enter>");
	WAIT_TEXT(s, " 29");
	if (panel)
		screen_keys(s, "<F2>");
	screen_quiet(s, 500);
	pause_ms(s, 500);
	bytes = s->n_bytes;
	before = cpu_ns(s->job.program);
	pause_ms(s, seconds * 1000);
	row(what, (cpu_ns(s->job.program) - before) / 1e6, "ms", 0);
	row("  bytes written meanwhile", (double)(s->n_bytes - bytes), "", 0);
	screen_free(s);
}

static const char *model;
static double minutes = 1;

/* The status bar's row; --no-save is said nowhere else. */
static const char *status_row(struct screen *s)
{
	int row = screen_row_of(s, "no-save");

	return row < 0 ? "" : screen_row(s, row);
}

static bool is_replying(struct screen *s)
{
	const char *status = status_row(s);

	return strstr(status, "reading") || strstr(status, "writing") || strstr(status, "stopping");
}

/* Keys while replies are generated; a reply that ends is followed by the next. */
static void key_echo_beside_model(void)
{
	enum { MAX_SAMPLES = 200000 };
	struct screen_options options = {.args = {"-m", model, "--no-save"}};
	struct screen *s = screen_start(&options);
	double *samples = calloc(MAX_SAMPLES, sizeof *samples);
	uint64_t random = 88172645463325252ULL, end;
	size_t n = 0, n_replies = 0, n_stops = 0;
	static double stops[100];
	uint64_t minute = 0;
	int first, col, line;

	EXPECT(samples, "%s", "memory");
	WAIT(s, !is_blank(s));
	row("first paint after exec", (double)(s->last_us - s->job.started_us) / 1000.0, "ms", 50);
	screen_quiet(s, 2000);
	line = screen_cursor(s).row;
	first = col = screen_cursor(s).col;
	end = sys_now_us() + (uint64_t)(minutes * 60e6);
	while (sys_now_us() < end && n < MAX_SAMPLES) {
		char key = (char)('a' + test_random(&random) % 26);
		uint64_t sent = sys_now_us();

		screen_bytes(s, &key, 1);
		WAIT_NOW(s, 20000, screen_cell(s, line, col).chars[0] == (uint32_t)key);
		if (n_replies)
			samples[n++] = (double)(s->last_us - sent) / 1000.0;
		if (++col > 60) {
			if (!is_replying(s)) {
				screen_keys(s, "<Enter>");
				n_replies++;
			} else {
				screen_keys(s, "<C-u>");
			}
			WAIT(s, screen_cell(s, line, first).chars[0] == 0 || screen_cell(s, line, first).chars[0] == ' ');
			col = first;
		}
		pause_ms(s, 2 + (int)(test_random(&random) % 60));
		if (sys_now_us() > minute && strstr(status_row(s), "tok/s")) {
			minute = sys_now_us() + 60000000;
			printf("%s\n", status_row(s));
		}
		if (n % 500 == 499 && is_replying(s) && n_stops < 100) {
			sent = sys_now_us();
			screen_keys(s, "<Esc>");
			WAIT_NOW(s, 20000, !is_replying(s));
			stops[n_stops++] = (double)(s->last_us - sent) / 1000.0;
			screen_settle(s);
		}
	}
	rows("key echo while a model replies", samples, n, 16);
	if (n_stops)
		rows("  from Esc to its end on the screen", stops, n_stops, -1);
	row("  replies", (double)n_replies, "", -1);
	free(samples);
	screen_free(s);
}

/* Esc while a long prompt is read. */
static void stop_reading(void)
{
	struct screen_options options = {.args = {"-m", model, "--no-save"}};
	struct screen *s = screen_start(&options);
	uint64_t random = 88172645463325252ULL;
	static char text[6000];
	double stops[10];

	WAIT(s, !is_blank(s));
	screen_quiet(s, 2000);
	for (size_t i = 0; i < 10; i++) {
		uint64_t sent;

		for (size_t j = 0; j < sizeof text; j++)
			text[j] = j % 5 == 4 ? ' ' : (char)('a' + test_random(&random) % 26);
		screen_paste(s, text, sizeof text);
		screen_quiet(s, 500);
		screen_keys(s, "<Enter>");
		WAIT_NOW(s, 20000, strstr(status_row(s), "reading"));
		pause_ms(s, 300 + (int)(test_random(&random) % 300));
		EXPECT(strstr(status_row(s), "reading"), "%s", "too fast a model");
		sent = sys_now_us();
		screen_keys(s, "<Esc>");
		WAIT_NOW(s, 20000, !is_replying(s));
		stops[i] = (double)(s->last_us - sent) / 1000.0;
		screen_quiet(s, 300);
		screen_keys(s, "<C-u>");
		screen_quiet(s, 300);
	}
	rows("from Esc to the end of reading a prompt", stops, 10, -1);
	screen_free(s);
}

static void all(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (model) {
		key_echo_beside_model();
		stop_reading();
		exit(over);
	}
	first_paint();
	key_echo("synthetic:rate=20000,tokens=20000000,n_ctx=30000000", "key echo at 20,000 tokens a second", -1);
	key_echo("synthetic:rate=1000,tokens=20000000,n_ctx=30000000", "key echo at 1,000 tokens a second", 16);
	idle("CPU while idle, 5 s", false);
	idle("CPU while idle with the sliders open, 5 s", true);
	if (over)
		exit(1);
}

int main(int argc, char **argv)
{
	static struct screen_test test = {"ui", all, 600};

	quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
	if (argc > 1 && !quick)
		model = argv[1];
	if (argc > 2)
		minutes = strtod(argv[2], NULL);
	test.limit_s += (int)(minutes * 60);
	setenv("SCREEN_VERBOSE", "1", 1);
	return run_tests(1, argv, &test, 1);
}
