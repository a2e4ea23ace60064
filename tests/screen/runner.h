/* Runs a table of tests, each in a process and a temporary directory of its
 * own, several at a time: they mostly wait. One line a test: PASS, FAIL or
 * SKIP; what a failing test printed follows its line.
 *
 * usage of a test program: PROGRAM [NAME-PART ...] [-NAME ...]
 * those whose names have one of the parts, or all; without those of the names.
 * SCREEN_JOBS=N at a time (4); SCREEN_KEEP=1 keeps the directories;
 * SOTTO_TEST_LONG=1 runs the long forms. */
#ifndef SOTTO_SCREEN_RUNNER_H
#define SOTTO_SCREEN_RUNNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct screen_test {
	const char *name;
	void (*run)(void);
	int limit_s; /* killed after that (stretched under sanitizers); 0 = 60 */
};

/* For main: its exit status (77 when all were skipped). */
int run_tests(int argc, char **argv, const struct screen_test *tests, size_t n);

/* Inside a test. */
const char *test_name(void);                /* of the table's row */
const char *test_directory(void);           /* private, removed afterwards */
const char *test_path(const char *file);    /* in that directory; one of 16 static buffers */
bool test_is_long(void);                    /* SOTTO_TEST_LONG */
uint64_t test_stretch(uint64_t ms);         /* more under sanitizers */
/* Ends the test: prints, shows every live screen, exits 1. */
__attribute__((noreturn, format(printf, 3, 4))) void test_fail(const char *file, int line,
                                                               const char *fmt, ...);
__attribute__((noreturn, format(printf, 1, 2))) void test_skip(const char *fmt, ...);
/* Run before the process of a failing test goes: the harness shows its screens. */
void test_on_fail(void (*fn)(void));

#define EXPECT(cond, ...) \
	do { \
		if (!(cond)) \
			test_fail(__FILE__, __LINE__, #cond ": " __VA_ARGS__); \
	} while (0)

/* Files, dying on errors. The content of test_read_file is freed by the caller. */
void test_write_file(const char *path, const void *data, size_t n);
void test_write_text(const char *path, const char *text);
char *test_read_file(const char *path, size_t *n); /* NULL when there is none */
void test_make_directory(const char *path);         /* with its parents */

/* A small generator: the same numbers on every run. */
uint32_t test_random(uint64_t *state);

#endif
