/* What `sotto compare` prints: for people, as JSON, and each place as CSV. */
#ifndef SOTTO_CLI_COMPARE_RESULT_H
#define SOTTO_CLI_COMPARE_RESULT_H

#include "base/buf.h"
#include "cli/compare_text.h"
#include "cli/figures.h"
#include "compare/comparison.h"
#include "compare/layers.h"
#include "compare/text.h"

/* Everything is borrowed. */
struct compare_result {
	const char *name[N_SIDES], *type[N_SIDES]; /* of the models; type "": not known */
	const struct text_model *model;            /* whose vocabulary the ids are of */
	const struct compared_text *text;
	size_t window;                             /* tokens of each; 0: not cut in windows */
	bool is_chats;
	const struct comparison *comparison;
	const struct comparison_summary *summary;
	const struct layers *layers;               /* NULL: not looked at */
};

void compare_result_text(const struct compare_result *result, struct buf *out);
void compare_result_json(const struct compare_result *result, struct buf *out);
/* Of --layers; figures_free when done. */
struct figures compare_layer_figures(const struct layers *layers);
/* A line for each place, or with layers for each layer; the first line names the columns. */
void compare_result_csv(const struct compare_result *result, struct buf *out);

#endif
