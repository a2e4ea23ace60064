/* A JSON document as a flat table: config.json, generation_config.json, tokenizer_config.json. The value of "factor" in
 * "rope_scaling" has the path "rope_scaling.factor", the third item of "layer_types" "layer_types.2". */
#ifndef SOTTO_CHECKPOINT_SETTINGS_H
#define SOTTO_CHECKPOINT_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum setting_kind { SETTING_NULL, SETTING_BOOL, SETTING_INT, SETTING_FLOAT, SETTING_STRING, SETTING_ARRAY, SETTING_OBJECT };

struct setting {
	const char *path;
	enum setting_kind kind;
	double number;    /* BOOL: 0 or 1; INT, FLOAT; ARRAY, OBJECT: how many items */
	const char *text; /* STRING, NUL-terminated; may have a NUL inside, see len */
	size_t len;
};

struct settings_tree;

/* `what` names the document in errors. A path that is there twice has the last value, as in Python. Limits: depth 32,
 * LIMIT_SETTINGS_VALUES values. */
enum status settings_tree_parse(struct settings_tree **out, const char *what, const char *json, size_t len,
                                struct error *err) MUST_CHECK;
void settings_tree_free(struct settings_tree *tree); /* NULL is fine */

const struct setting *settings_tree_get(const struct settings_tree *tree, const char *path); /* NULL: not there */
size_t settings_tree_n(const struct settings_tree *tree);
const struct setting *settings_tree_at(const struct settings_tree *tree, size_t i); /* in the document's order */
/* Lays the items of an object over those of the root, as text_config over config.json. */
enum status settings_tree_merge(struct settings_tree *tree, const char *path, struct error *err) MUST_CHECK;

/* The value, or `def` where it is missing or null. One of another kind is `def`, too: check with get where that matters. */
double settings_tree_number(const struct settings_tree *tree, const char *path, double def);
/* How many items a list has; 0: it is none, or not there. Never a number that stands in a list's place. */
size_t setting_n_items(const struct setting *setting);
bool settings_tree_bool(const struct settings_tree *tree, const char *path, bool def);
const char *settings_tree_text(const struct settings_tree *tree, const char *path, const char *def);

#endif
