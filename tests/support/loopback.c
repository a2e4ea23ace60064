#include "support/loopback.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/limits.h"

enum { REQUESTS_MAX = 1024 };

struct loopback {
	loopback_serve *serve;
	void *ctx;
	int listener;
	uint16_t port;
	char url[64];
	pthread_t thread;
	pthread_mutex_t lock; /* of all below */
	pthread_cond_t served;
	int fd; /* that is served; -1: none */
	bool is_stopped;
	unsigned n_connections, n_served;
	char *requests[REQUESTS_MAX];
	size_t n_requests;
};

static void fatal(const char *what)
{
	perror(what);
	abort();
}

/* A connection to serve; false: there will be none any more. */
static bool take(struct loopback *server, int *fd, unsigned *number)
{
	bool is_taken;

	*fd = accept(server->listener, NULL, NULL);
	pthread_mutex_lock(&server->lock);
	is_taken = *fd >= 0 && !server->is_stopped;
	if (is_taken) {
		server->fd = *fd;
		*number = server->n_connections++;
	} else if (*fd >= 0) {
		close(*fd);
	}
	pthread_mutex_unlock(&server->lock);
	return is_taken;
}

static void *run(void *arg)
{
	struct loopback *server = arg;
	unsigned number;
	int fd;

	while (take(server, &fd, &number)) {
		server->serve(server, fd, number, server->ctx);
		pthread_mutex_lock(&server->lock);
		server->fd = -1;
		close(fd);
		server->n_served++;
		pthread_cond_broadcast(&server->served);
		pthread_mutex_unlock(&server->lock);
	}
	return NULL;
}

static struct loopback *start(int family, const struct sockaddr *address, socklen_t size, loopback_serve *serve,
                              void *ctx)
{
	struct loopback *server = calloc(1, sizeof *server);

	if (!server)
		fatal("calloc");
	server->serve = serve;
	server->ctx = ctx;
	server->fd = -1;
	pthread_mutex_init(&server->lock, NULL);
	pthread_cond_init(&server->served, NULL);
	server->listener = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (server->listener < 0 || bind(server->listener, address, size) != 0 || listen(server->listener, 16) != 0)
		fatal("listen");
	if (family == AF_INET) {
		struct sockaddr_in in;
		socklen_t in_size = sizeof in;

		getsockname(server->listener, (struct sockaddr *)&in, &in_size);
		server->port = ntohs(in.sin_port);
		snprintf(server->url, sizeof server->url, "http://127.0.0.1:%u", server->port);
	}
	if (pthread_create(&server->thread, NULL, run, server) != 0)
		fatal("pthread_create");
	return server;
}

struct loopback *loopback_start(loopback_serve *serve, void *ctx)
{
	struct sockaddr_in address = {.sin_family = AF_INET};

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return start(AF_INET, (struct sockaddr *)&address, sizeof address, serve, ctx);
}

struct loopback *loopback_start_unix(const char *path, loopback_serve *serve, void *ctx)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
	return start(AF_UNIX, (struct sockaddr *)&address, sizeof address, serve, ctx);
}

void loopback_stop(struct loopback *server)
{
	pthread_mutex_lock(&server->lock);
	server->is_stopped = true;
	shutdown(server->listener, SHUT_RDWR); /* accept returns */
	if (server->fd >= 0)
		shutdown(server->fd, SHUT_RDWR);
	pthread_mutex_unlock(&server->lock);
	pthread_join(server->thread, NULL);
	close(server->listener);
	for (size_t i = 0; i < server->n_requests; i++)
		free(server->requests[i]);
	pthread_cond_destroy(&server->served);
	pthread_mutex_destroy(&server->lock);
	free(server);
}

uint16_t loopback_port(const struct loopback *server)
{
	return server->port;
}

const char *loopback_url(const struct loopback *server)
{
	return server->url;
}

/* How long the request is whose head has come; 0: its head has not come whole. */
static size_t request_length(const struct buf *buf)
{
	const char *end = buf->len > 0 ? strstr(buf->data, "\r\n\r\n") : NULL;
	const char *length = end ? strcasestr(buf->data, "\r\ncontent-length:") : NULL;

	if (!end)
		return 0;
	return (size_t)(end + 4 - buf->data) + (length && length < end ? strtoul(length + 17, NULL, 10) : 0);
}

bool loopback_read(struct loopback *server, int fd)
{
	struct buf buf = {.max = MIB(128)};
	char bytes[65536];
	ssize_t n = 1;

	while (n > 0 && (request_length(&buf) == 0 || buf.len < request_length(&buf))) {
		n = recv(fd, bytes, sizeof bytes, 0);
		if (n > 0)
			buf_append(&buf, bytes, (size_t)n);
	}
	if (n <= 0) {
		buf_free(&buf);
		return false;
	}
	pthread_mutex_lock(&server->lock);
	if (server->n_requests == REQUESTS_MAX)
		fatal("too many requests");
	server->requests[server->n_requests++] = buf_take(&buf, NULL);
	pthread_mutex_unlock(&server->lock);
	return true;
}

bool loopback_send_bytes(int fd, const void *bytes, size_t n)
{
	const char *at = bytes;

	while (n > 0) {
		ssize_t sent = send(fd, at, n, MSG_NOSIGNAL);

		if (sent <= 0)
			return false;
		at += sent;
		n -= (size_t)sent;
	}
	return true;
}

bool loopback_send(int fd, const char *text)
{
	return loopback_send_bytes(fd, text, strlen(text));
}

void loopback_wait_closed(int fd)
{
	char bytes[4096];

	while (recv(fd, bytes, sizeof bytes, 0) > 0)
		;
}

void loopback_reset(int fd)
{
	struct linger linger = {.l_onoff = 1};

	setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
}

size_t loopback_n_requests(struct loopback *server)
{
	size_t n;

	pthread_mutex_lock(&server->lock);
	n = server->n_requests;
	pthread_mutex_unlock(&server->lock);
	return n;
}

const char *loopback_request(struct loopback *server, size_t index)
{
	const char *request;

	pthread_mutex_lock(&server->lock);
	request = index < server->n_requests ? server->requests[index] : "";
	pthread_mutex_unlock(&server->lock);
	return request;
}

unsigned loopback_n_connections(struct loopback *server)
{
	unsigned n;

	pthread_mutex_lock(&server->lock);
	n = server->n_connections;
	pthread_mutex_unlock(&server->lock);
	return n;
}

void loopback_wait_served(struct loopback *server, unsigned n)
{
	pthread_mutex_lock(&server->lock);
	while (server->n_served < n)
		pthread_cond_wait(&server->served, &server->lock);
	pthread_mutex_unlock(&server->lock);
}
