/* A tensor is one long run of whole blocks: where rows end does not matter. A
 * batch of pieces is shared out among the threads, each of which turns a piece
 * into floats and those into blocks at the piece's place in the batch. */
#include "quantize/convert.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
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

	/* The batch under way. */
	const struct quant *from, *to;
	encoder *encode;
	float largest;
	const unsigned char *in; /* the batch's first block */
	size_t n;                /* its weights */
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
static size_t find_bad(const float *x, size_t n, float largest)
{
	for (size_t i = 0; i < n; i++)
		if (!(fabsf(x[i]) <= largest))
			return i;
	return none;
}

static void convert_pieces(void *ctx, size_t begin, size_t end, size_t thread)
{
	struct converter *c = ctx;
	float *x = c->floats + thread * PIECE;

	for (size_t piece = begin; piece < end; piece++) {
		size_t at = piece * PIECE, n = c->n - at < PIECE ? c->n - at : PIECE;

		c->from->dequantize(c->in + quant_row_bytes(c->from, at), x, n);
		c->bad[piece] = find_bad(x, n, c->largest);
		if (c->bad[piece] == none)
			c->encode(x, c->blocks + quant_row_bytes(c->to, at), n);
	}
}

/* What is wrong with weight `index` of the batch that begins at weight `first`. */
static enum status refuse(const struct converter *c, const struct gguf_tensor *tensor,
                          uint64_t first, size_t index, struct error *err)
{
	size_t at = index - index % PIECE;
	float *x = c->floats;
	float value;

	c->from->dequantize(c->in + quant_row_bytes(c->from, at), x,
	                    c->n - at < PIECE ? c->n - at : PIECE);
	value = x[index % PIECE];
	if (isfinite(value))
		return error_set(err, STATUS_UNSUPPORTED,
		                 "tensor '%.*s': weight %llu is %g, more than %s can hold",
		                 (int)tensor->name.len, tensor->name.data,
		                 (unsigned long long)(first + index), (double)value, c->to->name);
	return error_set(err, STATUS_FORMAT, "tensor '%.*s': weight %llu is %s, expected a number",
	                 (int)tensor->name.len, tensor->name.data,
	                 (unsigned long long)(first + index), isnan(value) ? "not a number" : "infinite");
}

/* Weights first .. first + c->n - 1. */
static enum status convert_batch(struct converter *c, const struct gguf_tensor *tensor,
                                 uint64_t first, struct error *err)
{
	size_t n_pieces = (c->n + PIECE - 1) / PIECE;

	c->in = (const unsigned char *)tensor->data + quant_row_bytes(c->from, (size_t)first);
	threadpool_run(c->pool, n_pieces, 1, convert_pieces, c);
	for (size_t piece = 0; piece < n_pieces; piece++)
		if (c->bad[piece] != none)
			return refuse(c, tensor, first, piece * PIECE + c->bad[piece], err);
	return STATUS_OK;
}

enum status converter_run(struct converter *c, const struct gguf_tensor *tensor, uint32_t type,
                          bool plain, convert_sink sink, void *ctx, struct error *err)
{
	uint64_t n = gguf_tensor_n_elements(tensor);
	enum status status = STATUS_OK;

	c->from = quant_find(tensor->type);
	c->to = quant_find(type);
	c->encode = plain ? encoder_find_plain(type) : encoder_find(type);
	c->largest = encoder_largest(type);
	for (uint64_t first = 0; first < n && !status; first += c->n) {
		c->n = n - first < (uint64_t)PIECES * PIECE ? (size_t)(n - first) : (size_t)PIECES * PIECE;
		status = convert_batch(c, tensor, first, err);
		if (!status)
			status = sink(ctx, c->blocks, quant_row_bytes(c->to, c->n), first + c->n, err);
	}
	return status;
}
