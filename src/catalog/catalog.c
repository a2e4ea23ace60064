#include "catalog/catalog.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/sys.h"
#include "catalog/beside.h"
#include "catalog/catalog_internal.h"
#include "catalog/speed.h"
#include "gguf/split_name.h"

const char *catalog_state_name(enum catalog_state state)
{
	static const char *const names[] = {
		[MODEL_FITS] = "fits", [MODEL_TIGHT] = "tight", [MODEL_TOO_LARGE] = "too large",
		[MODEL_UNSUPPORTED] = "unsupported", [MODEL_DAMAGED] = "damaged"};

	return names[state];
}

void catalog_free(struct catalog *catalog)
{
	if (!catalog)
		return;
	for (size_t i = 0; i < catalog->n; i++)
		catalog_entry_deinit(&catalog->entries[i]);
	free(catalog->entries);
	free(catalog);
}

void catalog_set_weight_rate(struct catalog *catalog, double weight_rate)
{
	catalog->weight_rate = weight_rate;
	for (size_t i = 0; i < catalog->n; i++)
		catalog->entries[i].speed = speed_estimate(weight_rate, catalog->entries[i].token_bytes);
}

static int compare_entries(const void *a, const void *b)
{
	const struct catalog_entry *x = a, *y = b;
	bool runs_x = x->state <= MODEL_TOO_LARGE, runs_y = y->state <= MODEL_TOO_LARGE;
	int order;

	if (x->is_guide != y->is_guide)
		return x->is_guide ? 1 : -1;
	if (x->used != y->used)
		return x->used < y->used ? 1 : -1;
	if (runs_x != runs_y)
		return runs_x ? -1 : 1;
	if (!runs_x && x->state != y->state)
		return x->state < y->state ? -1 : 1;
	order = strcasecmp(x->name, y->name);
	return order ? order : strcmp(x->path, y->path);
}

/* Whether a file is the one that params->model names. */
static bool is_current(const struct found_file *file, const struct engine_params *params)
{
	struct buf path = {.max = PATH_MAX}, first = {.max = PATH_MAX};
	struct stat st;
	bool same;

	if (!params->model || !params->model[0])
		return false;
	same = !beside_model_path(&path, params->model, NULL) && !split_name_first(&first, buf_text(&path)) &&
	       stat(buf_text(&first), &st) == 0 && st.st_ino == file->st.st_ino && st.st_dev == file->st.st_dev;
	buf_free(&path);
	buf_free(&first);
	return same;
}

static void read_all(struct catalog *catalog, struct catalog_walk *walk,
                     const struct engine_params *params)
{
	for (size_t i = 0; i < walk->n && walk_goes_on(walk); i++) {
		struct catalog_entry *entry = &catalog->entries[catalog->n];
		bool keep = false;

		walk->status = catalog_read(entry, &walk->found[i], params, &keep, walk->err);
		if (walk->status || !keep) {
			catalog_entry_deinit(entry);
			continue;
		}
		entry->is_current = is_current(&walk->found[i], params);
		catalog->n++;
		catalog->n_found += !entry->is_guide;
	}
}

enum status catalog_scan(struct catalog **out, const struct engine_params *params,
                         catalog_cancelled cancelled, void *ctx, struct error *err)
{
	struct catalog_walk walk = {.cancelled = cancelled, .ctx = ctx, .err = err};
	struct catalog *catalog = alloc_array(1, sizeof *catalog);

	*out = NULL;
	if (!catalog)
		return error_no_memory(err, NULL);
	walk_places(&walk);
	catalog->entries = alloc_array(walk.n, sizeof *catalog->entries);
	if (!walk.status && !catalog->entries)
		walk.status = error_no_memory(err, NULL);
	read_all(catalog, &walk, params);
	catalog->available = sys_memory_available();
	catalog->n_unreadable = walk.n_unreadable;
	catalog->is_cut = walk.is_cut;
	walk_free(&walk);
	if (walk.status) {
		catalog_free(catalog);
		return walk.status;
	}
	if (catalog->n)
		qsort(catalog->entries, catalog->n, sizeof *catalog->entries, compare_entries);
	*out = catalog;
	return STATUS_OK;
}
