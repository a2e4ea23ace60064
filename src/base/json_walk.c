#include "base/json_walk.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"

/* A walk under way: the path of what comes next. */
struct walk {
	char path[JSON_PATH_MAX + 1];
	size_t len;
	uint32_t starts[JSON_DEPTH];  /* of each level: how long the path is without what is in it */
	size_t indices[JSON_DEPTH];   /* of arrays: the next item's */
	char open[JSON_DEPTH];        /* '{' or '[' */
	size_t depth;
	bool hidden;                  /* what comes next has a name that no path can tell */
};

/* Appends a key or an index behind the level's path. */
static void put_name(struct walk *walk, const char *name, size_t len)
{
	size_t start = walk->depth ? walk->starts[walk->depth - 1] : 0, dot = start > 0;

	walk->hidden = !len || len > JSON_PATH_MAX || start + dot + len > JSON_PATH_MAX ||
	               memchr(name, '.', len) || memchr(name, '\0', len);
	if (walk->hidden)
		return;
	if (dot)
		walk->path[start] = '.';
	memcpy(walk->path + start + dot, name, len);
	walk->len = start + dot + len;
	walk->path[walk->len] = '\0';
}

static void put_index(struct walk *walk)
{
	char text[24];
	int n;

	if (!walk->depth || walk->open[walk->depth - 1] != '[')
		return;
	n = snprintf(text, sizeof text, "%zu", walk->indices[walk->depth - 1]++);
	put_name(walk, text, (size_t)n);
}

static void begin_level(struct walk *walk, char open)
{
	walk->open[walk->depth] = open;
	walk->indices[walk->depth] = 0;
	walk->starts[walk->depth++] = (uint32_t)walk->len;
}

static void end_level(struct walk *walk)
{
	walk->len = walk->starts[--walk->depth];
	walk->path[walk->len] = '\0';
}

/* Skips what a hidden name stands for. `item`: its first, which begins an object or array. */
static enum status skip(struct json_reader *reader, struct error *err)
{
	size_t depth = reader->depth;
	struct json_item item;
	enum status status = STATUS_OK;

	while (!status && reader->depth >= depth)
		status = json_next(reader, &item, err);
	return status;
}

static enum status take(struct walk *walk, struct json_reader *reader, const struct json_item *item,
                        json_visit *visit, void *ctx, struct error *err)
{
	bool begins = item->kind == JSON_OBJECT || item->kind == JSON_ARRAY;
	bool ends = item->kind == JSON_OBJECT_END || item->kind == JSON_ARRAY_END;
	enum status status;

	if (item->kind == JSON_KEY) {
		put_name(walk, item->text, item->len);
		return STATUS_OK;
	}
	if (ends)
		end_level(walk);
	else
		put_index(walk);
	if (walk->hidden && !ends)
		return begins ? skip(reader, err) : STATUS_OK;
	status = visit(ctx, walk->path, item, err);
	if (!status && begins)
		begin_level(walk, item->kind == JSON_OBJECT ? '{' : '[');
	return status;
}

static enum status walk_all(const char *text, size_t len, bool keeps_bytes, json_visit *visit, void *ctx,
                            struct error *err)
{
	struct json_reader reader;
	struct walk walk = {.depth = 0};
	struct json_item item;
	enum status status;

	json_begin(&reader, NULL, text, len);
	reader.keeps_bytes = keeps_bytes;
	do {
		status = json_next(&reader, &item, err);
		if (!status && item.kind == JSON_END)
			status = error_set(err, STATUS_FORMAT, "not JSON: there is nothing");
		if (!status)
			status = take(&walk, &reader, &item, visit, ctx, err);
	} while (!status && reader.depth);
	if (!status)
		status = json_next(&reader, &item, err);
	if (!status && item.kind != JSON_END)
		status = error_set(err, STATUS_FORMAT, "not JSON: something follows the document");
	json_end(&reader);
	return status;
}

enum status json_walk(const char *text, size_t len, json_visit *visit, void *ctx, struct error *err)
{
	return walk_all(text, len, false, visit, ctx, err);
}

enum status json_walk_bytes(const char *text, size_t len, json_visit *visit, void *ctx, struct error *err)
{
	return walk_all(text, len, true, visit, ctx, err);
}

bool json_path_is(const char *path, const char *pattern)
{
	for (;;) {
		if (*pattern == '*') {
			pattern++;
			path += strcspn(path, ".");
		}
		if (*path != *pattern)
			return false;
		if (!*path)
			return true;
		path++;
		pattern++;
	}
}

static void put_text(char *out, size_t size, const struct json_item *item)
{
	size_t n = utf8_cut(item->text, item->len, size - 1);

	memcpy(out, item->text, n);
	out[n] = '\0';
}

bool json_read_count(const struct json_item *item, uint64_t most, uint64_t *out)
{
	double value;

	if (item->kind != JSON_NUMBER || !number_parse_double(item->text, &value) || !(value >= 0) ||
	    floor(value) < value)
		return false;
	*out = value >= (double)most ? most : (uint64_t)value;
	return true;
}

static bool put_number(const struct json_place *place, void *at, const struct json_item *item)
{
	uint64_t count;
	double value;

	switch (place->kind) {
	case JSON_PLACE_U32:
		if (!json_read_count(item, UINT32_MAX, &count))
			return false;
		*(uint32_t *)at = (uint32_t)count;
		return true;
	case JSON_PLACE_U64:
		return json_read_count(item, UINT64_MAX, at);
	case JSON_PLACE_DOUBLE:
		if ((item->kind != JSON_NUMBER && item->kind != JSON_STRING) ||
		    !number_parse_double(item->text, &value))
			return false;
		*(double *)at = value;
		return true;
	default:
		return false;
	}
}

static bool put(const struct json_place *place, void *at, const struct json_item *item)
{
	bool is_text = item->kind == JSON_STRING;

	switch (place->kind) {
	case JSON_PLACE_BUF:
		if (is_text)
			buf_append(at, item->text, item->len); /* a failure is the buffer's to tell */
		return is_text;
	case JSON_PLACE_TEXT:
		if (is_text)
			put_text(at, place->size, item);
		return is_text;
	case JSON_PLACE_BOOL:
		if (item->kind == JSON_TRUE || item->kind == JSON_FALSE)
			*(bool *)at = item->kind == JSON_TRUE;
		return item->kind == JSON_TRUE || item->kind == JSON_FALSE;
	default:
		return put_number(place, at, item);
	}
}

bool json_put_place(const struct json_place *places, size_t n, void *out, const char *path,
                    const struct json_item *item)
{
	for (size_t i = 0; i < n; i++)
		if (json_path_is(path, places[i].pattern))
			return put(&places[i], (char *)out + places[i].offset, item);
	return false;
}

/* What json_take fills in. */
struct taking {
	const struct json_place *places;
	size_t n;
	void *out;
};

static enum status take_place(void *ctx, const char *path, const struct json_item *item, struct error *err)
{
	const struct taking *taking = ctx;

	(void)err;
	(void)json_put_place(taking->places, taking->n, taking->out, path, item);
	return STATUS_OK;
}

enum status json_take(const char *text, size_t len, const struct json_place *places, size_t n, void *out,
                      struct error *err)
{
	struct taking taking = {places, n, out};

	return json_walk(text, len, take_place, &taking, err);
}
