/* A server's key is nowhere but in requests: not on the screen, in no file that is made, in no program that is
 * started, no process list and no core file, wherever it comes from and whatever the server says. */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/limits.h"
#include "screen/chat.h"
#include "support/server/server.h"

#define PART "CANARY" /* of SERVER_KEY */
#define LOADS "keys=1,n_ctx=4096,tokens=5"

/* ---- servers.yaml ---- */

enum source { OF_VARIABLE, OF_COMMAND, OF_FILE, IN_CLEAR, OF_HEADER };

/* Not below the home folder, which is searched. */
static const char *secret_path(const char *name)
{
	char path[64];

	test_make_directory(test_path("secret"));
	snprintf(path, sizeof path, "secret/%s", name);
	return test_path(path);
}

static const char *configure(enum source source, const char *url)
{
	static char variable[128];
	char text[1200], line[600] = "key: " SERVER_KEY;
	const char *file = screen_home("config/sotto/servers.yaml");

	if (source == OF_HEADER)
		snprintf(line, sizeof line, "headers: {X-Api-Key: " SERVER_KEY "}");
	if (source == OF_VARIABLE)
		snprintf(line, sizeof line, "key-env: BOX_KEY");
	if (source == OF_COMMAND)
		snprintf(line, sizeof line, "key-command: [sh, %s]", secret_path("print"));
	if (source == OF_FILE)
		snprintf(line, sizeof line, "key-file: %s", secret_path("key"));
	snprintf(text, sizeof text, "box:\n  url: %s\n  %s\n", url, line);
	test_make_directory(screen_home("config/sotto"));
	test_write_text(file, text);
	test_write_text(secret_path("print"), "echo " SERVER_KEY "\n");
	test_write_text(secret_path("key"), SERVER_KEY "\n");
	EXPECT(chmod(file, 0600) == 0 && chmod(secret_path("key"), 0600) == 0, " ");
	snprintf(variable, sizeof variable, "BOX_KEY%s", source == OF_VARIABLE ? "=" SERVER_KEY : "");
	return variable;
}

/* ---- searching ---- */

static bool has_part(const char *bytes, size_t n)
{
	return bytes && memmem(bytes, n, PART, strlen(PART));
}

/* A folder with all below it, without servers.yaml, which may have it in clear. Returns how many files there are. */
static size_t search_folder(const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	size_t n_files = 0;

	EXPECT(dir, "%s", folder);
	while ((entry = readdir(dir))) {
		char path[1024];
		struct stat st;
		size_t n;
		char *text;

		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
		    strcmp(entry->d_name, "servers.yaml") == 0)
			continue;
		snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
		EXPECT(lstat(path, &st) == 0, "%s", path);
		if (S_ISDIR(st.st_mode))
			n_files += search_folder(path);
		if (!S_ISREG(st.st_mode))
			continue;
		text = test_read_file(path, &n);
		EXPECT(!has_part(text, n), "%s has the key", path);
		free(text);
		n_files++;
	}
	closedir(dir);
	return n_files;
}

/* Nothing that was made has it. */
static void search_files(void)
{
	search_folder(screen_home(""));
	search_folder(test_path("made"));
}

/* Whether a file of a process has it: "cmdline", "environ". */
static void search_process(pid_t pid, const char *name)
{
	char path[64], bytes[65536];
	FILE *file;
	size_t n;

	snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
	file = fopen(path, "r");
	n = file ? fread(bytes, 1, sizeof bytes, file) : 0; /* it may be gone, or another user's */
	if (file)
		fclose(file);
	EXPECT(!has_part(bytes, n), "%s has the key", path);
}

/* 0: it is gone, or only not waited for. */
static pid_t parent_of(pid_t pid)
{
	char path[64], text[512] = "", state = 'Z';
	int parent = 0;
	FILE *file;

	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	file = fopen(path, "r");
	if (file && fgets(text, sizeof text, file) && strrchr(text, ')'))
		(void)!sscanf(strrchr(text, ')') + 2, "%c %d", &state, &parent);
	if (file)
		fclose(file);
	return state == 'Z' ? 0 : (pid_t)parent;
}

/* What the test has started, and what that has. */
static void search_processes(void)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		pid_t pid = (pid_t)atoi(entry->d_name), above = pid;

		while (above > 1 && above != getpid())
			above = parent_of(above);
		if (above == getpid())
			search_process(pid, "cmdline");
	}
	if (dir)
		closedir(dir);
}

/* ---- the chat ---- */

static struct test_server *start(const char *spec, const struct server_act *acts, size_t n)
{
	struct test_server *server = test_server_start(&(struct server_options){.spec = spec, .acts = acts, .n_acts = n});

	if (!server)
		test_skip("this build has no libmicrohttpd");
	test_make_directory(test_path("made"));
	return server;
}

/* A program for the editor and for copying: says what it was given, and ends once that is read. */
static const char *spy(const char *name, const char *variable)
{
	static char setting[300];
	char text[1200];

	snprintf(text, sizeof text, "{ env; cat /proc/self/environ /proc/self/cmdline; echo; echo \"$@\"; } >%s/%s\n",
	         test_path("made"), name);
	test_write_text(secret_path(name), text);
	snprintf(setting, sizeof setting, "%s=sh %s", variable, secret_path(name));
	return setting;
}

/* Whether the program has been there, and was given what others have. */
static void expect_spy(const char *name)
{
	char path[64], *text;
	size_t n;

	snprintf(path, sizeof path, "made/%s", name);
	text = test_read_file(test_path(path), &n);
	EXPECT(text && strstr(text, "HOME="), "%s", text ? text : "none");
	free(text);
}

/* All that a chat does with what it knows. */
static void chat_with_key_of(enum source source, const char *dialect)
{
	struct test_server *server = start(dialect, NULL, 0);
	const char *variable = configure(source, test_server_url(server));
	static const char *const shows[] = {"/show", "/stats", "/show servers", "/show model", "/context"};
	const struct server_request *asked;
	char editor[300], line[400];
	struct screen *s;

	snprintf(editor, sizeof editor, "%s", spy("editor", "VISUAL"));
	spy("copy", "COPY");
	s = CHAT_START(.model = "server:box", .rows = 40, .cols = 120, .env = {variable, editor});
	s->secret = PART;
	chat_wait_ready(s);
	ASK_SHOWS(s, "hello", "4");
	asked = test_server_asked(server);
	EXPECT(asked && strstr(asked->headers, "authorization: Bearer " SERVER_KEY), "it has been sent");
	PRESS_WAIT(s, "<C-x><C-e>", s->checker.n_entered > 1);
	chat_wait_ready(s);
	expect_spy("editor");
	snprintf(line, sizeof line, "/set copy sh %s", secret_path("copy"));
	chat_say(s, line);
	SAY_SHOWS(s, "/copy", "copied");
	expect_spy("copy");
	for (size_t i = 0; i < sizeof shows / sizeof shows[0]; i++)
		chat_say(s, shows[i]);
	PRESS_HIDES(s, "<Esc>", "What fills the context");
	PRESS_SHOWS(s, "<F8>", "PgDn scroll");
	PRESS_HIDES(s, "<Esc>", "PgDn scroll");
	for (size_t i = 0; i < 4; i++) {
		static const char *const formats[] = {"md", "json", "text", "html"};

		snprintf(line, sizeof line, "/export %s %s/chat.%s", formats[i], test_path("made"), formats[i]);
		SAY_SHOWS(s, line, "written");
	}
	search_processes();
	chat_quit(s);
	test_server_stop(server);
	search_files();
}

static void test_chat_variable(void)
{
	chat_with_key_of(OF_VARIABLE, LOADS);
}

static void test_chat_command(void)
{
	chat_with_key_of(OF_COMMAND, LOADS ",dialect=vllm");
}

static void test_chat_file(void)
{
	chat_with_key_of(OF_FILE, LOADS ",dialect=ollama");
}

static void test_chat_clear(void)
{
	chat_with_key_of(IN_CLEAR, LOADS ",dialect=openai");
}

/* ---- what servers say ---- */

#define REFUSED "{\"error\":{\"message\":\"Incorrect API key provided: " SERVER_KEY ". See " \
	"https://h/?key=" SERVER_KEY "\",\"code\":\"invalid_api_key\"}}"
#define REFUSED_IN_PART "{\"error\":{\"message\":\"Incorrect API key provided: sk-CANARY-0123*******cdef\"}}"
#define REFUSED_PLAIN "<html>bad key " SERVER_KEY "\n\x1b[31m" SERVER_KEY "</html>"

static const struct {
	int code;
	const char *body, *headers;
} echoes[] = {
	{401, REFUSED, NULL}, {401, REFUSED_IN_PART, NULL}, {403, REFUSED_PLAIN, NULL}, {500, REFUSED, NULL},
	{400, REFUSED, NULL}, {404, REFUSED_PLAIN, NULL}, {429, REFUSED, "Retry-After: 999\n"},
	{302, "moved", "Location: https://elsewhere.example/?key=" SERVER_KEY "\n"},
	{200, "data: {\"error\":{\"message\":\"no " SERVER_KEY "\"}}\n\n", NULL},
	{200, "<html>" SERVER_KEY "</html>", NULL},
};
enum { N_ECHOES = sizeof echoes / sizeof echoes[0] };

/* Each dialect in its turn. */
static const char *const specs[] = {LOADS, LOADS ",dialect=openai", LOADS ",dialect=ollama", LOADS ",dialect=vllm"};
enum { N_SPECS = sizeof specs / sizeof specs[0] };

/* Ways in which a reply is asked for, or a server looked at. */
static const char *const commands[][8] = {
	{"sotto", "run", "-m", "server:box", "-p", "hello"}, {"sotto", "run", "--json", "-m", "server:box/a", "hello"},
	{"sotto", "servers"}, {"sotto", "servers", "--json"}, {"sotto", "servers", "check", "box"}, {"sotto", "models"},
};
enum { N_COMMANDS = sizeof commands / sizeof commands[0] };

/* What it says goes into files, which are searched. It may leave as large a core file as it likes. */
static pid_t run_sotto(const char *const *args, const char *variable)
{
	static unsigned n_runs;
	char config[300], home[300], out[32];
	pid_t pid;

	snprintf(out, sizeof out, "out.%u", n_runs++);
	pid = fork();
	EXPECT(pid >= 0, " ");
	if (pid)
		return pid;
	setrlimit(RLIMIT_CORE, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY});
	snprintf(home, sizeof home, "%s", screen_home(""));
	snprintf(config, sizeof config, "%s", screen_home("config"));
	setenv("HOME", home, 1);
	setenv("XDG_CONFIG_HOME", config, 1);
	if (strchr(variable, '='))
		putenv(strdup(variable));
	if (chdir(test_path("made")) != 0 || !freopen("/dev/null", "r", stdin) || !freopen(out, "w", stdout) ||
	    dup2(STDOUT_FILENO, STDERR_FILENO) < 0)
		_exit(127);
	execv(TEST_BUILDDIR "/sotto", (char *const *)(uintptr_t)args);
	_exit(127);
}

static void run_commands(const char *variable)
{
	for (size_t i = 0; i < N_COMMANDS; i++) {
		pid_t pid = run_sotto(commands[i], variable);
		int state;

		EXPECT(waitpid(pid, &state, 0) == pid && WIFEXITED(state) && WEXITSTATUS(state) < 5, "%s: %x",
		       commands[i][1], state);
	}
}

static void test_commands(void)
{
	for (enum source source = OF_VARIABLE; source <= OF_HEADER; source++) {
		struct test_server *server = start(LOADS, NULL, 0);

		run_commands(configure(source, test_server_url(server)));
		EXPECT(test_server_asked(server) && strstr(test_server_asked(server)->headers, SERVER_KEY), "it was sent");
		test_server_stop(server);
	}
	search_files();
}

static void test_echoes(void)
{
	static const char *const paths[] = {NULL, "/v1/models", "/props", "/api/tags", "/models", "/tokenize"};
	enum { N_PATHS = sizeof paths / sizeof paths[0] };

	for (size_t i = 0; i < N_ECHOES; i++) {
		struct server_act acts[N_PATHS];

		if (echoes[i].code == 500)
			continue; /* it is asked again, for half a minute */
		for (size_t path = 0; path < N_PATHS; path++)
			acts[path] = (struct server_act){.path = paths[path], .code = echoes[i].code, .body = echoes[i].body,
			                                 .headers = echoes[i].headers};
		for (int all = 0; all < 2; all++) { /* replies alone, then everything */
			struct test_server *server = start(specs[(i + (size_t)all) % N_SPECS], acts, all ? N_PATHS : 1);

			run_commands(configure(all ? OF_VARIABLE : OF_HEADER, test_server_url(server)));
			test_server_stop(server);
		}
	}
	search_files();
}

static void test_echo_in_chat(void)
{
	for (size_t turn = 0; turn < N_ECHOES * N_SPECS; turn++) {
		size_t i = turn / N_SPECS;
		struct server_act act = {.code = echoes[i].code, .body = echoes[i].body, .headers = echoes[i].headers};
		struct test_server *server = start(specs[turn % N_SPECS], &act, 1);
		struct screen *s = CHAT_START(.model = "server:box", .rows = 40, .cols = 120,
		                              .env = {configure(OF_VARIABLE, test_server_url(server))});

		s->secret = PART;
		chat_wait_ready(s);
		SAY_WAIT(s, "hello", test_server_asked(server));
		if (echoes[i].code == 500) /* it is asked again, for half a minute */
			screen_keys(s, "<Esc>");
		WAIT(s, screen_has(s, "Error: ") || chat_is_ready(s));
		chat_quit(s);
		test_server_stop(server);
	}
	search_files();
}

/* ---- a core file ---- */

/* Where gcore is there, and is not run by root, who may look into everything. */
static void debug(pid_t pid)
{
	char number[16], core[300];
	pid_t child;

	snprintf(number, sizeof number, "%d", (int)pid);
	snprintf(core, sizeof core, "%s", test_path("made/core"));
	child = geteuid() == 0 ? 0 : fork();
	if (!child && geteuid() != 0) {
		if (freopen("/dev/null", "w", stdout) && freopen("/dev/null", "w", stderr))
			execlp("gcore", "gcore", "-o", core, number, (char *)NULL);
		_exit(127);
	}
	if (child > 0)
		waitpid(child, NULL, 0);
}

static void test_core(void)
{
	for (enum source source = OF_VARIABLE; source <= OF_HEADER; source++) {
		struct test_server *server = start(LOADS ",hold=2", NULL, 0);
		pid_t pid = run_sotto(commands[0], configure(source, test_server_url(server)));
		uint64_t end = screen_deadline(20000);
		int state;

		while (!test_server_asked(server)) {
			EXPECT(screen_deadline(0) < end, "it has not asked");
			usleep(1000);
		}
		search_processes();
		if (source != OF_VARIABLE)
			search_process(pid, "environ");
		debug(pid);
		kill(pid, SIGABRT);
		EXPECT(waitpid(pid, &state, 0) == pid && WIFSIGNALED(state) && WTERMSIG(state) == SIGABRT, "%x", state);
		EXPECT(!WCOREDUMP(state), "it has left a core file");
		test_server_stop(server);
	}
	search_files();
}

/* A password manager that waits for somebody does not keep the chat: Esc ends it, and whatever it has started. */
static void test_command_that_waits(void)
{
	struct test_server *server = start(LOADS, NULL, 0);
	const char *variable = configure(OF_COMMAND, test_server_url(server));
	struct screen *s;
	char *text;
	size_t n;

	test_write_text(secret_path("print"), "sleep 600 & echo $! >$0.new; mv $0.new $0.pid; wait\n");
	s = CHAT_START(.model = "server:box", .rows = 40, .cols = 120, .env = {variable});
	while (!(text = test_read_file(secret_path("print.pid"), &n)))
		screen_pump(s, 10);
	PRESS_SHOWS(s, "<Esc>", "Loading was stopped");
	EXPECT(test_server_n_requests(server, NULL) == 0, "it has asked without a key");
	for (uint64_t end = screen_deadline(20000); parent_of(atoi(text)) != 0;) {
		EXPECT(screen_deadline(0) < end, "the command still runs");
		screen_pump(s, 10);
	}
	free(text);
	screen_keys(s, "/quit<Enter>");
	screen_finish(s, 3); /* the model of -m was not loaded */
	test_server_stop(server);
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"chat_variable", test_chat_variable, 0}, {"chat_command", test_chat_command, 0},
		{"chat_file", test_chat_file, 0}, {"chat_clear", test_chat_clear, 0},
		{"commands", test_commands, 0}, {"echoes", test_echoes, 120}, {"echo_in_chat", test_echo_in_chat, 120}, {"core", test_core, 0},
		{"command_that_waits", test_command_that_waits, 0},
	};

	return run_tests(argc, argv, tests, sizeof tests / sizeof tests[0]);
}
