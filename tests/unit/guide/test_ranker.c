#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/limits.h"
#include "guide/guide_internal.h"

static const char text[] =
	"facts:\n"
	"  - {id: top, text: Likely words alone., about: [top-p nucleus]}\n"
	"  - {id: twin, text: Likely words alone., about: [top-p nucleus]}\n"
	"  - {id: last, text: Other words., about: [other nucleus]}\n";

enum { DIMS = 2, MOST = 16 };

/* What a file of weights is made of. */
struct weights {
	struct {
		const char *name; /* "wtop": its hash is what counts */
		int row[DIMS];
	} features[MOST];
	struct {
		const char *id;
		int row[DIMS];
	} entries[MOST];
	size_t n_features, n_entries;
};

static struct guide guide;
static struct error err;

static uint32_t hash_of(const char *name)
{
	return hash_fold(hash_more(HASH_BEGIN, name, strlen(name)));
}

static void put_u32(struct buf *out, uint32_t n)
{
	for (int i = 0; i < 4; i++)
		buf_putc(out, (char)(n >> 8 * i));
}

/* The features in the order of their hashes: those after `last`. */
static size_t next_feature(const struct weights *weights, uint32_t last)
{
	size_t best = MOST;

	for (size_t i = 0; i < weights->n_features; i++)
		if (hash_of(weights->features[i].name) > last &&
		    (best == MOST || hash_of(weights->features[i].name) < hash_of(weights->features[best].name)))
			best = i;
	return best;
}

/* A score's scale is a half. */
static void write_weights(const struct weights *weights, struct buf *out)
{
	size_t order[MOST];
	uint32_t last = 0;

	buf_init(out, KIB(4));
	buf_puts(out, "SOTTORN2");
	put_u32(out, (uint32_t)weights->n_features);
	put_u32(out, DIMS);
	put_u32(out, (uint32_t)weights->n_entries);
	put_u32(out, UINT32_C(0x80000000));
	for (size_t i = 0; i < weights->n_entries; i++)
		buf_append(out, weights->entries[i].id, strlen(weights->entries[i].id) + 1);
	for (size_t i = 0; i < weights->n_features; i++) {
		order[i] = next_feature(weights, last);
		last = hash_of(weights->features[order[i]].name);
		put_u32(out, last);
	}
	for (size_t i = 0; i < weights->n_features; i++) {
		const int *row = weights->features[order[i]].row;

		buf_putc(out, (char)((row[0] + 8) | (row[1] + 8) << 4));
	}
	for (size_t i = 0; i < weights->n_entries; i++)
		for (size_t k = 0; k < DIMS; k++)
			buf_putc(out, (char)weights->entries[i].row[k]);
}

static enum status read_bytes(const char *bytes, size_t len)
{
	char *copy = malloc(len ? len : 1); /* so that a byte too many is seen */

	cr_assert(copy);
	memcpy(copy, bytes, len);
	ranker_deinit(&guide.ranker);
	return ranker_read(&guide.ranker, "w", copy, len, &guide.facts, &err);
}

static void read_weights(const struct weights *weights)
{
	struct buf bytes;

	write_weights(weights, &bytes);
	cr_assert_eq(read_bytes(bytes.data, bytes.len), STATUS_OK, "%s", err.text);
	buf_free(&bytes);
}

/* Scores[0 to 2] of the facts, [3] of nothing. */
static void score(const char *question, size_t before, double scores[4])
{
	struct terms terms = TERMS_EMPTY;

	memset(scores, 0, 4 * sizeof *scores);
	cr_assert_eq(terms_split(&terms, question, strlen(question)), STATUS_OK);
	cr_assert_eq(ranker_score(&guide.ranker, &guide.facts, &terms, before, scores), STATUS_OK);
	terms_deinit(&terms);
}

static size_t find(const char *question, size_t before, struct guide_hit *hits)
{
	return guide_look_up(&guide, question, strlen(question), before, hits);
}

static void set_up(void)
{
	cr_assert_eq(facts_read(&guide.facts, "text", text, sizeof text - 1, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(phrases_make(&guide.phrases, &guide.facts, &err), STATUS_OK, "%s", err.text);
}

static void tear_down(void)
{
	ranker_deinit(&guide.ranker);
	phrases_deinit(&guide.phrases);
	facts_deinit(&guide.facts);
}

TestSuite(ranker, .init = set_up, .fini = tear_down);

/* Words, neighbours with the ends, parts of an unknown word, and what was found before. */
static const struct weights weights = {
	.features = {{"wtop", {1, 2}}, {"b^ top", {-8, 7}}, {"btop $", {3, 0}}, {"w?", {0, 5}}, {"b^ ?", {1, 1}},
	             {"g<ze", {2, -3}}, {"gebr", {-1, -1}}, {"gzebra", {7, 7}}, {"ptop", {4, 4}}, {"p", {0, 1}},
	             {"p!", {0, -8}}},
	.n_features = 11,
	.entries = {{"twin", {3, 5}}, {"gone", {7, 7}}, {"", {-128, 127}}, {"=", {1, 0}}, {"top", {0, 1}}},
	.n_entries = 5,
};

static double product(const int *entry, int a, int b, int n)
{
	return 0.5 * (entry[0] * a + entry[1] * b) / sqrt(n);
}

static void check_scores(const char *question, size_t before, int a, int b, int n)
{
	double scores[4];
	double same = before < 3 ? product(weights.entries[3].row, a, b, n) : 0;

	score(question, before, scores);
	cr_assert_float_eq(scores[0], product(weights.entries[4].row, a, b, n) + (before == 0 ? same : 0), 1e-9,
	                   "%s", question);
	cr_assert_float_eq(scores[1], product(weights.entries[0].row, a, b, n) + (before == 1 ? same : 0), 1e-9,
	                   "%s", question);
	cr_assert_float_eq(scores[3], product(weights.entries[2].row, a, b, n), 1e-9, "%s", question);
}

Test(ranker, multiplies_the_sum_of_features_with_a_facts_row)
{
	read_weights(&weights);
	cr_assert(ranker_knows(&guide.ranker, 0) && ranker_knows(&guide.ranker, 1));
	cr_assert(!ranker_knows(&guide.ranker, 2));
	check_scores("top", GUIDE_NOTHING, 1 - 8 + 3 + 0, 2 + 7 + 0 + 1, 4);
	check_scores("top top", GUIDE_NOTHING, 1 - 8 + 3 + 0, 2 + 7 + 0 + 1, 4); /* each once */
	check_scores("top", GUIDE_DECLINED, 1 - 8 + 3 + 0, 2 + 7 + 0 - 8, 4);
	check_scores("top", 0, 1 - 8 + 3 + 4, 2 + 7 + 0 + 4, 4);
	check_scores("top", 1, 1 - 8 + 3, 2 + 7 + 0, 3); /* "ptwin" is not known */
	/* an unknown word: its parts of three to five letters, with its ends */
	check_scores("zebra", GUIDE_NOTHING, 0 + 1 + 2 - 1 + 7 + 0, 5 + 1 - 3 - 1 + 7 + 1, 6);
}

Test(ranker, knows_nothing_without_weights)
{
	double scores[4];

	cr_assert(!ranker_knows(&guide.ranker, 0));
	score("top", 0, scores);
	for (size_t i = 0; i < 4; i++)
		cr_assert_eq(scores[i], 0);
}

/* Weights by which "red" means twin, "blue" last, "green" nothing, all by as much. */
static struct weights coloured(void)
{
	return (struct weights){
		.features = {{"wred", {4, 0}}, {"wblu", {0, 4}}, {"wgreen", {-4, -4}}, {"wagain", {1, 1}}},
		.n_features = 4,
		.entries = {{"top", {0, 0}}, {"twin", {2, 0}}, {"last", {0, 2}}, {"", {-2, -2}}, {"=", {3, 3}}},
		.n_entries = 5,
	};
}

Test(ranker, is_what_the_look_up_goes_by)
{
	struct weights colours = coloured();
	struct guide_hit hits[GUIDE_ENTRIES];

	read_weights(&colours);
	cr_assert_eq(find("red", GUIDE_NOTHING, hits), 1);
	cr_assert_eq(hits[0].fact, 1);
	cr_assert(!hits[0].told);
	cr_assert_eq(find("red", 1, hits), 1);
	cr_assert(hits[0].told);
	cr_assert_eq(find("green", GUIDE_NOTHING, hits), 0);
	cr_assert_eq(find("red blue", GUIDE_NOTHING, hits), 2); /* either may be meant */
	cr_assert_eq(hits[0].fact, 1);
	cr_assert_eq(hits[1].fact, 2);
	cr_assert_eq(find("red blue", 2, hits), 1); /* the second was told just now */
	/* a fact's own words make it likelier, unless they lean on one before */
	cr_assert_eq(find("other words", GUIDE_NOTHING, hits), 1);
	cr_assert_eq(hits[0].fact, 2);
	cr_assert_eq(find("red other words", GUIDE_NOTHING, hits), 2);
	cr_assert_eq(hits[0].fact, 1);
	cr_assert_eq(hits[1].fact, 2);
	cr_assert_gt(find("other words", 0, hits), 0);
	cr_assert_neq(hits[0].fact, 2);
	/* and what wants the same once more, whatever it was */
	for (size_t before = 0; before < 3; before++) {
		cr_assert_eq(find("again", before, hits), 1);
		cr_assert_eq(hits[0].fact, before);
		cr_assert(hits[0].told);
	}
}

/* Where nothing is likelier by a little, the best entry stands behind it. */
Test(ranker, doubts_that_nothing_fits)
{
	struct weights colours = coloured();
	struct guide_hit hits[GUIDE_ENTRIES];
	size_t n_found[3] = {0};

	for (int liked = -2; liked <= 6; liked++) {
		size_t n;

		colours.features[2].row[0] = liked; /* green: nothing by 4 - liked */
		read_weights(&colours);
		n = find("green", GUIDE_NOTHING, hits);
		if (n && hits[0].fact == GUIDE_NOTHING) {
			cr_assert_eq(n, 2);
			cr_assert_eq(hits[1].fact, 0 + 1);
			cr_assert_leq(hits[1].score, hits[0].score);
			cr_assert_geq(hits[1].score, hits[0].score - 1);
			n_found[1]++;
		} else {
			n_found[n ? 2 : 0]++;
			cr_assert(!n || hits[0].fact == 1); /* the more it is liked, the less is doubted */
		}
	}
	cr_assert(n_found[0] && n_found[1] && n_found[2]);
}

/* Weights that never saw a fact do not say that it is not meant: words decide. */
Test(ranker, leaves_a_newer_fact_to_its_words)
{
	struct weights old = coloured();
	struct guide_hit hits[GUIDE_ENTRIES];

	old.entries[2].id = "gone";
	read_weights(&old);
	cr_assert(!ranker_knows(&guide.ranker, 2));
	cr_assert_geq(find("other green nucleus", GUIDE_NOTHING, hits), 1); /* two of three words */
	cr_assert_eq(hits[0].fact, 2);
	cr_assert_geq(find("other green nucleus", 0, hits), 1);
	cr_assert_eq(hits[0].fact, 2);
	cr_assert_eq(find("green nucleus", GUIDE_NOTHING, hits), 0); /* half of them */
	cr_assert_eq(find("again", 2, hits), 1); /* it was told before, and is wanted once more */
	cr_assert_eq(hits[0].fact, 2);
	cr_assert_eq(find("green", 2, hits), 0);
}

Test(ranker, refuses_what_is_no_file_of_weights)
{
	struct buf bytes;

	write_weights(&weights, &bytes);
	for (size_t len = 0; len < bytes.len; len++)
		cr_assert_eq(read_bytes(bytes.data, len), STATUS_CONFIG, "%zu", len);
	for (size_t i = 0; i < 20; i++) {
		char kept = bytes.data[i];

		bytes.data[i] = '\xff';
		cr_assert_eq(read_bytes(bytes.data, bytes.len), STATUS_CONFIG, "%zu", i);
		cr_assert(strstr(err.text, "w: "));
		bytes.data[i] = kept;
	}
	cr_assert_eq(read_bytes(bytes.data, bytes.len), STATUS_OK);
	memcpy(bytes.data + 24 + sizeof "twin", "g\0ne", 4); /* an id too many */
	cr_assert_eq(read_bytes(bytes.data, bytes.len), STATUS_CONFIG);
	buf_free(&bytes);
}

/* Without the row of nothing, or of the same once more. */
Test(ranker, refuses_weights_that_lack_a_row)
{
	for (size_t lacking = 2; lacking <= 3; lacking++) {
		struct weights some = weights;
		struct buf bytes;

		some.entries[lacking].id = "gone";
		write_weights(&some, &bytes);
		cr_assert_eq(read_bytes(bytes.data, bytes.len), STATUS_CONFIG);
		buf_free(&bytes);
	}
}
