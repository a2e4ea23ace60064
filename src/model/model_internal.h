/* What the files of this folder share of a model. */
#ifndef SOTTO_MODEL_MODEL_INTERNAL_H
#define SOTTO_MODEL_MODEL_INTERNAL_H

#include "model/family.h"
#include "model/model.h"
#include "model/plan.h"
#include "model/weights.h"

struct model {
	const struct family *family;
	struct gguf *gguf; /* owned */
	struct plan plan;
	struct weights weights;
	struct model_memory memory;
};

#endif
