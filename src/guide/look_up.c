#include <math.h>

#include "base/alloc.h"
#include "guide/guide_internal.h"

/* In logarithms of odds, as the ranker's scores are; measured with the evaluation's questions
 * (tools/guide/evaluate_lookup.py). */
/* What is less likely by up to 1:2.7 may be meant as well, and is told, too. */
#define UNSURE 1.0
/* A question in a fact's own words is likelier to mean it by 400:1: with less, what a fact says that
 * it is asked with is not always found, with more, names that are words for other things are. */
#define OWN_WORDS 6.0

/* Adds the evidence of the words alone. There is no other for facts that are newer than the weights:
 * if the question has words of one, it counts as likely as the likeliest of the known facts. */
static void add_word_evidence(const struct ranker *ranker, const double *likeness, size_t before,
                       double *scores, size_t n)
{
	double most = scores[n];

	for (size_t i = 0; i < n; i++)
		most = ranker_knows(ranker, i) ? fmax(most, scores[i]) : most;
	for (size_t i = 0; i < n; i++) {
		bool is_new = !ranker_knows(ranker, i);

		if (is_new && likeness[i] > 0)
			scores[i] = most;
		else if (is_new && i != before) /* the one before may be wanted once more */
			scores[i] = -INFINITY;
		if (is_new || before >= n) /* a follow-up has too few words to count */
			scores[i] += OWN_WORDS * likeness[i];
	}
}

/* The likeliest, and the next if it may be meant as well; scores[n] is that of nothing. None is
 * `alone` but by itself, and what was told just `before` is not told again behind another. */
static size_t choose(const struct guide_facts *facts, const double *scores, size_t before,
                     struct guide_hit hits[GUIDE_ENTRIES])
{
	size_t n = facts->n, best = n, second = n;
	bool alone;

	for (size_t i = 0; i < n; i++)
		if (scores[i] > scores[best])
			best = i;
	for (size_t i = 0; i < n; i++)
		if (i != best && i != before && !facts->items[i].alone &&
		    (second == n || scores[i] > scores[second]))
			second = i;
	alone = best < n && facts->items[best].alone;
	hits[0] = (struct guide_hit){best < n ? best : GUIDE_NOTHING, scores[best],
	                             best == before && !alone};
	if (alone || second == n || scores[second] < scores[best] - UNSURE)
		return best < n;
	hits[1] = (struct guide_hit){.fact = second, .score = scores[second]};
	return 2;
}

size_t guide_look_up(const struct guide *guide, const char *question, size_t len, size_t before,
                     struct guide_hit hits[GUIDE_ENTRIES])
{
	size_t n = guide->facts.n, n_hits = 0;
	double *scores = alloc_array(n + 1, sizeof *scores), *likeness = alloc_array(n, sizeof *likeness);
	struct terms terms = TERMS_EMPTY;

	if (scores && likeness && !terms_split(&terms, question, len) && terms.n &&
	    !ranker_score(&guide->ranker, &guide->facts, &terms, before, scores) &&
	    !phrases_compare(&guide->phrases, &terms, likeness, n)) {
		add_word_evidence(&guide->ranker, likeness, before, scores, n);
		n_hits = choose(&guide->facts, scores, before, hits);
	}
	terms_deinit(&terms);
	free(scores);
	free(likeness);
	return n_hits;
}

bool guide_is_question(const struct message *message)
{
	return !message->files_len && message->len <= GUIDE_QUESTION_MAX;
}

size_t guide_look_up_last(const struct guide *guide, const struct message *messages,
                          size_t n, struct guide_hit hits[GUIDE_ENTRIES])
{
	size_t before = GUIDE_NOTHING, first = n, n_hits = 0;

	for (size_t left = GUIDE_QUESTIONS; first > 0 && left > 0; first--)
		left -= messages[first - 1].role == ROLE_USER;
	for (size_t i = first; i < n; i++) {
		const struct guide_fact *fact;

		if (messages[i].role != ROLE_USER)
			continue;
		n_hits = guide_is_question(&messages[i])
		                 ? guide_look_up(guide, messages[i].text, messages[i].len, before, hits) : 0;
		if (!n_hits && before == GUIDE_NOTHING)
			before = GUIDE_DECLINED;
		if (!guide_found(hits, n_hits))
			continue;
		fact = &guide->facts.items[hits[0].fact];
		if (!fact->alone || fact->again)
			before = hits[0].fact;
	}
	return n_hits;
}
