/* A model in several files: each is opened as a file of its own, then the first
 * one's tensors become those of all. Keys as llama.cpp's gguf-split writes them. */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "gguf/internal.h"
#include "gguf/split_name.h"

static const char key_no[] = "split.no"; /* from 0 */
static const char key_count[] = "split.count";
static const char key_tensors[] = "split.tensors.count"; /* of all parts together */

/* A key that a part must have. */
static enum status read_number(const struct gguf *part, const char *key, uint32_t *value,
                               struct error *err)
{
	enum status status = gguf_get_u32(part, key, value, err);

	return status == STATUS_NOTFOUND
	               ? error_set(err, STATUS_FORMAT, "key '%s' is missing: every part of a model must have it", key)
	               : status;
}

/* Which part a file is, from 0, and of how many: 1 where it is the whole. */
static enum status read_place(const struct gguf *part, uint32_t *no, uint32_t *n_parts,
                              struct error *err)
{
	enum status status;

	*no = 0;
	*n_parts = 1;
	if (!gguf_has(part, key_count))
		return STATUS_OK;
	if ((status = gguf_get_u32(part, key_count, n_parts, err)) || *n_parts <= 1)
		return status;
	if (*n_parts > LIMIT_GGUF_PARTS)
		return error_set(err, STATUS_LIMIT, "key '%s' is %" PRIu32 ", the limit is %d parts", key_count,
		                 *n_parts, LIMIT_GGUF_PARTS);
	if ((status = read_number(part, key_no, no, err)))
		return status;
	if (*no >= *n_parts)
		return error_set(err, STATUS_FORMAT, "key '%s' is %" PRIu32 ", expected less than %" PRIu32
		                 " (%s)", key_no, *no, *n_parts, key_count);
	return STATUS_OK;
}

/* The name from which the others follow: the path's own or, if that is a link not named like
 * a part, its target's. Free *base. */
static enum status find_name(const char *path, uint32_t no, uint32_t n_parts, char **base,
                             struct split_name *name, struct error *err)
{
	*base = alloc_strndup(path, strlen(path));
	if (!*base)
		return error_no_memory(err, NULL);
	if (!split_name_parse(*base, name)) {
		free(*base);
		*base = realpath(path, NULL);
		if (!*base || !split_name_parse(*base, name))
			return error_set(err, STATUS_FORMAT,
			                 "the file is part %" PRIu32 " of %" PRIu32 " of a model, but its name"
			                 " does not say so: expected NAME-%05" PRIu32 "-of-%05" PRIu32
			                 ".gguf, with the other parts beside it", no + 1, n_parts, no + 1, n_parts);
	}
	if (name->part != no + 1 || name->n_parts != n_parts)
		return error_set(err, STATUS_FORMAT,
		                 "the file is part %" PRIu32 " of %" PRIu32 " of a model, but named as part %"
		                 PRIu32 " of %" PRIu32, no + 1, n_parts, name->part, name->n_parts);
	return STATUS_OK;
}

static void prefix_part(struct error *err, const struct split_name *name, uint32_t part, const char *path)
{
	error_prefix(err, "part %" PRIu32 " of %" PRIu32 ", %s", part, name->n_parts,
	             split_name_file(path));
}

/* Opens the parts but the one that is open already. */
static enum status open_parts(struct gguf **parts, const char *base, const struct split_name *name,
                              struct error *err)
{
	enum status status = STATUS_OK;
	struct buf path = {.max = PATH_MAX};

	for (uint32_t i = 0; i < name->n_parts && !status; i++) {
		if (parts[i])
			continue;
		if (split_name_path(&path, base, name, i + 1)) {
			status = error_set(err, buf_status(&path), "the names of its parts are too long");
			break;
		}
		status = gguf_open_part(&parts[i], buf_text(&path), err);
		if (status == STATUS_NOTFOUND)
			error_set(err, status, "part %" PRIu32 " of %" PRIu32 ", %s, is missing" GGUF_CUT_SHORT,
			          i + 1, name->n_parts, split_name_file(buf_text(&path)));
		else if (status)
			prefix_part(err, name, i + 1, buf_text(&path));
	}
	buf_free(&path);
	return status;
}

/* Checks that texts which both have (name, architecture) are equal. */
static enum status check_texts(const struct gguf *part, const struct gguf *first, struct error *err)
{
	for (size_t i = 0; i < part->n_kvs; i++) {
		const struct gguf_kv *kv = &part->kvs[i];
		char key[LIMIT_GGUF_KEY + 1];
		const struct gguf_kv *other;

		if (kv->type != GGUF_STRING)
			continue;
		memcpy(key, kv->key.data, kv->key.len);
		key[kv->key.len] = '\0';
		other = gguf_find_kv(first, key);
		if (other && other->type == GGUF_STRING &&
		    (other->n != kv->n || memcmp(other->data, kv->data, kv->n) != 0))
			return error_set(err, STATUS_FORMAT,
			                 "key '%.*s' differs from the first part's: a part of another model?", SHOWN(kv->key));
	}
	return STATUS_OK;
}

static enum status check_part(const struct gguf *part, uint32_t no, const struct gguf *first,
                              uint32_t n_parts, struct error *err)
{
	uint32_t found_no, found_parts, n_tensors, n_first;
	enum status status;

	if ((status = read_place(part, &found_no, &found_parts, err)))
		return status;
	if (found_parts != n_parts)
		return error_set(err, STATUS_FORMAT, "key '%s' is %" PRIu32 ", expected %" PRIu32, key_count,
		                 found_parts, n_parts);
	if (found_no != no)
		return error_set(err, STATUS_FORMAT, "key '%s' is %" PRIu32 ", expected %" PRIu32, key_no,
		                 found_no, no);
	if ((status = read_number(part, key_tensors, &n_tensors, err)) ||
	    (status = read_number(first, key_tensors, &n_first, err)))
		return status;
	if (n_tensors != n_first)
		return error_set(err, STATUS_FORMAT,
		                 "key '%s' is %" PRIu32 ", but %" PRIu32 " in the first part: a part of"
		                 " another model?", key_tensors, n_tensors, n_first);
	return check_texts(part, first, err);
}

/* Which part, from 0, the index-th of all tensors is in. */
static uint32_t part_of(struct gguf *const *parts, size_t index)
{
	uint32_t part = 0;

	while (index >= parts[part]->n_tensors)
		index -= parts[part++]->n_tensors;
	return part;
}

/* The tensors of all parts, in their order, into `all`; the parts keep theirs. */
static enum status collect_tensors(struct gguf *all, struct gguf *const *parts, uint32_t n_parts,
                                   struct error *err)
{
	size_t total = 0;
	uint32_t expected;
	enum status status = read_number(parts[0], key_tensors, &expected, err);

	if (status)
		return status;
	for (uint32_t i = 0; i < n_parts; i++)
		total += parts[i]->n_tensors;
	if (total > LIMIT_GGUF_TENSORS)
		return error_set(err, STATUS_LIMIT, "%zu tensors in %" PRIu32 " parts, the limit is %d", total,
		                 n_parts, LIMIT_GGUF_TENSORS);
	all->tensors = alloc_array(total, sizeof *all->tensors);
	all->tensors_by_name = alloc_array(total, sizeof(*all->tensors_by_name));
	if (!all->tensors || !all->tensors_by_name)
		return error_no_memory(err, NULL);
	for (uint32_t i = 0; i < n_parts; i++)
		for (size_t j = 0; j < parts[i]->n_tensors; j++, all->n_tensors++) {
			all->tensors[all->n_tensors] = parts[i]->tensors[j];
			all->tensors_by_name[all->n_tensors] = &all->tensors[all->n_tensors];
		}
	qsort(all->tensors_by_name, total, sizeof(*all->tensors_by_name), gguf_compare_names);
	for (size_t i = 1; i < total; i++) {
		const struct gguf_tensor *first = all->tensors_by_name[i - 1];
		const struct gguf_tensor *second = all->tensors_by_name[i];

		if (gguf_string_compare(first->name, second->name) == 0)
			return error_set(err, STATUS_FORMAT,
			                 "tensor '%.*s' is in part %" PRIu32 " and again in part %" PRIu32,
			                 SHOWN(second->name), part_of(parts, (size_t)(first - all->tensors)) + 1,
			                 part_of(parts, (size_t)(second - all->tensors)) + 1);
	}
	if (total != expected)
		return error_set(err, STATUS_FORMAT,
		                 "the %" PRIu32 " parts hold %zu tensors, expected %" PRIu32 " (%s)", n_parts,
		                 total, expected, key_tensors);
	return STATUS_OK;
}

static enum status join(struct gguf **parts, const struct split_name *name, struct error *err)
{
	struct gguf all = {0}, *first = parts[0];
	enum status status = STATUS_OK;

	for (uint32_t i = 0; i < name->n_parts && !status; i++)
		if ((status = check_part(parts[i], i, first, name->n_parts, err)))
			prefix_part(err, name, i + 1, parts[i]->path);
	if (!status)
		status = collect_tensors(&all, parts, name->n_parts, err);
	if (status) {
		free(all.tensors);
		free(all.tensors_by_name);
		return status;
	}
	free(first->tensors);
	free(first->tensors_by_name);
	first->tensors = all.tensors;
	first->tensors_by_name = all.tensors_by_name;
	first->n_tensors = first->cap_tensors = all.n_tensors;
	first->parts = parts;
	first->n_parts = name->n_parts;
	return STATUS_OK;
}

enum status gguf_join(struct gguf **gguf, struct error *err)
{
	uint32_t no, n_parts;
	struct gguf **parts = NULL;
	struct split_name name;
	char *base = NULL;
	enum status status = read_place(*gguf, &no, &n_parts, err);

	if (status || n_parts == 1)
		return status;
	status = find_name((*gguf)->path, no, n_parts, &base, &name, err);
	if (!status && !(parts = alloc_array(n_parts, sizeof *parts)))
		status = error_no_memory(err, NULL);
	if (!status) {
		parts[no] = *gguf;
		status = open_parts(parts, base, &name, err);
	}
	if (!status)
		status = join(parts, &name, err);
	free(base);
	if (!status) {
		*gguf = parts[0];
		return STATUS_OK;
	}
	for (uint32_t i = 0; parts && i < n_parts; i++)
		if (parts[i] != *gguf)
			gguf_close(parts[i]);
	free(parts);
	return status;
}
