/* What a tensor of a file is for, as its name says. */
#ifndef SOTTO_MODEL_TENSOR_USE_H
#define SOTTO_MODEL_TENSOR_USE_H

#include <stdbool.h>

#include "gguf/reader.h"
#include "model/plan.h"

/* Inputs other than text, for which files may have tensors. sotto ignores these. */
enum modality {
	MODALITY_IMAGES = 1 << 0,
	MODALITY_AUDIO = 1 << 1,
};

/* enum modality; 0: the tensor is needed for text. */
unsigned tensor_modality(struct gguf_string name);
/* Of all tensors of a file. */
unsigned model_modalities(const struct gguf *gguf);

/* Whether text needs it: not the tensors for images and sound, nor the blocks after the last
 * layer, which predict several tokens. `plan`: NULL if not known. */
bool tensor_is_needed(struct gguf_string name, const struct plan *plan);

#endif
