#include "screen/runner.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/sys.h"

enum { SKIPPED = 77, MAX_JOBS = 16, DEFAULT_LIMIT_S = 60 };

#ifdef SOTTO_SANITIZER
enum { STRETCH = 6 };
#else
enum { STRETCH = 1 };
#endif

struct running {
	pid_t pid; /* 0: free */
	const struct screen_test *test;
	char directory[256];
	uint64_t started_ms, deadline_ms;
	bool timed_out;
};

static char directory[256]; /* of this process' test */
static const char *running; /* the same test's */
static void (*on_fail)(void);

const char *test_directory(void)
{
	return directory;
}

const char *test_name(void)
{
	return running;
}

const char *test_path(const char *file)
{
	static char paths[16][512];
	static unsigned next;
	char *path = paths[next++ % 16];

	snprintf(path, sizeof(paths[0]), "%s/%s", directory, file);
	return path;
}

bool test_is_long(void)
{
	const char *value = getenv("SOTTO_TEST_LONG");

	return value && *value;
}

uint64_t test_stretch(uint64_t ms)
{
	return ms * STRETCH;
}

void test_on_fail(void (*fn)(void))
{
	on_fail = fn;
}

void test_fail(const char *file, int line, const char *fmt, ...)
{
	va_list args;

	printf("%s:%d: ", file, line);
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	printf("\n");
	if (on_fail)
		on_fail();
	fflush(NULL);
	_exit(1);
}

void test_skip(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	printf("\n");
	fflush(NULL);
	_exit(SKIPPED);
}

void test_write_file(const char *path, const void *data, size_t n)
{
	FILE *file = fopen(path, "wb");

	if (!file || fwrite(data, 1, n, file) != n || fclose(file) != 0)
		test_fail(__FILE__, __LINE__, "%s: %s", path, strerror(errno));
}

void test_write_text(const char *path, const char *text)
{
	test_write_file(path, text, strlen(text));
}

char *test_read_file(const char *path, size_t *n)
{
	struct buf content = {.max = MIB(256)};
	char chunk[65536];
	size_t got;
	FILE *file = fopen(path, "rb");

	if (!file)
		return NULL;
	while ((got = fread(chunk, 1, sizeof(chunk), file)) > 0)
		buf_append(&content, chunk, got);
	fclose(file);
	return buf_take(&content, n);
}

void test_make_directory(const char *path)
{
	struct error err;

	if (sys_make_dirs(path, &err) != STATUS_OK)
		test_fail(__FILE__, __LINE__, "%s", err.text);
}

uint32_t test_random(uint64_t *state)
{
	/* xorshift64* (Vigna 2014) */
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (uint32_t)((*state * 0x2545F4914F6CDD1DULL) >> 32);
}

static int remove_entry(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

static void start(struct running *job, const struct screen_test *test)
{
	const char *tmp = getenv("TMPDIR");
	char output[300];
	int fd;

	memset(job, 0, sizeof(*job));
	job->test = test;
	snprintf(job->directory, sizeof(job->directory), "%s/sotto-screen-XXXXXX",
	         tmp && *tmp ? tmp : "/tmp");
	if (!mkdtemp(job->directory)) {
		perror(job->directory);
		exit(1);
	}
	job->started_ms = sys_now_ms();
	job->deadline_ms = job->started_ms +
	                   test_stretch((uint64_t)(test->limit_s ? test->limit_s : DEFAULT_LIMIT_S) * 1000);
	fflush(NULL);
	job->pid = fork();
	if (job->pid < 0) {
		perror("fork");
		exit(1);
	}
	if (job->pid > 0)
		return;
	running = test->name;
	snprintf(directory, sizeof(directory), "%s", job->directory);
	snprintf(output, sizeof(output), "%s/output", directory);
	fd = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || dup2(fd, 1) < 0 || dup2(fd, 2) < 0)
		_exit(1);
	close(fd);
	test->run();
	fflush(NULL);
	_exit(0);
}

/* Sanitizers write their reports beside the output (see harness.c). */
static bool print_reports(const char *dir)
{
	char command[400];

	snprintf(command, sizeof(command), "cat '%s'/sanitizer.* 2>/dev/null", dir);
	fflush(NULL);
	return system(command) == 0;
}

static int finish(struct running *job, int wait_status)
{
	const char *verdict = "PASS";
	char path[300];
	size_t n = 0;
	char *output;

	snprintf(path, sizeof(path), "%s/output", job->directory);
	output = test_read_file(path, &n);
	if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == SKIPPED)
		verdict = "SKIP";
	else if (!WIFEXITED(wait_status) || WEXITSTATUS(wait_status) != 0)
		verdict = "FAIL";
	if (print_reports(job->directory))
		verdict = "FAIL";
	printf("%s: %s (%.1f s)%s\n", verdict, job->test->name,
	       (double)(sys_now_ms() - job->started_ms) / 1000.0, job->timed_out ? " timed out" : "");
	if (output && n && strcmp(verdict, "PASS") != 0)
		fwrite(output, 1, n, stdout);
	else if (output && n && getenv("SCREEN_VERBOSE"))
		fwrite(output, 1, n, stdout);
	fflush(stdout);
	free(output);
	if (getenv("SCREEN_KEEP"))
		printf("kept: %s\n", job->directory);
	else
		nftw(job->directory, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
	job->pid = 0;
	return strcmp(verdict, "PASS") == 0 ? 0 : strcmp(verdict, "SKIP") == 0 ? SKIPPED : 1;
}

static bool wanted(const char *name, int argc, char **argv)
{
	bool found = false, any = false;

	for (int i = 1; i < argc; i++) {
		if (argv[i][0] == '-' && strcmp(argv[i] + 1, name) == 0)
			return false;
		any = any || argv[i][0] != '-';
		found = found || (argv[i][0] != '-' && strstr(name, argv[i]));
	}
	return found || !any;
}

/* Waits for one of the jobs to end; returns its result. */
static int wait_for_one(struct running *jobs, size_t n)
{
	for (;;) {
		int status;
		pid_t pid = waitpid(-1, &status, WNOHANG);

		for (size_t i = 0; i < n && pid > 0; i++)
			if (jobs[i].pid == pid)
				return finish(&jobs[i], status);
		if (pid < 0 && errno != EINTR) {
			perror("waitpid");
			exit(1);
		}
		for (size_t i = 0; i < n; i++) {
			if (jobs[i].pid == 0 || sys_now_ms() < jobs[i].deadline_ms)
				continue;
			/* SIGTERM makes the test show its screens first. */
			kill(jobs[i].pid, jobs[i].timed_out ? SIGKILL : SIGTERM);
			jobs[i].timed_out = true;
			jobs[i].deadline_ms = sys_now_ms() + 2000;
		}
		if (pid == 0)
			nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
	}
}

int run_tests(int argc, char **argv, const struct screen_test *tests, size_t n_tests)
{
	struct running jobs[MAX_JOBS] = {0};
	const char *setting = getenv("SCREEN_JOBS");
	size_t n_jobs = setting ? (size_t)strtoul(setting, NULL, 10) : 4;
	size_t next = 0, n_running = 0, n_passed = 0, n_skipped = 0, n_failed = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (n_jobs < 1 || n_jobs > MAX_JOBS)
		n_jobs = 4;
	while (next < n_tests || n_running > 0) {
		int result;

		while (n_running < n_jobs && next < n_tests) {
			const struct screen_test *test = &tests[next++];
			size_t slot = 0;

			if (!wanted(test->name, argc, argv))
				continue;
			while (jobs[slot].pid)
				slot++;
			start(&jobs[slot], test);
			n_running++;
		}
		if (n_running == 0)
			break;
		result = wait_for_one(jobs, n_jobs);
		n_running--;
		n_passed += result == 0;
		n_skipped += result == SKIPPED;
		n_failed += result == 1;
	}
	printf("%zu passed, %zu failed, %zu skipped\n", n_passed, n_failed, n_skipped);
	if (n_failed || n_passed + n_skipped == 0)
		return 1;
	return n_passed ? 0 : SKIPPED;
}
