/* sotto pull on a terminal: the table and its question, the status line, Ctrl+C. */
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/folder.h"
#include "support/hub_server/hub_server.h"

enum { OUT_MAX = 65536, LIMIT_MS = 120000, STEPS = 4 };

/* What is typed when a text has come. */
struct step {
	const char *seen, *typed;
};

static int passed, failed;
static char out[OUT_MAX];
static size_t out_len;

static void check(int ok, const char *name, const char *what)
{
	passed += ok;
	failed += !ok;
	if (!ok)
		printf("FAIL: %s: %s; output: %s\n", name, what, out);
}

static pid_t start(const char *const argv[], int *fd)
{
	pid_t pid = forkpty(fd, NULL, NULL, NULL);

	if (pid < 0) {
		perror("forkpty");
		exit(1);
	}
	if (pid == 0) {
		execv("./sotto", (char *const *)(uintptr_t)argv); /* execv changes nothing */
		_exit(127);
	}
	return pid;
}

/* Takes what is written until the end; each step's text is looked for behind the one before. */
static void talk(int fd, const struct step *steps)
{
	size_t from = 0;
	int elapsed = 0;

	out_len = 0;
	while (elapsed < LIMIT_MS) {
		struct pollfd pollfd = {.fd = fd, .events = POLLIN};
		ssize_t n;

		if (poll(&pollfd, 1, 50) == 0) {
			elapsed += 50;
			continue;
		}
		n = read(fd, out + out_len, OUT_MAX - 1 - out_len);
		if (n <= 0 && errno != EINTR)
			break; /* EIO: the other side has closed it */
		out_len += n > 0 ? (size_t)n : 0;
		out[out_len] = '\0';
		if (steps->seen && strstr(out + from, steps->seen)) {
			from = out_len;
			if (write(fd, steps->typed, strlen(steps->typed)) < 0)
				perror("write");
			steps++;
		}
	}
	out[out_len] = '\0';
}

/* sotto pull MODEL; its exit status, or 256 + the signal. */
static int pull(const char *model, const struct step *steps)
{
	const char *argv[] = {"sotto", "pull", model, NULL};
	int fd, status;
	pid_t pid = start(argv, &fd);

	talk(fd, steps);
	kill(pid, SIGKILL); /* it has ended, or hangs */
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	close(fd);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
}

static void test_question(void)
{
	const struct step by_name[STEPS] = {{"Which one?", "q2_k\r"}}, by_enter[STEPS] = {{"Which one?", "\r"}};
	const struct step again[STEPS] = {{"Which one?", "Q9\r"}, {"Which one?", "99\r"}, {"Which one?", "2\r"}};
	const struct step nothing[STEPS] = {{"Which one?", "q\r"}}, stop[STEPS] = {{"Which one?", "\003"}};

	check(pull("tiny/toy-GGUF", stop) == 130, "stop", "exit status");
	check(pull("tiny/toy-GGUF", nothing) == 130 && strstr(out, "nothing was fetched"), "nothing", "exit status, or no word");
	check(pull("tiny/toy-GGUF", by_name) == 0, "by name", "exit status");
	check(strstr(out, "* ") && strstr(out, "TOKENS/S") && strstr(out, "BF16") && strstr(out, "3 files"), "by name", "no table");
	check(strstr(out, "toy-Q2_K.gguf\r\n") != NULL, "by name", "not that one");
	check(strstr(out, "sotto -m tiny/toy-GGUF:Q2_K") != NULL, "by name", "how to go on is not said");
	check(pull("tiny/toy-GGUF", by_enter) == 0 && strstr(out, ".gguf\r\n"), "enter", "exit status");
	check(pull("tiny/toy-GGUF", again) == 0, "again", "exit status");
}

static void test_no_question(void)
{
	const struct step none[STEPS] = {{0}};

	check(pull("tiny/toy-GGUF:Q8_0", none) == 0 && !strstr(out, "Which one?"), "tag", "exit status, or it asks");
	check(strstr(out, "toy-Q8_0.gguf\r\n") != NULL, "tag", "not that one");
}

static void test_stop(struct hub_server *server)
{
	const struct step stop[STEPS] = {{"61 % of 1.3 MB", "\003"}}, none[STEPS] = {{0}};

	hub_server_fault(server, &(struct hub_fault){HUB_BYTES, HUB_STANDS_STILL, .at = 800000, .n = 1});
	check(pull("tiny/toy-GGUF:Q4_K_M", stop) == 130, "stopped", "exit status");
	check(strstr(out, "tiny/toy-GGUF:Q4_K_M: ") != NULL, "stopped", "no name on the status line");
	check(strstr(out, "the same command goes on") != NULL, "stopped", "how to go on is not said");
	check(pull("tiny/toy-GGUF:Q4_K_M", none) == 0 && strstr(out, "toy-Q4_K_M.gguf\r\n"), "gone on with", "exit status");
}

int main(void)
{
	char home[] = "/tmp/sotto-pull-XXXXXX", cache[64];
	static const char *const unset[] = {"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE",
	                                    "MODEL_ENDPOINT", "LLAMA_CACHE", "http_proxy", "all_proxy", "SOTTO_MODEL"};
	struct hub_server *server;

	if (!mkdtemp(home))
		return 1;
	snprintf(cache, sizeof cache, "%s/hub", home);
	setenv("HOME", home, 1);
	setenv("XDG_CONFIG_HOME", home, 1);
	setenv("HF_HUB_CACHE", cache, 1);
	setenv("SOTTO_TEST_WEIGHT_RATE", "20000000000", 1);
	for (size_t i = 0; i < sizeof unset / sizeof unset[0]; i++)
		unsetenv(unset[i]);
	server = hub_server_start(&(struct hub_options){0});
	hub_server_put_usual(server, 0);
	setenv("HF_ENDPOINT", hub_server_url(server), 1);
	test_stop(server);
	test_question();
	test_no_question();
	hub_server_stop(server);
	remove_folder(home);
	printf("%d checks passed, %d failed\n", passed, failed);
	return failed != 0;
}
