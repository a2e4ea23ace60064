#include "hostile/raw.h"

#include <string.h>

void raw_u32(struct buf *out, uint32_t value)
{
	buf_append(out, &value, sizeof value);
}

void raw_u64(struct buf *out, uint64_t value)
{
	buf_append(out, &value, sizeof value);
}

void raw_zeros(struct buf *out, size_t n)
{
	for (size_t i = 0; i < n; i++)
		buf_putc(out, '\0');
}

void raw_string(struct buf *out, const char *text, size_t len)
{
	raw_u64(out, len);
	buf_append(out, text, len);
}

void raw_header(struct buf *out, uint64_t n_tensors, uint64_t n_kvs)
{
	buf_clear(out);
	buf_append(out, "GGUF", 4);
	raw_u32(out, 3);
	raw_u64(out, n_tensors);
	raw_u64(out, n_kvs);
}

void raw_key(struct buf *out, const char *key, uint32_t type)
{
	raw_string(out, key, strlen(key));
	raw_u32(out, type);
}

void raw_one_key(struct buf *out, const char *key, uint32_t type)
{
	raw_header(out, 0, 1);
	raw_key(out, key, type);
}

void raw_tensor(struct buf *out, const char *name, uint32_t n_dims, const uint64_t *ne,
                uint32_t type, uint64_t offset)
{
	raw_string(out, name, strlen(name));
	raw_u32(out, n_dims);
	for (uint32_t i = 0; i < n_dims && i < 16; i++)
		raw_u64(out, ne[i]);
	raw_u32(out, type);
	raw_u64(out, offset);
}

void raw_pad(struct buf *out, size_t alignment)
{
	while (out->len % alignment)
		buf_putc(out, '\0');
}
