/* The views of `sotto trace`: what each needs of the evaluation, and the figures that it makes of it. */
#ifndef SOTTO_CLI_TRACE_VIEWS_H
#define SOTTO_CLI_TRACE_VIEWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/evaluate.h"
#include "cli/figures.h"
#include "cli/text_input.h"
#include "trace/attention.h"
#include "trace/layers.h"
#include "trace/recorder.h"

/* What is asked for; owns its strings. */
struct trace_params {
	struct text_input input;
	char *attention;
	bool layers, experts, state, hex, json, csv;
	int32_t rope, top; /* -1, 0: not asked for */
};

struct trace {
	const struct trace_params *params;
	struct evaluation evaluation;
	struct recorder recorder;
	struct layers_trace layers;
	struct attention_trace attention;
	size_t layer, head; /* of params->attention */
	size_t columns;     /* of the terminal that the text goes to; 0: it goes to none */
};

struct trace_view {
	const char *name;
	bool (*is_wanted)(const struct trace_params *params);
	bool needs_tokens; /* something must be evaluated, or at least be there */
	bool evaluates;
	/* Before the evaluation: asks the recorder for what it needs. STATUS_USAGE: the model has nothing of the kind. May be
	 * NULL. */
	enum status (*prepare)(struct trace *trace, struct error *err);
	/* The table, as JSON and CSV have it. */
	enum status (*fill)(struct trace *trace, struct figures *figures, struct error *err);
	/* For people; NULL: the table. */
	enum status (*put_text)(struct trace *trace, struct buf *out, struct error *err);
};

/* Opens the model and, unless no view needs tokens and none are given, their ids: those of the input or of the chat that
 * is named, whose model it is where the command line names none. Opens the vocabulary, too, where there is one. The exit
 * status, with its error printed. */
int trace_open(struct evaluation *evaluation, struct cli_setup *setup, const struct text_input *input,
               bool needs_tokens);

/* In trace_layers.c, trace_tables.c and trace_tokens.c. */
extern const struct trace_view trace_view_layers, trace_view_rope, trace_view_attention, trace_view_experts,
	trace_view_state, trace_view_top, trace_view_hex;

#endif
