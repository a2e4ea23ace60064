/* A question as the look-up sees it: a vector of words that the index knows, what is
 * known of the others, and what the ranker makes of it. */
#ifndef SOTTO_GUIDE_QUESTION_H
#define SOTTO_GUIDE_QUESTION_H

#include "guide/index.h"
#include "guide/ranker.h"

struct question {
	uint32_t *words; /* each once, in the order in which they were met */
	double *weights;
	size_t n;
	size_t n_unknown;
	struct ranker_features features;
};

enum status question_read(const struct index *index, const struct ranker *ranker, const char *text,
                          size_t len, struct question *out) MUST_CHECK;
/* Adds the features of the fact that answered the question before, by its id. */
void question_follow(const struct ranker *ranker, const char *id, struct question *question);
void question_free(struct question *question); /* also of {0}, and after an error */

/* The squared length of the question's vector, to which unknown words add. */
double question_square(const struct index *index, const struct question *question);

#endif
