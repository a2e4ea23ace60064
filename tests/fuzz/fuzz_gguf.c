/* Any bytes as a GGUF file, and everything that can be asked of one. */
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/limits.h"
#include "fuzz/fuzz.h"
#include "gguf/reader.h"
#include "support/gguf_memory.h"

static void ask_for_all(const struct gguf *gguf, const char *key)
{
	struct gguf_string string;
	struct gguf_array array;
	size_t total = 0;
	uint32_t u32;
	uint64_t u64;
	int32_t i32;
	float f32;
	bool boolean;
	int n_ok = 0;

	FUZZ_CHECK(gguf_has(gguf, key));
	n_ok += gguf_get_u64(gguf, key, &u64, NULL) == STATUS_OK;
	n_ok += gguf_get_u32(gguf, key, &u32, NULL) == STATUS_OK;
	n_ok += gguf_get_i32(gguf, key, &i32, NULL) == STATUS_OK;
	FUZZ_CHECK(n_ok != 2 || u32 == u64 || i32 < 0 || (int64_t)u64 == i32);
	n_ok += gguf_get_bool(gguf, key, &boolean, NULL) == STATUS_OK;
	n_ok += gguf_get_f32(gguf, key, &f32, NULL) == STATUS_OK;
	if (gguf_get_string(gguf, key, &string, NULL) == STATUS_OK) {
		FUZZ_CHECK(string.len == 0 || memchr(string.data, string.data[0], string.len));
		FUZZ_CHECK(n_ok == 0);
	}
	for (uint32_t type = 0; type < GGUF_TYPE_COUNT; type++) {
		if (gguf_get_array(gguf, key, (enum gguf_type)type, &array, NULL))
			continue;
		FUZZ_CHECK(n_ok == 0 && type != GGUF_ARRAY);
		for (size_t i = 0; i < array.n; i++) {
			if (type == GGUF_STRING) {
				string = gguf_array_string(&array, i);
				FUZZ_CHECK(!string.len || memchr(string.data, string.data[0], string.len));
			} else if (type == GGUF_F32) {
				total += gguf_array_f32(&array, i) > 0;
			} else if (type == GGUF_I32) {
				total += gguf_array_i32(&array, i) > 0;
			} else if (type == GGUF_U32) {
				total += gguf_array_u32(&array, i) > 0;
			} else if (type == GGUF_BOOL) {
				total += gguf_array_bool(&array, i);
			}
		}
		FUZZ_CHECK(total <= array.n);
	}
}

static void check_tensor(const struct gguf *gguf, const struct gguf_tensor *tensor)
{
	const unsigned char *data = tensor->data;
	char name[LIMIT_GGUF_TENSOR_NAME + 1];

	FUZZ_CHECK(tensor->name.len >= 1 && tensor->name.len <= LIMIT_GGUF_TENSOR_NAME);
	memcpy(name, tensor->name.data, tensor->name.len);
	name[tensor->name.len] = '\0';
	FUZZ_CHECK(gguf_find_tensor(gguf, name) == tensor);
	FUZZ_CHECK(block_info(tensor->type) && tensor->n_dims >= 1 && tensor->n_dims <= 4);
	FUZZ_CHECK(tensor->n_bytes >= 1 && tensor->offset % gguf_alignment(gguf) == 0);
	FUZZ_CHECK(tensor->offset + tensor->n_bytes <= gguf_file_size(gguf));
	/* The sanitizer looks at the first and the last byte. */
	FUZZ_CHECK(data[0] + data[tensor->n_bytes - 1] >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char key[LIMIT_GGUF_KEY + 1];
	struct error err = {0};
	struct gguf *gguf;
	struct buf text;

	if (gguf_open_memory(&gguf, data, size, &err)) {
		FUZZ_CHECK(!gguf && err.text[0] && err.status);
		return 0;
	}
	buf_init(&text, MIB(1));
	for (size_t i = 0; i < gguf_n_kv(gguf); i++) {
		struct gguf_string name = gguf_kv_key(gguf, i);

		FUZZ_CHECK(name.len >= 1 && name.len <= LIMIT_GGUF_KEY);
		memcpy(key, name.data, name.len);
		key[name.len] = '\0';
		ask_for_all(gguf, key);
		buf_clear(&text);
		FUZZ_CHECK(gguf_kv_describe(gguf, i, &text) == STATUS_OK && text.len > 0);
	}
	buf_free(&text);
	for (size_t i = 0; i < gguf_n_tensors(gguf); i++)
		check_tensor(gguf, gguf_tensor_at(gguf, i));
	gguf_close(gguf);
	return 0;
}
