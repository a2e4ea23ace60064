/* JSON as a tree, for tests that look at what was sent. Any error is an empty tree. */
#ifndef SOTTO_TESTS_SERVER_TREE_H
#define SOTTO_TESTS_SERVER_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/json_reader.h"

struct tree {
	enum json_kind kind;
	char *key;  /* in an object; owned, like all here. NULL otherwise */
	char *text; /* of strings and numbers */
	size_t len;
	struct tree *child, *next; /* first value, next one beside */
};

struct tree *tree_parse(const char *json, size_t len); /* NULL: it is not JSON */
void tree_free(struct tree *tree); /* NULL is fine */
/* A value by its path, "messages.0.content"; "-1" is the last of an array. NULL: there is none. */
const struct tree *tree_find(const struct tree *tree, const char *path);
/* Values with defaults, of another kind too. */
const char *tree_text(const struct tree *tree, const char *path, const char *otherwise);
double tree_number(const struct tree *tree, const char *path, double otherwise);
bool tree_true(const struct tree *tree, const char *path, bool otherwise);
size_t tree_n(const struct tree *tree, const char *path); /* of an array or object; 0 */

#endif
