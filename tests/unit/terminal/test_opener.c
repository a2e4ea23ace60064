#include <criterion/criterion.h>
#include <stdlib.h>

#include "terminal/opener.h"

Test(opener, takes_only_addresses_that_are_safe)
{
	static const char *const good[] = {"http://a", "HTTPS://a.b/c?d=%20&e#f", "mailto:a@b.c", "https://\xC3\xA4.b/"};
	static const char *const bad[] = {
		"", "a", "www.a.b", "file:///etc/passwd", "javascript:a", "data:text/html,a", "ftp://a", "-a", "http://", "https:/a",
		"mailto:", "http://a b", "http://a\n", "http://a\x7F", "http://a\x1B[m", " http://a", "--http://a", "smb://a", "x-a:b",
	};

	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
		cr_expect(opener_takes(good[i]), "%s", good[i]);
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		cr_expect_not(opener_takes(bad[i]), "%s", bad[i]);
}

Test(opener, says_what_to_do_without_a_program)
{
	struct opener opener = {.pid = 0};
	struct error err;

	setenv("PATH", "/nowhere", 1);
	setenv("BROWSER", "/nowhere/a::b %s", 1);
	cr_expect_eq(opener_open(&opener, "http://a", &err), STATUS_NOTFOUND);
	cr_expect_str_eq(err.text, "no program to open links with: set $BROWSER, or install xdg-utils");
	cr_expect_eq(opener_open(&opener, "file:///a", &err), STATUS_UNSUPPORTED);
	cr_expect_not(opener_has_failed(&opener, &err));
}
