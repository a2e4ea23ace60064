/* Any bytes as the header of a safetensors file, as an index of shards, and as config.json. The first byte chooses. */
#include <string.h>

#include "base/limits.h"
#include "checkpoint/refused.h"
#include "checkpoint/safetensors_header.h"
#include "checkpoint/settings.h"
#include "checkpoint/shard_index.h"
#include "fuzz/fuzz.h"

/* What a header promises once it is read: tensors fill the file from the header's end on. */
static void check_tensors(struct safetensor_list *list, uint64_t begin, uint64_t size)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < list->n; i++) {
		const struct safetensor *tensor = &list->items[i];

		FUZZ_CHECK(tensor->name[0] && strlen(tensor->name) <= LIMIT_CHECKPOINT_NAME && !strpbrk(tensor->name, "/\\"));
		FUZZ_CHECK(tensor->n_dims <= SAFETENSORS_DIMS && tensor->dtype < DTYPE_COUNT);
		FUZZ_CHECK(tensor->offset >= begin && tensor->offset <= size && tensor->n_bytes <= size - tensor->offset);
		FUZZ_CHECK((tensor->n_rows == 0) == (tensor->n_cols == 0));
		sum += tensor->n_bytes;
	}
	FUZZ_CHECK(sum == size - begin);
	safetensor_list_sort(list);
}

static void read_header(const uint8_t *data, size_t size)
{
	struct safetensor_list list = {0};
	struct error err = {0};
	size_t len;

	if (size >= SAFETENSORS_LENGTH && !safetensors_header_len(data, size, &len, &err)) {
		FUZZ_CHECK(len <= size - SAFETENSORS_LENGTH && len <= LIMIT_SAFETENSORS_HEADER);
		if (!safetensors_header_parse(&list, (const char *)data + SAFETENSORS_LENGTH, len, size, 7, &err))
			check_tensors(&list, SAFETENSORS_LENGTH + len, size);
		else
			FUZZ_CHECK(err.text[0]);
	} else if (size >= SAFETENSORS_LENGTH) {
		FUZZ_CHECK(err.text[0]);
	}
	safetensor_list_free(&list);
}

static void read_index(const uint8_t *data, size_t size)
{
	struct safetensor_list none = {0};
	struct shard_index index = {0};
	struct error err = {0};

	if (!shard_index_parse(&index, (const char *)data, size, &err)) {
		FUZZ_CHECK(index.n > 0 && index.files.n > 0);
		for (size_t i = 0; i < index.files.n; i++)
			FUZZ_CHECK(!strpbrk(index.files.items[i], "/\\") && index.files.items[i][0] != '.');
		for (size_t i = 0; i < index.n; i++)
			FUZZ_CHECK(index.items[i].file < index.files.n);
		FUZZ_CHECK(shard_index_check(&index, &none, &err) != STATUS_OK);
	}
	shard_index_free(&index);
}

static void check_settings(const struct settings_tree *tree)
{
	for (size_t i = 0; i < settings_tree_n(tree); i++) {
		const struct setting *setting = settings_tree_at(tree, i);

		FUZZ_CHECK(settings_tree_get(tree, setting->path) == setting);
		FUZZ_CHECK(setting->kind != SETTING_STRING || setting->text[setting->len] == '\0');
	}
	(void)refused_config(tree);
}

static void read_settings(const uint8_t *data, size_t size)
{
	struct settings_tree *tree;
	struct error err = {0};

	if (settings_tree_parse(&tree, "config.json", (const char *)data, size, &err)) {
		FUZZ_CHECK(err.text[0]);
		return;
	}
	check_settings(tree);
	if (settings_tree_get(tree, "text_config"))
		FUZZ_CHECK(settings_tree_merge(tree, "text_config", &err) == STATUS_OK);
	check_settings(tree);
	settings_tree_free(tree);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	if (data[0] == 'i')
		read_index(data + 1, size - 1);
	else if (data[0] == 's')
		read_settings(data + 1, size - 1);
	else
		read_header(data + 1, size - 1);
	return 0;
}
