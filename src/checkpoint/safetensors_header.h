/* The header of one safetensors file: private to this folder. Source: huggingface/safetensors, README and tensor.rs. */
#ifndef SOTTO_CHECKPOINT_SAFETENSORS_HEADER_H
#define SOTTO_CHECKPOINT_SAFETENSORS_HEADER_H

#include "checkpoint/safetensors.h"

struct safetensor_list { /* {0} is empty; names are owned */
	struct safetensor *items;
	size_t n, cap;
};
void safetensor_list_free(struct safetensor_list *list);
void safetensor_list_sort(struct safetensor_list *list); /* by name */

enum { SAFETENSORS_LENGTH = 8 }; /* bytes of the header's length, in front of it */

/* How long the JSON is. `head`: the first bytes of a file of `size` bytes. Errors name no file: the caller does. */
enum status safetensors_header_len(const unsigned char head[SAFETENSORS_LENGTH], uint64_t size, size_t *len,
                                   struct error *err) MUST_CHECK;
/* Appends the file's tensors, after all checks of the header but those for doubled names. `file` goes into them. */
enum status safetensors_header_parse(struct safetensor_list *list, const char *json, size_t len, uint64_t size,
                                     uint32_t file, struct error *err) MUST_CHECK;

#endif
