/* Which fact a question means, or that none is meant, by weights that were learnt: a linear
 * classifier of low rank over the question's words, their neighbours, the letters of words that
 * it does not know, and the fact found before (tools/guide/ranker.py, which trains it and says
 * what its file has). Whole numbers up to the last step, so that its scores are the
 * specification's. Immutable once read. */
#ifndef SOTTO_GUIDE_RANKER_H
#define SOTTO_GUIDE_RANKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "guide/facts.h"
#include "guide/terms.h"

/* In place of the fact that answered the question before: there was none, or none was found. */
#define GUIDE_NOTHING SIZE_MAX
#define GUIDE_DECLINED (SIZE_MAX - 1)

struct ranker {
	char *bytes;         /* of the file; NULL: there are no weights, and no fact is known */
	const char *hashes;  /* u32 [n_features] of the file, ascending */
	const uint8_t *rows; /* [n_features][n_dims / 2], two numbers each */
	/* Of each fact [n_dims], NULL of one that is newer than the weights; then that none is meant,
	 * and that the fact before is meant once more. */
	const int8_t **entries;
	size_t n_features, n_dims;
	double scale; /* of a score */
};

/* Takes `bytes`, the text of a file of weights, also in an error; `name` stands in it.
 * STATUS_CONFIG for what is none. */
enum status ranker_read(struct ranker *ranker, const char *name, char *bytes, size_t len,
                        const struct facts *facts, struct error *err) MUST_CHECK;
void ranker_deinit(struct ranker *ranker); /* also of {0}, and after an error */

bool ranker_knows(const struct ranker *ranker, size_t fact);

/* How much each fact is meant, and last that none is, as logarithms of odds: scores[facts->n + 1],
 * zeros. `before`: the fact that answered the question before, GUIDE_NOTHING, GUIDE_DECLINED. */
enum status ranker_score(const struct ranker *ranker, const struct facts *facts,
                         const struct terms *question, size_t before, double *scores) MUST_CHECK;

#endif
