#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/sys.h"
#include "config/servers.h"
#include "support/folder.h"

#define CANARY "sk-CANARY7f3a90"

static char dir[] = "/tmp/sotto-test-XXXXXX";
static char path[64], file[64];
static struct server_config server;
static struct secret *key;
static struct error err;

static void setup(void)
{
	cr_assert_not_null(mkdtemp(dir));
	snprintf(path, sizeof path, "%s/servers.yaml", dir);
	snprintf(file, sizeof file, "%s/key", dir);
	write_text(path, "box: {url: http://h, key-env: BOX_KEY}\n");
	server = (struct server_config){.name = strdup("box"), .file = strdup(path)};
	setenv("BOX_KEY", CANARY, 1);
}

static void teardown(void)
{
	server_config_free(&server);
	secret_free(key);
	remove_folder(dir);
}

TestSuite(server_key, .init = setup, .fini = teardown);

static enum status ask(void)
{
	secret_free(key);
	err.text[0] = '\0';
	return server_key(&key, &server, NULL, NULL, &err);
}

/* The words "sh", "-c" and the script. */
static void set_script(const char *script)
{
	for (char **word = server.key_command; word && *word; word++)
		free(*word);
	free(server.key_command);
	server.key_command = calloc(4, sizeof(char *));
	server.key_command[0] = strdup("/bin/sh");
	server.key_command[1] = strdup("-c");
	server.key_command[2] = strdup(script);
}

Test(server_key, may_be_none)
{
	cr_assert_eq(ask(), STATUS_OK);
	cr_assert_null(key);
}

Test(server_key, of_a_variable)
{
	server.key_env = strdup("BOX_KEY");
	cr_assert_eq(ask(), STATUS_OK, "%s", err.text);
	cr_assert_str_eq(secret_text(key), CANARY);
	setenv("BOX_KEY", " \t" CANARY " \n second line", 1);
	cr_assert_eq(ask(), STATUS_OK, "%s", err.text);
	cr_assert_str_eq(secret_text(key), CANARY);
	setenv("BOX_KEY", "", 1);
	cr_assert_eq(ask(), STATUS_CONFIG);
	cr_assert_str_eq(err.text, "box: the variable BOX_KEY, which has the key, is not set");
	setenv("BOX_KEY", " \n", 1);
	cr_assert_eq(ask(), STATUS_CONFIG);
	cr_assert_str_eq(err.text, "box: the key in BOX_KEY: its first line is empty");
	setenv("BOX_KEY", CANARY "\x1b", 1);
	cr_assert_eq(ask(), STATUS_CONFIG);
	cr_assert_str_eq(err.text, "box: the key in BOX_KEY: the key has control characters");
}

static void write_key(const char *text, mode_t mode)
{
	write_text(file, text);
	cr_assert_eq(chmod(file, mode), 0);
}

Test(server_key, of_a_file)
{
	static const mode_t others[] = {0604, 0640, 0644, 0660, 0602, 0620, 0601};
	char link_path[80], long_key[LIMIT_SERVER_KEY + 2];

	server.key_file = strdup(file);
	cr_assert_eq(ask(), STATUS_CONFIG);
	cr_assert_not_null(strstr(err.text, "box: key-file: "), "%s", err.text);
	write_key(CANARY "\n# note\n", 0600);
	cr_assert_eq(ask(), STATUS_OK, "%s", err.text);
	cr_assert_str_eq(secret_text(key), CANARY);
	write_key("\n" CANARY, 0600);
	cr_assert_eq(ask(), STATUS_CONFIG);
	cr_assert_null(strstr(err.text, CANARY));
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
		write_key(CANARY "\n", others[i]);
		cr_expect_eq(ask(), STATUS_CONFIG);
		cr_expect_not_null(strstr(err.text, "`chmod 600 "), "%s", err.text);
		cr_expect_null(key);
	}
	memset(long_key, 'a', sizeof long_key - 1);
	long_key[sizeof long_key - 1] = '\0';
	write_key(long_key, 0600);
	cr_assert_eq(ask(), STATUS_CONFIG);
	cr_assert_not_null(strstr(err.text, "larger than 4096 bytes"), "%s", err.text);
	write_key(CANARY, 0400);
	cr_assert_eq(ask(), STATUS_OK, "%s", err.text);
	snprintf(link_path, sizeof link_path, "%s/link", dir);
	cr_assert_eq(symlink(file, link_path), 0);
	free(server.key_file);
	server.key_file = strdup(link_path);
	cr_assert_eq(ask(), STATUS_CONFIG);
	cr_assert_not_null(strstr(err.text, "is a link"), "%s", err.text);
	free(server.key_file);
	server.key_file = strdup(dir);
	cr_assert_eq(ask(), STATUS_CONFIG);
	cr_assert_not_null(strstr(err.text, "is a folder"), "%s", err.text);
}

Test(server_key, of_another_user_is_refused)
{
	if (geteuid() != 0)
		return; /* only root can give files away */
	write_key(CANARY, 0600);
	cr_assert_eq(chown(file, 12345, 12345), 0);
	server.key_file = strdup(file);
	cr_assert_eq(ask(), STATUS_CONFIG);
	cr_assert_not_null(strstr(err.text, "belongs to another user"), "%s", err.text);
}

/* A script, and the key or the error that it makes. */
static const struct {
	const char *script, *key, *error;
} scripts[] = {
	{"echo " CANARY, CANARY, NULL},
	{"printf '  " CANARY " \\r\\nlogin: me\\n'", CANARY, NULL},
	{"printf " CANARY, CANARY, NULL},
	{"echo warning >&2; echo " CANARY, CANARY, NULL},
	{"cat; echo $?", "0", NULL}, /* standard input is empty */
	{"echo ${BOX_KEY-none}", "none", NULL}, /* it gets no other key */
	{"echo ${HOME:+home}", "home", NULL},
	{"exec 3>/dev/tty; echo $?", NULL, NULL}, /* it has no terminal */
	{"if (: </dev/tty) 2>/dev/null; then echo terminal; else echo none; fi", "none", NULL},
	{"ls /dev/fd/ | tr '\\n' ' '", "0 1 2 3", NULL}, /* 3 is what ls reads */
	{"(sleep 3 &) ; echo " CANARY, CANARY, NULL}, /* what keeps the pipes open is not waited for */
	{"kill -l $$ >/dev/null; trap | wc -l", "0", NULL},
	{"true", NULL, "box: the key that '/bin/sh' printed: its first line is empty"},
	{"echo; echo " CANARY, NULL, "box: the key that '/bin/sh' printed: its first line is empty"},
	{"exit 3", NULL, "box: 'sh', which has the key, ended with 3"},
	{"echo no such entry >&2; exit 1", NULL, "box: 'sh', which has the key, ended with 1: no such entry"},
	{"printf 'a\\033[31mb\\nc\\n' >&2; exit 1", NULL, "box: 'sh', which has the key, ended with 1: a^[[31mb c"},
	{"echo " CANARY "; echo bad " CANARY " here >&2; exit 1", NULL,
	 "box: 'sh', which has the key, ended with 1: bad [key] here"},
	{"kill -9 $$", NULL, "box: 'sh', which has the key, was ended by signal 9"},
	{"head -c 4096 /dev/zero | tr '\\0' a", NULL, "box: the key that '/bin/sh' printed: the key is longer than 4095 bytes"},
	{"yes", NULL, "box: 'sh' prints more than 4096 bytes: a key is expected"},
	{"echo " CANARY "; yes | head -c 100000 >&2; exit 1", NULL, NULL},
};

Test(server_key, of_a_command)
{
	int left_open = open("/dev/null", O_RDONLY); /* as a library may: no program gets it */

	for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
		enum status status;

		set_script(scripts[i].script);
		status = ask();
		if (scripts[i].key)
			cr_expect(!status && strcmp(secret_text(key), scripts[i].key) == 0, "%s: %s%s", scripts[i].script,
			          err.text, status ? "" : secret_text(key));
		else
			cr_expect_eq(status, STATUS_CONFIG, "%s", scripts[i].script);
		if (scripts[i].error)
			cr_expect_str_eq(err.text, scripts[i].error, "%s: %s", scripts[i].script, err.text);
		cr_expect_null(strstr(err.text, CANARY), "%s", err.text);
	}
	close(left_open);
}

Test(server_key, of_a_command_that_is_not_there)
{
	char folders[1000];

	snprintf(folders, sizeof folders, "%s", getenv("PATH"));
	setenv("PATH", "/nowhere", 1);
	set_script("");
	free(server.key_command[0]);
	server.key_command[0] = strdup("sotto-no-such-program");
	cr_expect_eq(ask(), STATUS_CONFIG);
	setenv("PATH", folders, 1);
	cr_assert_str_eq(err.text,
	                 "box: cannot start 'sotto-no-such-program', which has the key: No such file or directory");
}

/* Nor does one that fails leave anything behind. */
Test(server_key, of_a_command_that_fails)
{
	char script[300], text[32] = "", stat[64];
	bool is_gone = false;
	int fd;

	snprintf(script, sizeof script, "(while :; do sleep 1; done) & echo $! >%s; exit 1", file);
	set_script(script);
	cr_assert_eq(ask(), STATUS_CONFIG);
	fd = open(file, O_RDONLY);
	cr_assert_gt(read(fd, text, sizeof text - 1), 0);
	close(fd);
	snprintf(stat, sizeof stat, "/proc/%d/stat", atoi(text));
	while (!is_gone) { /* killed, though init may not have waited for it */
		char line[256] = "", *state;

		fd = open(stat, O_RDONLY);
		state = fd >= 0 && read(fd, line, sizeof line - 1) > 0 ? strrchr(line, ')') : NULL;
		is_gone = !state || state[2] == 'Z';
		if (fd >= 0)
			close(fd);
	}
}

static int n_asked;

/* Once the program has said that it runs. */
static bool is_running(void *ctx)
{
	(void)ctx;
	n_asked++;
	return access(file, F_OK) == 0;
}

Test(server_key, of_a_command_that_is_stopped)
{
	char script[300], text[32] = "";
	int fd;

	snprintf(script, sizeof script, "sleep 600 & echo $$ >%s.new; mv %s.new %s; wait", file, file, file);
	set_script(script);
	cr_assert_eq(server_key(&key, &server, is_running, NULL, &err), STATUS_CANCELLED);
	cr_assert_null(key);
	cr_assert_gt(n_asked, 0);
	fd = open(file, O_RDONLY);
	cr_assert_gt(read(fd, text, sizeof text - 1), 0);
	close(fd);
	cr_assert(kill(atoi(text), 0) != 0 && errno == ESRCH); /* it was waited for */
}

Test(server_key, and_those_of_headers_are_masked)
{
	char text[] = "no " CANARY ", no token-0123456789, blue", name[] = "Authorization", team[] = "X-Team";
	static const char value[] = "Bearer token-0123456789";
	struct server_header headers[] = {{.name = name}, {.name = team, .value = "blue"}};
	const struct server_config with = {.headers = headers, .n_headers = 2};

	cr_assert_eq(secret_create(&headers[0].secret, value, strlen(value), &err), STATUS_OK);
	headers[0].value = secret_text(headers[0].secret);
	server.key_env = strdup("BOX_KEY");
	cr_assert_eq(ask(), STATUS_OK);
	server_mask(&with, key, text);
	cr_assert_str_eq(text, "no [key], no [key], blue");
	secret_free(headers[0].secret);
}
