#include "sampler/candidates.h"

#include <math.h>

#include "sampler/exact.h"

enum {
	SCAN = 32,       /* logits checked together for one that matters */
	CHUNK = 256,     /* exponents computed together */
	FIRST_TAKE = 64, /* a nucleus is rarely larger */
	BUCKETS = 1024,
};

static const float logit_max = 1e30f;

void candidates_clean(float *out, const float *logits, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		float logit = logits[i];

		logit = logit > logit_max ? logit_max : logit;
		logit = logit < -logit_max && logit > -INFINITY ? -logit_max : logit;
		out[i] = logit >= -INFINITY ? logit : -INFINITY;
	}
}

/* With the key of falling logits. */
static void set_candidate(struct candidate *item, const float *logits, size_t id)
{
	item->id = (int32_t)id;
	item->logit = logits[id];
	item->key = -(double)logits[id];
}

void candidates_load(struct candidates *c, struct candidate *items, const float *logits, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (logits[i] > -INFINITY)
			set_candidate(&items[kept++], logits, i);
	*c = (struct candidates){.items = items, .n = kept};
}

static void swap(struct candidate *a, struct candidate *b)
{
	struct candidate t = *a;

	*a = *b;
	*b = t;
}

/* The order is total, since ids differ. */
static bool comes_before(const struct candidate *a, const struct candidate *b)
{
	return a->key < b->key || (a->key == b->key && a->id < b->id);
}

/* A heap with the last in order at its root. */
static void sift_down(struct candidate *heap, size_t root, size_t n)
{
	for (;;) {
		size_t child = 2 * root + 1;

		if (child >= n)
			return;
		if (child + 1 < n && comes_before(&heap[child], &heap[child + 1]))
			child++;
		if (!comes_before(&heap[root], &heap[child]))
			return;
		swap(&heap[root], &heap[child]);
		root = child;
	}
}

static void make_heap(struct candidate *heap, size_t n)
{
	for (size_t i = n / 2; i-- > 0;)
		sift_down(heap, i, n);
}

static void sort_heap(struct candidate *heap, size_t n)
{
	for (size_t end = n; end-- > 1;) {
		swap(&heap[0], &heap[end]);
		sift_down(heap, 0, end);
	}
}

/* Whether one of SCAN logits is above `least`. */
static bool any_above(const float *logits, float least)
{
	int above = 0;

	for (size_t i = 0; i < SCAN; i++)
		above |= logits[i] > least;
	return above;
}

void candidates_load_best(struct candidates *c, struct candidate *items, const float *logits,
                          size_t n, size_t k)
{
	size_t i = 0;

	*c = (struct candidates){.items = items, .sorted = true};
	for (; i < n && c->n < k; i++)
		if (logits[i] > -INFINITY)
			set_candidate(&items[c->n++], logits, i);
	make_heap(items, c->n);
	/* Of equal logits the first are in already. */
	while (i < n) {
		if (n - i >= SCAN && !any_above(logits + i, items[0].logit)) {
			i += SCAN;
			continue;
		}
		for (size_t end = n - i < SCAN ? n : i + SCAN; i < end; i++)
			if (logits[i] > items[0].logit) {
				set_candidate(&items[0], logits, i);
				sift_down(items, 0, k);
			}
	}
	sort_heap(items, c->n);
}

size_t candidates_best(const struct candidates *c)
{
	size_t best = 0;

	if (c->sorted)
		return 0;
	for (size_t i = 1; i < c->n; i++)
		if (candidate_is_better(&c->items[i], &c->items[best]))
			best = i;
	return best;
}

void candidates_softmax(struct candidates *c, double temp)
{
	double chunk[CHUNK], max, sum = 0;

	if (c->n == 0)
		return;
	max = c->items[candidates_best(c)].logit;
	for (size_t at = 0; at < c->n; at += CHUNK) {
		size_t n = c->n - at < CHUNK ? c->n - at : CHUNK;

		for (size_t i = 0; i < n; i++)
			chunk[i] = (c->items[at + i].logit - max) / temp;
		exact_exp_all(chunk, n);
		for (size_t i = 0; i < n; i++) {
			c->items[at + i].p = chunk[i];
			sum += chunk[i]; /* >= 1: the best one's share */
		}
	}
	for (size_t i = 0; i < c->n; i++)
		c->items[i].p /= sum;
}

double candidates_entropy(struct candidates *c)
{
	double chunk[CHUNK], entropy = 0;

	for (size_t at = 0; at < c->n; at += CHUNK) {
		size_t n = c->n - at < CHUNK ? c->n - at : CHUNK;

		for (size_t i = 0; i < n; i++)
			chunk[i] = c->items[at + i].p > 0 ? c->items[at + i].p : 1;
		exact_log_all(chunk, n);
		for (size_t i = 0; i < n; i++) {
			struct candidate *item = &c->items[at + i];

			item->key = item->p > 0 ? -chunk[i] : INFINITY;
			if (item->p > 0)
				entropy += item->p * item->key;
		}
	}
	return entropy;
}

size_t candidates_draw(const struct candidates *c, double r)
{
	double mass = 0;
	size_t last = 0;

	for (size_t i = 0; i < c->n; i++) {
		if (c->items[i].p <= 0)
			continue;
		mass += c->items[i].p;
		last = i;
		if (r < mass)
			return i;
	}
	return last; /* the p add up to a little less than 1 */
}

/* The front of the candidates, sorted piece by piece: the first few by a heap. If these
 * are not enough, the rest is dealt into buckets of rising keys, which are sorted one
 * after the other. */
struct sorted_front {
	struct candidate *items;
	size_t n, n_sorted;
	size_t ends[BUCKETS]; /* of the buckets, once they are dealt */
	size_t bucket;        /* the next to be sorted */
	bool dealt;
};

/* Brings the first k of n to the front, sorted. */
static void sort_best(struct candidate *items, size_t n, size_t k)
{
	make_heap(items, k);
	for (size_t i = k; i < n; i++)
		if (items[i].key <= items[0].key && comes_before(&items[i], &items[0])) {
			swap(&items[i], &items[0]);
			sift_down(items, 0, k);
		}
	sort_heap(items, k);
}

/* Rises with the key. Above `high` there is only infinity. */
static size_t bucket_of(const struct candidate *item, double low, double high, double scale)
{
	return item->key < high ? (size_t)((item->key - low) * scale) : BUCKETS - 1;
}

static void deal(struct sorted_front *f)
{
	double low = INFINITY, high = -INFINITY, scale;
	size_t next[BUCKETS], start = f->n_sorted;

	for (size_t i = f->n_sorted; i < f->n; i++) {
		double key = f->items[i].key;

		if (key < low)
			low = key;
		if (key > high && key < INFINITY)
			high = key;
	}
	scale = high - low > 1e-300 ? (BUCKETS - 1) / (high - low) : 0;
	for (size_t i = f->n_sorted; i < f->n; i++)
		f->ends[bucket_of(&f->items[i], low, high, scale)]++;
	for (size_t b = 0; b < BUCKETS; b++) {
		next[b] = start;
		f->ends[b] = start += f->ends[b];
	}
	for (size_t b = 0; b < BUCKETS; b++)
		while (next[b] < f->ends[b]) {
			size_t home = bucket_of(&f->items[next[b]], low, high, scale);

			if (home != b)
				swap(&f->items[next[b]], &f->items[next[home]]);
			next[home]++;
		}
	f->dealt = true;
}

/* Sorts some more. Not all are sorted yet. */
static void sort_more(struct sorted_front *f)
{
	if (f->n_sorted == 0) {
		f->n_sorted = f->n < FIRST_TAKE ? f->n : FIRST_TAKE;
		sort_best(f->items, f->n, f->n_sorted);
		return;
	}
	if (!f->dealt)
		deal(f);
	while (f->ends[f->bucket] == f->n_sorted)
		f->bucket++;
	make_heap(f->items + f->n_sorted, f->ends[f->bucket] - f->n_sorted);
	sort_heap(f->items + f->n_sorted, f->ends[f->bucket] - f->n_sorted);
	f->n_sorted = f->ends[f->bucket++];
}

void candidates_take(struct candidates *c, double mass, bool past)
{
	struct sorted_front front = {.items = c->items, .n = c->n, .n_sorted = c->sorted ? c->n : 0};
	double sum = 0;
	size_t kept = 0;

	while (kept < c->n && (kept == 0 || sum < mass || (past && sum == mass))) {
		if (kept == front.n_sorted)
			sort_more(&front);
		sum += c->items[kept++].p;
	}
	c->n = kept;
}

void candidates_keep_best(struct candidates *c, size_t k)
{
	size_t kept = k < c->n ? k : c->n;

	if (!c->sorted) {
		for (size_t i = 0; i < c->n; i++)
			c->items[i].key = -(double)c->items[i].logit;
		if (kept < c->n)
			sort_best(c->items, c->n, kept);
		else
			candidates_take(c, INFINITY, false);
	}
	c->n = kept;
	c->sorted = true;
}

void candidates_keep_from(struct candidates *c, double least)
{
	size_t kept = 0;

	for (size_t i = 0; i < c->n; i++)
		if (c->items[i].logit >= least)
			swap(&c->items[i], &c->items[kept++]);
	c->n = kept;
}
