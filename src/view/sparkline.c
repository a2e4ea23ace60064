#include "view/sparkline.h"

#include <math.h>

#include "kept/measures.h"

static const char *const columns[] = {"\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586", "\u2587", "\u2588"};

enum {
	N_COLUMNS = sizeof columns / sizeof columns[0],
	AT_ONCE = 4, /* tokens that a column of speed has at the least */
};

/* A value that stands for several: the mean of those that are known. */
struct mean {
	double sum;
	size_t n;
};

static struct sparkline_range put_columns(struct buf *out, const double *values, size_t n)
{
	struct sparkline_range range = {.least = NAN, .most = NAN};

	for (size_t i = 0; i < n; i++) {
		range.least = fmin(range.least, values[i]); /* the other one, where one is NAN */
		range.most = fmax(range.most, values[i]);
	}
	for (size_t i = 0; i < n && !isnan(range.most); i++) {
		double part = range.most > 0 ? values[i] / range.most * (N_COLUMNS - 1) : 0;

		if (isnan(values[i]))
			buf_putc(out, ' ');
		else
			buf_puts(out, columns[part <= 0 ? 0 : (size_t)(part + 0.5)]);
	}
	return range;
}

static size_t count_columns(size_t n, int cols)
{
	size_t most = cols < 0 ? 0 : cols < SPARKLINE_COLS_MAX ? (size_t)cols : SPARKLINE_COLS_MAX;

	return n < most ? n : most;
}

static void count(struct mean *mean, double value)
{
	if (!isfinite(value))
		return;
	mean->sum += value;
	mean->n++;
}

static double take(const struct mean *mean)
{
	return mean->n ? mean->sum / (double)mean->n : (double)NAN;
}

struct sparkline_range sparkline_put(struct buf *out, const double *values, size_t n, int cols)
{
	size_t n_columns = count_columns(n, cols);
	double means[SPARKLINE_COLS_MAX];

	for (size_t column = 0; column < n_columns; column++) {
		struct mean mean = {0};

		for (size_t i = column * n / n_columns; i < (column + 1) * n / n_columns; i++)
			count(&mean, values[i]);
		means[column] = take(&mean);
	}
	return put_columns(out, means, n_columns);
}

struct sparkline_range sparkline_put_entropy(struct buf *out, const struct kept_reply *reply, int cols)
{
	size_t n = kept_n(reply), n_columns = count_columns(n, cols);
	double means[SPARKLINE_COLS_MAX];

	for (size_t column = 0; column < n_columns; column++) {
		struct mean mean = {0};

		for (size_t i = column * n / n_columns; i < (column + 1) * n / n_columns; i++)
			count(&mean, kept_entropy_bits(kept_token(reply, i)));
		means[column] = take(&mean);
	}
	return put_columns(out, means, n_columns);
}

/* Of several tokens, which may be taken at once: how many they are by the time they took. */
struct sparkline_range sparkline_put_speed(struct buf *out, const struct kept_reply *reply, int cols)
{
	size_t n = kept_n(reply), n_columns = count_columns((n + AT_ONCE - 1) / AT_ONCE, cols);
	double rates[SPARKLINE_COLS_MAX];

	for (size_t column = 0; column < n_columns; column++) {
		struct mean us = {0};

		for (size_t i = column * n / n_columns; i < (column + 1) * n / n_columns; i++)
			if (kept_token(reply, i)->us)
				count(&us, kept_token(reply, i)->us);
		rates[column] = us.n ? 1e6 / take(&us) : (double)NAN;
	}
	return put_columns(out, rates, n_columns);
}
