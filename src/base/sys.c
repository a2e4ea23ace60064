#include "base/sys.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cgroup.h"
#include "base/io.h"

const char *sys_variable(const char *name)
{
	const char *value = getenv(name);

	return value && value[0] ? value : NULL;
}

uint64_t sys_now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000u + (uint64_t)ts.tv_nsec / 1000u;
}

uint64_t sys_now_ms(void)
{
	return sys_now_us() / 1000u;
}

int64_t sys_wall_time_us(void)
{
	const char *pinned = getenv("SOTTO_TEST_CLOCK");
	struct timespec ts;
	int64_t us;
	char *rest;

	if (!pinned || !*pinned) {
		clock_gettime(CLOCK_REALTIME, &ts);
		return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
	}
	us = strtoll(pinned, &rest, 10) * 1000000;
	for (int64_t unit = 100000; *rest && *++rest >= '0' && *rest <= '9'; unit /= 10)
		us += (*rest - '0') * unit;
	return us;
}

int64_t sys_wall_time(void)
{
	return sys_wall_time_us() / 1000000;
}

/* A number that is not negative. */
static bool read_number(const char *path, uint64_t *out)
{
	int64_t number;

	if (!cgroup_read_numbers(path, &number, NULL) || number < 0)
		return false;
	*out = (uint64_t)number;
	return true;
}

/* Hardware threads that share a core with a lower-numbered one of `set`. */
static int count_siblings(const cpu_set_t *set)
{
	int siblings = 0;

	for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		char path[96];
		uint64_t first;

		if (!CPU_ISSET(cpu, set))
			continue;
		snprintf(path, sizeof path,
		         "/sys/devices/system/cpu/cpu%zu/topology/thread_siblings_list", cpu);
		/* "0,64" or "0-1": the first number is the lowest sibling. */
		if (read_number(path, &first) && first < cpu &&
		    first < CPU_SETSIZE && CPU_ISSET(first, set))
			siblings++;
	}
	return siblings;
}

int sys_cpu_count(void)
{
	cpu_set_t set;
	int n, quota = cgroup_cpus("/proc/self/cgroup", "/sys/fs/cgroup");

	if (sched_getaffinity(0, sizeof set, &set) == 0)
		n = CPU_COUNT(&set) - count_siblings(&set);
	else /* more than a set holds */
		n = (int)sysconf(_SC_NPROCESSORS_ONLN);
	if (quota > 0 && quota < n)
		n = quota;
	return n < 1 ? 1 : n;
}

/* A row of /proc/meminfo in bytes; 0 when unknown. */
static uint64_t meminfo(const char *name)
{
	FILE *file = fopen("/proc/meminfo", "re");
	size_t len = strlen(name);
	unsigned long long kib = 0;
	char line[128];

	if (!file)
		return 0;
	while (fgets(line, sizeof line, file))
		if (strncmp(line, name, len) == 0 && sscanf(line + len, ": %llu kB", &kib) == 1)
			break;
	fclose(file);
	return (uint64_t)kib * 1024u;
}

/* File cache in the cgroup's memory, usually a model that was read before: the kernel frees
 * it when needed. */
static uint64_t cgroup_file_cache(void)
{
	FILE *file = fopen("/sys/fs/cgroup/memory.stat", "re");
	char line[128];
	unsigned long long bytes;
	uint64_t total = 0;

	if (!file)
		return 0;
	while (fgets(line, sizeof line, file))
		if (sscanf(line, "active_file %llu", &bytes) == 1 ||
		    sscanf(line, "inactive_file %llu", &bytes) == 1)
			total += bytes;
	fclose(file);
	return total;
}

uint64_t sys_memory_available(void)
{
	uint64_t available = meminfo("MemAvailable"), limit, used;
	const char *pinned = getenv("SOTTO_TEST_MEMORY");

	if (pinned && *pinned)
		return strtoull(pinned, NULL, 10);
	if (read_number("/sys/fs/cgroup/memory.max", &limit) &&
	    read_number("/sys/fs/cgroup/memory.current", &used)) {
		uint64_t cache = cgroup_file_cache(), left;

		used -= cache < used ? cache : used;
		left = limit > used ? limit - used : 0;

		if (!available || left < available)
			available = left;
	}
	return available;
}

uint64_t sys_memory_total(void)
{
	uint64_t total = meminfo("MemTotal"), limit;

	if (read_number("/sys/fs/cgroup/memory.max", &limit) && (!total || limit < total))
		total = limit;
	return total;
}

uint64_t sys_address_space_left(void)
{
	uint64_t pages = 0, used;
	struct rlimit rl;

	if (getrlimit(RLIMIT_AS, &rl) != 0 || rl.rlim_cur == RLIM_INFINITY)
		return UINT64_MAX;
	if (!read_number("/proc/self/statm", &pages))
		pages = 0;
	used = pages * (uint64_t)sysconf(_SC_PAGESIZE);
	return rl.rlim_cur > used ? (uint64_t)rl.rlim_cur - used : 0;
}

/* A processor's cache `index`, 0 where there is none: its level and bytes, and the first
 * processor that shares it. */
static int read_cache(size_t cpu, int index, uint64_t *bytes, uint64_t *first)
{
	static const char *const names[] = {"level", "size", "shared_cpu_list"};
	uint64_t numbers[3];
	char path[96];

	for (size_t i = 0; i < 3; i++) {
		snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%zu/cache/index%d/%s", cpu,
		         index, names[i]);
		if (!read_number(path, &numbers[i]))
			return 0;
	}
	*bytes = numbers[1] * 1024; /* "32768K" */
	*first = numbers[2];
	return (int)numbers[0];
}

uint64_t sys_cache_bytes(void)
{
	uint64_t total = 0, bytes, first;
	cpu_set_t set, counted;
	int last = 0;

	CPU_ZERO(&counted);
	if (sched_getaffinity(0, sizeof set, &set) != 0)
		return 0;
	for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
		for (int index = 0, level; CPU_ISSET(cpu, &set) &&
		     (level = read_cache(cpu, index, &bytes, &first)) > 0; index++) {
			if (level < last || first >= CPU_SETSIZE)
				continue;
			if (level > last) {
				CPU_ZERO(&counted);
				total = 0;
			}
			last = level;
			if (!CPU_ISSET(first, &counted))
				total += bytes;
			CPU_SET(first, &counted);
		}
	return total;
}

void *sys_map_huge(size_t n_bytes)
{
	void *at = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		return NULL;
#ifdef MADV_HUGEPAGE
	madvise(at, n_bytes, MADV_HUGEPAGE);
#endif
	return at;
}

enum status sys_lock(const void *at, size_t n_bytes, struct error *err)
{
	struct rlimit rl;
	int reason;

	if (n_bytes == 0 || mlock(at, n_bytes) == 0)
		return STATUS_OK;
	reason = errno;
	if ((reason == ENOMEM || reason == EPERM) && getrlimit(RLIMIT_MEMLOCK, &rl) == 0 &&
	    rl.rlim_cur != RLIM_INFINITY)
		return error_set(err, STATUS_NOMEM, "cannot lock %llu MiB of memory: the limit is %llu MiB "
		                 "(RLIMIT_MEMLOCK, ulimit -l)", (unsigned long long)n_bytes >> 20,
		                 (unsigned long long)rl.rlim_cur >> 20);
	return error_errno(err, reason, "cannot lock %llu MiB of memory",
	                   (unsigned long long)n_bytes >> 20);
}

static enum status read_file(const char *path, size_t max, bool any, char **data, size_t *len,
                             struct error *err)
{
	struct stat st;
	struct buf buf = {.max = max};
	enum status status = STATUS_OK;
	int error, fd = open(path, O_RDONLY | O_CLOEXEC | (any ? 0 : O_NONBLOCK));

	if (fd < 0)
		return error_errno(err, errno, "%s: cannot open", path);
	if (fstat(fd, &st) != 0) {
		status = error_errno(err, errno, "%s: cannot look at it", path);
		goto out;
	}
	if (S_ISDIR(st.st_mode)) {
		status = error_set(err, STATUS_IO, "%s: is a folder", path);
		goto out;
	}
	if (!any && !S_ISREG(st.st_mode)) {
		status = error_set(err, STATUS_IO, "%s: not a regular file", path);
		goto out;
	}
	error = io_read_all(&io_system, fd, &buf);
	if (error == EFBIG || error == ENOMEM)
		status = error_set(err, buf_status(&buf), error == EFBIG ? "%s: larger than %zu bytes"
		                                                         : "%s: not enough memory for %zu bytes",
		                   path, max);
	else if (error)
		status = error_errno(err, error, "%s: cannot read", path);
	if (status)
		goto out;
	*data = buf_take(&buf, len);
	if (!*data)
		status = error_set(err, STATUS_NOMEM, "%s: not enough memory", path);
out:
	buf_free(&buf);
	close(fd);
	return status;
}

enum status sys_read_file(const char *path, size_t max, char **data, size_t *len,
                          struct error *err)
{
	return read_file(path, max, false, data, len, err);
}

enum status sys_read_any_file(const char *path, size_t max, char **data, size_t *len,
                              struct error *err)
{
	return read_file(path, max, true, data, len, err);
}

enum status sys_user_path(enum sys_dir dir, const char *below, struct buf *out, struct error *err)
{
	static const struct {
		const char *variable, *fallback;
	} dirs[] = {
		[SYS_DIR_CONFIG] = {"XDG_CONFIG_HOME", ".config"},
		[SYS_DIR_DATA] = {"XDG_DATA_HOME", ".local/share"},
		[SYS_DIR_STATE] = {"XDG_STATE_HOME", ".local/state"},
		[SYS_DIR_CACHE] = {"XDG_CACHE_HOME", ".cache"},
	};
	const char *base = getenv(dirs[dir].variable), *home = getenv("HOME");

	if (base && base[0] == '/')
		buf_printf(out, "%s/sotto%s", base, below);
	else if (home && home[0] == '/')
		buf_printf(out, "%s/%s/sotto%s", home, dirs[dir].fallback, below);
	else
		return error_set(err, STATUS_NOTFOUND, "neither %s nor HOME names a folder",
		                 dirs[dir].variable);
	if (buf_status(out))
		return error_set(err, buf_status(out), "the path of the user's folder is too long");
	return STATUS_OK;
}

enum status sys_make_dirs(const char *path, struct error *err)
{
	int error = io_make_dirs(&io_system, path);

	return error ? error_errno(err, error, "%s: cannot make the folder", path) : STATUS_OK;
}

/* In a build tree the executable stands beside a file that names the source tree; both are moved and
 * deleted together. False: it is installed. */
static bool put_source_dir(struct buf *out)
{
	char exe[PATH_MAX], *slash, *text;
	ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 32);
	size_t len;

	if (n <= 0)
		return false;
	exe[n] = '\0';
	slash = strrchr(exe, '/');
	if (!slash)
		return false;
	strcpy(slash + 1, "sotto.datadir");
	if (sys_read_file(exe, PATH_MAX, &text, &len, NULL))
		return false;
	while (len && text[len - 1] == '\n')
		len--;
	buf_append(out, text, len);
	free(text);
	return true;
}

enum status sys_data_path(const char *below, struct buf *out, struct error *err)
{
	const char *forced = getenv("SOTTO_PKGDATADIR");

	if (forced && forced[0])
		buf_puts(out, forced);
	else if (!put_source_dir(out))
		buf_puts(out, SOTTO_INSTALLED_PKGDATADIR);
	if (buf_puts(out, below))
		return error_set(err, buf_status(out), "the path of the data folder is too long");
	return STATUS_OK;
}
