#include "gguf/writer.h"
#include "support/split_model.h"

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "gguf/reader.h"
#include "support/gguf_memory.h"
#include "support/save_gguf.h"

void split_model_set_u16(struct gguf_writer *w, const char *key, uint16_t value)
{
	gguf_writer_set_raw(w, key, GGUF_U16, &value, sizeof value);
}

const char *split_model_path(const char *prefix, uint32_t part, uint32_t n_parts)
{
	static char paths[4][512];
	static unsigned turn;
	char *path = paths[turn++ % 4];

	snprintf(path, sizeof paths[0], "%.400s-%05u-of-%05u.gguf", prefix, (unsigned)part + 1,
	         (unsigned)n_parts);
	return path;
}

static void add_tensor(struct gguf_writer *w, const struct gguf_tensor *tensor)
{
	char name[LIMIT_GGUF_TENSOR_NAME + 1] = {0};

	memcpy(name, tensor->name.data, tensor->name.len);
	gguf_writer_add_tensor(w, name, (enum block_type)tensor->type, tensor->n_dims, tensor->ne,
	                       tensor->data, (size_t)tensor->n_bytes);
}

static enum status save_part(const struct gguf *whole, const char *prefix, uint32_t part,
                             uint32_t n_parts, split_change change, void *ctx, struct error *err)
{
	size_t n = gguf_n_tensors(whole), begin = n * part / n_parts, end = n * (part + 1) / n_parts;
	struct gguf_writer *w = gguf_writer_create();
	enum status status;

	if (!w)
		return error_set(err, STATUS_NOMEM, "no memory for a part");
	for (size_t i = 0; part == 0 && i < gguf_n_kv(whole); i++)
		gguf_writer_copy(w, whole, i);
	split_model_set_u16(w, "split.no", (uint16_t)part);
	split_model_set_u16(w, "split.count", (uint16_t)n_parts);
	gguf_writer_set_i32(w, "split.tensors.count", (int32_t)n);
	for (size_t i = begin; i < end; i++)
		add_tensor(w, gguf_tensor_at(whole, i));
	if (change)
		change(ctx, part, w);
	status = gguf_writer_save(w, split_model_path(prefix, part, n_parts), err);
	gguf_writer_free(w);
	return status;
}

enum status split_model_save(const struct tiny_model *tiny, const char *prefix, uint32_t n_parts,
                             split_change change, void *ctx, struct error *err)
{
	struct gguf *whole = NULL;
	enum status status;
	struct buf bytes = {.max = MIB(64)};

	status = tiny_model_write(tiny, &bytes, err);
	if (!status)
		status = gguf_open_memory(&whole, bytes.data, bytes.len, err);
	for (uint32_t i = 0; i < n_parts && !status; i++)
		status = save_part(whole, prefix, i, n_parts, change, ctx, err);
	gguf_close(whole);
	buf_free(&bytes);
	return status;
}
