/* A benchmark's table: a row a figure, with its limit. */
#ifndef SOTTO_BENCH_TABLE_H
#define SOTTO_BENCH_TABLE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Prints a row; true when the value is over its limit (negative: it has none). */
static inline bool table_row(const char *what, double value, const char *unit, double limit)
{
	bool bad = limit >= 0 && value > limit;

	printf("%-44s %10.2f %-6s", what, value, unit);
	if (limit >= 0)
		printf("  limit %g%s", limit, bad ? "  OVER" : "");
	printf("\n");
	return bad;
}

static inline int table_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Milliseconds: their median, 99th percentile, which has the limit, and maximum. Sorts them. */
static inline bool table_rows(const char *what, double *samples, size_t n, double p99_limit)
{
	char name[100];
	bool bad;

	qsort(samples, n, sizeof samples[0], table_compare);
	snprintf(name, sizeof name, "%s, median", what);
	table_row(name, samples[n / 2], "ms", -1);
	snprintf(name, sizeof name, "%s, p99", what);
	bad = table_row(name, samples[n * 99 / 100 < n ? n * 99 / 100 : n - 1], "ms", p99_limit);
	snprintf(name, sizeof name, "%s, worst of %zu", what, n);
	table_row(name, samples[n - 1], "ms", -1);
	return bad;
}

#endif
