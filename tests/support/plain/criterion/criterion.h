/* Stands in for Criterion where that cannot run: in an emulator of another
 * processor (tools/check-arm64), which does not let it start its children.
 *
 * Has those of its names that the tests use, with the same meaning. Each test
 * runs in a forked child, one after the other, in the order of the linker;
 * main takes "SUITE/" or "SUITE/NAME" as a filter. A suite's TestSuite counts
 * in all files. Everything is weak, since each file of a program includes it. */
#ifndef SOTTO_TESTS_PLAIN_CRITERION_H
#define SOTTO_TESTS_PLAIN_CRITERION_H

/* As Criterion's own header: no warnings for what its macros become. */
#pragma GCC system_header

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct plain_options {
	void (*init)(void);
	void (*fini)(void);
	double timeout; /* not kept: an emulator is slow */
};

struct plain_test {
	const char *suite, *name; /* no name: a TestSuite */
	void (*run)(void);
	struct plain_options options;
	struct plain_test *next;
};

#define PLAIN_WEAK __attribute__((weak))

PLAIN_WEAK struct plain_test *plain_tests;
PLAIN_WEAK bool plain_failed;

#define PLAIN_REGISTER(id, ...) \
	static struct plain_test id = {__VA_ARGS__}; \
	__attribute__((constructor)) static void id##_register(void) \
	{ \
		id.next = plain_tests; \
		plain_tests = &id; \
	}
#define Test(suite_, name_, ...) \
	static void suite_##_##name_##_run(void); \
	PLAIN_REGISTER(suite_##_##name_##_test, #suite_, #name_, suite_##_##name_##_run, {__VA_ARGS__}) \
	static void suite_##_##name_##_run(void)
/* Ends in a declaration for the semicolon that follows it. */
#define TestSuite(suite_, ...) \
	PLAIN_REGISTER(suite_##_suite, #suite_, NULL, NULL, {__VA_ARGS__}) struct plain_test

PLAIN_WEAK __attribute__((format(printf, 6, 7))) void
plain_check(bool ok, bool fatal, const char *file, int line, const char *what, const char *format, ...)
{
	va_list args;

	if (ok)
		return;
	plain_failed = true;
	fprintf(stderr, "%s:%d: %s: ", file, line, what);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	if (fatal)
		_exit(1);
}

/* A message, if there is one, is a literal. */
#define PLAIN_CHECK(condition, fatal, what, ...) \
	plain_check(condition, fatal, __FILE__, __LINE__, what, " " __VA_ARGS__)

#define cr_log_info(...) fprintf(stderr, __VA_ARGS__)
#define cr_assert_fail(...) PLAIN_CHECK(false, true, "fail", __VA_ARGS__)

#define cr_assert(a, ...) PLAIN_CHECK(a, true, #a, __VA_ARGS__)
#define cr_assert_not(a, ...) PLAIN_CHECK(!(a), true, "not " #a, __VA_ARGS__)
#define cr_assert_null(a, ...) PLAIN_CHECK((a) == NULL, true, #a " is NULL", __VA_ARGS__)
#define cr_assert_not_null(a, ...) PLAIN_CHECK((a) != NULL, true, #a " is not NULL", __VA_ARGS__)
#define cr_assert_eq(a, b, ...) PLAIN_CHECK((a) == (b), true, #a " == " #b, __VA_ARGS__)
#define cr_assert_neq(a, b, ...) PLAIN_CHECK((a) != (b), true, #a " != " #b, __VA_ARGS__)
#define cr_assert_lt(a, b, ...) PLAIN_CHECK((a) < (b), true, #a " < " #b, __VA_ARGS__)
#define cr_assert_leq(a, b, ...) PLAIN_CHECK((a) <= (b), true, #a " <= " #b, __VA_ARGS__)
#define cr_assert_gt(a, b, ...) PLAIN_CHECK((a) > (b), true, #a " > " #b, __VA_ARGS__)
#define cr_assert_geq(a, b, ...) PLAIN_CHECK((a) >= (b), true, #a " >= " #b, __VA_ARGS__)
#define cr_assert_float_eq(a, b, epsilon, ...) \
	PLAIN_CHECK(fabs((a) - (b)) <= (epsilon), true, #a " is nearly " #b, __VA_ARGS__)
#define cr_assert_str_eq(a, b, ...) PLAIN_CHECK(!strcmp(a, b), true, #a " equals " #b, __VA_ARGS__)
#define cr_assert_str_neq(a, b, ...) PLAIN_CHECK(strcmp(a, b), true, #a " is not " #b, __VA_ARGS__)
#define cr_assert_arr_eq(a, b, size, ...) \
	PLAIN_CHECK(!memcmp(a, b, size), true, #a " equals " #b, __VA_ARGS__)

#define cr_expect(a, ...) PLAIN_CHECK(a, false, #a, __VA_ARGS__)
#define cr_expect_not(a, ...) PLAIN_CHECK(!(a), false, "not " #a, __VA_ARGS__)
#define cr_expect_null(a, ...) PLAIN_CHECK((a) == NULL, false, #a " is NULL", __VA_ARGS__)
#define cr_expect_not_null(a, ...) PLAIN_CHECK((a) != NULL, false, #a " is not NULL", __VA_ARGS__)
#define cr_expect_eq(a, b, ...) PLAIN_CHECK((a) == (b), false, #a " == " #b, __VA_ARGS__)
#define cr_expect_neq(a, b, ...) PLAIN_CHECK((a) != (b), false, #a " != " #b, __VA_ARGS__)
#define cr_expect_lt(a, b, ...) PLAIN_CHECK((a) < (b), false, #a " < " #b, __VA_ARGS__)
#define cr_expect_leq(a, b, ...) PLAIN_CHECK((a) <= (b), false, #a " <= " #b, __VA_ARGS__)
#define cr_expect_gt(a, b, ...) PLAIN_CHECK((a) > (b), false, #a " > " #b, __VA_ARGS__)
#define cr_expect_float_eq(a, b, epsilon, ...) \
	PLAIN_CHECK(fabs((a) - (b)) <= (epsilon), false, #a " is nearly " #b, __VA_ARGS__)
#define cr_expect_str_eq(a, b, ...) \
	PLAIN_CHECK(!strcmp(a, b), false, #a " equals " #b, __VA_ARGS__)
#define cr_expect_arr_eq(a, b, size, ...) \
	PLAIN_CHECK(!memcmp(a, b, size), false, #a " equals " #b, __VA_ARGS__)

PLAIN_WEAK void plain_run(const struct plain_test *test)
{
	struct plain_options suite = {0};

	for (const struct plain_test *t = plain_tests; t; t = t->next)
		if (!t->name && !strcmp(t->suite, test->suite))
			suite = t->options;
	if (suite.init)
		suite.init();
	if (test->options.init)
		test->options.init();
	test->run();
	if (test->options.fini)
		test->options.fini();
	if (suite.fini)
		suite.fini();
	exit(plain_failed);
}

PLAIN_WEAK bool plain_passes(const struct plain_test *test)
{
	int status = 0;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (child == 0)
		plain_run(test);
	return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

PLAIN_WEAK int main(int argc, char **argv)
{
	size_t n = 0, n_failed = 0;
	char name[256];

	for (const struct plain_test *t = plain_tests; t; t = t->next) {
		snprintf(name, sizeof name, "%s/%s", t->suite, t->name ? t->name : "");
		if (!t->name || (argc > 1 && strncmp(name, argv[1], strlen(argv[1])) != 0))
			continue;
		n++;
		if (!plain_passes(t)) {
			n_failed++;
			printf("FAILED %s\n", name);
		}
	}
	printf("%zu tests, %zu failed\n", n, n_failed);
	return n == 0 || n_failed > 0;
}

#endif
