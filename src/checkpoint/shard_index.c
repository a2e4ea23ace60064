#include "checkpoint/shard_index.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json_reader.h"
#include "base/limits.h"

/* The file lies in the folder itself, whatever the index says. */
static bool is_plain(const struct json_item *item)
{
	static const char end[] = ".safetensors";

	return item->len > sizeof end - 1 && item->len <= 255 && strlen(item->text) == item->len &&
	       item->text[0] != '.' && !strpbrk(item->text, "/\\") &&
	       strcmp(item->text + item->len - (sizeof end - 1), end) == 0;
}

/* Which of the files; one more for a new name. */
static enum status find_file(struct shard_index *index, const struct json_item *item, uint32_t *file, struct error *err)
{
	struct name_list *files = &index->files;

	if (item->kind != JSON_STRING || !is_plain(item))
		return error_set(err, STATUS_FORMAT, "weight_map names the file '%.100s', expected the plain name of a"
		                 " .safetensors file beside it", item->kind == JSON_STRING ? item->text : "?");
	if (index->n && strcmp(files->items[*file = index->items[index->n - 1].file], item->text) == 0)
		return STATUS_OK;
	for (*file = 0; *file < files->n; ++*file)
		if (strcmp(files->items[*file], item->text) == 0)
			return STATUS_OK;
	if (files->n == LIMIT_CHECKPOINT_FILES)
		return error_set(err, STATUS_LIMIT, "weight_map names more than %d files", LIMIT_CHECKPOINT_FILES);
	return name_list_add(files, item->text, item->len) ? STATUS_OK : error_no_memory(err, NULL);
}

/* Behind a tensor's name, which is taken over. */
static enum status take_entry(struct shard_index *index, struct json_reader *reader, char *tensor, struct error *err)
{
	struct json_item item;
	uint32_t file = 0;
	enum status status = tensor ? json_next(reader, &item, err) : error_no_memory(err, NULL);

	if (!status)
		status = find_file(index, &item, &file, err);
	if (!status && index->n == LIMIT_CHECKPOINT_TENSORS)
		status = error_set(err, STATUS_LIMIT, "weight_map names more than %d tensors", LIMIT_CHECKPOINT_TENSORS);
	if (!status && !alloc_grow(&index->items, &index->cap, index->n + 1, sizeof *index->items, LIMIT_CHECKPOINT_TENSORS))
		status = error_no_memory(err, "for the index");
	if (status)
		free(tensor);
	else
		index->items[index->n++] = (struct shard_entry){tensor, file};
	return status;
}

static enum status take_map(struct shard_index *index, struct json_reader *reader, struct error *err)
{
	struct json_item item;
	enum status status = json_next(reader, &item, err);

	if (!status && item.kind != JSON_OBJECT)
		return error_set(err, STATUS_FORMAT, "weight_map is not an object");
	while (!status && !(status = json_next(reader, &item, err)) && item.kind != JSON_OBJECT_END)
		status = take_entry(index, reader, alloc_strndup(item.text, item.len), err);
	return status;
}

/* "weight_map" of the outermost object; all else is passed over. */
static enum status take_all(struct shard_index *index, struct json_reader *reader, struct error *err)
{
	struct json_item item;
	enum status status = json_next(reader, &item, err);

	if (!status && item.kind != JSON_OBJECT)
		return error_set(err, STATUS_FORMAT, "expected a JSON object");
	while (!status && !(status = json_next(reader, &item, err)) && item.kind != JSON_END)
		if (item.kind == JSON_KEY && reader->depth == 1 && strcmp(item.text, "weight_map") == 0)
			status = take_map(index, reader, err);
	if (!status && index->n == 0)
		status = error_set(err, STATUS_FORMAT, "weight_map is missing or empty");
	return status;
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Files by name, as those of a folder without an index are. */
static enum status sort_files(struct shard_index *index, struct error *err)
{
	struct name_list *files = &index->files;
	char **before = alloc_array(files->n, sizeof *before);
	uint32_t *places = alloc_array(files->n, sizeof *places);

	if (!before || !places) {
		free(before);
		free(places);
		return error_no_memory(err, NULL);
	}
	memcpy(before, files->items, files->n * sizeof *before);
	qsort(files->items, files->n, sizeof *files->items, compare_texts);
	for (uint32_t i = 0; i < files->n; i++)
		for (uint32_t j = 0; j < files->n; j++)
			if (before[i] == files->items[j])
				places[i] = j;
	for (size_t i = 0; i < index->n; i++)
		index->items[i].file = places[index->items[i].file];
	free(before);
	free(places);
	return STATUS_OK;
}

enum status shard_index_parse(struct shard_index *index, const char *json, size_t len, struct error *err)
{
	struct json_reader reader;
	enum status status;

	json_begin(&reader, SHARD_INDEX, json, len);
	status = take_all(index, &reader, err);
	json_end(&reader);
	return status ? status : sort_files(index, err);
}

void shard_index_free(struct shard_index *index)
{
	for (size_t i = 0; i < index->n; i++)
		free(index->items[i].tensor);
	free(index->items);
	name_list_free(&index->files);
	*index = (struct shard_index){0};
}

static int compare_entries(const void *a, const void *b)
{
	return strcmp(((const struct shard_entry *)a)->tensor, ((const struct shard_entry *)b)->tensor);
}

/* Both lists are sorted: the first place where they differ is the first error. */
enum status shard_index_check(struct shard_index *index, const struct safetensor_list *tensors, struct error *err)
{
	size_t i = 0;

	qsort(index->items, index->n, sizeof *index->items, compare_entries);
	for (size_t j = 0; i < index->n || j < tensors->n; i++, j++) {
		int order = i == index->n ? 1 : j == tensors->n ? -1 : strcmp(index->items[i].tensor, tensors->items[j].name);

		if (order < 0)
			return error_set(err, STATUS_FORMAT, "tensor '%s' is not in %s, where " SHARD_INDEX " says it is: an incomplete"
			                 " download?", index->items[i].tensor, index->files.items[index->items[i].file]);
		if (order > 0)
			return error_set(err, STATUS_FORMAT, "tensor '%s' is in %s, but not in " SHARD_INDEX, tensors->items[j].name,
			                 index->files.items[tensors->items[j].file]);
		if (index->items[i].file != tensors->items[j].file)
			return error_set(err, STATUS_FORMAT, "tensor '%s' is in %s, " SHARD_INDEX " says in %s", tensors->items[j].name,
			                 index->files.items[tensors->items[j].file], index->files.items[index->items[i].file]);
	}
	return STATUS_OK;
}
