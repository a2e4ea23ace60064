#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "base/secret.h"

static struct secret *make(const char *text)
{
	struct secret *secret;
	struct error err;

	cr_assert_eq(secret_create(&secret, text, strlen(text), &err), STATUS_OK, "%s", err.text);
	return secret;
}

Test(secret, is_kept_as_it_is)
{
	struct secret *secret = make("sk-CANARY 0123");

	cr_assert_str_eq(secret_text(secret), "sk-CANARY 0123");
	secret_free(secret);
	secret_free(NULL);
}

Test(secret, has_a_limit_and_no_control_characters)
{
	static char bytes[SECRET_MAX + 1];
	struct secret *secret;
	struct error err;

	memset(bytes, 'k', sizeof bytes);
	cr_assert_eq(secret_create(&secret, bytes, SECRET_MAX + 1, &err), STATUS_LIMIT);
	cr_assert_null(secret);
	cr_assert_eq(secret_create(&secret, bytes, SECRET_MAX, &err), STATUS_OK);
	cr_assert_eq(strlen(secret_text(secret)), SECRET_MAX);
	secret_free(secret);
	cr_assert_eq(secret_create(&secret, "", 0, &err), STATUS_FORMAT);
	cr_assert_str_eq(err.text, "the key is empty");
	for (int c = 0; c < 0x20; c++) {
		const char key[] = {'s', 'k', (char)c, 'x'};

		cr_assert_eq(secret_create(&secret, key, sizeof key, &err), STATUS_FORMAT);
		cr_assert_str_eq(err.text, "the key has control characters");
	}
	cr_assert_eq(secret_create(&secret, "a\x7f", 2, &err), STATUS_FORMAT);
}

#ifdef __linux__
/* Its pages: VmFlags of /proc/self/smaps has "lo" (locked) and "dd" (not in a core file). */
static bool has_flag(const void *at, const char *flag)
{
	FILE *file = fopen("/proc/self/smaps", "r");
	char line[512];
	bool is_here = false, found = false;
	unsigned long from, to;

	cr_assert_not_null(file);
	while (fgets(line, sizeof line, file)) {
		if (sscanf(line, "%lx-%lx ", &from, &to) == 2 && strchr(line, '-') < strchr(line, ' '))
			is_here = from <= (unsigned long)at && (unsigned long)at < to;
		else if (is_here && strncmp(line, "VmFlags:", 8) == 0)
			found = strstr(line, flag) != NULL;
	}
	fclose(file);
	return found;
}

Test(secret, comes_into_no_core_file)
{
	struct secret *secret;

	cr_assert_eq(prctl(PR_GET_DUMPABLE), 1);
	secret = make("sk-CANARY");
	cr_assert_eq(prctl(PR_GET_DUMPABLE), 0);
	cr_assert(has_flag(secret_text(secret), " dd"));
	secret_free(secret);
	cr_assert_eq(prctl(PR_GET_DUMPABLE), 0, "libraries may still have copies");
}
#endif

Test(secret, wipes_bytes)
{
	char bytes[] = "sk-CANARY";

	secret_wipe(bytes, sizeof bytes);
	for (size_t i = 0; i < sizeof bytes; i++)
		cr_assert_eq(bytes[i], 0);
	secret_wipe(NULL, 0);
}

static void expect_masked(const char *key, const char *text, const char *masked)
{
	struct secret *secret = key ? make(key) : NULL;
	char copy[256];

	snprintf(copy, sizeof copy, "%s", text);
	secret_mask(secret, copy);
	cr_expect_str_eq(copy, masked);
	secret_free(secret);
}

Test(secret, is_masked_in_foreign_text)
{
	static const char key[] = "sk-proj-0123456789abcdef";

	expect_masked(key, "", "");
	expect_masked(key, "no such model", "no such model");
	expect_masked(key, "sk-proj-0123456789abcdef", "[key]");
	expect_masked(key, "key sk-proj-0123456789abcdef, twice: sk-proj-0123456789abcdef.",
	              "key [key], twice: [key].");
	expect_masked(key, "Incorrect API key provided: sk-proj-****************cdef", "Incorrect API key provided: [key]****************cdef");
	expect_masked(key, "?key=sk-proj-0123456789abcdefgh", "?key=[key]gh");
	expect_masked(key, "the middle 23456789 of it", "the middle [key] of it");
	expect_masked(key, "seven of it: 3456789.", "seven of it: 3456789.");
	expect_masked(key, "a repeated sk-sk-proj-0123456789abcdef", "a repeated sk-[key]");
	expect_masked(NULL, "sk-proj-0123456789abcdef", "sk-proj-0123456789abcdef");
}

Test(secret, is_masked_however_short_it_is)
{
	expect_masked("EMPTY", "Bearer EMPTY is wrong", "Bearer [key] is wrong");
	expect_masked("EMPTY", "EMPT", "EMPT");
	expect_masked("abc", "abcabc d", "****** d");
	expect_masked("12345678", "1234567 12345678", "1234567 [key]");
}
