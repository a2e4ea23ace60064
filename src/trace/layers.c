#include "trace/layers.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"

enum status layers_trace_init(struct layers_trace *trace, size_t n_layer, struct error *err)
{
	*trace = (struct layers_trace){.n_layer = n_layer, .sums = alloc_array(n_layer + 2, sizeof *trace->sums)};
	return trace->sums ? STATUS_OK : error_no_memory(err, "for the figures of the layers");
}

void layers_trace_free(struct layers_trace *trace)
{
	free(trace->sums);
	*trace = (struct layers_trace){.n_layer = 0};
}

static void add_rows(struct layer_sum *sum, const struct probed *seen)
{
	for (size_t i = 0; i < seen->n * seen->width; i++) {
		double x = (double)seen->data[i];

		sum->sum += x;
		sum->square += x * x;
		if (!isnan(sum->largest) && !(fabs(x) <= fabs(sum->largest))) {
			sum->largest = x;
			sum->pos = seen->pos + i / seen->width;
			sum->element = i % seen->width;
		}
	}
	sum->n += seen->n * seen->width;
}

void layers_see(struct layers_trace *trace, const struct probed *seen)
{
	if (seen->place == PROBE_ENTRY && seen->layer == 0)
		add_rows(&trace->sums[0], seen);
	if (seen->place == PROBE_STREAM || seen->place == PROBE_FINAL)
		add_rows(&trace->sums[seen->layer + 1], seen);
}

static double rms_of(const struct layer_sum *sum)
{
	return sum->n ? sqrt(sum->square / (double)sum->n) : 0;
}

struct layer_figures layers_figures(const struct layers_trace *trace, size_t layer)
{
	const struct layer_sum *sum = &trace->sums[layer + 1];
	struct layer_figures out = {.rms = rms_of(sum), .mean = sum->n ? sum->sum / (double)sum->n : 0,
	                            .largest = sum->largest, .pos = sum->pos, .element = sum->element};
	double before = rms_of(&trace->sums[layer]);

	if (layer < trace->n_layer && before > 0)
		out.growth = out.rms / before;
	return out;
}
