/* The weights of an attention head as a map of characters: a row for each query, a column for each key. */
#ifndef SOTTO_CLI_HEAT_MAP_H
#define SOTTO_CLI_HEAT_MAP_H

#include <stddef.h>

#include "base/buf.h"
#include "trace/attention.h"

/* Appends what stands before a row: the query's token; at most `width` columns. */
typedef void (*heat_map_label)(void *ctx, size_t q, size_t width, struct buf *out);

/* At most `columns` wide and `rows` high: where there are more tokens, a cell is the largest weight of several. What
 * a window hides is marked, what goes to a sink stands beside the row. */
void heat_map_put(const struct attention_trace *trace, size_t columns, size_t rows, heat_map_label label, void *ctx,
                  struct buf *out);

#endif
