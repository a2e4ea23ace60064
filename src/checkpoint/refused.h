/* Formats that are known by name and not read: ONNX, MLX, PyTorch's pickles, GPTQ, AWQ, EXL ... What it is, why not, what
 * to take instead. */
#ifndef SOTTO_CHECKPOINT_REFUSED_H
#define SOTTO_CHECKPOINT_REFUSED_H

#include <stdbool.h>
#include <stddef.h>

#include "checkpoint/settings.h"

/* By the names of a folder's or repository's files; NULL: nothing to say. For `sotto convert`, `-m DIR` and `sotto pull`. */
const char *refused_files(const char *const *names, size_t n);
/* By config.json (quantization_config, "quantization" of MLX); NULL: fine. */
const char *refused_config(const struct settings_tree *config);
/* By the name of a tensor that the model's family has not; NULL: nothing to say. */
const char *refused_tensor(const char *name);

#endif
