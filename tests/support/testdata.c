#include "support/testdata.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <unistd.h>

int testdata_main(int argc, char **argv, const char *part)
{
	char dir[4096];
	struct criterion_test_set *tests;
	int rc = 0;

	snprintf(dir, sizeof dir, "%s/%s", testdata_root(), part);
	if (access(dir, R_OK) != 0) {
		printf("skipped: looked for %s\n", dir);
		return 77; /* what Automake calls skipped */
	}
	tests = criterion_initialize();
	if (criterion_handle_args(argc, argv, true))
		rc = !criterion_run_all_tests(tests);
	criterion_finalize(tests);
	return rc;
}
