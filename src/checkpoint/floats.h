/* Elements of a tensor as floats, whatever it is stored as: also FP8 with the scales of blocks, rows or the whole, which
 * lie in a tensor beside it (X.weight_scale_inv, X.weight_scale). */
#ifndef SOTTO_CHECKPOINT_FLOATS_H
#define SOTTO_CHECKPOINT_FLOATS_H

#include <stdbool.h>

#include "checkpoint/safetensors.h"
#include "checkpoint/settings.h"

struct floats; /* what is known of a checkpoint's scales; immutable; borrows the checkpoint */

/* `settings`: config.json, whose quantization_config says how. STATUS_UNSUPPORTED: quantised in a way that is not read,
 * with its name and what to take instead. STATUS_FORMAT: a scale whose shape does not fit its tensor. */
enum status floats_create(struct floats **out, const struct checkpoint *checkpoint, const struct settings_tree *settings,
                          struct error *err) MUST_CHECK;
void floats_free(struct floats *floats); /* NULL is fine */
/* Whether a tensor is only the scale of another one, or its activation's, and no weight. */
bool floats_is_scale(const struct floats *floats, const char *name);

/* Elements first .. first + n - 1 in the order of the file, rows after rows. Any thread; scales are read when needed. */
enum status floats_read(const struct floats *floats, const struct safetensor *tensor, uint64_t first, size_t n,
                        float *out, struct error *err) MUST_CHECK;

/* All 256 values of FP8 (OCP 8-bit floating point specification, 1.0). */
extern const float fp8_e4m3[256], fp8_e5m2[256];

#endif
