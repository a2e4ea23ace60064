/* sotto run on a terminal: what a model says is foreign text and reaches it
 * sanitised; the shell gets its line back; nothing waits for a prompt. And
 * sotto quantize, which shows there how far it is. */
#include <dirent.h>
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

#include "base/limits.h"
#include "gguf/writer.h"

enum { OUT_MAX = 65536, LIMIT_MS = 120000 };

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

/* Runs ./sotto in a terminal of its own and collects what it writes there
 * until it ends; interrupts it with ^C once something was written, if asked
 * to. Returns the exit status, 256 + signal for a death. */
static int run_in_terminal(const char *const argv[], int interrupt)
{
	int fd, status, elapsed = 0;
	pid_t pid = forkpty(&fd, NULL, NULL, NULL);

	if (pid < 0) {
		perror("forkpty");
		exit(1);
	}
	if (pid == 0) {
		execv("./sotto", (char *const *)(uintptr_t)argv); /* execv changes nothing */
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

/* sotto run -m MODEL [WORD] */
static int run(const char *model, const char *word, int interrupt)
{
	const char *argv[] = {"sotto", "run", "-m", model, word, NULL};

	return run_in_terminal(argv, interrupt);
}

/* A model of one matrix, `rows` rows of zeros that take no room on the disk. */
static int save_zeros(const char *path, uint64_t rows)
{
	const uint64_t ne[2] = {1 << 12, rows}, n_bytes = ne[0] * ne[1] * 2;
	struct gguf_writer *writer = gguf_writer_create();
	FILE *file = fopen(path, "wb");
	struct buf header = {.max = MIB(1)};
	int wrong;

	if (!writer || !file)
		return 1;
	gguf_writer_set_string(writer, "general.architecture", "llama", 5);
	gguf_writer_add_tensor(writer, "output.weight", BLOCK_F16, 2, ne, NULL, (size_t)n_bytes);
	wrong = gguf_writer_header(writer, &header, NULL) ||
	         fwrite(header.data, 1, header.len, file) != header.len || fclose(file) != 0 ||
	         truncate(path, (off_t)(header.len + n_bytes)) != 0;
	gguf_writer_free(writer);
	buf_free(&header);
	return wrong;
}

static int count_files(const char *dir)
{
	DIR *folder = opendir(dir);
	int n = -2;

	while (folder && readdir(folder))
		n++;
	if (folder)
		closedir(folder);
	return n;
}

static void check_quantize(void)
{
	char dir[] = "/tmp/sotto-tty-XXXXXX", in[64], made[64];
	const char *argv[] = {"sotto", "quantize", "-t", "1", "--pure", in, made, "Q2_K", NULL};

	if (!mkdtemp(dir)) {
		check(0, "quantize", "no folder");
		return;
	}
	snprintf(in, sizeof in, "%s/in.gguf", dir);
	snprintf(made, sizeof made, "%s/made.gguf", dir);
	check(save_zeros(in, 512) == 0, "quantize", "no model");
	check(run_in_terminal(argv, 0) == 0, "quantize", "exit status");
	check(strstr(out, "#") && strstr(out, "%") && strstr(out, "output.weight"), "quantize", "no bar");
	check(strstr(out, "made.gguf: Q2_K") != NULL, "quantize", "no summary");
	check(!memchr(out, '\033', out_len), "quantize", "an escape");
	unlink(made);
	check(save_zeros(in, 1 << 20) == 0, "quantize", "no large model");
	check(run_in_terminal(argv, 1) == 130, "quantize interrupted", "exit status");
	check(count_files(dir) == 1, "quantize interrupted", "a file is left");
	unlink(in);
	rmdir(dir);
}

int main(void)
{
	const char *server[] = {"sotto", "-m", "server:nowhere", NULL};
	const char *layers[] = {"sotto", "trace", "-p", "x y z", "--layers", NULL};
	const char *head[] = {"sotto", "trace", "-p", "x x", "--attention", "0,0", NULL};
	const char *json[] = {"sotto", "run", "-m", "synthetic:mode=escape,tokens=6", "--json", "x", NULL};

	setenv("HOME", "/nonexistent", 1);
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("SOTTO_CONFIG");
	check(run("synthetic:mode=escape,tokens=6", "x", 0) == 0, "foreign", "exit status");
	check(!memchr(out, '\033', out_len), "foreign", "an escape");
	check(!memchr(out, '\007', out_len), "foreign", "a bell");
	check(!strstr(out, "\xc2\x9b"), "foreign", "a C1 control");
	check(!strstr(out, "\xe2\x80\xae"), "foreign", "a bidirectional control");
	check(strstr(out, "^[[31mred") != NULL, "foreign", "the escape is not shown");
	check(run_in_terminal(json, 0) == 0, "foreign JSON", "exit status");
	check(strncmp(out, "{\"reply\": ", 10) == 0, "foreign JSON", "no object");
	check(!memchr(out, '\033', out_len), "foreign JSON", "an escape");
	check(!strstr(out, "\xe2\x80\xae"), "foreign JSON", "a bidirectional control");
	check(run("synthetic:mode=wide,tokens=5", "x", 0) == 0, "plain", "exit status");
	check(strcmp(out, "\xe4\xbd\xa0\xe5\xa5\xbd\xef\xbc\x8c\xe4\xb8\x96\xe7\x95\x8c"
	                  "\xe3\x80\x82 \r\n") == 0, "plain", "the text and one newline");
	check(run("synthetic:rate=50,tokens=100000", "x", 1) == 130, "interrupt", "exit status");
	check(out_len >= 2 && strcmp(out + out_len - 2, "\r\n") == 0, "interrupt", "no newline");
	/* What a server is waited for gives way to what comes then. */
	check(run("synthetic:remote=1,wait=100,tokens=1", "x", 0) == 0, "waiting", "exit status");
	check(strncmp(out, "waiting for box: no answer yet (0 s)\r", 37) == 0, "waiting", "not told");
	check(strstr(out, "  \rwarm 0 \r\n") != NULL, "waiting", "it stays");
	check(run("synthetic:remote=1,wait_load=100000", "x", 1) == 130, "interrupted waiting", "exit status");
	check(strstr(out, "  \r") != NULL, "interrupted waiting", "it stays");
	/* A server that servers.yaml does not name is missed before the screen opens. */
	check(run_in_terminal(server, 0) == 3, "no server", "exit status");
	check(strstr(out, "there is no server 'nowhere'") != NULL, "no server", "no message");
	check(run("synthetic:", NULL, 0) == 2, "no prompt", "it must not wait");
	check(strstr(out, "no prompt") != NULL, "no prompt", "no message");
	check_quantize();
	/* To people a heading, all figures, and a bar for each layer; the model is the one that comes with sotto. */
	check(run_in_terminal(layers, 0) == 0, "trace", "exit status");
	check(strstr(out, "layer  ") && strstr(out, "growth  plot\r\nlayer0 "), "trace", "no heading");
	check(strstr(out, "##\r\n") != NULL, "trace", "no bar");
	check(run_in_terminal(head, 0) == 0, "trace of a head", "exit status");
	check(strstr(out, "\" x\"") && strstr(out, "|@") && strstr(out, "of all goes to the first token"), "trace of a head",
	      "no map");
	printf("%d passed, %d failed\n", passed, failed);
	return failed != 0;
}
