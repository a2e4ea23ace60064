#include "screen/real.h"

#include <arpa/inet.h>
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

#include "screen/runner.h"

enum { PAUSE_MS = 20 };

const char *real_program(void)
{
	const char *program = getenv("SOTTO_LLAMA_SERVER");

	return program && *program ? program : NULL;
}

static struct sockaddr_in loopback_address(unsigned port)
{
	return (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	                            .sin_port = htons((uint16_t)port)};
}

static unsigned find_port(void)
{
	struct sockaddr_in address = loopback_address(0);
	socklen_t len = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	EXPECT(fd >= 0 && bind(fd, (struct sockaddr *)&address, len) == 0 &&
	       getsockname(fd, (struct sockaddr *)&address, &len) == 0, "%s", strerror(errno));
	close(fd);
	return ntohs(address.sin_port);
}

static void be_server(unsigned port, const char *model, const char *name, unsigned n_ctx)
{
	char port_text[16], ctx_text[16];
	const char *const argv[] = {
		real_program(), "--host", "127.0.0.1", "--port", port_text, "-m", model, "-a", name, "-c", ctx_text,
		"-np", "1", "-t", "1", "-tb", "1", "--jinja", "--slots", "--no-warmup", NULL};
	int log = open(test_path("llama-server.log"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

	snprintf(port_text, sizeof(port_text), "%u", port);
	snprintf(ctx_text, sizeof(ctx_text), "%u", n_ctx);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	dup2(log, STDOUT_FILENO);
	dup2(log, STDERR_FILENO);
	execv(argv[0], (char *const *)(uintptr_t)argv);
	_exit(126);
}

/* Whether it answers that all is well. */
static bool is_well(unsigned port)
{
	static const char request[] = "GET /health HTTP/1.0\r\n\r\n";
	struct sockaddr_in address = loopback_address(port);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	char answer[16] = "";
	bool well = fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0 &&
	            write(fd, request, sizeof(request) - 1) == sizeof(request) - 1 &&
	            recv(fd, answer, sizeof(answer) - 1, MSG_WAITALL) > 0 && strstr(answer, " 200");

	close(fd);
	return well;
}

__attribute__((noreturn)) static void fail(void)
{
	size_t n = 0;
	char *log = test_read_file(test_path("llama-server.log"), &n);

	test_fail(__FILE__, __LINE__, "%s has ended: %s", real_program(), log && n > 600 ? log + n - 600 : log ? log : "");
}

void real_start(struct real_server *server, const char *model, const char *name, unsigned n_ctx)
{
	if (!real_program())
		test_skip("SOTTO_LLAMA_SERVER names no llama-server");
	if (!server->port)
		server->port = find_port();
	snprintf(server->url, sizeof(server->url), "http://127.0.0.1:%u", server->port);
	server->pid = fork();
	EXPECT(server->pid >= 0, "%s", strerror(errno));
	if (server->pid == 0)
		be_server(server->port, model, name, n_ctx);
	printf("%s serves %s\n", real_program(), name);
	while (!is_well(server->port)) {
		if (waitpid(server->pid, NULL, WNOHANG) != 0)
			fail();
		poll(NULL, 0, PAUSE_MS);
	}
}

void real_stop(struct real_server *server)
{
	kill(server->pid, SIGKILL);
	waitpid(server->pid, NULL, 0);
	server->pid = 0;
}
