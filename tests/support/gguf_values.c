#include "support/gguf_values.h"

#include "base/limits.h"

void gguf_writer_set_i32(struct gguf_writer *w, const char *key, int32_t value)
{
	gguf_writer_set_raw(w, key, GGUF_I32, &value, sizeof value);
}

void gguf_writer_set_u64(struct gguf_writer *w, const char *key, uint64_t value)
{
	gguf_writer_set_raw(w, key, GGUF_U64, &value, sizeof value);
}

void gguf_writer_set_f32(struct gguf_writer *w, const char *key, float value)
{
	gguf_writer_set_raw(w, key, GGUF_F32, &value, sizeof value);
}

void gguf_writer_set_bool(struct gguf_writer *w, const char *key, bool value)
{
	unsigned char byte = value;

	gguf_writer_set_raw(w, key, GGUF_BOOL, &byte, 1);
}

static void begin_array(struct buf *value, uint32_t type, uint64_t n)
{
	*value = (struct buf){.max = LIMIT_GGUF_METADATA};
	buf_append(value, &type, sizeof type);
	buf_append(value, &n, sizeof n);
}

static void end_array(struct gguf_writer *w, const char *key, struct buf *value)
{
	gguf_writer_set_raw(w, key, GGUF_ARRAY, value->data, value->len);
	buf_free(value);
}

/* Items of four bytes. */
static void set_array(struct gguf_writer *w, const char *key, uint32_t type, const void *items, size_t n)
{
	struct buf value;

	begin_array(&value, type, n);
	buf_append(&value, items, n * 4);
	end_array(w, key, &value);
}

void gguf_writer_set_strings(struct gguf_writer *w, const char *key, const char *const *items,
                             const size_t *lens, size_t n)
{
	struct buf value;

	begin_array(&value, GGUF_STRING, n);
	for (size_t i = 0; i < n; i++) {
		uint64_t len = lens[i];

		buf_append(&value, &len, sizeof len);
		buf_append(&value, items[i], lens[i]);
	}
	end_array(w, key, &value);
}

void gguf_writer_set_f32s(struct gguf_writer *w, const char *key, const float *items, size_t n)
{
	set_array(w, key, GGUF_F32, items, n);
}

void gguf_writer_set_i32s(struct gguf_writer *w, const char *key, const int32_t *items, size_t n)
{
	set_array(w, key, GGUF_I32, items, n);
}
