/* A server on this machine that says what a test wants, byte for byte: one thread, one connection after the other.
 *
 *     static void serve(struct loopback *server, int fd, unsigned number, void *ctx)
 *     {
 *             if (loopback_read(server, fd))
 *                     loopback_send(fd, "HTTP/1.1 204 No Content\r\n\r\n");
 *             loopback_wait_closed(fd);
 *     }
 *
 * Where a test cannot go on, it ends the program. */
#ifndef SOTTO_TESTS_LOOPBACK_H
#define SOTTO_TESTS_LOOPBACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct loopback;

/* What the server does with a connection, the number-th from 0, which is closed when it returns. */
typedef void loopback_serve(struct loopback *server, int fd, unsigned number, void *ctx);

struct loopback *loopback_start(loopback_serve *serve, void *ctx);
/* The same at a socket of the file system. */
struct loopback *loopback_start_unix(const char *path, loopback_serve *serve, void *ctx);
/* Ends the connection that is served, and the server. */
void loopback_stop(struct loopback *server);
uint16_t loopback_port(const struct loopback *server);
const char *loopback_url(const struct loopback *server); /* "http://127.0.0.1:PORT" */

/* For `serve`. Reads a request, with a body as long as its content-length says, and keeps it. False: the client has
 * closed the connection. */
bool loopback_read(struct loopback *server, int fd);
bool loopback_send(int fd, const char *text); /* false: nobody takes it any more */
bool loopback_send_bytes(int fd, const void *bytes, size_t n);
void loopback_wait_closed(int fd); /* by the client; what it sends meanwhile is read and forgotten */
void loopback_reset(int fd);       /* closing it will reset the connection */

/* For the test: requests that were kept, and connections that came. Borrowed until loopback_stop. */
size_t loopback_n_requests(struct loopback *server);
const char *loopback_request(struct loopback *server, size_t index); /* "": there is none */
unsigned loopback_n_connections(struct loopback *server);
/* Waits until n connections have been served and closed. */
void loopback_wait_served(struct loopback *server, unsigned n);

#endif
