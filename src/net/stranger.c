#include "net/stranger.h"

#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/sys.h"

enum { STEP_MS = 10, STEPS = 5 }; /* of waiting for one thing */

/* A ClientHello (RFC 8446, section 4.1.2) that a server of TLS 1.2 or 1.3 answers with its own: some end the
 * connection in silence after one that they do not like. */
static const unsigned char HELLO[121] = {
	22, 3, 1, 0, 116,                                             /* record: handshake, its length */
	1, 0, 0, 112, 3, 3,                                           /* ClientHello, its length, TLS 1.2 */
	's', 'o', 't', 't', 'o', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,     /* random, */
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,               /* as nothing follows */
	0,                                                            /* no session */
	0, 24, 0x13, 1, 0x13, 2,                                      /* suites: AES-GCM of TLS 1.3, */
	0xc0, 0x2b, 0xc0, 0x2f, 0xc0, 0x2c, 0xc0, 0x30, 0xcc, 0xa9,   /* ECDHE with AES-GCM, */
	0xcc, 0xa8, 0xc0, 0x09, 0xc0, 0x13, 0, 0x9c, 0, 0x2f,         /* ChaCha20, AES-CBC; RSA with AES */
	1, 0,                                                         /* no compression */
	0, 47,                                                        /* extensions: */
	0, 10, 0, 6, 0, 4, 0, 0x1d, 0, 0x17,                          /* supported_groups: x25519, secp256r1 */
	0, 11, 0, 2, 1, 0,                                            /* ec_point_formats: uncompressed */
	0, 13, 0, 12, 0, 10, 4, 3, 8, 4, 4, 1, 5, 3, 5, 1,            /* signature_algorithms */
	0, 43, 0, 5, 4, 3, 4, 3, 3,                                   /* supported_versions: 1.3, 1.2 */
	0, 51, 0, 2, 0, 0,                                            /* key_share: to be asked for */
};

static int connect_to(const char *ip, uint16_t port)
{
	struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV, .ai_socktype = SOCK_STREAM};
	struct addrinfo *info;
	char service[8];
	int fd;

	snprintf(service, sizeof service, "%u", port);
	if (!*ip || getaddrinfo(ip, service, &hints, &info) != 0)
		return -1;
	fd = socket(info->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd >= 0)
		(void)!connect(fd, info->ai_addr, info->ai_addrlen); /* under way: poll waits for it */
	freeaddrinfo(info);
	return fd;
}

static bool wait_for(int fd, short events, const struct http_call *call)
{
	struct pollfd poll_fd = {.fd = fd, .events = events};

	for (int i = 0; i < STEPS; i++) {
		if (call->cancelled && call->cancelled(call->ctx))
			return false;
		if (poll(&poll_fd, 1, STEP_MS) == 1)
			return (poll_fd.revents & events) != 0;
	}
	return false;
}

static size_t receive(int fd, char *bytes, size_t size, const struct http_call *call)
{
	ssize_t n = wait_for(fd, POLLIN, call) ? recv(fd, bytes, size, 0) : 0;

	return n > 0 ? (size_t)n : 0;
}

static void keep_line(struct stranger *out, const char *bytes, size_t n)
{
	size_t i;

	for (i = 0; i < n && i < sizeof out->says - 1 && bytes[i] != '\r' && bytes[i] != '\n'; i++)
		out->says[i] = bytes[i] >= ' ' && bytes[i] < 0x7f ? bytes[i] : '?';
	out->says[i] = 0;
}

/* The answer is an alert, which is a record of type 21, or a handshake, 22; both begin with version 3. */
static bool is_tls_record(const char *bytes, size_t n)
{
	return n >= 2 && (bytes[0] == 21 || bytes[0] == 22) && bytes[1] == 3;
}

void stranger_look(struct stranger *out, const char *ip, uint16_t port, const struct http_call *call)
{
	char bytes[64];
	size_t n;
	int fd = connect_to(ip, port);

	*out = (struct stranger){0};
	if (fd < 0)
		return;
	n = receive(fd, bytes, sizeof bytes, call);
	if (n > 0) {
		keep_line(out, bytes, n);
	} else if (wait_for(fd, POLLOUT, call) && send(fd, HELLO, sizeof HELLO, MSG_NOSIGNAL) > 0) {
		n = receive(fd, bytes, sizeof bytes, call);
		out->is_tls = is_tls_record(bytes, n);
	}
	close(fd);
}
