/* sotto run on a terminal: what a model says is foreign text and reaches it
 * sanitised; the shell gets its line back; nothing waits for a prompt. */
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUT_MAX = 65536, LIMIT_MS = 20000 };

static int passed, failed;
static char out[OUT_MAX];
static size_t out_len;

static void check(int ok, const char *name, const char *what)
{
	if (ok) {
		passed++;
		return;
	}
	failed++;
	printf("FAIL: %s: %s; output: %s\n", name, what, out);
}

/* Runs `sotto run -m MODEL [WORD]` in a terminal of its own and collects what it writes there
 * until it ends; interrupts it with ^C once something was written, if asked
 * to. Returns the exit status, 256 + signal for a death. */
static int run(const char *model, const char *word, int interrupt)
{
	int fd, status, elapsed = 0;
	pid_t pid = forkpty(&fd, NULL, NULL, NULL);

	if (pid < 0) {
		perror("forkpty");
		exit(1);
	}
	if (pid == 0) {
		execl("./sotto", "sotto", "run", "-m", model, word, (char *)NULL);
		_exit(127);
	}
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
		if (interrupt && write(fd, "\003", 1) == 1)
			interrupt = 0;
	}
	out[out_len] = '\0';
	if (elapsed >= LIMIT_MS)
		kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	close(fd);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
}

int main(void)
{
	setenv("HOME", "/nonexistent", 1);
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("SOTTO_CONFIG");
	check(run("synthetic:mode=escape,tokens=6", "x", 0) == 0, "foreign", "exit status");
	check(!memchr(out, '\033', out_len), "foreign", "an escape");
	check(!memchr(out, '\007', out_len), "foreign", "a bell");
	check(!strstr(out, "\xc2\x9b"), "foreign", "a C1 control");
	check(!strstr(out, "\xe2\x80\xae"), "foreign", "a bidirectional control");
	check(strstr(out, "^[[31mred") != NULL, "foreign", "the escape is not shown");
	check(run("synthetic:mode=wide,tokens=5", "x", 0) == 0, "plain", "exit status");
	check(strcmp(out, "\xe4\xbd\xa0\xe5\xa5\xbd\xef\xbc\x8c\xe4\xb8\x96\xe7\x95\x8c"
	                  "\xe3\x80\x82 \r\n") == 0, "plain", "the text and one newline");
	check(run("synthetic:rate=50,tokens=100000", "x", 1) == 130, "interrupt", "exit status");
	check(out_len >= 2 && strcmp(out + out_len - 2, "\r\n") == 0, "interrupt", "no newline");
	check(run("synthetic:", NULL, 0) == 2, "no prompt", "it must not wait");
	check(strstr(out, "no prompt") != NULL, "no prompt", "no message");
	printf("%d passed, %d failed\n", passed, failed);
	return failed != 0;
}
