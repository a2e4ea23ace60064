/* Positions are cut into chunks, chunks into tiles, both at absolute positions. A row (one
 * head of one query) sums up a chunk tile by tile, then the chunks are merged in rising
 * order. Queries of neighbouring positions and the heads of a group go through a tile
 * together; a single query's chunks may go to different threads. */
#include "kernels/attention.h"

#include <math.h>
#include <string.h>

#include "kernels/attention_kernels.h"
#include "kernels/compute.h"
#include "kernels/threadpool.h"

enum {
	INLINE_WORK = 1 << 16, /* multiplications that are not worth waking threads for */
	CHUNK = 1024,          /* positions, a multiple of KV_TILE */
	CHUNK_TILES = CHUNK / KV_TILE,
	ROWS = 128,            /* that share a tile; more if a group has more heads */
};

/* The scratch of a thread, each part padded to whole cache lines. */
struct attention_scratch {
	float *keys, *values;              /* a tile of floats each */
	float *q;                          /* [rows][k_dim], scaled */
	struct attention_rows all, chunk;  /* sums of the rows: so far, and of this chunk */
};

struct attention_job {
	const struct attention *a;
	const struct attention_kernels *kernels;
	const float *q;
	size_t pos, n;
	size_t step;     /* positions that are taken together */
	size_t n_chunks; /* of the single query whose chunks are shared out */
	float *out;
};

static uint64_t padded(uint64_t n)
{
	return (n + ATTENTION_PAD - 1) / ATTENTION_PAD * ATTENTION_PAD;
}

static uint64_t max_rows(uint64_t group)
{
	return group > ROWS ? group : ROWS;
}

uint64_t attention_tile_floats(uint64_t group, uint64_t k_dim, uint64_t v_dim)
{
	uint64_t rows = max_rows(group);

	return KV_TILE * (k_dim + padded(v_dim)) + padded(rows * k_dim) +
	       2 * (rows * padded(v_dim) + 2 * padded(rows));
}

uint64_t attention_chunks(uint64_t n_ctx)
{
	return n_ctx / CHUNK + (n_ctx % CHUNK != 0);
}

uint64_t attention_chunk_floats(uint64_t n_head, uint64_t v_dim)
{
	return n_head * (padded(v_dim) + 2 * ATTENTION_PAD); /* the most for groups of any size */
}

static float *take(float **at, uint64_t n)
{
	float *taken = *at;

	*at += n;
	return taken;
}

/* Room for the sums of `rows` rows. */
static struct attention_rows lay_out(float **at, const struct kv_layer *kv, size_t rows)
{
	struct attention_rows laid = {.k_dim = kv->k_dim, .v_dim = attention_padded(kv->v_dim)};

	laid.out = take(at, rows * laid.v_dim);
	laid.max = take(at, padded(rows));
	laid.sum = take(at, padded(rows));
	return laid;
}

static struct attention_scratch scratch_of(const struct attention *a, size_t thread)
{
	const struct kv_layer *kv = a->kv;
	size_t group = a->n_head / kv->n_kv_head, rows = max_rows(group);
	float *at = a->tiles + thread * attention_tile_floats(group, kv->k_dim, kv->v_dim);
	struct attention_scratch scratch;

	scratch.keys = take(&at, KV_TILE * kv->k_dim);
	scratch.values = take(&at, KV_TILE * attention_padded(kv->v_dim));
	scratch.q = take(&at, padded(rows * kv->k_dim));
	scratch.all = lay_out(&at, kv, rows);
	scratch.chunk = lay_out(&at, kv, rows);
	scratch.all.q = scratch.chunk.q = scratch.q;
	scratch.all.softcap = scratch.chunk.softcap = a->softcap;
	return scratch;
}

static void clear(struct attention_rows *rows, size_t n)
{
	rows->n = n;
	for (size_t i = 0; i < n; i++)
		rows->max[i] = -INFINITY;
	memset(rows->sum, 0, n * sizeof *rows->sum);
	memset(rows->out, 0, n * rows->v_dim * sizeof *rows->out);
}

/* The rows of one position among those of several. */
static struct attention_rows rows_at(const struct attention_rows *rows, size_t first, size_t n)
{
	return (struct attention_rows){
		.n = n, .k_dim = rows->k_dim, .v_dim = rows->v_dim, .softcap = rows->softcap,
		.q = rows->q + first * rows->k_dim, .max = rows->max + first,
		.sum = rows->sum + first, .out = rows->out + first * rows->v_dim};
}

/* The first position that position p sees. */
static size_t first_seen(const struct attention *a, size_t p)
{
	if (a->window == 0 || p < a->window)
		return 0;
	return a->by_chunks ? p / a->window * a->window : p - a->window + 1;
}

static size_t largest(size_t a, size_t b)
{
	return a > b ? a : b;
}

static size_t smallest(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* One tile for the queries at positions first .. last of a group. */
static void add_tile(const struct attention_job *job, const struct attention_scratch *scratch,
                     size_t group, size_t tile, size_t first, size_t last,
                     const struct attention_rows *rows)
{
	const struct attention *a = job->a;
	const struct kv_layer *kv = a->kv;
	size_t base = tile * KV_TILE, heads = a->n_head / kv->n_kv_head;
	size_t begin = largest(first_seen(a, first), base) - base;
	size_t end = smallest(last + 1 - base, KV_TILE);
	const float *keys = job->kernels->load_keys(
		kv->types.k, kv_keys(kv, group, tile), kv->k_dim, scratch->keys);
	const float *values = job->kernels->load_values(
		kv->types.v, kv_values(kv, group, tile), kv->v_dim, begin, end,
		scratch->values);

	if (first_seen(a, last) <= base && first + 1 >= base + KV_TILE) {
		job->kernels->add_tile(rows, keys, values, 0, KV_TILE);
		return;
	}
	/* at the diagonal and at the window's edge each position sees other keys; the rest, old
	 * or not stored yet, must not be read */
	for (size_t p = first; p <= last; p++) {
		struct attention_rows some = rows_at(rows, (p - first) * heads, heads);

		begin = largest(first_seen(a, p), base);
		end = smallest(p + 1, base + KV_TILE);
		if (begin < end)
			job->kernels->add_tile(&some, keys, values, begin - base, end - base);
	}
}

/* Those tiles of one chunk of which the queries at first .. last see any position. */
static void add_chunk(const struct attention_job *job, const struct attention_scratch *scratch,
                      size_t group, size_t chunk, size_t first, size_t last,
                      const struct attention_rows *rows)
{
	size_t from = largest(first_seen(job->a, first) / KV_TILE, chunk * CHUNK_TILES);
	size_t to = smallest(last / KV_TILE + 1, (chunk + 1) * CHUNK_TILES);

	for (size_t tile = from; tile < to; tile++)
		add_tile(job, scratch, group, tile, first, last, rows);
}

/* Copies and scales the queries of a group at batch index t .. t + n - 1. */
static void gather_queries(const struct attention_job *job, size_t group, size_t t, size_t n,
                           float *q)
{
	const struct attention *a = job->a;
	size_t heads = a->n_head / a->kv->n_kv_head, count = heads * a->kv->k_dim;

	for (size_t i = t; i < t + n; i++) {
		const float *from = job->q + (i * a->n_head + group * heads) * a->kv->k_dim;

		for (size_t d = 0; d < count; d++)
			*q++ = from[d] * a->scale;
	}
}

static void finish(const struct attention_job *job, size_t group, size_t t, size_t n,
                   const struct attention_rows *rows)
{
	const struct attention *a = job->a;
	size_t heads = a->n_head / a->kv->n_kv_head, v_dim = a->kv->v_dim;

	for (size_t row = 0; row < n * heads; row++) {
		size_t head = group * heads + row % heads;
		float *out = job->out + ((t + row / heads) * a->n_head + head) * v_dim;

		job->kernels->finish(rows, row, v_dim, a->sinks ? a->sinks + head : NULL, out);
	}
}

/* Batch index t .. t + n - 1 of a group from beginning to end. */
static void attend(const struct attention_job *job, struct attention_scratch *scratch, size_t group,
                   size_t t, size_t n)
{
	size_t first = job->pos + t, last = first + n - 1;
	size_t rows = n * (job->a->n_head / job->a->kv->n_kv_head);
	size_t chunk = first_seen(job->a, first) / CHUNK;

	gather_queries(job, group, t, n, scratch->q);
	clear(&scratch->all, rows);
	add_chunk(job, scratch, group, chunk, first, last, &scratch->all);
	while (++chunk <= last / CHUNK) {
		clear(&scratch->chunk, rows);
		add_chunk(job, scratch, group, chunk, first, last, &scratch->chunk);
		job->kernels->merge(&scratch->all, &scratch->chunk);
	}
	finish(job, group, t, n, &scratch->all);
}

/* Items are pairs (step of positions, group), the last positions, which see
 * the most, first. */
static void attend_range(void *ctx, size_t begin, size_t end, size_t thread)
{
	const struct attention_job *job = ctx;
	size_t groups = job->a->kv->n_kv_head, steps = (job->n + job->step - 1) / job->step;
	struct attention_scratch scratch = scratch_of(job->a, thread);

	for (size_t item = begin; item < end; item++) {
		size_t t = (steps - 1 - item / groups) * job->step;

		attend(job, &scratch, item % groups, t, smallest(job->step, job->n - t));
	}
}

/* The sums over a chunk of a group's rows of a single query. */
static struct attention_rows chunk_rows(const struct attention *a, size_t chunk, size_t group)
{
	const struct kv_layer *kv = a->kv;
	size_t heads = a->n_head / kv->n_kv_head;
	float *at = a->chunks + chunk * attention_chunk_floats(a->n_head, kv->v_dim) +
	            group * attention_chunk_floats(heads, kv->v_dim);

	return lay_out(&at, kv, heads);
}

/* Items are pairs (chunk, group) of a single query. */
static void gather_range(void *ctx, size_t begin, size_t end, size_t thread)
{
	const struct attention_job *job = ctx;
	size_t groups = job->a->kv->n_kv_head, heads = job->a->n_head / groups;
	struct attention_scratch scratch = scratch_of(job->a, thread);

	for (size_t item = begin; item < end; item++) {
		size_t group = item % groups;
		size_t chunk = first_seen(job->a, job->pos) / CHUNK + item / groups;
		struct attention_rows rows = chunk_rows(job->a, chunk, group);

		gather_queries(job, group, 0, 1, scratch.q);
		rows.q = scratch.q;
		rows.softcap = job->a->softcap;
		clear(&rows, heads);
		add_chunk(job, &scratch, group, chunk, job->pos, job->pos, &rows);
	}
}

static void merge_chunks(const struct attention_job *job)
{
	const struct attention *a = job->a;
	size_t first = first_seen(a, job->pos) / CHUNK;

	for (size_t group = 0; group < a->kv->n_kv_head; group++) {
		struct attention_rows all = chunk_rows(a, first, group);

		all.n = a->n_head / a->kv->n_kv_head;
		for (size_t chunk = first + 1; chunk < first + job->n_chunks; chunk++) {
			struct attention_rows rows = chunk_rows(a, chunk, group);

			job->kernels->merge(&all, &rows);
		}
		finish(job, group, 0, 1, &all);
	}
}

/* Positions that fill the rows, or fewer to have enough items for all threads. */
static size_t choose_step(const struct attention *a, size_t n, size_t threads)
{
	size_t groups = a->kv->n_kv_head, heads = a->n_head / groups;
	size_t step = heads < ROWS ? ROWS / heads : 1;

	step = smallest(step, n);
	while (step > 4 && (n + step - 1) / step * groups < 2 * threads)
		step /= 2;
	return step;
}

void attention(const struct compute *compute, const struct attention *a, const float *q,
               size_t pos, size_t n, float *out)
{
	struct threadpool *pool = compute->pool;
	struct attention_job job = {.a = a, .kernels = compute->isa->attention, .q = q, .pos = pos, .n = n,
	                  .out = out};
	size_t groups = a->kv->n_kv_head;

	if (n * (pos + n) < INLINE_WORK / (a->n_head * (a->kv->k_dim + a->kv->v_dim)) + 1)
		pool = NULL;
	job.n_chunks = pos / CHUNK - first_seen(a, pos) / CHUNK + 1;
	if (n == 1 && job.n_chunks > 1 && threadpool_n_threads(pool) > 1) {
		threadpool_run(pool, job.n_chunks * groups, 1, gather_range, &job);
		merge_chunks(&job);
		return;
	}
	job.step = choose_step(a, n, threadpool_n_threads(pool));
	threadpool_run(pool, (n + job.step - 1) / job.step * groups, 1, attend_range, &job);
}
