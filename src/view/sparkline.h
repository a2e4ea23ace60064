/* A row of small columns that shows how a figure rose and fell: "▁▂▅█▃". UI thread only. */
#ifndef SOTTO_VIEW_SPARKLINE_H
#define SOTTO_VIEW_SPARKLINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "kept/kept.h"

enum { SPARKLINE_COLS_MAX = 256 };

/* What the columns stand for: the least and the most that is known. NAN: nothing is. */
struct sparkline_range {
	double least, most;
};

/* Appends values[n], a column each or, where there are more than `cols`, a mean each; full height is the most of
 * these. NAN: not known, a blank. Check buf_status. */
struct sparkline_range sparkline_put(struct buf *out, const double *values, size_t n, int cols);

/* The entropy of a reply's tokens, in bits, and how fast they came, in tokens a second: at least four a column. Nothing is
 * put where no token's is known. */
struct sparkline_range sparkline_put_entropy(struct buf *out, const struct kept_reply *reply, int cols);
struct sparkline_range sparkline_put_speed(struct buf *out, const struct kept_reply *reply, int cols);

#endif
