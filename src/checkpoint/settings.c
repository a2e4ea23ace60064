/* Values are collected in the document's order, with a list of them sorted by path to look them up in: no table whose
 * order a hostile document could spoil. */
#include "checkpoint/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/json_reader.h"
#include "base/limits.h"
#include "base/number.h"

struct settings_tree {
	struct setting *items;
	size_t n, cap;
	char *texts;       /* all paths and texts */
	uint32_t *by_path; /* [n] */
};

/* While reading, `path` and `text` are offsets into the texts, which may move. */
struct settings_reading {
	struct settings_tree *tree;
	struct json_reader reader;
	struct buf texts, path;
	struct {
		size_t path_len; /* of the object or array */
		size_t setting, n_items;
		bool is_array;
	} open[LIMIT_SETTINGS_DEPTH];
	size_t depth;
};

static enum status no_room(const struct buf *buf, struct error *err)
{
	return buf_status(buf) == STATUS_LIMIT ? error_set(err, STATUS_LIMIT, "a name or all texts together are too long")
	                                       : error_no_memory(err, NULL);
}

/* The path of the next item of an array. A key has set it already. */
static void enter_item(struct settings_reading *r)
{
	if (r->depth == 0)
		return;
	if (r->open[r->depth - 1].is_array) {
		r->path.len = r->open[r->depth - 1].path_len;
		buf_printf(&r->path, r->path.len ? ".%zu" : "%zu", r->open[r->depth - 1].n_items);
	}
	r->open[r->depth - 1].n_items++;
}

static enum status enter_key(struct settings_reading *r, const struct json_item *item, struct error *err)
{
	if (strlen(item->text) != item->len)
		return error_set(err, STATUS_FORMAT, "a name with a NUL in it");
	r->path.len = r->open[r->depth - 1].path_len;
	if (r->path.len)
		buf_putc(&r->path, '.');
	buf_append(&r->path, item->text, item->len);
	return buf_status(&r->path) ? no_room(&r->path, err) : STATUS_OK;
}

static void read_value(struct setting *setting, const struct json_item *item)
{
	switch (item->kind) {
	case JSON_FALSE:
	case JSON_TRUE:
		setting->kind = SETTING_BOOL;
		setting->number = item->kind == JSON_TRUE;
		break;
	case JSON_NUMBER:
		setting->kind = strpbrk(item->text, ".eE") ? SETTING_FLOAT : SETTING_INT;
		if (!number_parse_double(item->text, &setting->number))
			setting->number = strtod(item->text, NULL); /* too large: infinite */
		break;
	case JSON_STRING:
		setting->kind = SETTING_STRING;
		setting->len = item->len;
		break;
	case JSON_OBJECT:
		setting->kind = SETTING_OBJECT;
		break;
	case JSON_ARRAY:
		setting->kind = SETTING_ARRAY;
		break;
	default:
		setting->kind = SETTING_NULL;
	}
}

static enum status add_value(struct settings_reading *r, const struct json_item *item, struct error *err)
{
	struct settings_tree *tree = r->tree;
	struct setting *setting;

	enter_item(r);
	if (tree->n == LIMIT_SETTINGS_VALUES)
		return error_set(err, STATUS_LIMIT, "more than %d values", LIMIT_SETTINGS_VALUES);
	if (!alloc_grow(&tree->items, &tree->cap, tree->n + 1, sizeof *tree->items, LIMIT_SETTINGS_VALUES))
		return error_no_memory(err, NULL);
	setting = &tree->items[tree->n++];
	*setting = (struct setting){.path = (const char *)r->texts.len};
	buf_append(&r->texts, buf_text(&r->path), r->path.len);
	buf_putc(&r->texts, '\0');
	read_value(setting, item);
	setting->text = (const char *)r->texts.len;
	if (setting->kind == SETTING_STRING) {
		buf_append(&r->texts, item->text, item->len);
		buf_putc(&r->texts, '\0');
	}
	if (buf_status(&r->texts) || buf_status(&r->path))
		return no_room(buf_status(&r->path) ? &r->path : &r->texts, err);
	return STATUS_OK;
}

static enum status begin_list(struct settings_reading *r, bool is_array, struct error *err)
{
	if (r->depth == LIMIT_SETTINGS_DEPTH)
		return error_set(err, STATUS_LIMIT, "more than %d nested objects and lists", LIMIT_SETTINGS_DEPTH);
	r->open[r->depth].path_len = r->path.len;
	r->open[r->depth].setting = r->tree->n - 1;
	r->open[r->depth].n_items = 0;
	r->open[r->depth++].is_array = is_array;
	return STATUS_OK;
}

static void end_list(struct settings_reading *r)
{
	struct setting *setting = &r->tree->items[r->open[--r->depth].setting];

	setting->number = (double)r->open[r->depth].n_items;
	setting->len = r->tree->n - r->open[r->depth].setting - 1; /* values in it, for drop */
}

static enum status read_all(struct settings_reading *r, struct error *err)
{
	struct json_item item;
	enum status status;

	while (!(status = json_next(&r->reader, &item, err)) && item.kind != JSON_END) {
		if (item.kind == JSON_KEY)
			status = enter_key(r, &item, err);
		else if (item.kind == JSON_OBJECT_END || item.kind == JSON_ARRAY_END)
			end_list(r);
		else if (r->depth == 0 && item.kind != JSON_OBJECT)
			status = error_set(err, STATUS_FORMAT, "not a JSON object");
		else if (r->depth == 0 && r->tree->n)
			status = error_set(err, STATUS_FORMAT, "something follows the JSON object");
		else if (!(status = add_value(r, &item, err)) && (item.kind == JSON_OBJECT || item.kind == JSON_ARRAY))
			status = begin_list(r, item.kind == JSON_ARRAY, err);
		if (status)
			return status;
	}
	return !status && r->tree->n == 0 ? error_set(err, STATUS_FORMAT, "empty, expected a JSON object") : status;
}

/* For qsort, which hands over no context: pairs of a path and a place. */
struct placed {
	const char *path;
	uint32_t at;
};

static int compare_placed(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;
	int order = strcmp(x->path, y->path);

	return order ? order : (x->at > y->at) - (x->at < y->at);
}

/* Whether a path is the other one or something in it. */
static bool is_within(const char *path, const char *outer)
{
	size_t n = strlen(outer);

	return strncmp(path, outer, n) == 0 && (path[n] == '.' || path[n] == '\0');
}

/* A value and all that is in it, which follows it, as something later has the same path. */
static void drop(struct settings_tree *tree, size_t at)
{
	size_t n_within = tree->items[at].kind == SETTING_STRING ? 0 : tree->items[at].len;

	for (size_t i = at; i <= at + n_within; i++)
		tree->items[i].path = NULL;
}

static struct placed *sorted_places(const struct settings_tree *tree)
{
	struct placed *places = alloc_array(tree->n, sizeof *places);

	for (uint32_t i = 0; places && i < tree->n; i++)
		places[i] = (struct placed){tree->items[i].path, i};
	if (places)
		qsort(places, tree->n, sizeof *places, compare_placed);
	return places;
}

/* Leaves one value for each path, the last, and lists them by path. */
static enum status order(struct settings_tree *tree, struct error *err)
{
	struct placed *places = sorted_places(tree);
	size_t n = 0;

	if (!places)
		return error_no_memory(err, NULL);
	for (size_t i = 0; i + 1 < tree->n; i++)
		if (strcmp(places[i].path, places[i + 1].path) == 0 && tree->items[places[i].at].path)
			drop(tree, places[i].at);
	free(places);
	for (size_t i = 0; i < tree->n; i++) {
		if (!tree->items[i].path)
			continue;
		tree->items[n] = tree->items[i];
		if (tree->items[n].kind != SETTING_STRING)
			tree->items[n].len = 0;
		n++;
	}
	tree->n = n;
	free(tree->by_path);
	tree->by_path = alloc_array(n, sizeof *tree->by_path);
	places = sorted_places(tree);
	for (size_t i = 0; places && tree->by_path && i < n; i++)
		tree->by_path[i] = places[i].at;
	free(places);
	return places && tree->by_path ? STATUS_OK : error_no_memory(err, NULL);
}

/* Offsets become pointers, now that the texts stay where they are. */
static enum status settle(struct settings_reading *r, struct error *err)
{
	struct settings_tree *tree = r->tree;

	tree->texts = buf_take(&r->texts, NULL);
	if (!tree->texts)
		return error_no_memory(err, NULL);
	for (size_t i = 0; i < tree->n; i++) {
		struct setting *setting = &tree->items[i];

		setting->path = tree->texts + (size_t)setting->path;
		setting->text = setting->kind == SETTING_STRING ? tree->texts + (size_t)setting->text : NULL;
	}
	return order(tree, err);
}

enum status settings_tree_parse(struct settings_tree **out, const char *what, const char *json, size_t len,
                                struct error *err)
{
	struct settings_reading r = {.tree = alloc_array(1, sizeof *r.tree), .texts = {.max = LIMIT_SETTINGS_BYTES},
	                             .path = {.max = LIMIT_SETTINGS_PATH}};
	enum status status;

	if (!r.tree)
		return error_no_memory(err, NULL);
	json_begin(&r.reader, what, json, len);
	status = read_all(&r, err);
	if (!status)
		status = settle(&r, err);
	else if (status != STATUS_FORMAT || err == NULL || strncmp(err->text, what, strlen(what)) != 0)
		error_prefix(err, "%s", what);
	json_end(&r.reader);
	buf_free(&r.texts);
	buf_free(&r.path);
	if (status) {
		settings_tree_free(r.tree);
		return status;
	}
	*out = r.tree;
	return STATUS_OK;
}

void settings_tree_free(struct settings_tree *tree)
{
	if (!tree)
		return;
	free(tree->items);
	free(tree->texts);
	free(tree->by_path);
	free(tree);
}

const struct setting *settings_tree_get(const struct settings_tree *tree, const char *path)
{
	size_t low = 0, high = tree->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct setting *setting = &tree->items[tree->by_path[middle]];
		int order = strcmp(path, setting->path);

		if (order == 0)
			return setting;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

size_t settings_tree_n(const struct settings_tree *tree)
{
	return tree->n;
}

const struct setting *settings_tree_at(const struct settings_tree *tree, size_t i)
{
	return &tree->items[i];
}

/* Whether the inner object, whose values begin with `prefix` and a dot, has what this value of the root belongs to. */
static bool is_replaced(const struct settings_tree *tree, const char *path, const char *prefix)
{
	char inner[2 * LIMIT_SETTINGS_PATH + 2];

	if (is_within(path, prefix))
		return false;
	snprintf(inner, sizeof inner, "%s.%.*s", prefix, (int)strcspn(path, "."), path);
	return settings_tree_get(tree, inner);
}

enum status settings_tree_merge(struct settings_tree *tree, const char *path, struct error *err)
{
	size_t n = tree->n, skip = strlen(path) + 1, kept = 0;
	struct setting *items = alloc_array(2 * n, sizeof *items);

	if (!items)
		return error_no_memory(err, NULL);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || !is_replaced(tree, tree->items[i].path, path))
			items[kept++] = tree->items[i];
	for (size_t i = 1; i < n; i++) {
		if (!is_within(tree->items[i].path, path) || strlen(tree->items[i].path) < skip)
			continue;
		items[kept] = tree->items[i];
		items[kept++].path += skip;
	}
	free(tree->items);
	tree->items = items;
	tree->n = kept;
	tree->cap = 2 * n;
	return order(tree, err);
}

double settings_tree_number(const struct settings_tree *tree, const char *path, double def)
{
	const struct setting *setting = settings_tree_get(tree, path);

	return setting && (setting->kind == SETTING_INT || setting->kind == SETTING_FLOAT) ? setting->number : def;
}

size_t setting_n_items(const struct setting *setting)
{
	return setting && setting->kind == SETTING_ARRAY ? (size_t)setting->number : 0;
}

bool settings_tree_bool(const struct settings_tree *tree, const char *path, bool def)
{
	const struct setting *setting = settings_tree_get(tree, path);

	return setting && setting->kind == SETTING_BOOL ? setting->number != 0 : def;
}

const char *settings_tree_text(const struct settings_tree *tree, const char *path, const char *def)
{
	const struct setting *setting = settings_tree_get(tree, path);

	return setting && setting->kind == SETTING_STRING ? setting->text : def;
}
