#include "kernels/peak.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/sys.h"
#include "kernels/bf16.h"
#include "kernels/compute.h"
#include "kernels/matmul.h"
#include "kernels/peak_kernels.h"
#include "kernels/threadpool.h"

enum {
	PIECES = 8,           /* of each thread: the faster one takes more */
	PIECE_MACS = 1 << 16, /* at first; doubled until it takes long enough */
	ENOUGH_US = 10000,
	GRAIN = 1 << 18, /* bytes that a thread reads before it looks for more */
	PAGE = 4096,
	USUAL_SIZE = MIB(256),
	PART_SIZE = MIB(32), /* or a share of less memory */
	COLUMNS = 4096 /* of the product's matrix, as in a model of 8B */
};

struct peak_loop {
	uint32_t (*run)(size_t rounds);
	size_t rounds;
	atomic_uint sink;
};

static void run_loop(void *ctx, size_t begin, size_t end, size_t thread)
{
	struct peak_loop *loop = ctx;

	(void)thread;
	for (size_t i = begin; i < end; i++)
		atomic_fetch_xor(&loop->sink, loop->run(loop->rounds));
}

static double rate(const struct compute *compute, uint32_t (*run)(size_t), size_t macs)
{
	size_t items = PIECES * threadpool_n_threads(compute->pool);
	struct peak_loop loop = {.run = run, .rounds = PIECE_MACS / macs + 1};

	for (;; loop.rounds *= 2) {
		uint64_t begin = sys_now_us(), us;

		threadpool_run(compute->pool, items, 1, run_loop, &loop);
		us = sys_now_us() - begin;
		if (us >= ENOUGH_US)
			return (double)items * (double)loop.rounds * (double)macs * 1e6 / (double)us;
	}
}

double peak_int8(const struct compute *compute)
{
	return rate(compute, compute->isa->peak->int8, compute->isa->peak->int8_macs);
}

double peak_f32(const struct compute *compute)
{
	return rate(compute, compute->isa->peak->f32, compute->isa->peak->f32_macs);
}

double peak_bf16(const struct compute *compute)
{
	const struct bf16_kernels *bf16 = compute->isa->bf16;

	return bf16 ? rate(compute, bf16->peak, bf16->peak_macs) : 0;
}

struct peak_memory {
	unsigned char *bytes;
	size_t n_bytes; /* a multiple of GRAIN */
	size_t part, way; /* of the next reading */
};

/* All ways to read but the last, which is a product. */
static const struct way {
	size_t streams, ahead;
} ways[PEAK_WAYS - 1] = {{1, 4096}, {2, 1024}, {4, 1024}, {4, 0}, {8, 0}};

struct peak_reading {
	unsigned char *bytes;
	const struct peak_kernels *peak;
	const struct way *way;
	atomic_uint sink;
};

/* Untouched pages are all one page of zeros, which stays in the cache. */
static void write_pages(void *ctx, size_t begin, size_t end, size_t thread)
{
	struct peak_reading *reading = ctx;

	(void)thread;
	for (size_t at = begin * GRAIN; at < end * GRAIN; at += PAGE)
		memset(reading->bytes + at, 0x35, PAGE);
}

static void read_pieces(void *ctx, size_t begin, size_t end, size_t thread)
{
	struct peak_reading *reading = ctx;

	(void)thread;
	for (; begin < end; begin++)
		atomic_fetch_xor(&reading->sink,
		                 reading->peak->read(reading->bytes + begin * GRAIN, GRAIN,
		                                     reading->way->streams, reading->way->ahead));
}

size_t peak_memory_size(size_t most)
{
	uint64_t available = sys_memory_available(), size = 2 * sys_cache_bytes();

	if (size < USUAL_SIZE)
		size = USUAL_SIZE;
	if (size > most)
		size = most;
	return (size_t)(available && available / 4 < size ? available / 4 : size);
}

enum status peak_memory_create(struct peak_memory **out, size_t n_bytes,
                               const struct compute *compute, struct error *err)
{
	struct peak_memory *memory = alloc_array(1, sizeof *memory);
	struct peak_reading reading;
	void *at;

	*out = NULL;
	if (!memory)
		return error_no_memory(err, NULL);
	n_bytes = n_bytes < GRAIN ? GRAIN : n_bytes / GRAIN * GRAIN;
	at = sys_map_huge(n_bytes);
	if (!at) {
		free(memory);
		return error_errno(err, errno, "cannot map %zu bytes to read", n_bytes);
	}
	memory->bytes = at;
	memory->n_bytes = n_bytes;
	reading = (struct peak_reading){.bytes = at, .peak = compute->isa->peak};
	threadpool_run(compute->pool, n_bytes / GRAIN, 1, write_pages, &reading);
	*out = memory;
	return STATUS_OK;
}

void peak_memory_free(struct peak_memory *memory)
{
	if (!memory)
		return;
	munmap(memory->bytes, memory->n_bytes);
	free(memory);
}

static size_t part_bytes(const struct peak_memory *memory)
{
	size_t share = memory->n_bytes / PEAK_PARTS / GRAIN * GRAIN;

	return share > PART_SIZE ? PART_SIZE : share ? share : GRAIN;
}

static unsigned char *part_at(const struct peak_memory *memory, size_t part)
{
	size_t n_bytes = part_bytes(memory);

	return memory->bytes + part % (memory->n_bytes / n_bytes) * n_bytes;
}

static double read_part(const struct peak_memory *memory, const struct compute *compute,
                        size_t part, const struct way *way)
{
	size_t n = part_bytes(memory) / GRAIN;
	struct peak_reading reading = {.bytes = part_at(memory, part), .peak = compute->isa->peak,
	                          .way = way};
	uint64_t begin = sys_now_us(), us;

	threadpool_run(compute->pool, n, 1, read_pieces, &reading);
	us = sys_now_us() - begin;
	return (double)(n * GRAIN) * 1e6 / (double)(us ? us : 1);
}

double peak_read(struct peak_memory *memory, const struct compute *compute)
{
	size_t part = memory->part, way = memory->way;

	memory->part++;
	memory->way = (way + 1) % PEAK_WAYS;
	if (way == PEAK_WAYS - 1)
		return peak_product(memory, compute, part);
	return read_part(memory, compute, part, &ways[way]);
}

double peak_product(const struct peak_memory *memory, const struct compute *compute, size_t part)
{
	struct matrix m = {.quant = quant_find(BLOCK_Q4_K), .rows = UNIT_ROWS, .cols = COLUMNS};
	size_t unit_bytes = (size_t)matrix_panel_bytes(&m), n_units = part_bytes(memory) / unit_bytes;
	size_t n_activations = activations_floats(COLUMNS);
	float *x = alloc_aligned(64, (COLUMNS + n_activations + n_units * UNIT_ROWS) * sizeof *x);
	struct activations a;
	uint64_t begin, us;

	if (!x || n_units == 0) {
		free(x);
		return 0;
	}
	for (size_t i = 0; i < COLUMNS; i++)
		x[i] = 1;
	m.rows = n_units * UNIT_ROWS;
	m.panels = part_at(memory, part);
	begin = sys_now_us();
	activations_set(&a, x + COLUMNS, x, 1, COLUMNS);
	matmul(compute, &m, &a, x + COLUMNS + n_activations);
	us = sys_now_us() - begin;
	free(x);
	return (double)(n_units * unit_bytes) * 1e6 / (double)(us ? us : 1);
}
