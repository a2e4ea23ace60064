#include "crash/byte_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "crash/check.h"
#include "support/sha.h"

enum { PIECE = 3000 };

unsigned char byte_server_at(uint64_t at)
{
	return (unsigned char)((at * 2654435761u) >> 13 ^ at >> 3);
}

void byte_server_digest(uint64_t size, char text[65])
{
	struct sha sha;

	sha256_begin(&sha);
	for (uint64_t at = 0; at < size; at++) {
		unsigned char byte = byte_server_at(at);

		sha_add(&sha, &byte, 1);
	}
	sha_end(&sha, text);
}

struct connection {
	int fd;
	uint64_t size;
};

/* The request's head. */
static bool read_head(int fd, char *text, size_t size)
{
	size_t n = 0;

	while (n + 1 < size) {
		ssize_t got = recv(fd, text + n, size - 1 - n, 0);

		if (got <= 0)
			return false;
		n += (size_t)got;
		text[n] = 0;
		if (strstr(text, "\r\n\r\n"))
			return true;
	}
	return false;
}

static bool send_all(int fd, const void *bytes, size_t n)
{
	while (n > 0) {
		ssize_t sent = send(fd, bytes, n, MSG_NOSIGNAL);

		if (sent <= 0)
			return false;
		bytes = (const char *)bytes + sent;
		n -= (size_t)sent;
	}
	return true;
}

static bool answer(const struct connection *connection, const char *request)
{
	const char *range = strstr(request, "Range: bytes=");
	uint64_t from = 0, to = connection->size;
	char head[256];
	int n;

	if (range && sscanf(range, "Range: bytes=%" SCNu64 "-%" SCNu64, &from, &to) == 2)
		to++;
	n = snprintf(head, sizeof head,
	             "HTTP/1.1 %s\r\nContent-Length: %" PRIu64 "\r\nETag: \"one\"\r\nContent-Range: bytes %" PRIu64 "-%" PRIu64
	             "/%" PRIu64 "\r\n\r\n",
	             range ? "206 Partial Content" : "200 OK", to - from, from, to - 1, connection->size);
	if (!send_all(connection->fd, head, (size_t)n))
		return false;
	while (from < to) {
		unsigned char piece[PIECE];
		size_t some = to - from < PIECE ? (size_t)(to - from) : PIECE;

		for (size_t i = 0; i < some; i++)
			piece[i] = byte_server_at(from + i);
		if (!send_all(connection->fd, piece, some))
			return false;
		from += some;
	}
	return true;
}

static void *serve(void *ctx)
{
	struct connection *connection = ctx;
	char request[4096];

	while (read_head(connection->fd, request, sizeof request) && answer(connection, request))
		;
	close(connection->fd);
	free(connection);
	return NULL;
}

_Noreturn static void run(int listener, uint64_t size)
{
	for (;;) {
		struct connection *connection = malloc(sizeof *connection);
		pthread_t thread;

		CHECK(connection, "memory");
		*connection = (struct connection){accept(listener, NULL, NULL), size};
		CHECK(connection->fd >= 0, "accept: %s", strerror(errno));
		CHECK(pthread_create(&thread, NULL, serve, connection) == 0, "a thread");
		pthread_detach(thread);
	}
}

void byte_server_start(struct byte_server *server, uint64_t size)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof address;
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	CHECK(listener >= 0 && bind(listener, (struct sockaddr *)&address, len) == 0 && listen(listener, 64) == 0 &&
	              getsockname(listener, (struct sockaddr *)&address, &len) == 0,
	      "a socket: %s", strerror(errno));
	snprintf(server->url, sizeof server->url, "http://127.0.0.1:%u", ntohs(address.sin_port));
	fflush(stdout);
	server->pid = fork();
	CHECK(server->pid >= 0, "%s", strerror(errno));
	if (server->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL); /* a test that fails ends it, too */
		run(listener, size);
	}
	close(listener);
}

void byte_server_stop(struct byte_server *server)
{
	kill(server->pid, SIGKILL);
	waitpid(server->pid, NULL, 0);
}
