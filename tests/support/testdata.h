/* Tests on files that are too large for the repository, and skipped where they are not. */
#ifndef SOTTO_TESTS_SUPPORT_TESTDATA_H
#define SOTTO_TESTS_SUPPORT_TESTDATA_H

#include <stdlib.h>

/* Their folder. */
static inline const char *testdata_root(void)
{
	const char *env = getenv("SOTTO_TESTDATA");

	return env && *env ? env : TEST_SRCDIR "/../shared/testdata";
}

/* The main function of Criterion's tests on one part of it. */
int testdata_main(int argc, char **argv, const char *part);

#endif
