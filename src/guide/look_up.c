#include "guide/look_up.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "guide/question.h"

/* Entries are looked for among those of which one has a score that reaches, with WORD for
 * each word that it knows, LEAST; more where words are at home elsewhere: ELSEWHERE times the part
 * of them. */
#define LEAST 1.4
#define WORD 0.2
#define ELSEWHERE 2.0
#define LEARNT 0.1          /* of what the ranker says, beside the score */
#define NEAR 0.02           /* entries so much below the best one are not taken */
#define FOLLOW_UP_LEAST 0.5 /* LEAST of a follow-up, and the score of what is followed up */
#define EXACT 1.75          /* what is asked so clearly follows nothing up and needs no ranker */
#define CLASS_WEIGHT 0.7    /* of a synonym, beside the word itself */
#define BAG_WEIGHT 0.8      /* of all words of a fact, beside its best phrase */
#define BEFORE_WEIGHT 0.35  /* of the question before, where this one follows it up */
#define BACK_BONUS 0.8
#define SEE_BONUS 0.1
enum {
	TELLING_MAX = 2, /* words that tell something, of a follow-up */
	CANDIDATES = 8,  /* facts of the highest scores, among which the ranker chooses */
};

static const struct ranker no_ranker; /* that knows no fact */

/* The product of the question with each set that shares a word or a class. */
static void multiply(const struct index *index, const struct question *question, double *products)
{
	memset(products, 0, index->n_sets * sizeof *products);
	for (size_t i = 0; i < question->n; i++) {
		uint32_t word = question->words[i], head = index->lexicon.words[word].head;
		double idf = index->lexicon.words[head].class_idf;
		double same = question->weights[i] * question->weights[i];
		double similar = CLASS_WEIGHT * (idf * idf);

		for (uint32_t k = index->class_first[head]; k < index->class_first[head + 1]; k++) {
			uint32_t set = index->class_sets[k];

			products[set] += index_set_has(index, &index->sets[set], word) ? same : similar;
		}
	}
}

/* The score of each fact: of its best phrase, and somewhat of its bag. */
static void score(const struct index *index, const struct question *question, double *products,
                  double *scores)
{
	double norm = sqrt(question_square(index, question));

	memset(scores, 0, index->n_facts * sizeof *scores);
	multiply(index, question, products);
	for (size_t i = 0; i < index->n_sets; i++) {
		const struct index_set *set = &index->sets[i];
		double *best = &scores[set->fact];

		if (!set->is_bag && products[i] > 0)
			*best = fmax(*best, products[i] / (norm * set->norm));
		else if (set->is_bag && *best > 0)
			*best += BAG_WEIGHT * fmin(1, products[i] / (norm * norm));
	}
}

/* The highest; 0 of no facts, or where none has a score. */
static double highest(const double *scores, size_t n)
{
	double best = 0;

	for (size_t i = 0; i < n; i++)
		best = fmax(best, scores[i]);
	return best;
}

/* Puts a fact behind those of `most` best ones that are as good, if it is one of them. */
static size_t insert(struct guide_hit *best, size_t n, size_t most, struct guide_hit hit)
{
	size_t at = n;

	while (at > 0 && best[at - 1].score < hit.score)
		at--;
	if (at == most)
		return n;
	if (n < most)
		n++;
	memmove(best + at + 1, best + at, (n - at - 1) * sizeof *best);
	best[at] = hit;
	return n;
}

/* The facts of the highest scores, best first as the ranker has them; where it does not
 * know one, as if it liked that as much as the best of the others. */
static size_t rank(const struct ranker *ranker, const double *scores, const double *learnt,
                   size_t n_facts, struct guide_hit best[CANDIDATES])
{
	struct guide_hit found[CANDIDATES];
	bool any_known = false;
	double most = 0;
	size_t n = 0, n_best = 0;

	for (size_t i = 0; i < n_facts; i++)
		if (scores[i] > 0)
			n = insert(found, n, CANDIDATES, (struct guide_hit){i, scores[i]});
	for (size_t i = 0; i < n; i++) {
		if (!ranker_knows(ranker, found[i].fact))
			continue;
		most = any_known ? fmax(most, learnt[found[i].fact]) : learnt[found[i].fact];
		any_known = true;
	}
	for (size_t i = 0; i < n; i++) {
		size_t fact = found[i].fact;

		found[i].score += LEARNT * (ranker_knows(ranker, fact) ? learnt[fact] : most);
		n_best = insert(best, n_best, CANDIDATES, found[i]);
	}
	return n_best;
}

/* What the ranker says of each fact. */
static void ask_ranker(const struct ranker *ranker, const struct question *question, size_t n_facts,
                       double *learnt)
{
	for (size_t i = 0; i < n_facts; i++)
		learnt[i] = ranker_score(ranker, &question->features, i);
}

/* A bonus for what undoes the answer of the question before, or comes after it. */
static void add_next(const struct facts *facts, const struct fact *fact, bool goes_back,
                     double *scores)
{
	const struct fact_texts *see = &fact->lists[FACT_SEE];

	for (size_t i = 0; i < facts->n; i++) {
		const char *id = facts_text(facts, facts->items[i].id);
		double bonus = 0;

		for (size_t k = 0; k < see->n; k++)
			if (strcmp(facts_item(facts, see->first + k), id) == 0)
				bonus = SEE_BONUS;
		if (goes_back && strcmp(facts_text(facts, fact->back), id) == 0)
			bonus = BACK_BONUS;
		scores[i] += bonus;
	}
}

/* WORD for each telling word of the question that is in a phrase of the fact. */
static void count_words(const struct index *index, const struct question *question, double *words)
{
	for (size_t i = 0; i < index->n_sets; i++) {
		const struct index_set *set = &index->sets[i];
		size_t n = 0;

		if (!set->is_bag)
			continue;
		for (size_t k = 0; k < question->n; k++)
			n += question->weights[k] > INDEX_NOISE_WEIGHT &&
			     index_set_has(index, set, question->words[k]);
		words[set->fact] = WORD * (double)n;
	}
}

/* Whether a fact reaches `least` with its words. */
static bool reaches(const double *scores, const double *words, size_t n, double least)
{
	for (size_t i = 0; i < n; i++)
		if (scores[i] > 0 && scores[i] + words[i] >= least)
			return true;
	return false;
}

/* The first of the best ones, so far as they are near the very best. */
static size_t take_best(const struct guide_hit *best, size_t n,
                        struct guide_hit hits[GUIDE_ENTRIES])
{
	size_t n_hits = 0;

	while (n_hits < n && n_hits < GUIDE_ENTRIES && best[n_hits].score >= best[0].score - NEAR) {
		hits[n_hits] = best[n_hits];
		n_hits++;
	}
	return n_hits;
}

/* The best of the entries that stand alone; they are out of the scores then. */
static struct guide_hit take_alone(const struct facts *facts, double *scores)
{
	struct guide_hit best = {0};

	for (size_t i = 0; i < facts->n; i++) {
		if (!facts->items[i].alone)
			continue;
		if (scores[i] > best.score)
			best = (struct guide_hit){i, scores[i]};
		scores[i] = 0;
	}
	return best;
}

/* Arrays of a number for each fact. */
struct table {
	double *scores, *old; /* of the question, and of the one before it */
	double *learnt, *old_learnt;
	double *words;    /* for count_words */
	double *products; /* of each set */
};

static enum status make_table(const struct index *index, struct table *table)
{
	size_t n = index->n_facts;
	double *numbers = alloc_array(5 * n + index->n_sets, sizeof *numbers);

	*table = (struct table){0};
	if (!numbers)
		return STATUS_NOMEM;
	*table = (struct table){numbers, numbers + n, numbers + 2 * n, numbers + 3 * n,
	                        numbers + 4 * n, numbers + 5 * n};
	return STATUS_OK;
}

/* Adds to a question's scores those of the one that it follows up. False if that one
 * found nothing. */
static bool add_before(const struct index *index, const struct facts *facts,
                       const struct ranker *ranker, const struct question *before,
                       bool goes_back, struct table *table)
{
	size_t n = index->n_facts;
	struct guide_hit best[CANDIDATES];

	score(index, before, table->products, table->old);
	take_alone(facts, table->old);
	if (highest(table->old, n) < FOLLOW_UP_LEAST)
		return false;
	ask_ranker(ranker, before, n, table->old_learnt);
	rank(ranker, table->old, table->old_learnt, n, best);
	for (size_t i = 0; i < n; i++) {
		table->scores[i] += BEFORE_WEIGHT * table->old[i];
		table->learnt[i] += BEFORE_WEIGHT * table->old_learnt[i];
	}
	add_next(facts, &facts->items[best[0].fact], goes_back, table->scores);
	return true;
}

size_t look_up(const struct index *index, const struct facts *facts, const struct ranker *ranker,
               const char *question, size_t len, const char *before, size_t before_len,
               struct guide_hit hits[GUIDE_ENTRIES])
{
	size_t n_facts = index->n_facts, n_hits = 0;
	struct question now = {0}, then = {0};
	struct guide_hit alone, best[CANDIDATES];
	double strange, least, top;
	bool exact;
	struct table table;

	if (make_table(index, &table) || question_read(index, ranker, question, len, &now))
		goto out;
	score(index, &now, table.products, table.scores);
	count_words(index, &now, table.words);
	strange = ELSEWHERE * question_strangeness(&now);
	least = LEAST + strange;
	alone = take_alone(facts, table.scores);
	top = highest(table.scores, n_facts);
	if (alone.score > 0 && alone.score + table.words[alone.fact] >= least && alone.score >= top) {
		hits[0] = alone;
		n_hits = 1;
		goto out;
	}
	exact = top >= EXACT;
	ask_ranker(ranker, &now, n_facts, table.learnt);
	if (before_len && (now.points || (now.n_telling <= TELLING_MAX && !now.n_unknown && !exact))) {
		if (question_read(index, ranker, before, before_len, &then))
			goto out;
		if (add_before(index, facts, ranker, &then, now.goes_back, &table)) {
			least = FOLLOW_UP_LEAST + strange;
			exact = false;
		}
	}
	if (reaches(table.scores, table.words, n_facts, least))
		n_hits = take_best(best, rank(exact ? &no_ranker : ranker, table.scores, table.learnt, n_facts,
		                              best), hits);
out:
	question_free(&now);
	question_free(&then);
	free(table.scores);
	return n_hits;
}
