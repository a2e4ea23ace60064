/* What the benchmarks share. */
#ifndef SOTTO_BENCH_BENCH_H
#define SOTTO_BENCH_BENCH_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"

static inline void fail(const char *text)
{
	fprintf(stderr, "%s\n", text);
	exit(1);
}

static inline void *zeros(uint64_t bytes)
{
	void *memory = alloc_aligned(64, (size_t)bytes);

	if (!memory)
		fail("not enough memory");
	return memset(memory, 0, (size_t)bytes);
}

/* Not random, but no two alike, in -1 .. 1. */
static inline float *floats(size_t n)
{
	float *x = zeros(n * sizeof *x);

	for (size_t i = 0; i < n; i++)
		x[i] = (float)(i * 2654435761u >> 8 & 0xffff) / 32768 - 1;
	return x;
}

/* Seconds of processor, of all threads: on a machine with other work to do it says
 * more than the clock. */
static inline double processor_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

#endif
