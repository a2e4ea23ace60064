#include <criterion/criterion.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/home_path.h"
#include "base/limits.h"

static void expect(const char *path, const char *expected)
{
	struct buf out = {.max = KIB(4)};

	cr_expect_eq(home_path_put(&out, path), STATUS_OK);
	cr_expect_str_eq(buf_text(&out), expected, "%s: %s", path, buf_text(&out));
	buf_free(&out);
}

Test(home_path, is_the_home_folder_only_at_the_beginning)
{
	setenv("HOME", "/h h", 1);
	expect("~", "/h h");
	expect("~/", "/h h/");
	expect("~/a~/~b", "/h h/a~/~b");
	expect("a/~/b", "a/~/b");
	expect("./~", "./~");
	expect("", "");
	expect("/x", "/x");
	expect("~nobody-of-this-name/x", "~nobody-of-this-name/x");
	expect("~nobody-of-this-name", "~nobody-of-this-name");
}

Test(home_path, of_a_user_is_what_the_system_says)
{
	const struct passwd *user = getpwuid(getuid());
	char path[512], expected[512];

	unsetenv("HOME");
	if (!user) { /* nobody knows this one */
		expect("~/x", "~/x");
		return;
	}
	snprintf(expected, sizeof expected, "%s/x", user->pw_dir);
	expect("~/x", expected);
	snprintf(path, sizeof path, "~%s/x", user->pw_name);
	expect(path, expected);
}
