/* Converts a tensor from one block type to another, a batch of weights at a time: private to this
 * folder. */
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

#endif
