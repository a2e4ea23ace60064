/* Processor time of this process: other programs take none of it, however busy they are. For what must
 * not grow with the square of its input: a limit is at least twenty times what was measured, and a
 * square many times the limit. */
#ifndef SOTTO_TESTS_CPU_TIME_H
#define SOTTO_TESTS_CPU_TIME_H

#include <stdint.h>
#include <time.h>

static inline uint64_t test_cpu_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

#endif
