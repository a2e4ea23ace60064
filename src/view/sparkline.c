#include "view/sparkline.h"

#include <math.h>

#include "kept/measures.h"

static const char *const columns[] = {"\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586", "\u2587", "\u2588"};

enum {
	N_COLUMNS = sizeof columns / sizeof columns[0],
	AT_ONCE = 4, /* tokens that a column of speed has at the least */
};

/* A value of number i; NAN: it is not known. */
typedef double value_at(const void *of, size_t i);

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

/* Of the values that a column stands for, the mean of those that are known. */
static void take_means(double *means, size_t n_columns, value_at *value, const void *of, size_t n)
{
	for (size_t column = 0; column < n_columns; column++) {
		double sum = 0;
		size_t known = 0;

		for (size_t i = column * n / n_columns; i < (column + 1) * n / n_columns; i++) {
			const double one = value(of, i);

			sum += isfinite(one) ? one : 0;
			known += isfinite(one) ? 1 : 0;
		}
		means[column] = known ? sum / (double)known : (double)NAN;
	}
}

static double number_at(const void *of, size_t i)
{
	return ((const double *)of)[i];
}

static double entropy_at(const void *of, size_t i)
{
	return kept_entropy_bits(kept_token(of, i));
}

static double us_at(const void *of, size_t i)
{
	const uint32_t us = kept_token(of, i)->us;

	return us ? us : (double)NAN;
}

static struct sparkline_range put_means(struct buf *out, value_at *value, const void *of, size_t n, int cols)
{
	const size_t n_columns = count_columns(n, cols);
	double means[SPARKLINE_COLS_MAX];

	take_means(means, n_columns, value, of, n);
	return put_columns(out, means, n_columns);
}

struct sparkline_range sparkline_put(struct buf *out, const double *values, size_t n, int cols)
{
	return put_means(out, number_at, values, n, cols);
}

struct sparkline_range sparkline_put_entropy(struct buf *out, const struct kept_reply *reply, int cols)
{
	return put_means(out, entropy_at, reply, kept_n(reply), cols);
}

/* Of several tokens, which may be taken at once: how many they are by the time they took. */
struct sparkline_range sparkline_put_speed(struct buf *out, const struct kept_reply *reply, int cols)
{
	const size_t n = kept_n(reply), n_columns = count_columns((n + AT_ONCE - 1) / AT_ONCE, cols);
	double rates[SPARKLINE_COLS_MAX];

	take_means(rates, n_columns, us_at, reply, n);
	for (size_t column = 0; column < n_columns; column++)
		rates[column] = 1e6 / rates[column];
	return put_columns(out, rates, n_columns);
}
