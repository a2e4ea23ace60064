/* From a file that was read to one that is written. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "gguf/internal.h"
#include "gguf/writer.h"

/* Lengths and number come from the parsed file, never from its bytes. */
static enum status copy_strings(struct gguf_writer *w, const char *key, const struct gguf_kv *kv)
{
	struct gguf_array array = {kv->item_type, kv->n, kv->data, kv->starts};
	const char **items = alloc_array(kv->n, sizeof *items);
	size_t *lens = alloc_array(kv->n, sizeof *lens);
	enum status status = items && lens ? STATUS_OK : STATUS_NOMEM;

	for (size_t i = 0; i < kv->n && !status; i++) {
		struct gguf_string item = gguf_array_string(&array, i);

		items[i] = item.data;
		lens[i] = item.len;
	}
	if (!status)
		gguf_writer_set_strings(w, key, items, lens, kv->n);
	free(items);
	free(lens);
	return status;
}

static enum status copy_array(struct gguf_writer *w, const char *key, const struct gguf_kv *kv)
{
	size_t n_bytes = kv->n * gguf_type_size(kv->item_type);
	uint32_t item_type = kv->item_type;
	uint64_t n = kv->n;
	struct buf value = {.max = LIMIT_GGUF_METADATA};
	enum status status;

	if (kv->item_type == GGUF_STRING)
		return copy_strings(w, key, kv);
	buf_append(&value, &item_type, sizeof item_type);
	buf_append(&value, &n, sizeof n);
	buf_append(&value, kv->data, n_bytes);
	status = buf_status(&value);
	if (!status)
		gguf_writer_set_raw(w, key, GGUF_ARRAY, value.data, value.len);
	buf_free(&value);
	return status;
}

enum status gguf_writer_copy(struct gguf_writer *w, const struct gguf *from, size_t index,
                             struct error *err)
{
	const struct gguf_kv *kv = &from->kvs[index];
	char key[LIMIT_GGUF_KEY + 1];
	enum status status = STATUS_OK;

	memcpy(key, kv->key.data, kv->key.len);
	key[kv->key.len] = '\0';
	if (strcmp(key, "general.alignment") == 0)
		gguf_writer_set_u32(w, key, from->alignment);
	else if (kv->type == GGUF_STRING)
		gguf_writer_set_string(w, key, (const char *)kv->data, kv->n);
	else if (kv->type == GGUF_ARRAY)
		status = copy_array(w, key, kv);
	else
		gguf_writer_set_raw(w, key, kv->type, kv->data, gguf_type_size(kv->type));
	if (status)
		error_set(err, status, "not enough memory for the key '%s'", key);
	return status;
}
