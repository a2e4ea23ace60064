/* model.safetensors.index.json: which tensor is in which file. Private to this folder. */
#ifndef SOTTO_CHECKPOINT_SHARD_INDEX_H
#define SOTTO_CHECKPOINT_SHARD_INDEX_H

#include "base/name_list.h"
#include "checkpoint/safetensors_header.h"

#define SHARD_INDEX "model.safetensors.index.json"

struct shard_index { /* {0} is empty */
	struct name_list files; /* plain names of .safetensors files */
	struct shard_entry {
		char *tensor;
		uint32_t file;
	} *items;
	size_t n, cap;
};

enum status shard_index_parse(struct shard_index *index, const char *json, size_t len, struct error *err) MUST_CHECK;
void shard_index_free(struct shard_index *index);
/* Whether the files, opened in the order of `files`, have exactly these tensors. `tensors` is sorted by name, each once. */
enum status shard_index_check(struct shard_index *index, const struct safetensor_list *tensors,
                              struct error *err) MUST_CHECK;

#endif
