#include "pull/fetch_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>

#include "pull/fetch_state.h"

enum { SLICE_MS = 20, SLICES_A_LOOK = 10 };

bool fetch_is_there(const struct fetch *fetch)
{
	struct stat st;

	if (fetch->io->stat(fetch->path, &st) == 0 && S_ISREG(st.st_mode) &&
	    (!fetch->size || (uint64_t)st.st_size == fetch->size))
		return true;
	return fetch->is_moved && fetch->is_moved(fetch->ctx); /* asked second: it may be moved between the two */
}

static enum status wait_a_little(const struct fetch *fetch, struct error *err)
{
	const struct timespec slice = {.tv_nsec = SLICE_MS * 1000000L};

	for (int i = 0; i < SLICES_A_LOOK; i++) {
		if (fetch->cancelled && fetch->cancelled(fetch->ctx))
			return error_set(err, STATUS_CANCELLED, "stopped: what is there is kept");
		nanosleep(&slice, NULL);
	}
	return STATUS_OK;
}

/* Who had it before may have given the file its name, or removed it. */
static bool is_still_it(const struct fetch *fetch, const char *part, int fd)
{
	struct stat opened, named;

	return fetch->io->fstat(fd, &opened) == 0 && fetch->io->stat(part, &named) == 0 && opened.st_ino == named.st_ino &&
	       opened.st_dev == named.st_dev;
}

/* Until the lock is ours, or the file is another's. */
static enum status take_lock(const struct fetch *fetch, const char *part, int fd, struct error *err)
{
	enum status status = STATUS_OK;
	int error;

	while (status == STATUS_OK && (error = io_flock(fetch->io, fd, LOCK_EX | LOCK_NB)) != 0) {
		if (error != EWOULDBLOCK)
			return STATUS_OK; /* a file system without locks */
		if (!is_still_it(fetch, part, fd))
			return STATUS_OK; /* it has its name: whoever has it locked now reads the model, maybe for hours */
		atomic_store(&fetch->progress->phase, FETCH_OTHERS);
		atomic_store(&fetch->progress->done, fetch_kept(fetch->path));
		status = wait_a_little(fetch, err);
	}
	return status;
}

enum status fetch_lock(const struct fetch *fetch, const char *part, int *fd, struct error *err)
{
	for (;;) {
		enum status status;
		int error;

		*fd = -1;
		if (fetch_is_there(fetch))
			return STATUS_OK;
		error = io_open(fetch->io, part, O_RDWR | O_CREAT | O_NOFOLLOW, 0666, fd);
		if (error)
			return fetch_write_error(err, error, part);
		status = take_lock(fetch, part, *fd, err);
		if (status == STATUS_OK && is_still_it(fetch, part, *fd))
			return STATUS_OK;
		io_close(fetch->io, *fd);
		if (status != STATUS_OK) {
			*fd = -1;
			return status;
		}
	}
}
