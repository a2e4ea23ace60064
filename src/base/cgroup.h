/* What the control groups of this process allow it (Linux: cgroups(7), kernel
 * documentation cgroup-v2 and sched-bwc). */
#ifndef SOTTO_BASE_CGROUP_H
#define SOTTO_BASE_CGROUP_H

#include <stdbool.h>
#include <stdint.h>

/* Whole processors that the CPU quotas allow, rounded up: the least of the process' groups
 * and all above them, in either version. 0 for no quota. `list` and `root` are
 * /proc/self/cgroup and /sys/fs/cgroup, except in tests. */
int cgroup_cpus(const char *list, const char *root);

/* The first number of a file of /proc or /sys, and the second if `second` is not NULL;
 * "max" is none. False: not both. */
bool cgroup_read_numbers(const char *path, int64_t *first, int64_t *second);

#endif
