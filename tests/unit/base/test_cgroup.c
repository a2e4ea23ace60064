#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cgroup.h"
#include "support/folder.h"

static void put(const char *dir, const char *name, const char *text)
{
	char path[512];

	/* Every folder on the way. */
	for (const char *slash = name; (slash = strchr(slash, '/')) != NULL; slash++) {
		snprintf(path, sizeof path, "%s/%.*s", dir, (int)(slash - name), name);
		mkdir(path, 0700);
	}
	snprintf(path, sizeof path, "%s/%s", dir, name);
	write_text(path, text);
}

/* The list, up to four files with their texts, the processors. */
static const struct {
	const char *list, *files[8];
	int want;
} cases[] = {
	{"", {NULL}, 0},
	{"nonsense\n0:\n", {NULL}, 0},
	{"0::/\n", {"cpu.max", "max 100000\n"}, 0},
	{"0::/\n", {"cpu.max", "200000 100000\n"}, 2},
	{"0::/\n", {"cpu.max", "150000 100000\n"}, 2},
	{"0::/\n", {"cpu.max", "1000 100000\n"}, 1},
	{"0::/\n", {"cpu.max", "200000 0\n"}, 0},
	{"0::/a/b\n", {"a/b/cpu.max", "400000 100000\n", "a/cpu.max", "300000 100000\n"}, 3},
	{"0::/a/b\n", {"a/b/cpu.max", "max 100000\n", "a/cpu.max", "max 100000\n", "cpu.max", "5 1\n"}, 5},
	{"0::/ab\n", {"a/cpu.max", "100000 100000\n"}, 0},
	{"0::/not/here\n", {"cpu.max", "200000 100000\n"}, 2},
	{"3:memory:/m\n2:cpu,cpuacct:/g\n0::/\n",
	 {"cpu/g/cpu.cfs_quota_us", "300000\n", "cpu/g/cpu.cfs_period_us", "100000\n"}, 3},
	{"2:cpuacct:/g\n",
	 {"cpu/g/cpu.cfs_quota_us", "300000\n", "cpu/g/cpu.cfs_period_us", "100000\n"}, 0},
	{"1:cpu:/\n", {"cpu/cpu.cfs_quota_us", "-1\n", "cpu/cpu.cfs_period_us", "100000\n"}, 0},
	{"1:cpu:/\n", {"cpu/cpu.cfs_quota_us", "250000\n"}, 0},
};

Test(cgroup, quotas_are_found_in_both_versions)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char dir[] = "/tmp/sotto-cgroup-XXXXXX", root[64], list[64];

		cr_assert_not_null(mkdtemp(dir));
		snprintf(root, sizeof root, "%s/root", dir);
		snprintf(list, sizeof list, "%s/list", dir);
		mkdir(root, 0700);
		put(dir, "list", cases[i].list);
		for (size_t j = 0; cases[i].files[j]; j += 2)
			put(root, cases[i].files[j], cases[i].files[j + 1]);
		cr_assert_eq(cgroup_cpus(list, root), cases[i].want, "case %zu: %d", i,
		             cgroup_cpus(list, root));
		remove_folder(dir);
	}
	cr_assert_eq(cgroup_cpus("/nowhere/list", "/nowhere"), 0);
}
