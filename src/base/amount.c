#include "base/amount.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

const char *amount_bytes(char out[AMOUNT_TEXT_MAX], uint64_t n)
{
	static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	double value = (double)n / 1024;
	size_t unit = 0;

	if (n < 1024) {
		snprintf(out, AMOUNT_TEXT_MAX, "%" PRIu64 " B", n);
		return out;
	}
	for (; value >= 1024 && unit < 5; unit++)
		value /= 1024;
	snprintf(out, AMOUNT_TEXT_MAX, value < 10 ? "%.2f %s" : "%.1f %s", value, units[unit]);
	return out;
}

const char *amount_thousands(char out[AMOUNT_TEXT_MAX], uint64_t n)
{
	if (n >= 1000000000)
		snprintf(out, AMOUNT_TEXT_MAX, "%.2f GB", (double)n / 1e9);
	else if (n >= 1000000)
		snprintf(out, AMOUNT_TEXT_MAX, "%.1f MB", (double)n / 1e6);
	else if (n >= 1000)
		snprintf(out, AMOUNT_TEXT_MAX, "%.0f kB", (double)n / 1e3);
	else
		snprintf(out, AMOUNT_TEXT_MAX, "%" PRIu64 " B", n);
	return out;
}

const char *amount_count(char out[AMOUNT_TEXT_MAX], uint64_t n)
{
	static const char units[] = "KMBT";
	double value = (double)n;
	size_t unit = 0;

	if (n < 1000) {
		snprintf(out, AMOUNT_TEXT_MAX, "%" PRIu64, n);
		return out;
	}
	for (value /= 1000; value >= 1000 && unit < 3; unit++)
		value /= 1000;
	snprintf(out, AMOUNT_TEXT_MAX, "%.2f %c", value, units[unit]);
	return out;
}

const char *amount_estimate(char out[AMOUNT_TEXT_MAX], double n)
{
	double step = 1;

	n = n < 1e12 ? n : 1e12;
	while (n / step >= 99.5)
		step *= 10;
	if (n < 0.95)
		snprintf(out, AMOUNT_TEXT_MAX, "<1");
	else
		snprintf(out, AMOUNT_TEXT_MAX, "%.0f", (double)(uint64_t)(n / step + 0.5) * step);
	return out;
}
