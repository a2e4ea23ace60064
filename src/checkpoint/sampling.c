/* general.sampling.* of generation_config.json: what the model's makers recommend (gguf-py, metadata.py). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/limits.h"
#include "checkpoint/conversion.h"

enum kind { KIND_INT, KIND_FLOAT, KIND_TEXT };

/* In the reference's order. It knows "penalty_repeat" alone; transformers calls it "repetition_penalty". */
static const struct {
	const char *key, *name, *other;
	enum kind kind;
} rows[] = {
	{"sequence", "sequence", NULL, KIND_TEXT},
	{"top_k", "top_k", NULL, KIND_INT},
	{"top_p", "top_p", NULL, KIND_FLOAT},
	{"min_p", "min_p", NULL, KIND_FLOAT},
	{"xtc_probability", "xtc_probability", NULL, KIND_FLOAT},
	{"xtc_threshold", "xtc_threshold", NULL, KIND_FLOAT},
	{"temp", "temperature", NULL, KIND_FLOAT},
	{"penalty_last_n", "penalty_last_n", NULL, KIND_INT},
	{"penalty_repeat", "penalty_repeat", "repetition_penalty", KIND_FLOAT},
	{"mirostat", "mirostat", NULL, KIND_INT},
	{"mirostat_tau", "mirostat_tau", NULL, KIND_FLOAT},
	{"mirostat_eta", "mirostat_eta", NULL, KIND_FLOAT},
};

static void write_row(struct conversion *c, size_t row, const struct setting *value)
{
	bool is_number = value->kind == SETTING_INT || value->kind == SETTING_FLOAT;
	char key[64];

	snprintf(key, sizeof key, "general.sampling.%s", rows[row].key);
	if (rows[row].kind == KIND_TEXT && value->kind == SETTING_STRING)
		gguf_writer_set_string(c->keys, key, value->text, value->len);
	else if (rows[row].kind == KIND_FLOAT && is_number)
		gguf_writer_set_f32(c->keys, key, (float)value->number);
	else if (rows[row].kind == KIND_INT && is_number && value->number >= INT32_MIN && value->number <= INT32_MAX)
		gguf_writer_set_i32(c->keys, key, (int32_t)value->number);
	else
		conversion_note(c, "generation_config.json: %s is of another kind than expected: left out", rows[row].name);
}

static const struct setting *find(const struct settings_tree *tree, size_t row)
{
	const struct setting *value = settings_tree_get(tree, rows[row].name);

	if (!value && rows[row].other)
		value = settings_tree_get(tree, rows[row].other);
	return value && value->kind != SETTING_NULL ? value : NULL;
}

/* A file that cannot be read is no reason to stop: nothing is recommended then. */
void sampling_write(struct conversion *c)
{
	static const char name[] = "generation_config.json";
	struct settings_tree *tree = NULL;
	struct error err = {0};
	char *text = NULL;
	size_t len = 0;
	enum status status = checkpoint_file(c->from, name, LIMIT_CHECKPOINT_CONFIG, &text, &len, &err);

	if (!status)
		status = settings_tree_parse(&tree, name, text, len, &err);
	if (status && status != STATUS_NOTFOUND)
		conversion_note(c, "no recommended sampling: %.300s", err.text);
	for (size_t i = 0; tree && i < sizeof rows / sizeof rows[0]; i++) {
		const struct setting *value = find(tree, i);

		if (value)
			write_row(c, i, value);
	}
	settings_tree_free(tree);
	free(text);
}
