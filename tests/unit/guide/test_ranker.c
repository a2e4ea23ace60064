#include "guide/ranker.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/sys.h"
#include "guide/look_up.h"

static const char text[] =
	"facts:\n"
	"  - {id: top, text: Likely words alone., about: [top-p nucleus]}\n"
	"  - {id: twin, text: Likely words alone., about: [top-p nucleus]}\n"
	"  - {id: last, text: Likely words alone., about: [top-p nucleus]}\n";

/* 2 slots, 2 dimensions, entries twin and gone, a score's scale of a half. */
static const char weights[] =
	"SOTTORNK" "\2\0\0\0" "\2\0\0\0" "\2\0\0\0" "\0\0\0\x80" "twin\0gone\0"
	"\1\2" "\xff\x80" "\3\5" "\7\7";

static struct facts facts;
static struct index table;
static struct ranker ranker;
static struct error err;

static enum status read_bytes(const char *bytes, size_t len)
{
	char *copy = malloc(len ? len : 1); /* so that a byte too many is seen */

	cr_assert(copy);
	memcpy(copy, bytes, len);
	return ranker_read(&ranker, "w", copy, len, &facts, &err);
}

/* A question of one feature; to be freed. */
static struct ranker_features features_of(uint64_t hash)
{
	struct ranker_features features;

	cr_assert_eq(ranker_features_init(&ranker, &features), STATUS_OK);
	ranker_add(&ranker, &features, hash);
	return features;
}

static void set_up(void)
{
	cr_assert_eq(facts_read(&facts, "text", text, sizeof text - 1, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(index_make(&table, &facts, &err), STATUS_OK, "%s", err.text);
}

static void tear_down(void)
{
	ranker_deinit(&ranker);
	index_deinit(&table);
	facts_deinit(&facts);
}

TestSuite(ranker, .init = set_up, .fini = tear_down);

Test(ranker, multiplies_the_sum_of_slots_with_a_facts_row)
{
	struct ranker_features features;

	cr_assert_eq(read_bytes(weights, sizeof weights - 1), STATUS_OK, "%s", err.text);
	cr_assert(!ranker_knows(&ranker, 0));
	cr_assert(ranker_knows(&ranker, 1));
	cr_assert_eq(ranker_features_init(&ranker, &features), STATUS_OK);
	cr_assert_eq(ranker_score(&ranker, &features, 1), 0);
	ranker_add(&ranker, &features, 4);
	ranker_add(&ranker, &features, 6); /* the same slot again */
	cr_assert_eq(ranker_score(&ranker, &features, 1), 0.5 * (1 * 3 + 2 * 5));
	cr_assert_eq(ranker_score(&ranker, &features, 0), 0);
	ranker_add(&ranker, &features, UINT64_MAX);
	cr_assert_lt(fabs(ranker_score(&ranker, &features, 1) + 0.5 * 630 / sqrt(2)), 1e-9);
	ranker_features_deinit(&features);
}

/* Of facts that fit as well the one that is likelier comes first; one that the weights
 * do not know and whose words are asked is taken for as likely. */
Test(ranker, chooses_among_facts_that_fit)
{
	static const char likely[] = "SOTTORNK\1\0\0\0\1\0\0\0\2\0\0\0\0\0\0\x80top\0twin\0\1\1\4";
	struct guide_hit hits[GUIDE_ENTRIES];

	cr_assert_eq(look_up(&table, &facts, &ranker, "top-p", 5, GUIDE_NOTHING, hits), 2);
	cr_assert_eq(read_bytes(likely, sizeof likely - 1), STATUS_OK, "%s", err.text);
	cr_assert_eq(look_up(&table, &facts, &ranker, "top-p", 5, GUIDE_NOTHING, hits), 2);
	cr_assert_eq(hits[0].fact, 1);
	cr_assert_eq(hits[1].fact, 2);
	cr_assert_eq(look_up(&table, &facts, &ranker, "zebra", 5, GUIDE_NOTHING, hits), 0);
}

/* A question whose words fit exactly finds nothing where the weights say so. */
Test(ranker, knows_that_nothing_fits)
{
	static const char mute[] = "SOTTORNK\1\0\0\0\1\0\0\0\4\0\0\0\0\0\0\x80top\0twin\0last\0\0\1\0\0\0\144";
	struct guide_hit hits[GUIDE_ENTRIES];
	struct ranker_features features;

	cr_assert_eq(read_bytes(mute, sizeof mute - 1), STATUS_OK, "%s", err.text);
	features = features_of(7);
	cr_assert_eq(ranker_score_nothing(&ranker, &features), 0.5 * 100);
	cr_assert_eq(ranker_score(&ranker, &features, 0), 0);
	ranker_features_deinit(&features);
	cr_assert_eq(look_up(&table, &facts, &ranker, "top-p", 5, GUIDE_NOTHING, hits), 0);
	ranker_deinit(&ranker);
}

/* Weights that never saw a fact do not say that it is not meant: words decide. */
Test(ranker, leaves_a_newer_fact_to_its_words)
{
	static const char old[] = "SOTTORNK\1\0\0\0\1\0\0\0\2\0\0\0\0\0\0\x80top\0\0\1\0\144";
	struct guide_hit hits[GUIDE_ENTRIES];

	cr_assert_eq(read_bytes(old, sizeof old - 1), STATUS_OK, "%s", err.text);
	cr_assert_eq(look_up(&table, &facts, &ranker, "top-p nucleus", 13, GUIDE_NOTHING, hits), 2);
	cr_assert_eq(hits[0].fact, 1);
	cr_assert_eq(hits[1].fact, 2);
	cr_assert_eq(look_up(&table, &facts, &ranker, "nucleus of a zebra", 18, GUIDE_NOTHING, hits), 0);
}

/* Words that want the same once more make that fact likelier which was told before. */
Test(ranker, likes_the_fact_before_where_the_same_is_wanted)
{
	static const char again[] = "SOTTORNK\1\0\0\0\1\0\0\0\3\0\0\0\0\0\0\x80top\0twin\0=\0\1\4\4\1";
	struct guide_hit hits[GUIDE_ENTRIES];
	struct ranker_features features;

	cr_assert_eq(read_bytes(again, sizeof again - 1), STATUS_OK, "%s", err.text);
	features = features_of(7);
	cr_assert_eq(ranker_score(&ranker, &features, 1), 0.5 * 4);
	cr_assert_eq(ranker_score_same(&ranker, &features), 0.5 * 1);
	ranker_features_deinit(&features);
	for (size_t before = 0; before < 2; before++) {
		cr_assert_geq(look_up(&table, &facts, &ranker, "top-p", 5, before, hits), 1);
		cr_assert_eq(hits[0].fact, before);
		cr_assert(hits[0].told);
	}
}

/* Where nothing is likelier by a little, the best entry stands behind it. */
Test(ranker, doubts_that_nothing_fits)
{
	char close[] = "SOTTORNK\1\0\0\0\1\0\0\0\4\0\0\0\0\0\0\x80top\0twin\0last\0\0\1\0\0\0\0";
	size_t len = sizeof close - 1, n_found[3] = {0};
	struct guide_hit hits[GUIDE_ENTRIES];

	for (int liked = -20; liked < 20; liked++) {
		size_t n;

		close[len - 1] = (char)liked;
		cr_assert_eq(read_bytes(close, len), STATUS_OK, "%s", err.text);
		n = look_up(&table, &facts, &ranker, "top-p", 5, GUIDE_NOTHING, hits);
		if (n && hits[0].fact == GUIDE_NOTHING) {
			cr_assert_eq(n, 2);
			cr_assert_eq(hits[1].fact, 0);
			cr_assert_lt(hits[1].score, hits[0].score);
			cr_assert_geq(hits[1].score, hits[0].score - 1);
			cr_assert_eq(n_found[0], 0); /* the more it is liked, the less is found */
			n_found[1]++;
		} else {
			n_found[n ? 2 : 0]++;
			cr_assert(!n || !n_found[1]);
		}
		ranker_deinit(&ranker);
	}
	cr_assert(n_found[0] && n_found[1] && n_found[2]);
	cr_assert_eq(read_bytes(close, len), STATUS_OK, "%s", err.text);
}

Test(ranker, refuses_what_is_no_file_of_weights)
{
	char bytes[sizeof weights];

	for (size_t len = 0; len < sizeof weights - 1; len++) {
		cr_assert_eq(read_bytes(weights, len), STATUS_CONFIG, "%zu", len);
		ranker_deinit(&ranker);
	}
	for (size_t i = 0; i < 20; i++) {
		memcpy(bytes, weights, sizeof bytes);
		bytes[i] = '\xff';
		cr_assert_eq(read_bytes(bytes, sizeof bytes - 1), STATUS_CONFIG, "%zu", i);
		cr_assert(strstr(err.text, "w: "));
		ranker_deinit(&ranker);
	}
}
