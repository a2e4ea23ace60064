/* Answers by a socket of its own, for bytes that no HTTP library sends: a request a connection, all in one thread, one
 * after the other. */
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "support/server/internal.h"

struct by_socket {
	pthread_t thread;
	int listener;
};

static bool send_all(int fd, const char *bytes, size_t n)
{
	while (n) {
		ssize_t sent = send(fd, bytes, n, MSG_NOSIGNAL);

		if (sent <= 0)
			return false;
		bytes += sent;
		n -= (size_t)sent;
	}
	return true;
}

/* More of the request. False: no more comes, or the server stops. */
static bool receive(const struct test_server *server, int fd, struct buf *in)
{
	struct pollfd fds[] = {{.fd = server->stop[0], .events = POLLIN}, {.fd = fd, .events = POLLIN}};
	char bytes[65536];
	ssize_t n;

	if (poll(fds, 2, -1) < 0 || fds[0].revents)
		return false;
	n = recv(fd, bytes, sizeof bytes, 0);
	return n > 0 && buf_append(in, bytes, (size_t)n) == STATUS_OK;
}

static void lower_names(char *headers)
{
	bool in_name = true;

	for (char *p = headers; *p; p++) {
		in_name = in_name ? *p != ':' : *p == '\n';
		if (in_name && *p >= 'A' && *p <= 'Z')
			*p = (char)(*p + 32);
	}
}

/* "\r\n" and its blanks made "\n". */
static void take_headers(struct buf *out, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (text[i] != '\r')
			buf_putc(out, text[i]);
	buf_putc(out, '\n');
	lower_names(out->data);
}

static bool read_request(struct test_server *server, int fd, struct exchange *exchange)
{
	struct buf in = {.max = MIB(128)}, headers = {.max = MIB(1)}, body = {.max = MIB(128)};
	char method[16] = "", path[512] = "";
	const char *end = NULL, *length;
	size_t head, n;
	bool ok = false;

	while (!end && receive(server, fd, &in))
		end = strstr(buf_text(&in), "\r\n\r\n");
	if (!end || sscanf(in.data, "%15s %511s", method, path) != 2)
		goto out;
	head = (size_t)(end - in.data) + 4;
	n = strcspn(in.data, "\n") + 1;
	take_headers(&headers, in.data + n, head > n + 4 ? head - 4 - n : 0);
	length = strstr(buf_text(&headers), "content-length:");
	n = length ? strtoul(length + 15, NULL, 10) : 0;
	while (in.len < head + n)
		if (!receive(server, fd, &in))
			goto out;
	buf_append(&body, in.data + head, n);
	server_take(server, exchange, method, path, &headers, &body);
	ok = true;
out:
	buf_free(&in);
	buf_free(&headers);
	buf_free(&body);
	return ok;
}

static bool send_head(int fd, const struct answer *answer)
{
	struct buf head = {.max = KIB(16)};
	char length[40] = "";
	bool ok;

	if (!answer->n_pieces && answer->end == SERVER_ENDS)
		snprintf(length, sizeof length, "Content-Length: %zu\r\n", answer->body.len);
	buf_printf(&head, "HTTP/1.1 %d Test\r\n%s", answer->code, length);
	if (answer->type[0])
		buf_printf(&head, "Content-Type: %s\r\n", answer->type);
	for (const char *line = answer->headers; *line; line += strcspn(line, "\n") + 1)
		buf_printf(&head, "%.*s\r\n", (int)strcspn(line, "\n"), line);
	buf_puts(&head, "Connection: close\r\n\r\n");
	ok = send_all(fd, head.data, head.len);
	buf_free(&head);
	return ok;
}

static void answer_it(struct test_server *server, int fd, struct exchange *exchange)
{
	struct answer *answer = &exchange->answer;
	bool ok = server_wait_busy(server, exchange, fd) && (answer->verbatim || send_head(fd, answer));
	size_t at;
	long n = 1;

	if (!answer->n_pieces)
		play_put_piece(answer, 0, false);
	while (ok && n > 0) {
		n = server_next(server, exchange, fd, &at);
		ok = n <= 0 || send_all(fd, answer->body.data + at, (size_t)n);
	}
	server_finish(server, exchange, !ok);
	play_answer_free(answer);
}

static void talk(struct test_server *server, int fd)
{
	struct exchange exchange;

	if (server->options.greeting)
		(void)send_all(fd, server->options.greeting, strlen(server->options.greeting));
	if (read_request(server, fd, &exchange))
		answer_it(server, fd, &exchange);
	close(fd);
}

static void *serve(void *ctx)
{
	struct test_server *server = ctx;
	const struct by_socket *own = server->transport;
	struct pollfd fds[] = {{.fd = server->stop[0], .events = POLLIN}, {.fd = own->listener, .events = POLLIN}};

	while (poll(fds, 2, -1) > 0 && !fds[0].revents) {
		int fd = accept(own->listener, NULL, NULL);

		if (fd >= 0)
			talk(server, fd);
	}
	return NULL;
}

static int listen_at(struct test_server *server)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(server->options.port),
	                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	struct sockaddr_un file = {.sun_family = AF_UNIX};
	const char *path = server->options.unix_path;
	socklen_t size = sizeof address;
	int fd = socket(path ? AF_UNIX : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool ok;

	if (fd < 0)
		server_fatal("no socket");
	if (path) {
		snprintf(file.sun_path, sizeof file.sun_path, "%s", path);
		ok = bind(fd, (const struct sockaddr *)&file, sizeof file) == 0;
	} else {
		(void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
		ok = bind(fd, (const struct sockaddr *)&address, size) == 0 &&
		     getsockname(fd, (struct sockaddr *)&address, &size) == 0;
		server->port = ntohs(address.sin_port);
	}
	if (!ok || listen(fd, 16) != 0)
		server_fatal("cannot listen");
	return fd;
}

bool by_socket_start(struct test_server *server)
{
	struct by_socket *own = alloc_array(1, sizeof *own);

	if (!own)
		server_fatal("memory");
	own->listener = listen_at(server);
	server->transport = own;
	if (pthread_create(&own->thread, NULL, serve, server) != 0)
		server_fatal("no thread");
	return true;
}

void by_socket_stop(struct test_server *server)
{
	struct by_socket *own = server->transport;

	pthread_join(own->thread, NULL);
	close(own->listener);
	free(own);
}
