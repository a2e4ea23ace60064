/* Converts a tensor from one block type to another, or from floats that a caller reads, a batch of weights at a time. */
#ifndef SOTTO_QUANTIZE_CONVERT_H
#define SOTTO_QUANTIZE_CONVERT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "gguf/reader.h"
#include "kernels/threadpool.h"

/* Receives the converted blocks in order; an error ends the conversion. `weights` counts the
 * tensor's weights that are converted so far, those of these blocks included. */
typedef enum status (*convert_sink)(void *ctx, const void *blocks, size_t n_bytes, uint64_t weights,
                                    struct error *err);

/* Memory for the floats of each thread and for a batch of blocks, some MiB: used for one tensor
 * after another. */
struct converter;
enum status converter_create(struct converter **out, struct threadpool *pool,
                             struct error *err) MUST_CHECK;
void converter_free(struct converter *converter); /* NULL is fine */

/* `type` is not the tensor's own type; the kernels know both, and rows are whole blocks of both.
 * `plain`: with encoder_find_plain. STATUS_FORMAT for a weight that is not finite,
 * STATUS_UNSUPPORTED for a weight that is too large for `type`: the errors name the tensor and the
 * first such weight. */
enum status converter_run(struct converter *converter, const struct gguf_tensor *tensor,
                          uint32_t type, bool plain, convert_sink sink, void *ctx,
                          struct error *err) MUST_CHECK;

/* Weights first .. first + n - 1 of a tensor. Called by any thread of the pool, several at once; `thread` as in
 * kernels/threadpool.h. The first error in the tensor's order is the one that the conversion ends with. */
typedef enum status (*convert_read)(void *ctx, size_t thread, uint64_t first, size_t n, float *out, struct error *err);

struct convert_floats {
	const char *name;   /* of the tensor, for errors */
	uint64_t n;         /* weights: whole blocks of the type to convert to */
	convert_read read;
	void *ctx;
	bool keeps_special; /* infinities and NaN of the source may be there; for types that have them */
};

enum status converter_run_floats(struct converter *converter, const struct convert_floats *from, uint32_t type,
                                 bool plain, convert_sink sink, void *ctx, struct error *err) MUST_CHECK;

#endif
