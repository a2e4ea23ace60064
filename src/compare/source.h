/* Where distributions come from: a model that is evaluated, or a file that has those of one. */
#ifndef SOTTO_COMPARE_SOURCE_H
#define SOTTO_COMPARE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "compare/text.h"

struct session;

struct logits_source {
	void *ctx;      /* borrowed */
	size_t n_vocab;
	/* Its rows are ln p already, rounded: their probabilities add up to 1 only about. */
	bool is_log_p;
	/* What it does not know better than that it is at most this, as ln p (distribution_divergence). */
	double floor;
	/* Tokens `pos` to `pos` + `n` of a window; those before them were evaluated just now, in order. `rows`
	 * [n][n_vocab] receives the logits; NULL: none of these are wanted, and none of them count. */
	enum status (*eval)(void *ctx, const struct compared_text *text, const struct text_window *window, size_t pos,
	                    size_t n, float *rows, struct error *err);
};

/* Of a session whose context takes the longest window. */
struct logits_source source_of_session(struct session *session, size_t n_vocab);

#endif
