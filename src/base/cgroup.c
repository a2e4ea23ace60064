#include "base/cgroup.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { PATH_LEN = 1024 };

bool cgroup_read_numbers(const char *path, int64_t *first, int64_t *second)
{
	FILE *file = fopen(path, "re");
	int n;

	if (!file)
		return false;
	n = second ? fscanf(file, "%" SCNd64 " %" SCNd64, first, second)
	           : fscanf(file, "%" SCNd64, first);
	fclose(file);
	return n == (second ? 2 : 1);
}

/* A group's own quota in whole processors; 0 for none. */
static int quota_of(const char *group, bool v2)
{
	char path[PATH_LEN + 32];
	int64_t quota, period;

	if (v2) {
		snprintf(path, sizeof path, "%s/cpu.max", group);
		if (!cgroup_read_numbers(path, &quota, &period))
			return 0;
	} else {
		snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", group);
		if (!cgroup_read_numbers(path, &quota, NULL))
			return 0;
		snprintf(path, sizeof path, "%s/cpu.cfs_period_us", group);
		if (!cgroup_read_numbers(path, &period, NULL))
			return 0;
	}
	if (quota <= 0 || period <= 0) /* -1: no quota */
		return 0;
	quota = quota / period + (quota % period != 0);
	return quota < INT_MAX ? (int)quota : INT_MAX;
}

static int least(int a, int b)
{
	return !a || (b && b < a) ? b : a;
}

/* The least of a group and those above it, up to `mount`. In a container the path may be the
 * host's: then only the mount exists. */
static int quota_up(const char *mount, const char *path, bool v2)
{
	char group[PATH_LEN];
	size_t root = strlen(mount);
	int n = snprintf(group, sizeof group, "%s%s", mount, path), cpus = 0;

	if (n < 0 || (size_t)n >= sizeof group)
		return 0;
	for (;;) {
		char *slash;

		cpus = least(cpus, quota_of(group, v2));
		slash = strrchr(group, '/');
		if (!slash || slash < group + root)
			return cpus;
		*slash = '\0';
	}
}

static bool has_word(const char *list, const char *word)
{
	for (size_t len = strlen(word);; list++) {
		size_t n = strcspn(list, ",");

		if (n == len && memcmp(list, word, n) == 0)
			return true;
		list += n;
		if (!*list)
			return false;
	}
}

int cgroup_cpus(const char *list, const char *root)
{
	FILE *file = fopen(list, "re");
	char line[PATH_LEN], mount[PATH_LEN];
	int cpus = 0;

	if (!file)
		return 0;
	/* "0::/path" is version 2, "4:cpu,cpuacct:/path" version 1. */
	while (fgets(line, sizeof line, file)) {
		char *controllers = strchr(line, ':'), *path;
		bool v2;

		path = controllers ? strchr(++controllers, ':') : NULL;
		if (!path)
			continue;
		*path++ = '\0';
		path[strcspn(path, "\n")] = '\0';
		v2 = !*controllers;
		if (!v2 && !has_word(controllers, "cpu"))
			continue;
		snprintf(mount, sizeof mount, "%s%s", root, v2 ? "" : "/cpu");
		cpus = least(cpus, quota_up(mount, path, v2));
	}
	fclose(file);
	return cpus;
}
