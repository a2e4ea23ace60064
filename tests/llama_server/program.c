#include "llama_server/program.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sys.h"
#include "net/http.h"

enum { ARGUMENTS_MAX = 32, LIMIT_MS = 120000, PAUSE_MS = 10 };

const char *program_path(void)
{
	const char *path = getenv("SOTTO_LLAMA_SERVER");

	return path && *path ? path : NULL;
}

static uint16_t find_port(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof address;
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	cr_assert(fd >= 0 && bind(fd, (struct sockaddr *)&address, len) == 0 &&
	          getsockname(fd, (struct sockaddr *)&address, &len) == 0, "no port: %s", strerror(errno));
	close(fd);
	return ntohs(address.sin_port);
}

static void run(const struct program *program, const char *const *arguments)
{
	const char *argv[ARGUMENTS_MAX] = {program_path(), "--host", "127.0.0.1", "-t", "1", "-tb", "1"};
	const char *log = getenv("SOTTO_LLAMA_SERVER_LOG");
	char port[8];
	int null = open(log ? log : "/dev/null", O_WRONLY | O_CREAT | O_APPEND, 0600);
	size_t n = 7;

	snprintf(port, sizeof port, "%u", program->port);
	argv[n++] = "--port";
	argv[n++] = port;
	while (*arguments && n + 1 < ARGUMENTS_MAX)
		argv[n++] = *arguments++;
	dup2(null, 1);
	dup2(null, 2);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	execv(argv[0], (char *const *)argv);
	_exit(127);
}

void program_start(struct program *program, const char *const *arguments)
{
	if (!program->port)
		program->port = find_port();
	snprintf(program->url, sizeof program->url, "http://127.0.0.1:%u", program->port);
	program->pid = fork();
	cr_assert(program->pid >= 0, "no process: %s", strerror(errno));
	if (program->pid == 0)
		run(program, arguments);
}

static bool never(void *ctx)
{
	(void)ctx;
	return false;
}

bool program_ask(const struct program *program, const char *path, const char *body, struct buf *out)
{
	const struct http_target target = {.url = program->url};
	const struct http_call call = {.target = &target, .path = path, .body = body, .body_len = body ? strlen(body) : 0,
	                               .limits = {.bytes = 64 << 20}, .cancelled = never};
	struct http_answer answer = {.code = 0};
	struct http *http;
	struct error err;
	bool ok;

	cr_assert_eq(http_create(&http, &err), STATUS_OK, "%s", err.text);
	ok = http_call(http, &call, &answer, &err) == STATUS_OK && answer.code / 100 == 2;
	if (ok && out)
		ok = buf_append(out, buf_text(&answer.body), answer.body.len) == STATUS_OK;
	http_answer_free(&answer);
	http_free(http);
	return ok;
}

void program_wait(const struct program *program)
{
	uint64_t limit = sys_now_ms() + LIMIT_MS;

	while (!program_ask(program, "/health", NULL, NULL)) {
		cr_assert(waitpid(program->pid, NULL, WNOHANG) == 0, "%s has ended", program_path());
		cr_assert(sys_now_ms() < limit, "%s does not answer", program_path());
		poll(NULL, 0, PAUSE_MS);
	}
}

static void end(struct program *program, int signal)
{
	if (program->pid > 0) {
		kill(program->pid, signal);
		waitpid(program->pid, NULL, 0);
	}
	program->pid = 0;
}

void program_stop(struct program *program)
{
	end(program, SIGTERM);
}

void program_kill(struct program *program)
{
	end(program, SIGKILL);
}

bool program_is_busy(const struct program *program)
{
	struct buf slots = {.max = 64 << 20};
	bool busy;

	cr_assert(program_ask(program, "/slots", NULL, &slots), "no slots");
	busy = strstr(buf_text(&slots), "\"is_processing\":true") != NULL;
	buf_free(&slots);
	return busy;
}

uint64_t program_wait_free(const struct program *program)
{
	uint64_t start = sys_now_ms();

	while (program_is_busy(program)) {
		cr_assert(sys_now_ms() < start + LIMIT_MS, "a slot stays busy");
		poll(NULL, 0, PAUSE_MS);
	}
	return sys_now_ms() - start;
}
