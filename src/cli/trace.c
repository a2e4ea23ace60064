/* sotto trace: what the residual stream looks like, layer by layer. It shows where two
 * engines begin to differ. */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "cli/evaluate.h"
#include "cli/print.h"
#include "cli/setup.h"
#include "cli/subcommands.h"

struct trace_params {
	char *ids; /* owned */
	bool layers;
};

#define ROW(field, more_flags) CLI_ROW(trace_params, field, more_flags)

static const struct option trace_options[] = {
	{"ids", NULL, OPTION_STRING, ROW(ids, 0), .arg = "IDS",
	 .help = "token ids, separated by blanks"},
	{"layers", NULL, OPTION_BOOL, ROW(layers, 0), .def = "no",
	 .help = "root mean square and mean after each layer and the final norm"},
};

/* Sums over all positions and elements. */
struct layer_sum {
	double sum, square;
	size_t n;
};

struct trace {
	size_t n_embd, n_layer;
	struct layer_sum *layers; /* [n_layer + 1]: the last is the final norm */
};

static void add_layer(void *ctx, size_t layer, const float *x, size_t n)
{
	struct trace *trace = ctx;
	struct layer_sum *sum = &trace->layers[layer];

	for (size_t i = 0; i < n * trace->n_embd; i++) {
		sum->sum += (double)x[i];
		sum->square += (double)x[i] * (double)x[i];
	}
	sum->n += n * trace->n_embd;
}

static int print_trace(const struct trace *trace)
{
	struct buf out = {.max = MIB(1)};

	for (size_t i = 0; i <= trace->n_layer; i++) {
		const struct layer_sum *sum = &trace->layers[i];

		if (i < trace->n_layer)
			buf_printf(&out, "layer%zu", i);
		else
			buf_puts(&out, "final");
		buf_printf(&out, " %.9g %.9g\n", sqrt(sum->square / (double)sum->n),
		           sum->sum / (double)sum->n);
	}
	return cli_print_buf(&out, "the figures");
}

static int trace_layers(const struct evaluation *e)
{
	const struct plan *hp = model_plan(e->model);
	struct trace trace = {.n_embd = hp->n_embd, .n_layer = hp->n_layer};
	struct error err;
	int rc;

	trace.layers = alloc_array(trace.n_layer + 1, sizeof *trace.layers);
	if (!trace.layers)
		return cli_fail_with(STATUS_NOMEM, "not enough memory");
	session_set_trace(e->session, add_layer, &trace);
	rc = session_eval(e->session, e->ids, e->n_ids, 0, NULL, &err) ? cli_fail(&err)
	                                                              : print_trace(&trace);
	free(trace.layers);
	return rc;
}

static int run(struct cli_setup *setup, void *own)
{
	const struct trace_params *params = own;
	struct evaluation evaluation = {0};
	int rc;

	if (!params->layers)
		return cli_fail_with(STATUS_USAGE, "nothing to trace: give --layers");
	rc = evaluation_open(&evaluation, &setup->engine, params->ids);
	if (!rc)
		rc = trace_layers(&evaluation);
	evaluation_close(&evaluation);
	return rc;
}

const struct cli_command cli_trace = {
	.synopsis = "sotto trace [-m MODEL] --ids IDS --layers [OPTION]...",
	.text = "Evaluates token ids and prints what passes through the model, a line for each layer.",
	CLI_OWN(trace_options, trace_params),
	.acts = EVALUATION_ACTS,
	.run = run,
};
