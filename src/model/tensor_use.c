#include "model/tensor_use.h"

unsigned tensor_modality(struct gguf_string name)
{
	static const struct {
		const char *prefix;
		unsigned modality;
	} rows[] = {
		{"v.", MODALITY_IMAGES},
		{"a.", MODALITY_AUDIO},
		{"mm.a.", MODALITY_AUDIO}, /* from sound to the text's embeddings */
		{"mm.", MODALITY_IMAGES},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (gguf_string_begins(name, rows[i].prefix))
			return rows[i].modality;
	return 0;
}

unsigned model_modalities(const struct gguf *gguf)
{
	unsigned modalities = 0;

	for (size_t i = 0; i < gguf_n_tensors(gguf); i++)
		modalities |= tensor_modality(gguf_tensor_at(gguf, i)->name);
	return modalities;
}

bool tensor_is_needed(struct gguf_string name, const struct plan *plan)
{
	uint64_t layer;

	return !tensor_modality(name) &&
	       !(plan && gguf_split_layer(&name, &layer) && layer >= plan->n_layer);
}
