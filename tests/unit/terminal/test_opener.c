#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sys.h"
#include "support/folder.h"
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

/* The variables that key-env names in servers.yaml stay here. */
Test(opener, gives_no_key_away)
{
	char dir[] = "/tmp/sotto-test-XXXXXX", servers[64], program[64], seen[64], text[256], *path = servers, *read;
	struct opener opener = {.servers = &path};
	struct error err;
	size_t len;

	cr_assert_not_null(mkdtemp(dir));
	snprintf(servers, sizeof servers, "%s/servers.yaml", dir);
	snprintf(program, sizeof program, "%s/browser", dir);
	snprintf(seen, sizeof seen, "%s/seen", dir);
	write_text(servers, "box: {url: 'http://h', key-env: BOX_KEY}\n");
	snprintf(text, sizeof text, "#!/bin/sh\necho ${BOX_KEY-hidden} ${OTHER-hidden} >%s\n", seen);
	write_text(program, text);
	cr_assert_eq(chmod(program, 0700), 0);
	setenv("BROWSER", program, 1);
	setenv("BOX_KEY", "sk-CANARY7f3a90", 1);
	setenv("OTHER", "there", 1);
	cr_assert_eq(opener_open(&opener, "http://a", &err), STATUS_OK);
	cr_assert_eq(waitpid(opener.pid, NULL, 0), opener.pid);
	cr_assert_eq(sys_read_file(seen, 1000, &read, &len, &err), STATUS_OK);
	cr_assert_str_eq(read, "hidden there\n");
	free(read);
	remove_folder(dir);
}
