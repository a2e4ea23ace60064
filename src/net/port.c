/* Whether anything listens on a port of this machine. */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/http.h"

enum { WAIT_MS = 50 };

/* Whether a connection that was begun has come about. */
static bool is_connected(int fd)
{
	struct pollfd poll_fd = {.fd = fd, .events = POLLOUT};
	int error = 0;
	socklen_t size = sizeof error;

	return poll(&poll_fd, 1, WAIT_MS) == 1 &&
	       getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0;
}

bool http_listens(uint16_t port)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	bool listens;

	if (fd < 0)
		return false;
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	listens = connect(fd, (struct sockaddr *)&address, sizeof address) == 0 ||
	          (errno == EINPROGRESS && is_connected(fd));
	close(fd);
	return listens;
}
