/* What the look-up compares a question with: each phrase of each fact as a set of
 * words, and the "bag" of all words of a fact. The weight of a word is the
 * greater the fewer facts have it. Immutable once made. */
#ifndef SOTTO_GUIDE_INDEX_H
#define SOTTO_GUIDE_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "guide/facts.h"
#include "guide/lexicon.h"

#define INDEX_NOISE_WEIGHT 0.5 /* of a word that says nothing */

struct index_set {
	uint32_t first, n; /* its words: members[first...], in ascending order */
	uint32_t fact;
	bool is_bag;
	double norm; /* the length of the vector of its weights */
};

struct index {
	struct lexicon lexicon;
	struct index_set *sets; /* of each fact its phrases, then its bag */
	size_t n_sets, cap_sets;
	uint32_t *members;
	size_t n_members, cap_members;
	/* The sets with a word of a class: class_sets[class_first[head]] up to
	 * class_first[head + 1], in ascending order. */
	uint32_t *class_first, *class_sets;
	size_t n_facts;
};

enum status index_make(struct index *index, const struct facts *facts, struct error *err) MUST_CHECK;
void index_deinit(struct index *index); /* also of {0}, and after an error */

bool index_set_has(const struct index *index, const struct index_set *set, uint32_t word);

/* The weight of a word of a question. */
double index_weight(const struct index *index, uint32_t word);

#endif
