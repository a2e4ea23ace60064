#include "support/tiny_checkpoint.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/limits.h"
#include "kernels/float16.h"
#include "support/folder.h"

enum { TENSORS_MAX = 512, NAME_MAX_BYTES = 128, BLOCK = 32 };

struct made_tensor {
	char name[NAME_MAX_BYTES];
	char dtype[16];
	uint64_t shape[4];
	uint32_t n_dims;
};

struct made {
	const struct tiny_checkpoint *tiny;
	struct made_tensor tensors[TENSORS_MAX];
	size_t n;
};

static uint64_t hash_at(const char *name, uint64_t index)
{
	uint64_t x = hash_more(HASH_BEGIN, name, strlen(name)) + (index + 1) * 0x9E3779B97F4A7C15u;

	x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
	x = (x ^ x >> 27) * 0x94D049BB133111EBu;
	return x ^ x >> 31;
}

float tiny_value(const char *name, uint64_t index)
{
	return ((float)(hash_at(name, index) >> 40) * 0x1p-24f - 0.5f) * 0.1f;
}

static bool ends_with(const char *name, const char *end)
{
	size_t len = strlen(name), n = strlen(end);

	return len >= n && strcmp(name + len - n, end) == 0;
}

static bool is_f8(const struct tiny_checkpoint *tiny)
{
	return strncmp(tiny->dtype, "F8_", 3) == 0;
}

static struct made_tensor *add(struct made *made, const char *name, const char *dtype, const uint64_t shape[4])
{
	struct made_tensor *tensor = &made->tensors[made->n++];

	if (made->n > TENSORS_MAX)
		abort();
	snprintf(tensor->name, sizeof tensor->name, "%s", name);
	snprintf(tensor->dtype, sizeof tensor->dtype, "%s", dtype);
	memcpy(tensor->shape, shape, sizeof tensor->shape);
	for (tensor->n_dims = 0; tensor->n_dims < 4 && shape[tensor->n_dims]; tensor->n_dims++)
		;
	return tensor;
}

/* As laboratories do it: matrices of layers, but for those that choose experts. */
static bool becomes_f8(const struct made *made, const char *name, const uint64_t shape[4])
{
	return is_f8(made->tiny) && shape[1] && !shape[2] && strstr(name, "layers.") && strstr(name, "proj") &&
	       ends_with(name, ".weight");
}

static void add_f8(struct made *made, const char *name, const uint64_t shape[4])
{
	const char *dtype = made->tiny->dtype;
	uint64_t blocks[4] = {(shape[0] + BLOCK - 1) / BLOCK, (shape[1] + BLOCK - 1) / BLOCK}, rows[4] = {shape[0], 1}, one[4] = {1};
	char scale[NAME_MAX_BYTES + 16];
	bool by_block = strcmp(dtype, "F8_BLOCK") == 0 || strcmp(dtype, "F8_E5M2") == 0;

	add(made, name, strcmp(dtype, "F8_E5M2") == 0 ? "F8_E5M2" : "F8_E4M3", shape);
	snprintf(scale, sizeof scale, "%s%s", name, by_block ? "_scale_inv" : "_scale");
	add(made, scale, by_block ? "F32" : "BF16", by_block ? blocks : strcmp(dtype, "F8_ROW") == 0 ? rows : one);
}

static void add_one(struct made *made, const struct tiny_weight *weight, const char *name)
{
	const char *dtype = weight->dtype ? weight->dtype : is_f8(made->tiny) ? "BF16" : made->tiny->dtype;

	if (becomes_f8(made, name, weight->shape))
		add_f8(made, name, weight->shape);
	else
		add(made, name, dtype, weight->shape);
}

/* The pattern comes from our own table. */
static void add_layer(struct made *made, const struct tiny_weight *weight, unsigned layer, bool has_layer)
{
	char name[NAME_MAX_BYTES];

	if (weight->n_experts == 0) {
		snprintf(name, sizeof name, weight->name, layer);
		add_one(made, weight, name);
	}
	for (unsigned expert = 0; expert < weight->n_experts; expert++) {
		snprintf(name, sizeof name, weight->name, has_layer ? layer : expert, expert);
		add_one(made, weight, name);
	}
}

static int compare_tensors(const void *a, const void *b)
{
	return strcmp(((const struct made_tensor *)a)->name, ((const struct made_tensor *)b)->name);
}

static void list_tensors(struct made *made)
{
	const struct tiny_family *family = made->tiny->family;

	for (size_t i = 0; i < family->n_weights; i++) {
		const struct tiny_weight *weight = &family->weights[i];

		if (!weight->layers)
			add_layer(made, weight, 0, false);
		for (unsigned layer = 0; layer < 32; layer++)
			if (weight->layers >> layer & 1)
				add_layer(made, weight, layer, true);
	}
	qsort(made->tensors, made->n, sizeof made->tensors[0], compare_tensors);
}

static uint64_t n_elements(const struct made_tensor *tensor)
{
	uint64_t n = 1;

	for (uint32_t i = 0; i < tensor->n_dims; i++)
		n *= tensor->shape[i];
	return n;
}

static void put_element(struct buf *out, const struct made_tensor *tensor, uint64_t index)
{
	float value = tiny_value(tensor->name, index);
	uint64_t hash = hash_at(tensor->name, index);

	if (strstr(tensor->name, "_scale") && tensor->dtype[0] != 'U')
		value = 0.02f + value * 0.2f; /* 0.01..0.03 */
	if (strcmp(tensor->dtype, "F32") == 0) {
		buf_append(out, &value, sizeof value);
	} else if (strcmp(tensor->dtype, "F64") == 0) {
		buf_append(out, &(double){(double)value}, sizeof(double));
	} else if (strcmp(tensor->dtype, "F16") == 0) {
		buf_append(out, &(uint16_t){f16_from_f32(value)}, 2);
	} else if (strcmp(tensor->dtype, "BF16") == 0) {
		buf_append(out, &(uint16_t){bf16_from_f32(value)}, 2);
	} else if (ends_with(tensor->name, "_scales")) {
		buf_putc(out, (char)(120 + hash % 11));
	} else { /* FP8 with small exponents: neither NaN nor infinity */
		buf_putc(out, (char)(tensor->dtype[0] == 'U' ? hash >> 8 : hash >> 8 & 0xbf));
	}
}

static uint32_t element_bytes(const char *dtype)
{
	return strstr(dtype, "64") ? 8 : strstr(dtype, "32") ? 4 : strstr(dtype, "16") ? 2 : 1;
}

static void put_header(struct buf *out, const struct made_tensor *tensors, size_t n)
{
	struct buf json = {.max = MIB(1)};
	uint64_t at = 0, len;

	buf_puts(&json, "{\"__metadata__\":{\"format\":\"pt\"}");
	for (size_t i = 0; i < n; i++) {
		uint64_t end = at + n_elements(&tensors[i]) * element_bytes(tensors[i].dtype);

		buf_printf(&json, ",\"%s\":{\"dtype\":\"%s\",\"shape\":[", tensors[i].name, tensors[i].dtype);
		for (uint32_t d = 0; d < tensors[i].n_dims; d++)
			buf_printf(&json, d ? ",%llu" : "%llu", (unsigned long long)tensors[i].shape[d]);
		buf_printf(&json, "],\"data_offsets\":[%llu,%llu]}", (unsigned long long)at, (unsigned long long)end);
		at = end;
	}
	buf_putc(&json, '}');
	while (json.len % 8)
		buf_putc(&json, ' ');
	len = json.len;
	buf_append(out, &len, sizeof len);
	buf_append(out, json.data, json.len);
	buf_free(&json);
}

static void write_file(const char *folder, const char *name, const void *bytes, size_t n)
{
	char path[1024];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	write_bytes(path, bytes, n);
}

static void shard_name(const struct tiny_checkpoint *tiny, unsigned i, char name[64])
{
	if (tiny->n_shards < 2)
		snprintf(name, 64, "model.safetensors");
	else
		snprintf(name, 64, "model-%05u-of-%05u.safetensors", i + 1, tiny->n_shards);
}

static void write_shards(const struct made *made, const char *folder)
{
	unsigned n_shards = made->tiny->n_shards < 2 ? 1 : made->tiny->n_shards;
	struct buf index = {.max = MIB(1)};
	char name[64];

	buf_puts(&index, "{\"metadata\":{\"total_size\":0},\"weight_map\":{");
	for (unsigned shard = 0; shard < n_shards; shard++) {
		size_t begin = made->n * shard / n_shards, end = made->n * (shard + 1) / n_shards;
		struct buf out = {.max = MIB(64)};

		shard_name(made->tiny, shard, name);
		put_header(&out, &made->tensors[begin], end - begin);
		for (size_t i = begin; i < end; i++) {
			for (uint64_t j = 0; j < n_elements(&made->tensors[i]); j++)
				put_element(&out, &made->tensors[i], j);
			buf_printf(&index, "%s\"%s\":\"%s\"", i ? "," : "", made->tensors[i].name, name);
		}
		write_file(folder, name, out.data, out.len);
		buf_free(&out);
	}
	buf_puts(&index, "}}\n");
	if (n_shards > 1)
		write_file(folder, "model.safetensors.index.json", index.data, index.len);
	buf_free(&index);
}

static void write_config(const struct tiny_checkpoint *tiny, const char *folder)
{
	const char *text = tiny->config ? tiny->config : tiny->family->config;
	struct buf out = {.max = MIB(1)};

	buf_append(&out, text, is_f8(tiny) ? (size_t)(strrchr(text, '}') - text) : strlen(text));
	if (strcmp(tiny->dtype, "F8_ROW") == 0)
		buf_puts(&out, ", \"quantization_config\": {\"quant_method\": \"compressed-tensors\", \"format\": \"float-quantized\","
		         " \"config_groups\": {\"group_0\": {\"weights\": {\"num_bits\": 8, \"type\": \"float\", \"strategy\": \"channel\"}}}}}");
	else if (strcmp(tiny->dtype, "F8_TENSOR") == 0)
		buf_puts(&out, ", \"quantization_config\": {\"quant_method\": \"modelopt\", \"quant_algo\": \"FP8\"}}");
	else if (is_f8(tiny))
		buf_printf(&out, ", \"quantization_config\": {\"quant_method\": \"fp8\", \"weight_block_size\": [%d, %d]}}", BLOCK, BLOCK);
	write_file(folder, "config.json", out.data, out.len);
	buf_free(&out);
}

/* The character that stands for a byte in byte-level BPE (GPT-2's bytes_to_unicode). */
static uint32_t character_of(unsigned byte)
{
	unsigned n = 0;

	if ((byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174)
		return byte;
	for (unsigned i = 0; i < byte; i++)
		n += !((i >= 33 && i <= 126) || (i >= 161 && i <= 172) || i >= 174);
	return 256 + n;
}

static void write_tokenizer(const char *folder)
{
	static const char *const merged[] = {"he", "ll", "ow", "\xc4\xa0w", "\xc4\xa0t"};
	static const char *const merges[] = {"h e", "l l", "o w", "\xc4\xa0 w", "\xc4\xa0 t"};
	static const char *const added[] = {"<s>", "</s>", "<|im_start|>", "<|im_end|>"};
	struct buf out = {.max = MIB(1)};

	buf_puts(&out, "{\"version\":\"1.0\",\"added_tokens\":[");
	for (unsigned i = 0; i < 4; i++)
		buf_printf(&out, "%s{\"id\":%u,\"content\":\"%s\",\"single_word\":false,\"lstrip\":false,\"rstrip\":false,"
		           "\"normalized\":false,\"special\":true}", i ? "," : "", 261 + i, added[i]);
	buf_puts(&out, "],\"normalizer\":null,\"pre_tokenizer\":{\"type\":\"ByteLevel\",\"add_prefix_space\":false,\"trim_offsets\":"
	         "true,\"use_regex\":true},\"post_processor\":null,\"decoder\":{\"type\":\"ByteLevel\"},\"model\":{\"type\":\"BPE\",\"vocab\":{");
	for (unsigned i = 0; i < 256; i++)
		buf_printf(&out, "%s\"\\u%04x\":%u", i ? "," : "", character_of(i), i);
	for (unsigned i = 0; i < 5; i++)
		buf_printf(&out, ",\"%s\":%u", merged[i], 256 + i);
	buf_puts(&out, "},\"merges\":[");
	for (unsigned i = 0; i < 5; i++)
		buf_printf(&out, "%s\"%s\"", i ? "," : "", merges[i]);
	buf_puts(&out, "]}}\n");
	write_file(folder, "tokenizer.json", out.data, out.len);
	buf_clear(&out);
	buf_puts(&out, "{\"bos_token\":\"<s>\",\"eos_token\":\"</s>\",\"tokenizer_class\":\"PreTrainedTokenizerFast\","
	         "\"chat_template\":\"{% for m in messages %}<|im_start|>{{ m.role }}\\n{{ m.content }}<|im_end|>\\n{% endfor %}"
	         "<|im_start|>assistant\\n\"}\n");
	write_file(folder, "tokenizer_config.json", out.data, out.len);
	buf_clear(&out);
	buf_puts(&out, "{\"do_sample\":true,\"temperature\":0.7,\"top_k\":20,\"top_p\":0.8}\n");
	write_file(folder, "generation_config.json", out.data, out.len);
	buf_free(&out);
}

void tiny_checkpoint_write(const struct tiny_checkpoint *tiny, const char *folder)
{
	struct made *made = calloc(1, sizeof *made);

	if (!made || (mkdir(folder, 0700) != 0 && errno != EEXIST)) {
		perror(folder);
		abort();
	}
	made->tiny = tiny;
	list_tensors(made);
	write_shards(made, folder);
	write_config(tiny, folder);
	if (!tiny->without_tokenizer)
		write_tokenizer(folder);
	free(made);
}
