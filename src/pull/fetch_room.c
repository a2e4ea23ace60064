/* Room on the disk, and what is there of files that are not whole. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "base/amount.h"
#include "base/limits.h"
#include "pull/fetch.h"
#include "pull/fetch_state.h"

static uint64_t spare_of(uint64_t n_bytes)
{
	uint64_t spare = n_bytes / 20, most = (uint64_t)1 << 30;

	return spare < most ? spare : most;
}

enum status fetch_check_room(const char *folder, uint64_t n_bytes, struct error *err)
{
	uint64_t room, need = n_bytes + spare_of(n_bytes);
	char missing[AMOUNT_TEXT_MAX], needed[AMOUNT_TEXT_MAX], is_free[AMOUNT_TEXT_MAX];
	struct statvfs fs;

	/* A file system that does not tell its free space is assumed to have enough. */
	if (n_bytes == 0 || statvfs(folder, &fs) != 0 || fs.f_blocks == 0 ||
	    __builtin_mul_overflow((uint64_t)fs.f_bavail, (uint64_t)fs.f_frsize, &room) || room >= need)
		return STATUS_OK;
	return error_set(err, STATUS_LIMIT, "no room in %.300s: %s are missing (%s are needed, %s are free)", folder,
	                 amount_thousands(missing, need - room), amount_thousands(needed, need),
	                 amount_thousands(is_free, room));
}

enum status fetch_write_error(struct error *err, int error, const char *path)
{
	if (error == ENOSPC || error == EDQUOT)
		return error_set(err, STATUS_LIMIT, "no room on the disk for %s: make some, and the same command goes on", path);
	return error_errno(err, error, "%s cannot be written", path);
}

static bool stat_part(const char *path, struct stat *st)
{
	char *part;
	bool is_there;

	if (asprintf(&part, "%s" FETCH_PART, path) < 0)
		return false;
	is_there = stat(part, st) == 0 && S_ISREG(st->st_mode);
	free(part);
	return is_there;
}

uint64_t fetch_kept(const char *path)
{
	struct fetch_state state;
	struct stat st;
	uint64_t n = 0;

	if (!stat_part(path, &st) || fetch_state_load(&state, path, NULL) != STATUS_OK)
		return 0;
	for (size_t i = 0; i < state.n; i++)
		n += state.ranges[2 * i + 1] - state.ranges[2 * i];
	fetch_state_free(&state);
	return n;
}

uint64_t fetch_held(const char *path)
{
	struct stat st;

	return stat_part(path, &st) ? (uint64_t)st.st_blocks * 512 : 0;
}
