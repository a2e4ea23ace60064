#include "config/secret_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/secret.h"

/* Of a size that is known, so that no growing buffer leaves a copy behind. */
static enum status read_all(struct secret_file *out, int fd, const char *path, size_t max, size_t size,
                            struct error *err)
{
	ssize_t n = 1;

	if (size > max)
		return error_set(err, STATUS_LIMIT, "%s: larger than %zu bytes", path, max);
	out->size = size + 1;
	out->text = alloc_array(out->size, 1);
	if (!out->text)
		return error_no_memory(err, "to read %s", path);
	while (out->len < size && n) {
		n = read(fd, out->text + out->len, size - out->len);
		if (n < 0 && errno != EINTR)
			return error_errno(err, errno, "%s: cannot read", path);
		out->len += n > 0 ? (size_t)n : 0;
	}
	return STATUS_OK;
}

enum status secret_file_read(struct secret_file *out, const char *path, size_t max, bool follow,
                             struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (follow ? 0 : O_NOFOLLOW));
	enum status status;
	struct stat st;

	*out = (struct secret_file){.len = 0};
	if (fd < 0 && errno == ELOOP && !follow)
		return error_set(err, STATUS_IO, "%s: is a link; name the file itself", path);
	if (fd < 0)
		return error_errno(err, errno, "%s: cannot open", path);
	if (fstat(fd, &st) != 0)
		status = error_errno(err, errno, "%s: cannot look at it", path);
	else if (!S_ISREG(st.st_mode))
		status = error_set(err, STATUS_IO, "%s: %s", path, S_ISDIR(st.st_mode) ? "is a folder" : "not a regular file");
	else
		status = read_all(out, fd, path, max, (size_t)st.st_size, err);
	close(fd);
	out->is_ours = !status && st.st_uid == geteuid();
	out->is_private = out->is_ours && (st.st_mode & (S_IRWXG | S_IRWXO)) == 0;
	out->is_open = !status && (st.st_mode & S_IWOTH) != 0;
	if (status)
		secret_file_wipe(out);
	return status;
}

void secret_file_wipe(struct secret_file *file)
{
	if (file->text)
		secret_wipe(file->text, file->size);
	free(file->text);
	*file = (struct secret_file){.len = 0};
}
