/* What a model's name says: "Qwen3-0.6B-Instruct-2507" has a base name, a size, a kind of tuning and a version. After
 * the reference's rules (gguf-py/gguf/metadata.py, get_model_id_components). */
#ifndef SOTTO_CHECKPOINT_MODEL_ID_H
#define SOTTO_CHECKPOINT_MODEL_ID_H

#include <stdint.h>

enum { MODEL_ID_MAX = 256 };

/* "" where there is none. */
struct model_id {
	char name[MODEL_ID_MAX], organization[MODEL_ID_MAX];
	char basename[MODEL_ID_MAX], finetune[MODEL_ID_MAX], version[MODEL_ID_MAX], size_label[MODEL_ID_MAX];
};

/* `id`: "owner/name", or a folder's name. A size that is far from n_params, how many weights there are, is none. What
 * is longer than MODEL_ID_MAX is only a name, and cut. */
void model_id_read(struct model_id *out, const char *id, uint64_t n_params);
/* "tiny-llama-v1.0 chat" as a title: "Tiny Llama v1.0 Chat". */
void model_id_title(const char *text, char out[MODEL_ID_MAX]);
/* "4x7.2B", "620K": of weights in all, in what all tokens pass, in one expert of each layer, and how many experts. */
void model_size_label(uint64_t all, uint64_t shared, uint64_t expert, uint64_t n_experts, char out[32]);

#endif
