/* Going through a text: one source gives a perplexity, two a comparison. */
#ifndef SOTTO_COMPARE_RUN_H
#define SOTTO_COMPARE_RUN_H

#include <stddef.h>

#include "base/error.h"
#include "compare/comparison.h"
#include "compare/moments.h"
#include "compare/source.h"
#include "compare/text.h"

struct compare_run {
	const struct compared_text *text;
	size_t n_at_once; /* the most tokens that are evaluated in one go; 0: as many as memory suggests */
	/* Called after each stretch with the tokens of the text that are done; NULL: nobody asks. Sources stop by
	 * themselves (session_set_progress). */
	void (*progress)(void *ctx, size_t done, size_t all);
	void *progress_ctx;
};

/* The reference is evaluated before the judged one, stretch by stretch. STATUS_FORMAT: a logit is no number;
 * STATUS_USAGE: what a file has as probabilities is none. */
enum status compare_run(const struct compare_run *run, const struct logits_source *judged,
                        const struct logits_source *reference, struct comparison *out, struct error *err) MUST_CHECK;

/* `window` is told after each window, with what all up to it have come to; NULL: nobody asks. Perplexity is exp of
 * the mean of -ln p, and its error that times the mean's. */
enum status perplexity_run(const struct compare_run *run, const struct logits_source *source,
                           void (*window)(void *ctx, size_t index, const struct moments *surprise), void *ctx,
                           struct moments *out, struct error *err) MUST_CHECK;
double perplexity_of(const struct moments *surprise);
double perplexity_error(const struct moments *surprise);

#endif
