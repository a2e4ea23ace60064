#include "support/hub_server/hub_server.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "support/hub_server/internal.h"

enum { PATIENCE_S = 10 };

const char *const hub_place_names[HUB_N_PLACES] = {"anything", "refs", "tree", "info", "resolve", "small", "manifest", "blob", "bytes"};
const char *const hub_kind_names[HUB_N_KINDS] = {"answers", "cuts", "resets", "stands-still", "crawls", "no-ranges",
                                                 "wrong-range", "shifted", "etag", "wrong-byte", "length", "chunked",
                                                 "gzip", "redirects", "loops"};

void hub_fatal(const char *what)
{
	fprintf(stderr, "hub server: %s\n", what);
	exit(2);
}

char *hub_copy(const char *text)
{
	char *copy = alloc_strndup(text, strlen(text));

	if (!copy)
		hub_fatal("memory");
	return copy;
}

struct connection {
	struct hub_server *server;
	int fd;
	bool is_storage;
};

static void *serve(void *arg)
{
	struct connection *connection = arg;
	struct hub_server *server = connection->server;

	hub_connection(server, connection->fd, connection->is_storage);
	close(connection->fd);
	free(connection);
	pthread_mutex_lock(&server->lock);
	server->n_connections--;
	pthread_cond_broadcast(&server->changed);
	pthread_mutex_unlock(&server->lock);
	return NULL;
}

static void begin(struct hub_server *server, int fd, bool is_storage)
{
	struct connection *connection = alloc_array(1, sizeof *connection);
	pthread_attr_t attributes;
	pthread_t thread;

	if (!connection)
		hub_fatal("memory");
	*connection = (struct connection){server, fd, is_storage};
	pthread_mutex_lock(&server->lock);
	server->n_connections++;
	pthread_mutex_unlock(&server->lock);
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	if (pthread_create(&thread, &attributes, serve, connection) != 0)
		hub_fatal("no thread");
	pthread_attr_destroy(&attributes);
}

static void accept_all(struct hub_server *server, bool is_storage)
{
	struct pollfd fds[] = {{.fd = server->stop[0], .events = POLLIN}, {.fd = server->listeners[is_storage], .events = POLLIN}};

	while (poll(fds, 2, -1) > 0 && !fds[0].revents) {
		int fd = accept4(server->listeners[is_storage], NULL, NULL, SOCK_CLOEXEC);

		if (fd >= 0)
			begin(server, fd, is_storage);
	}
}

static void *accept_hub(void *server)
{
	accept_all(server, false);
	return NULL;
}

static void *accept_storage(void *server)
{
	accept_all(server, true);
	return NULL;
}

/* At 127.0.0.`last`: two hosts, on one machine. */
static int listen_at(unsigned last, uint16_t port, char *url, size_t size)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(0x7f000000 | last)};
	socklen_t length = sizeof address;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		hub_fatal("no socket");
	(void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
	if (bind(fd, (const struct sockaddr *)&address, length) != 0 || listen(fd, 64) != 0 ||
	    getsockname(fd, (struct sockaddr *)&address, &length) != 0)
		hub_fatal("cannot listen");
	snprintf(url, size, "http://127.0.0.%u:%u", last, (unsigned)ntohs(address.sin_port));
	return fd;
}

struct hub_server *hub_server_start(const struct hub_options *options)
{
	struct hub_server *server = alloc_array(1, sizeof *server);

	if (!server || pipe2(server->gate, O_CLOEXEC) != 0 || pipe2(server->stop, O_CLOEXEC) != 0)
		hub_fatal("no memory, or no pipes");
	server->options = *options;
	server->log = options->log ? open(options->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
	pthread_mutex_init(&server->lock, NULL);
	pthread_cond_init(&server->changed, NULL);
	server->listeners[0] = listen_at(1, options->port, server->url, sizeof server->url);
	server->listeners[1] = listen_at(2, 0, server->storage, sizeof server->storage);
	if (pthread_create(&server->threads[0], NULL, accept_hub, server) != 0 ||
	    pthread_create(&server->threads[1], NULL, accept_storage, server) != 0)
		hub_fatal("no thread");
	return server;
}

static void wake(int fd)
{
	if (write(fd, "x", 1) != 1)
		hub_fatal("a pipe");
}

static void free_fault(struct hub_fault *fault)
{
	free((void *)(uintptr_t)fault->text);
	free((void *)(uintptr_t)fault->headers);
	free((void *)(uintptr_t)fault->path);
}

static void free_all(struct hub_server *server)
{
	hub_content_free(server);
	for (size_t i = 0; i < server->n_requests; i++) {
		free(server->requests[i]->method);
		free(server->requests[i]->target);
		free(server->requests[i]->headers);
		free(server->requests[i]);
	}
	for (size_t i = 0; i < server->n_traps; i++)
		free_fault(&server->traps[i].fault);
	free(server->requests);
	free(server->traps);
	free(server->uses);
	pthread_mutex_destroy(&server->lock);
	pthread_cond_destroy(&server->changed);
	free(server);
}

void hub_server_stop(struct hub_server *server)
{
	if (!server)
		return;
	wake(server->stop[1]);
	pthread_join(server->threads[0], NULL);
	pthread_join(server->threads[1], NULL);
	pthread_mutex_lock(&server->lock);
	while (server->n_connections)
		pthread_cond_wait(&server->changed, &server->lock);
	pthread_mutex_unlock(&server->lock);
	for (int i = 0; i < 2; i++) {
		close(server->listeners[i]);
		close(server->gate[i]);
		close(server->stop[i]);
	}
	if (server->log >= 0)
		close(server->log);
	free_all(server);
}

const char *hub_server_url(const struct hub_server *server)
{
	return server->url;
}

const char *hub_server_storage(const struct hub_server *server)
{
	return server->storage;
}

void hub_server_fault(struct hub_server *server, const struct hub_fault *fault)
{
	struct hub_trap *trap;

	pthread_mutex_lock(&server->lock);
	if (!alloc_grow(&server->traps, &server->cap_traps, server->n_traps + 1, sizeof *server->traps, 1000))
		hub_fatal("memory");
	trap = &server->traps[server->n_traps++];
	*trap = (struct hub_trap){.fault = *fault};
	trap->fault.text = fault->text ? hub_copy(fault->text) : NULL;
	trap->fault.headers = fault->headers ? hub_copy(fault->headers) : NULL;
	trap->fault.path = fault->path ? hub_copy(fault->path) : NULL;
	pthread_mutex_unlock(&server->lock);
}

/* Their texts stay for answers that are being sent: a place that is none takes no request. */
void hub_server_heal(struct hub_server *server)
{
	pthread_mutex_lock(&server->lock);
	for (size_t i = 0; i < server->n_traps; i++)
		server->traps[i].fault.place = HUB_N_PLACES;
	pthread_mutex_unlock(&server->lock);
}

void hub_server_expire(struct hub_server *server)
{
	pthread_mutex_lock(&server->lock);
	server->n_expired = server->n_signed;
	pthread_mutex_unlock(&server->lock);
}

void hub_server_release(struct hub_server *server)
{
	wake(server->gate[1]);
}

/* Under the lock. */
static const struct hub_request *find(struct hub_server *server, enum hub_place place, size_t index)
{
	for (size_t i = 0; i < server->n_requests; i++)
		if ((place == HUB_ANYTHING || server->requests[i]->place == place) && index-- == 0)
			return server->requests[i];
	return NULL;
}

size_t hub_server_n_requests(struct hub_server *server, enum hub_place place)
{
	size_t n = 0;

	pthread_mutex_lock(&server->lock);
	for (size_t i = 0; i < server->n_requests; i++)
		n += place == HUB_ANYTHING || server->requests[i]->place == place;
	pthread_mutex_unlock(&server->lock);
	return n;
}

const struct hub_request *hub_server_request(struct hub_server *server, enum hub_place place, size_t index)
{
	const struct hub_request *request;

	pthread_mutex_lock(&server->lock);
	request = find(server, place, index);
	pthread_mutex_unlock(&server->lock);
	return request;
}

static struct timespec patience(void)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += PATIENCE_S;
	return until;
}

bool hub_server_wait(struct hub_server *server, enum hub_place place, size_t index)
{
	struct timespec until = patience();
	bool found;

	pthread_mutex_lock(&server->lock);
	while (!find(server, place, index) && pthread_cond_timedwait(&server->changed, &server->lock, &until) == 0)
		;
	found = find(server, place, index) != NULL;
	pthread_mutex_unlock(&server->lock);
	return found;
}

bool hub_server_wait_still(struct hub_server *server)
{
	struct timespec until = patience();
	bool still;

	pthread_mutex_lock(&server->lock);
	while (!server->n_still && pthread_cond_timedwait(&server->changed, &server->lock, &until) == 0)
		;
	still = server->n_still > 0;
	pthread_mutex_unlock(&server->lock);
	return still;
}

bool hub_server_is_leaked(struct hub_server *server)
{
	bool is_leaked = false;

	pthread_mutex_lock(&server->lock);
	for (size_t i = 0; i < server->n_requests; i++)
		is_leaked |= server->requests[i]->place == HUB_BYTES && strstr(server->requests[i]->headers, "authorization:");
	pthread_mutex_unlock(&server->lock);
	return is_leaked;
}
