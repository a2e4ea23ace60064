#include "model/tensor_use.h"

#include <string.h>

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

bool tensor_split_layer(struct gguf_string *name, uint64_t *layer)
{
	size_t i = 4;

	if (name->len < 6 || memcmp(name->data, "blk.", 4) != 0 ||
	    (name->data[4] == '0' && name->data[5] != '.'))
		return false;
	*layer = 0;
	for (; i < name->len && name->data[i] >= '0' && name->data[i] <= '9' && i < 12; i++)
		*layer = *layer * 10 + (uint64_t)(name->data[i] - '0');
	if (i == 4 || i == name->len || name->data[i] != '.')
		return false;
	name->data += i + 1;
	name->len -= i + 1;
	return true;
}

bool tensor_is_needed(struct gguf_string name, const struct plan *plan)
{
	uint64_t layer;

	return !tensor_sense(name) &&
	       !(plan && tensor_split_layer(&name, &layer) && layer >= plan->n_layer);
}
