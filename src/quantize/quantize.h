/* Writes a model file from another one, with its tensors in other block types.
 *
 * Metadata is copied, except for the keys that tell how the file is quantised or split. The new
 * file is written under a temporary name in the same folder, synced and renamed, so that its own
 * name never belongs to an incomplete file; an old file of this name is replaced. Memory is
 * bounded whatever the size of the model, and the bytes do not depend on the number of threads. */
#ifndef SOTTO_QUANTIZE_QUANTIZE_H
#define SOTTO_QUANTIZE_QUANTIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/io.h"
#include "gguf/reader.h"
#include "kernels/threadpool.h"
#include "quantize/recipe.h"

/* Called in the caller's thread after each batch of weights; false ends with STATUS_CANCELLED.
 * `done` of the model's `weights` are written; `tensor` is being converted. */
typedef bool (*quantize_progress)(void *ctx, uint64_t done, uint64_t weights,
                                  const struct gguf_tensor *tensor);

struct quantize_job {
	const struct recipe *recipe;
	bool pure;       /* all tensors in the recipe's own type */
	bool requantize; /* convert quantised tensors, too, which lose more than the original would */
	quantize_progress progress; /* NULL for none */
	void *ctx;
};

struct quantize_plan {
	uint32_t *types; /* of each tensor, in the order of the file; owned */
	size_t n_fallbacks;   /* tensors in another type, since rows are not whole blocks of the right one */
	size_t n_requantized; /* tensors that are quantised in the input, and in another type */
	uint64_t n_weights, n_bytes, n_bytes_before; /* of all tensors; bytes: after and before */
};

/* STATUS_UNSUPPORTED for tensors that cannot be converted, or not without
 * `requantize`. quantize_plan_deinit in every case. */
enum status quantize_plan_init(struct quantize_plan *plan, const struct quantize_job *job,
                               const struct gguf *gguf, struct error *err) MUST_CHECK;
void quantize_plan_deinit(struct quantize_plan *plan);

/* STATUS_USAGE where `path` is the input itself or no regular file; STATUS_IO where it cannot
 * be written; free space is checked beforehand. */
enum status quantize_save(const struct quantize_plan *plan, const struct quantize_job *job,
                          const struct gguf *gguf, const char *path, struct threadpool *pool,
                          const struct io_ops *io, struct error *err) MUST_CHECK;

#endif
