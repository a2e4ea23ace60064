/* JSON as a tree, for tests that look at what was sent. Any error is an empty tree. */
#ifndef SOTTO_TESTS_SERVER_TREE_H
#define SOTTO_TESTS_SERVER_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/json_reader.h"

struct json_tree {
	enum json_kind kind;
	char *key;  /* in an object; owned, like all here. NULL otherwise */
	char *text; /* of strings and numbers */
	size_t len;
	struct json_tree *child, *next; /* first value, next one beside */
};

struct json_tree *json_tree_parse(const char *json, size_t len); /* NULL: it is not JSON */
void json_tree_free(struct json_tree *tree); /* NULL is fine */
/* A value by its path, "messages.0.content"; "-1" is the last of an array. NULL: there is none. */
const struct json_tree *json_tree_find(const struct json_tree *tree, const char *path);
/* Values with defaults, of another kind too. */
const char *json_tree_text(const struct json_tree *tree, const char *path, const char *otherwise);
double json_tree_number(const struct json_tree *tree, const char *path, double otherwise);
bool json_tree_true(const struct json_tree *tree, const char *path, bool otherwise);
size_t json_tree_n(const struct json_tree *tree, const char *path); /* of an array or object; 0 */

#endif
