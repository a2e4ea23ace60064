/* What the crash tests hold: a process that finds it is not so ends with 1, and says where. */
#ifndef SOTTO_TESTS_CRASH_CHECK_H
#define SOTTO_TESTS_CRASH_CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition, ...)                                                                      \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: not so: %s: ", __FILE__, __LINE__, #condition);    \
			fprintf(stderr, __VA_ARGS__);                                              \
			fputc('\n', stderr);                                                       \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

#endif
