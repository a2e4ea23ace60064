#include "remote/json_paths.h"

#include <math.h>
#include <string.h>

#include "base/number.h"

struct walk {
	struct json_reader reader;
	char path[JSON_PATH_MAX + 1];
	size_t len;                /* of the path; more than JSON_PATH_MAX: of one that is too long, whose rest is not kept */
	size_t before[JSON_DEPTH + 1]; /* [depth]: length of the path to what is open there */
	size_t depth;
};

static void add(struct walk *walk, const char *text, size_t n)
{
	if (walk->len + n <= JSON_PATH_MAX && !memchr(text, 0, n))
		memcpy(walk->path + walk->len, text, n);
	else
		n = JSON_PATH_MAX + 1; /* so are all below it */
	walk->len += n;
	walk->path[walk->len <= JSON_PATH_MAX ? walk->len : JSON_PATH_MAX] = '\0';
}

/* The path of a value in what is open: `key` NULL, of a list. */
static void enter(struct walk *walk, const struct json_item *key)
{
	walk->len = walk->before[walk->depth];
	if (!key) {
		add(walk, "[]", 2);
		return;
	}
	if (walk->len > 0)
		add(walk, ".", 1);
	add(walk, key->text, key->len);
}

static bool is_in_list(const struct walk *walk)
{
	return walk->reader.depth > 0 && walk->reader.open[walk->reader.depth - 1] == '[';
}

/* After an item was read: the path is that of the item. */
static void follow(struct walk *walk, enum json_kind kind, bool in_list)
{
	if (kind == JSON_OBJECT_END || kind == JSON_ARRAY_END) {
		walk->len = walk->before[walk->depth--];
		walk->path[walk->len <= JSON_PATH_MAX ? walk->len : JSON_PATH_MAX] = '\0';
		return;
	}
	if (in_list)
		enter(walk, NULL);
	if (kind == JSON_OBJECT || kind == JSON_ARRAY)
		walk->before[++walk->depth] = walk->len;
}

static enum status next(struct walk *walk, struct json_item *item, struct error *err)
{
	enum status status;

	for (;;) {
		bool in_list = is_in_list(walk);

		status = json_next(&walk->reader, item, err);
		if (status || item->kind == JSON_END)
			return status;
		if (item->kind != JSON_KEY) {
			follow(walk, item->kind, in_list);
			return STATUS_OK;
		}
		enter(walk, item);
	}
}

enum status json_paths(const char *name, const char *text, size_t len, json_visit *visit, void *ctx, struct error *err)
{
	struct walk walk = {.len = 0};
	struct json_item item;
	enum status status;
	bool is_whole = false;

	json_begin(&walk.reader, name, text, len);
	while ((status = next(&walk, &item, err)) == STATUS_OK && item.kind != JSON_END) {
		if (is_whole) {
			status = error_set(err, STATUS_FORMAT, "more than one JSON document");
			break;
		}
		if (walk.len <= JSON_PATH_MAX && (status = visit(ctx, walk.path, &item, err)) != STATUS_OK)
			break;
		is_whole = walk.depth == 0;
	}
	if (!status && !is_whole)
		status = error_set(err, STATUS_FORMAT, "no JSON: nothing is there");
	json_end(&walk.reader);
	return status;
}

bool json_item_uint(const struct json_item *item, uint64_t most, uint64_t *value)
{
	double number;

	if (item->kind != JSON_NUMBER || !number_parse_double(item->text, &number) || !(number >= 0) ||
	    floor(number) != number)
		return false;
	*value = number >= (double)most ? most : (uint64_t)number;
	return true;
}

bool json_item_double(const struct json_item *item, double *value)
{
	return (item->kind == JSON_NUMBER || item->kind == JSON_STRING) && number_parse_double(item->text, value) &&
	       isfinite(*value);
}

struct wanted {
	const char *path;
	const char *word; /* NULL, or the string that is looked for */
	uint64_t most, number;
	char *out;        /* NULL: a number is looked for */
	size_t size;
	bool is_found;
};

static bool is_at(const char *path, const char *wanted)
{
	size_t n = strlen(path), end = strlen(wanted) - 1;

	if (wanted[0] != '*')
		return strcmp(path, wanted) == 0;
	return n >= end && strcmp(path + n - end, wanted + 1) == 0;
}

static enum status look(void *ctx, const char *path, const struct json_item *item, struct error *err)
{
	struct wanted *wanted = ctx;

	(void)err;
	if (wanted->is_found || !is_at(path, wanted->path))
		return STATUS_OK;
	if (wanted->word) {
		wanted->is_found = item->kind == JSON_STRING && strcmp(item->text, wanted->word) == 0;
	} else if (!wanted->out) {
		wanted->is_found = json_item_uint(item, wanted->most, &wanted->number);
	} else if (item->kind == JSON_STRING) {
		size_t n = item->len < wanted->size ? item->len : wanted->size - 1;

		memcpy(wanted->out, item->text, n);
		wanted->out[n] = '\0';
		wanted->is_found = true;
	}
	return STATUS_OK;
}

static bool find(const char *text, size_t len, struct wanted *wanted)
{
	return json_paths(NULL, text, len, look, wanted, NULL) == STATUS_OK && wanted->is_found;
}

bool json_find_uint(const char *text, size_t len, const char *path, uint64_t most, uint64_t *value)
{
	struct wanted wanted = {.path = path, .most = most};

	if (!find(text, len, &wanted))
		return false;
	*value = wanted.number;
	return true;
}

bool json_find_string(const char *text, size_t len, const char *path, char *out, size_t size)
{
	out[0] = '\0';
	return find(text, len, &(struct wanted){.path = path, .out = out, .size = size});
}

bool json_find_word(const char *text, size_t len, const char *path, const char *word)
{
	return find(text, len, &(struct wanted){.path = path, .word = word});
}
