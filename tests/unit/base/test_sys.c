#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/sys.h"

static char *make_temp_dir(void)
{
	static char dir[] = "/tmp/sotto-sys-XXXXXX";

	cr_assert_not_null(mkdtemp(dir));
	return dir;
}

Test(sys, clock_moves_forward_and_there_is_a_machine)
{
	uint64_t a = sys_now_us(), b = sys_now_us();

	cr_assert_leq(a, b);
	cr_assert_geq(sys_cpu_count(), 1);
	cr_assert_gt(sys_memory_available(), 0);
}

Test(sys, what_is_mapped_is_not_left_of_the_address_space)
{
	const struct rlimit limit = {(rlim_t)1 << 46, RLIM_INFINITY};
	uint64_t before, after;
	void *pages;

	cr_assert_eq(setrlimit(RLIMIT_AS, &limit), 0);
	before = sys_address_space_left();
	pages = mmap(NULL, MIB(64), PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	cr_assert_neq(pages, MAP_FAILED);
	after = sys_address_space_left();
	cr_assert_lt(before, (uint64_t)1 << 46);
	cr_assert_leq(after + MIB(64), before);
}

Test(sys, memory_is_locked_or_the_limit_told)
{
	const struct rlimit limit = {MIB(1), MIB(1)};
	struct error err;
	char *pages = sys_map_huge(MIB(4));

	cr_assert_not_null(pages);
	memset(pages, 1, MIB(4));
	cr_assert_eq(setrlimit(RLIMIT_MEMLOCK, &limit), 0);
	cr_assert_eq(sys_lock(pages, 4096, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(sys_lock(pages, 0, &err), STATUS_OK);
	cr_assert_eq(munmap(pages, MIB(4)), 0);
	if (mlock(pages, MIB(4)) == 0)
		return; /* a sanitizer's, which does nothing */
	cr_assert_eq(sys_lock(pages, MIB(4), &err), STATUS_NOMEM); /* whoever may lock all, too */
	cr_assert(strstr(err.text, "cannot lock 4 MiB") && strstr(err.text, "limit is 1 MiB"), "%s",
	          err.text);
}

/* base, HOME, what the configuration directory then is (NULL: an error). */
static const struct {
	const char *xdg, *home, *want;
} dirs[] = {
	{"/x", "/home/u", "/x/sotto"},
	{"", "/home/u", "/home/u/.config/sotto"},
	{NULL, "/home/u", "/home/u/.config/sotto"},
	{"relative", "/home/u", "/home/u/.config/sotto"},
	{NULL, "", NULL},
	{NULL, NULL, NULL},
};

Test(sys, user_directories_follow_xdg)
{
	for (size_t i = 0; i < sizeof dirs / sizeof *dirs; i++) {
		struct error err = {0};
		struct buf out = {.max = 4096};
		enum status status;

		unsetenv("XDG_CONFIG_HOME");
		unsetenv("HOME");
		if (dirs[i].xdg)
			setenv("XDG_CONFIG_HOME", dirs[i].xdg, 1);
		if (dirs[i].home)
			setenv("HOME", dirs[i].home, 1);
		status = sys_user_path(SYS_DIR_CONFIG, "", &out, &err);
		if (dirs[i].want) {
			cr_assert_eq(status, STATUS_OK, "case %zu: %s", i, err.text);
			cr_assert_str_eq(buf_text(&out), dirs[i].want);
		} else {
			cr_assert_eq(status, STATUS_NOTFOUND, "case %zu", i);
		}
		buf_free(&out);
	}
}

Test(sys, reads_whole_files_and_refuses_others)
{
	char *dir = make_temp_dir(), path[64], *data;
	struct error err;
	size_t len;
	int fd;

	snprintf(path, sizeof path, "%s/f", dir);
	cr_assert_eq(sys_read_file(path, 10, &data, &len, &err), STATUS_NOTFOUND);
	cr_assert(strstr(err.text, path));
	fd = open(path, O_CREAT | O_WRONLY, 0600);
	cr_assert_eq(write(fd, "0123456789", 10), 10);
	cr_assert_eq(sys_read_file(path, 10, &data, &len, &err), STATUS_OK);
	cr_assert_eq(len, 10);
	cr_assert_str_eq(data, "0123456789");
	free(data);
	cr_assert_eq(sys_read_file(path, 9, &data, &len, &err), STATUS_LIMIT);
	cr_assert_eq(sys_read_file(dir, 9, &data, &len, &err), STATUS_IO);
	cr_assert(strstr(err.text, "is a folder"));
	close(fd);
	unlink(path);
	cr_assert_eq(mkfifo(path, 0600), 0);
	cr_assert_eq(sys_read_file(path, 9, &data, &len, &err), STATUS_IO, "a FIFO must not block");
	unlink(path);
	rmdir(dir);
}

Test(sys, makes_private_directories)
{
	char *dir = make_temp_dir(), path[64];
	struct error err;
	struct stat st;

	snprintf(path, sizeof path, "%s/a/b", dir);
	cr_assert_eq(sys_make_dirs(path, &err), STATUS_OK);
	cr_assert_eq(stat(path, &st), 0);
	cr_assert_eq(st.st_mode & 0777, 0700);
	cr_assert_eq(sys_make_dirs(path, &err), STATUS_OK, "again is fine");
	rmdir(path);
	snprintf(path, sizeof path, "%s/a", dir);
	rmdir(path);
	rmdir(dir);
}
