#include "base/wake.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum status wake_init(struct wake *wake, struct error *err)
{
	int fds[2];

	wake->read_fd = wake->write_fd = -1;
	if (pipe(fds) != 0)
		return error_errno(err, errno, "cannot make a pipe");
	for (int i = 0; i < 2; i++) {
		fcntl(fds[i], F_SETFD, FD_CLOEXEC);
		fcntl(fds[i], F_SETFL, O_NONBLOCK);
	}
	wake->read_fd = fds[0];
	wake->write_fd = fds[1];
	return STATUS_OK;
}

void wake_deinit(struct wake *wake)
{
	if (wake->read_fd >= 0)
		close(wake->read_fd);
	if (wake->write_fd >= 0)
		close(wake->write_fd);
	wake->read_fd = wake->write_fd = -1;
}

void wake_signal(const struct wake *wake)
{
	int saved = errno;
	ssize_t n = write(wake->write_fd, "", 1);

	(void)n;
	errno = saved;
}

void wake_drain(const struct wake *wake)
{
	char bytes[64];

	while (read(wake->read_fd, bytes, sizeof bytes) > 0)
		;
}
