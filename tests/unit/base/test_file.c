/* Whatever fails while a file is written: there is the old one or the new one, whole. */
#include <criterion/criterion.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "support/faulter.h"

static char folder[] = "/tmp/sotto-file-XXXXXX", path[64], part[80];
static struct error err;

static void begin(void)
{
	cr_assert_not_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/name", folder);
	snprintf(part, sizeof part, "%s/name.%ld.0.part", folder, (long)getpid());
	umask(022);
}

static void end(void)
{
	unlink(path);
	unlink(part);
	rmdir(folder);
}

TestSuite(file, .init = begin, .fini = end);

static void put(const char *name, const char *text, mode_t mode)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, mode);

	cr_assert_geq(fd, 0);
	cr_assert_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
}

/* NULL: there is none. */
static const char *content(const char *name)
{
	static char text[100];
	int fd = open(name, O_RDONLY);
	ssize_t n;

	if (fd < 0)
		return NULL;
	n = read(fd, text, sizeof text - 1);
	close(fd);
	cr_assert_geq(n, 0);
	text[n] = '\0';
	return text;
}

static mode_t mode_of(const char *name)
{
	struct stat st;

	cr_assert_eq(stat(name, &st), 0);
	return st.st_mode & 07777;
}

Test(file, is_made)
{
	cr_assert_eq(file_write(&io_system, path, "text", 4, false, 0666, &err), STATUS_OK);
	cr_assert_str_eq(content(path), "text");
	cr_assert_eq(mode_of(path), 0644);
	cr_assert_null(content(part));
}

Test(file, is_never_written_over_unasked)
{
	put(path, "old", 0600);
	cr_assert_eq(file_write(&io_system, path, "new", 3, false, 0666, &err), STATUS_BUSY);
	cr_assert_not_null(strstr(err.text, "/name: already exists"));
	cr_assert_str_eq(content(path), "old");
	unlink(path);
	cr_assert_eq(symlink("nowhere", path), 0);
	cr_assert_eq(file_write(&io_system, path, "new", 3, false, 0666, &err), STATUS_BUSY);
	cr_assert_eq(file_write(&io_system, folder, "new", 3, false, 0666, &err), STATUS_IO);
	cr_assert_not_null(strstr(err.text, "is a folder"));
	cr_assert_null(content(part));
}

Test(file, is_replaced_on_request)
{
	char link[64];

	put(path, "old", 0755);
	cr_assert_eq(file_write(&io_system, path, "new", 3, true, 0666, &err), STATUS_OK, "%s", err.text);
	cr_assert_str_eq(content(path), "new");
	cr_assert_eq(mode_of(path), 0755);
	snprintf(link, sizeof link, "%s/link", folder);
	cr_assert_eq(symlink(path, link), 0);
	cr_assert_eq(file_write(&io_system, link, "newer", 5, true, 0666, &err), STATUS_OK);
	cr_assert_str_eq(content(path), "newer");
	unlink(link);
	unlink(path);
	cr_assert_eq(file_write(&io_system, path, "first", 5, true, 0600, &err), STATUS_OK);
	cr_assert_str_eq(content(path), "first");
	cr_assert_eq(mode_of(path), 0600);
	cr_assert_eq(file_write(&io_system, folder, "new", 3, true, 0666, &err), STATUS_IO);
	cr_assert_eq(file_write(&io_system, "/dev/null", "new", 3, true, 0666, &err), STATUS_IO);
}

/* Somebody's file that has the temporary name stays, and is not in the way: nor is what a killed
 * program has left. */
Test(file, leaves_a_part_file_alone)
{
	put(part, "mine", 0600);
	cr_assert_eq(file_write(&io_system, path, "text", 4, false, 0666, &err), STATUS_OK);
	cr_assert_str_eq(content(part), "mine");
	cr_assert_str_eq(content(path), "text");
}

/* Bytes go in halves, so that there are several writes. */
static ssize_t write_half(int fd, const void *bytes, size_t n)
{
	return faulter_fails('w') ? -1 : io_system.write(fd, bytes, n > 1 ? n / 2 : n);
}

/* As on FAT. */
static int no_link(const char *from, const char *to)
{
	(void)from;
	(void)to;
	if (!faulter_fails('l'))
		errno = EPERM;
	return -1;
}

static const struct io_ops *set_up(struct faulter *faulter, size_t at, int error, bool knows_links)
{
	*faulter = (struct faulter){.at = at, .error = error};
	faulter_init(faulter);
	faulter->ops.write = write_half;
	if (!knows_links)
		faulter->ops.link = no_link;
	return &faulter->ops;
}

/* Synced before it gets its name, and the name after that. */
Test(file, is_on_the_disk_before_it_has_its_name)
{
	struct faulter faulter;

	cr_assert_eq(file_write(set_up(&faulter, 0, 0, true), path, "text", 4, false, 0666, &err), STATUS_OK);
	cr_assert_str_eq(faulter.called, "sowwwdcluofc");
	unlink(path);
	cr_assert_eq(file_write(set_up(&faulter, 0, 0, false), path, "text", 4, false, 0666, &err), STATUS_OK);
	cr_assert_str_eq(content(path), "text");
	cr_assert_str_eq(faulter.called, "sowwwdclocrofc");
	cr_assert_eq(file_write(set_up(&faulter, 0, 0, true), path, "text", 4, true, 0666, &err), STATUS_OK);
	cr_assert_str_eq(faulter.called, "sowwwdcrofc");
}

Test(file, is_whole_whatever_fails)
{
	static const int errors[] = {ENOSPC, EIO, EINTR, EDQUOT, EROFS, EACCES, EMFILE, EFBIG};

	for (int how = 0; how < 3; how++) {
		bool replace = how == 1;

		for (size_t e = 0; e < sizeof errors / sizeof errors[0]; e++) {
			for (size_t at = 1; at <= 14; at++) {
				struct faulter faulter;
				enum status status;
				const char *now;
				char called;

				unlink(path);
				unlink(part);
				if (replace)
					put(path, "old", 0644);
				status = file_write(set_up(&faulter, at, errors[e], how != 2), path, "text", 4, replace, 0666,
				                    &err);
				called = at <= faulter.calls ? faulter.called[at - 1] : '\0';
				now = content(path);
				if (!status)
					cr_assert(now && strcmp(now, "text") == 0, "call %zu, %s", at,
					          strerror(errors[e]));
				else if (replace)
					cr_assert(now && (strcmp(now, "old") == 0 || strcmp(now, "text") == 0));
				else
					cr_assert(!now || strcmp(now, "text") == 0, "call %zu left '%s'", at, now);
				/* Nothing is called written that may not be; EINTR starts again, and what
				 * only tidies up may fail. */
				if (errors[e] != EINTR && called && called != 'u' && !(called == 'c' && at > 10))
					cr_assert_neq(status, STATUS_OK, "call %zu (%c), %s", at, called,
					              strerror(errors[e]));
				if (called != 'u')
					cr_assert_null(content(part));
			}
		}
	}
}
