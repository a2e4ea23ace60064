#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/sys.h"
#include "config/servers.h"
#include "config/servers_add.h"
#include "support/folder.h"

static char dir[] = "/tmp/sotto-test-XXXXXX";
static char path[128];
static struct error err;

static void setup(void)
{
	cr_assert_not_null(mkdtemp(dir));
	setenv("XDG_CONFIG_HOME", dir, 1);
	snprintf(path, sizeof path, "%s/sotto/servers.yaml", dir);
}

static void teardown(void)
{
	remove_folder(dir);
}

TestSuite(servers_add, .init = setup, .fini = teardown);

static void expect_text(const char *text)
{
	char *now;
	size_t len;

	cr_assert_eq(sys_read_file(path, KIB(64), &now, &len, &err), STATUS_OK, "%s", err.text);
	cr_expect_str_eq(now, text);
	free(now);
}

Test(servers_add, makes_the_file_and_its_folder)
{
	struct stat st;

	cr_assert_eq(servers_add(&io_system, NULL, "ollama", "http://127.0.0.1:11434", &err), STATUS_OK, "%s", err.text);
	expect_text("ollama:\n  url: http://127.0.0.1:11434\n");
	cr_assert_eq(stat(path, &st), 0);
	cr_expect_eq(st.st_mode & 0777, 0600);
}

Test(servers_add, keeps_what_stands_there)
{
	char folder[64];

	snprintf(folder, sizeof folder, "%s/sotto", dir);
	cr_assert_eq(mkdir(folder, 0700), 0);
	write_text(path, "# mine\nbox: {url: \"http://box:1\"} # the box");
	cr_assert_eq(chmod(path, 0640), 0);
	cr_assert_eq(servers_add(&io_system, NULL, "llama", "http://127.0.0.1:8080", &err), STATUS_OK, "%s", err.text);
	expect_text("# mine\nbox: {url: \"http://box:1\"} # the box\nllama:\n  url: http://127.0.0.1:8080\n");
	cr_assert_eq(servers_add(&io_system, NULL, "box", "http://127.0.0.1:8080", &err), STATUS_BUSY);
	cr_expect_not_null(strstr(err.text, "line 2: there is a server 'box' already"), "%s", err.text);
}

Test(servers_add, leaves_a_file_alone_that_cannot_be_appended_to)
{
	static const char *const texts[] = {"{box: {url: \"http://box:1\"}}\n", "box: {url: \"http://box:1\"}\n...\n",
	                                    "box: {url: [\n"};
	char folder[64];

	snprintf(folder, sizeof folder, "%s/sotto", dir);
	cr_assert_eq(mkdir(folder, 0700), 0);
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		write_text(path, texts[i]);
		cr_expect_eq(servers_add(&io_system, NULL, "llama", "http://127.0.0.1:8080", &err), STATUS_CONFIG, "%zu", i);
		expect_text(texts[i]);
	}
}
