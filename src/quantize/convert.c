/* A tensor is one long run of whole blocks: where rows end does not matter. A
 * batch of pieces is shared out among the threads, each of which turns a piece
 * into floats and those into blocks at the piece's place in the batch. */
#include "quantize/convert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "kernels/quant.h"
#include "quantize/encoder.h"

enum {
	PIECE = 4096,  /* weights: a multiple of all block lengths */
	PIECES = 256,  /* of a batch */
};

static const size_t none = SIZE_MAX;

struct converter {
	struct threadpool *pool;
	float *floats;         /* PIECE for each thread */
	unsigned char *blocks; /* of a batch, room for PIECES * PIECE floats */
	size_t bad[PIECES];    /* the first bad weight of each piece, or none */
	bool failed[PIECES];   /* it could not be read */

	/* The batch under way. */
	const struct convert_floats *from;
	const struct quant *to;
	encoder *encode;
	float largest;
	uint64_t first; /* its first weight */
	size_t n;       /* its weights */
};

enum status converter_create(struct converter **out, struct threadpool *pool, struct error *err)
{
	struct converter *c = alloc_array(1, sizeof *c);

	if (c) {
		c->pool = pool;
		c->floats = alloc_array(threadpool_n_threads(pool) * PIECE, sizeof(float));
		c->blocks = alloc_array((size_t)PIECES * PIECE, sizeof(float));
	}
	if (!c || !c->floats || !c->blocks) {
		converter_free(c);
		return error_no_memory(err, "to convert tensors");
	}
	*out = c;
	return STATUS_OK;
}

void converter_free(struct converter *c)
{
	if (!c)
		return;
	free(c->floats);
	free(c->blocks);
	free(c);
}

/* NaN is not smaller either. */
static size_t find_bad(const float *x, size_t n, float largest, bool keeps_special)
{
	for (size_t i = 0; i < n; i++)
		if (!(fabsf(x[i]) <= largest) && !(keeps_special && !isfinite(x[i])))
			return i;
	return none;
}

static size_t piece_len(const struct converter *c, size_t piece)
{
	size_t at = piece * PIECE;

	return c->n - at < PIECE ? c->n - at : PIECE;
}

static enum status read_piece(struct converter *c, size_t piece, size_t thread, float *x, struct error *err)
{
	return c->from->read(c->from->ctx, thread, c->first + piece * PIECE, piece_len(c, piece), x, err);
}

static void convert_pieces(void *ctx, size_t begin, size_t end, size_t thread)
{
	struct converter *c = ctx;
	float *x = c->floats + thread * PIECE;

	for (size_t piece = begin; piece < end; piece++) {
		size_t n = piece_len(c, piece);

		c->bad[piece] = none;
		c->failed[piece] = read_piece(c, piece, thread, x, NULL) != STATUS_OK;
		if (c->failed[piece])
			continue;
		c->bad[piece] = find_bad(x, n, c->largest, c->from->keeps_special);
		if (c->bad[piece] == none)
			c->encode(x, c->blocks + quant_row_bytes(c->to, piece * PIECE), n);
	}
}

/* What is wrong with a piece: it is read again. */
static enum status refuse(struct converter *c, size_t piece, struct error *err)
{
	enum status status = read_piece(c, piece, 0, c->floats, err);
	uint64_t index = c->first + piece * PIECE + c->bad[piece];
	float value;

	if (status)
		return status;
	if (c->failed[piece])
		return error_set(err, STATUS_IO, "tensor '%s': cannot be read", c->from->name);
	value = c->floats[c->bad[piece]];
	if (isfinite(value))
		return error_set(err, STATUS_UNSUPPORTED, "tensor '%s': weight %llu is %g, more than %s can hold", c->from->name,
		                 (unsigned long long)index, (double)value, c->to->name);
	return error_set(err, STATUS_FORMAT, "tensor '%s': weight %llu is %s, expected a number", c->from->name,
	                 (unsigned long long)index, isnan(value) ? "not a number" : "infinite");
}

/* Weights c->first .. c->first + c->n - 1. */
static enum status convert_batch(struct converter *c, struct error *err)
{
	size_t n_pieces = (c->n + PIECE - 1) / PIECE;

	threadpool_run(c->pool, n_pieces, 1, convert_pieces, c);
	for (size_t piece = 0; piece < n_pieces; piece++)
		if (c->bad[piece] != none || c->failed[piece])
			return refuse(c, piece, err);
	return STATUS_OK;
}

enum status converter_run_floats(struct converter *c, const struct convert_floats *from, uint32_t type, bool plain,
                                 convert_sink sink, void *ctx, struct error *err)
{
	enum status status = STATUS_OK;

	c->from = from;
	c->to = quant_find(type);
	c->encode = plain ? encoder_find_plain(type) : encoder_find(type);
	c->largest = encoder_largest(type);
	for (c->first = 0; c->first < from->n && !status; c->first += c->n) {
		c->n = from->n - c->first < (uint64_t)PIECES * PIECE ? (size_t)(from->n - c->first) : (size_t)PIECES * PIECE;
		status = convert_batch(c, err);
		if (!status)
			status = sink(ctx, c->blocks, quant_row_bytes(c->to, c->n), c->first + c->n, err);
	}
	return status;
}

/* A tensor in memory. */
struct blocks {
	const struct quant *quant;
	const unsigned char *data;
};

static enum status read_blocks(void *ctx, size_t thread, uint64_t first, size_t n, float *out, struct error *err)
{
	const struct blocks *blocks = ctx;

	(void)thread;
	(void)err;
	blocks->quant->dequantize(blocks->data + quant_row_bytes(blocks->quant, (size_t)first), out, n);
	return STATUS_OK;
}

enum status converter_run(struct converter *c, const struct gguf_tensor *tensor, uint32_t type, bool plain,
                          convert_sink sink, void *ctx, struct error *err)
{
	struct blocks blocks = {quant_find(tensor->type), tensor->data};
	char name[LIMIT_GGUF_TENSOR_NAME + 1] = {0};
	struct convert_floats from = {name, gguf_tensor_n_elements(tensor), read_blocks, &blocks, false};

	memcpy(name, tensor->name.data, tensor->name.len);
	return converter_run_floats(c, &from, type, plain, sink, ctx, err);
}
