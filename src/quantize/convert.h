/* One tensor from its type to another, a batch of weights at a time: private
 * to this folder. */
#ifndef SOTTO_QUANTIZE_CONVERT_H
#define SOTTO_QUANTIZE_CONVERT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "gguf/reader.h"
#include "kernels/threadpool.h"

/* Receives the blocks in order; an error ends the conversion. `weights` is how
 * many of the tensor's are done with these. */
typedef enum status (*convert_sink)(void *ctx, const void *blocks, size_t n_bytes, uint64_t weights,
                                    struct error *err);

/* Memory for the threads' floats and a batch of blocks, for any number of
 * tensors; not more than some MiB. */
struct converter;
enum status converter_create(struct converter **out, struct threadpool *pool,
                             struct error *err) MUST_CHECK;
void converter_free(struct converter *converter); /* NULL is fine */

/* `type` differs from the tensor's, both known to the kernels, rows whole
 * blocks of both. STATUS_FORMAT for a weight that is not finite,
 * STATUS_UNSUPPORTED for one that the type cannot hold: both name the tensor
 * and the first such weight. `plain`: by encoder_find_plain where it has one. */
enum status converter_run(struct converter *converter, const struct gguf_tensor *tensor,
                          uint32_t type, bool plain, convert_sink sink, void *ctx,
                          struct error *err) MUST_CHECK;

#endif
