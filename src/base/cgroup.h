/* What the control groups of this process allow it (Linux: cgroups(7), kernel
 * documentation cgroup-v2 and sched-bwc). */
#ifndef SOTTO_BASE_CGROUP_H
#define SOTTO_BASE_CGROUP_H

/* Whole processors that the CPU quotas allow, rounded up: the least of the process' groups
 * and all above them, in either version. 0 for no quota. `list` and `root` are
 * /proc/self/cgroup and /sys/fs/cgroup, except in tests. */
int cgroup_cpus(const char *list, const char *root);

#endif
