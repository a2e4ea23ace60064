#include "model/tensor_use.h"

unsigned tensor_sense(struct gguf_string name)
{
	static const struct {
		const char *prefix;
		unsigned sense;
	} rows[] = {
		{"v.", SENSE_IMAGES},
		{"a.", SENSE_SOUND},
		{"mm.a.", SENSE_SOUND}, /* from sound to the text's embeddings */
		{"mm.", SENSE_IMAGES},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (gguf_string_begins(name, rows[i].prefix))
			return rows[i].sense;
	return 0;
}

unsigned model_senses(const struct gguf *gguf)
{
	unsigned senses = 0;

	for (size_t i = 0; i < gguf_n_tensors(gguf); i++)
		senses |= tensor_sense(gguf_tensor_at(gguf, i)->name);
	return senses;
}

bool tensor_is_needed(struct gguf_string name, const struct plan *plan)
{
	uint64_t layer;

	return !tensor_sense(name) &&
	       !(plan && gguf_split_layer(&name, &layer) && layer >= plan->n_layer);
}
