#include "cli/heat_map.h"

#include <math.h>

static const char ramp[] = " .:+*#%@"; /* by the root of the weight: small ones are seen, too */
enum { N_SHADES = sizeof ramp - 1, LABEL = 12, HIDDEN = '-', NO_NUMBER = '?', SINK = 6 };

static char shade(double weight)
{
	size_t i = (size_t)(sqrt(weight) * N_SHADES);

	return ramp[i < N_SHADES ? i : N_SHADES - 1];
}

/* Of queries q .. q_end - 1 and keys k .. k_end - 1. */
static char cell(const struct attention_trace *trace, size_t q, size_t q_end, size_t k, size_t k_end)
{
	double most = 0;
	bool is_seen = false, is_past = false;

	for (size_t i = q; i < q_end; i++) {
		const double *row = attention_row(trace, i);

		for (size_t p = k; p < k_end && p <= i; p++) {
			if (isnan(row[p]))
				return NO_NUMBER;
			is_past = true;
			is_seen |= p >= attention_first(trace, i);
			most = row[p] > most ? row[p] : most;
		}
	}
	return !is_past ? ' ' : is_seen ? shade(most) : HIDDEN;
}

static void put_row(const struct attention_trace *trace, size_t q, size_t q_end, size_t by, struct buf *out)
{
	double sink = 0;

	for (size_t i = q; trace->sink && i < q_end; i++)
		sink = trace->sink[i] > sink ? trace->sink[i] : sink;
	if (trace->sink)
		buf_printf(out, " %4.0f%%", sink * 100);
	buf_puts(out, " |");
	for (size_t k = 0; k < q_end; k += by)
		buf_putc(out, cell(trace, q, q_end, k, k + by < trace->n ? k + by : trace->n));
	buf_putc(out, '\n');
}

static void put_legend(const struct attention_trace *trace, size_t by, struct buf *out)
{
	double first = 0;

	buf_puts(out, "from 0 to 1: \"");
	buf_append(out, ramp, N_SHADES);
	buf_puts(out, "\"");
	if (trace->window)
		buf_printf(out, "\n%c is not seen: the %s is %zu tokens", HIDDEN, trace->by_chunks ? "chunk" : "window",
		           trace->window);
	if (by > 1)
		buf_printf(out, "\na character is the largest weight of %zu x %zu", by, by);
	for (size_t q = 0; q < trace->n; q++)
		first += attention_row(trace, q)[0];
	buf_printf(out, "\n%.1f%% of all goes to the first token", 100 * first / (double)trace->n);
	if (trace->sink)
		buf_puts(out, "\nthe head's sink, which has no value, takes what stands before each row");
	buf_putc(out, '\n');
}

void heat_map_put(const struct attention_trace *trace, size_t columns, size_t rows, heat_map_label label, void *ctx,
                  struct buf *out)
{
	size_t beside = LABEL + 2 + (trace->sink ? SINK : 0), by;
	size_t most = columns > beside + 1 ? columns - beside - 1 : 1;

	most = most < rows ? most : rows;
	by = (trace->n + most - 1) / most;
	for (size_t q = 0; q < trace->n; q += by) {
		label(ctx, q, LABEL, out);
		put_row(trace, q, q + by < trace->n ? q + by : trace->n, by, out);
	}
	put_legend(trace, by, out);
}
