#include "support/server/tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static char *copy(const char *text, size_t len)
{
	char *out = alloc_strndup(text, len);

	if (!out)
		abort();
	return out;
}

static struct json_tree *node(struct json_tree *parent, struct json_tree **last, struct json_tree *new)
{
	if (*last)
		(*last)->next = new;
	else if (parent)
		parent->child = new;
	*last = new;
	return new;
}

struct json_tree *json_tree_parse(const char *json, size_t len)
{
	struct {
		struct json_tree *open, *last;
	} stack[64] = {0};
	struct json_reader *reader = alloc_array(1, sizeof *reader);
	struct json_tree *root = NULL, *last = NULL;
	struct json_item item;
	struct error err;
	char *key = NULL;
	size_t depth = 0;
	enum status status;

	if (!reader)
		abort();
	json_begin(reader, NULL, json, len);
	while (!(status = json_next(reader, &item, &err)) && item.kind != JSON_END) {
		struct json_tree *new;

		if (item.kind == JSON_KEY) {
			key = copy(item.text, item.len);
			continue;
		}
		if (item.kind == JSON_OBJECT_END || item.kind == JSON_ARRAY_END) {
			depth--;
			continue;
		}
		new = calloc(1, sizeof *new);
		if (!new || depth + 2 >= sizeof stack / sizeof stack[0])
			abort();
		*new = (struct json_tree){.kind = item.kind, .key = key, .len = item.len};
		key = NULL;
		if (item.kind == JSON_STRING || item.kind == JSON_NUMBER)
			new->text = copy(item.text, item.len);
		node(depth ? stack[depth].open : NULL, depth ? &stack[depth].last : &last, new);
		root = root ? root : new;
		if (item.kind == JSON_OBJECT || item.kind == JSON_ARRAY) {
			depth++;
			stack[depth].open = new;
			stack[depth].last = NULL;
		}
	}
	json_end(reader);
	free(reader);
	free(key);
	if (!status)
		return root;
	json_tree_free(root);
	return NULL;
}

void json_tree_free(struct json_tree *tree)
{
	while (tree) {
		struct json_tree *next = tree->next;

		json_tree_free(tree->child);
		free(tree->key);
		free(tree->text);
		free(tree);
		tree = next;
	}
}

static const struct json_tree *step(const struct json_tree *tree, const char *name, size_t len)
{
	const struct json_tree *child = tree->child;

	if (tree->kind == JSON_ARRAY) {
		long n = strtol(name, NULL, 10);

		while (n < 0 && child && child->next)
			child = child->next;
		for (; n > 0 && child; n--)
			child = child->next;
		return child;
	}
	while (child && (!child->key || strlen(child->key) != len || memcmp(child->key, name, len) != 0))
		child = child->next;
	return child;
}

const struct json_tree *json_tree_find(const struct json_tree *tree, const char *path)
{
	while (tree && path && *path) {
		size_t len = strcspn(path, ".");

		tree = step(tree, path, len);
		path += len + (path[len] == '.');
	}
	return tree;
}

const char *json_tree_text(const struct json_tree *tree, const char *path, const char *otherwise)
{
	const struct json_tree *found = json_tree_find(tree, path);

	return found && found->kind == JSON_STRING ? found->text : otherwise;
}

double json_tree_number(const struct json_tree *tree, const char *path, double otherwise)
{
	const struct json_tree *found = json_tree_find(tree, path);

	return found && found->kind == JSON_NUMBER ? strtod(found->text, NULL) : otherwise;
}

bool json_tree_true(const struct json_tree *tree, const char *path, bool otherwise)
{
	const struct json_tree *found = json_tree_find(tree, path);

	if (found && found->kind == JSON_TRUE)
		return true;
	if (found && found->kind == JSON_FALSE)
		return false;
	return otherwise;
}

size_t json_tree_n(const struct json_tree *tree, const char *path)
{
	const struct json_tree *found = json_tree_find(tree, path);
	size_t n = 0;

	for (const struct json_tree *child = found ? found->child : NULL; child; child = child->next)
		n++;
	return n;
}
