#include "checkpoint/vocabulary_pre.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/digest.h"
#include "base/limits.h"
#include "checkpoint/vocabulary_write.h"
#include "gguf/reader.h"
#include "tokenizer/pretokenize.h"
#include "tokenizer/tokenizer.h"

enum { RULES_MAX = 64 * 1024, PATH_SIZE = 1024 };

/* One rule; `prefix` of its paths, "" or "pretokenizers.0." */
static void describe(const struct settings_tree *tree, const char *prefix, struct buf *out)
{
	char path[160];
	const char *type, *text, *behavior;
	bool is_inverted;

	snprintf(path, sizeof path, "%stype", prefix);
	type = settings_tree_text(tree, path, "");
	if (strcmp(type, "ByteLevel") == 0) {
		snprintf(path, sizeof path, "%suse_regex", prefix);
		if (settings_tree_bool(tree, path, true))
			buf_puts(out, "gpt2\n");
		return;
	}
	if (strcmp(type, "Digits") == 0) {
		snprintf(path, sizeof path, "%sindividual_digits", prefix);
		buf_puts(out, settings_tree_bool(tree, path, false) ? "digits\n" : "runs of digits\n");
		return;
	}
	snprintf(path, sizeof path, "%sbehavior", prefix);
	behavior = settings_tree_text(tree, path, "");
	snprintf(path, sizeof path, "%sinvert", prefix);
	is_inverted = settings_tree_bool(tree, path, false);
	snprintf(path, sizeof path, "%spattern.Regex", prefix);
	text = settings_tree_text(tree, path, NULL);
	/* Both leave the matches and what lies between them, of which these expressions leave nothing. */
	if (strcmp(type, "Split") == 0 && text && strcmp(behavior, is_inverted ? "Removed" : "Isolated") == 0) {
		buf_printf(out, "split %s\n", text);
		return;
	}
	snprintf(path, sizeof path, "%spattern.String", prefix);
	text = settings_tree_text(tree, path, NULL);
	if (strcmp(type, "Split") == 0 && text && !is_inverted && strcmp(behavior, "MergedWithPrevious") == 0)
		buf_printf(out, "string %s\n", text);
	else
		buf_printf(out, "%s\n", type);
}

void pre_describe(const struct settings_tree *tree, struct buf *out)
{
	const struct setting *list = settings_tree_get(tree, "pretokenizers");

	if (strcmp(settings_tree_text(tree, "type", ""), "Sequence") != 0 || !list || list->kind != SETTING_ARRAY) {
		describe(tree, "", out);
		return;
	}
	for (size_t i = 0; i < setting_n_items(list); i++) {
		char prefix[48];

		snprintf(prefix, sizeof prefix, "pretokenizers.%zu.", i);
		describe(tree, prefix, out);
	}
}

/* NULL: none that is known. */
static const char *by_rules(const struct pre_sources *from)
{
	struct buf rules = {.max = RULES_MAX};
	const char *name = NULL;

	if (!from->pre_tokenizer)
		return NULL;
	pre_describe(from->pre_tokenizer, &rules);
	for (size_t i = 0; i < pre_rules_len && !name && !buf_status(&rules); i++)
		if (strcmp(buf_text(&rules), pre_rules[i].rules) == 0)
			name = from->vocabulary->ignores_merges && pre_rules[i].name_ignoring ? pre_rules[i].name_ignoring
			                                                                     : pre_rules[i].name;
	buf_free(&rules);
	return name;
}

/* The tokenizer that the vocabulary makes with a pre-tokenizer. */
static enum status open_with(struct tokenizer **out, const struct vocabulary *vocabulary, const char *pre,
                             struct error *err)
{
	struct gguf_writer *writer = gguf_writer_create();
	struct buf file = {.max = LIMIT_GGUF_METADATA};
	struct gguf *gguf = NULL;
	enum status status;

	if (!writer)
		return error_no_memory(err, "for the tokenizer");
	gguf_writer_set_string(writer, "general.architecture", "llama", 5);
	if (vocabulary_put(writer, vocabulary, &(struct vocabulary_keys){.model = "gpt2", .pre = pre, .has_merges = true}))
		status = gguf_writer_write(writer, &file, err);
	else
		status = error_no_memory(err, "for the tokenizer");
	gguf_writer_free(writer);
	status = status ? status : gguf_open_memory(&gguf, file.data, file.len, err);
	status = status ? status : tokenizer_open(out, gguf, err);
	gguf_close(gguf);
	buf_free(&file);
	return status;
}

/* The ids that the post-processor adds: of the items of "single" before (`is_front`) or behind the text. */
static void put_added(const struct settings_tree *tree, const char *prefix, bool is_front, struct buf *out)
{
	bool is_before = true;
	char path[PATH_SIZE];

	for (size_t i = 0;; i++) {
		const char *id;
		const struct setting *value;

		snprintf(path, sizeof path, "%ssingle.%zu", prefix, i);
		if (!settings_tree_get(tree, path))
			return;
		snprintf(path, sizeof path, "%ssingle.%zu.SpecialToken.id", prefix, i);
		id = settings_tree_text(tree, path, NULL);
		if (!id) {
			is_before = false;
			continue;
		}
		snprintf(path, sizeof path, "%sspecial_tokens.%s.ids.0", prefix, id);
		value = settings_tree_get(tree, path);
		if (value && value->kind == SETTING_INT && is_before == is_front)
			buf_printf(out, "%s%.0f", out->len > 1 ? ", " : "", value->number);
	}
}

static void put_all_added(const struct settings_tree *tree, bool is_front, struct buf *out)
{
	const struct setting *list = tree ? settings_tree_get(tree, "processors") : NULL;

	if (!tree)
		return;
	if (!list)
		put_added(tree, "", is_front, out);
	for (size_t i = 0; i < setting_n_items(list); i++) {
		char prefix[40];

		snprintf(prefix, sizeof prefix, "processors.%zu.", i);
		put_added(tree, prefix, is_front, out);
	}
}

/* The SHA-256 of the list of ids as Python prints it. */
static enum status hash_ids(const struct tokenizer *tokenizer, const struct pre_sources *from,
                            char text[DIGEST_TEXT_MAX], struct error *err)
{
	struct token_list ids = {0};
	struct buf list = {.max = 1 << 20};
	struct digest *digest = NULL;
	enum status status = tokenizer_encode(tokenizer, pre_check_text, pre_check_text_len, 0, &ids, err);

	buf_putc(&list, '[');
	put_all_added(from->post_processor, true, &list);
	for (size_t i = 0; i < ids.n; i++)
		buf_printf(&list, "%s%" PRId32, list.len > 1 ? ", " : "", ids.ids[i]);
	put_all_added(from->post_processor, false, &list);
	buf_putc(&list, ']');
	token_list_free(&ids);
	if (!status && buf_status(&list))
		status = error_no_memory(err, "for the tokenizer");
	status = status ? status : digest_create(&digest, DIGEST_SHA256, 0, err);
	if (!status) {
		digest_add(digest, list.data, list.len);
		digest_end(digest, text);
	}
	digest_free(digest);
	buf_free(&list);
	return status;
}

/* The name that the hash of the ids with this pre-tokenizer has; NULL: none, or it cannot be made. */
static const char *by_hash(const struct pre_sources *from, const char *pre, char text[DIGEST_TEXT_MAX],
                           struct error *err)
{
	struct tokenizer *tokenizer = NULL;
	enum status status = open_with(&tokenizer, from->vocabulary, pre, err);

	text[0] = '\0';
	status = status ? status : hash_ids(tokenizer, from, text, err);
	tokenizer_close(tokenizer);
	if (!status && err)
		*err = (struct error){0}; /* what was asked for and is not there */
	for (size_t i = 0; !status && i < pre_hashes_len; i++)
		if (strcmp(pre_hashes[i].sha256, text) == 0)
			return pre_hashes[i].name;
	return NULL;
}

/* Rules that are not known may be known ones, differently spelled: one whose hash names itself. */
static const char *by_trying(const struct pre_sources *from)
{
	for (size_t i = 0; i < pre_table_len; i++) {
		char first[64], text[DIGEST_TEXT_MAX];
		const char *name;

		snprintf(first, sizeof first, "%.*s", (int)strcspn(pre_table[i].names, " "), pre_table[i].names);
		name = by_hash(from, first, text, NULL);
		if (name && pre_find(name, strlen(name)) == &pre_table[i])
			return name;
	}
	return NULL;
}

static bool ignores_merges(const char *name)
{
	const struct pre_row *row = pre_find(name, strlen(name));

	return row && row->flags & PRE_IGNORE_MERGES;
}

const char *pre_recognise(struct conversion *c, const struct pre_sources *from)
{
	const char *rule = by_rules(from), *name = NULL;
	char text[DIGEST_TEXT_MAX] = "";
	struct error err = {0};

	name = rule ? by_hash(from, rule, text, &err) : by_trying(from);
	if (name && !pre_find(name, strlen(name))) {
		conversion_fail(c, STATUS_UNSUPPORTED, "tokenizer.json: the pre-tokenizer '%s' is not known here: take a GGUF of "
		                "the model", name);
		return NULL;
	}
	/* Models with the same ids of the check text may differ in this, as Llama 3 without its first token and Smaug do. */
	if (name && rule && from->vocabulary->ignores_merges && ignores_merges(rule) && !ignores_merges(name)) {
		conversion_note(c, "the pre-tokenizer is '%s' by the ids of the check text, but tokenizer.json ignores merges: '%s' is "
		                "taken", name, rule);
		return rule;
	}
	if (name)
		return name;
	if (!rule) {
		conversion_fail(c, STATUS_UNSUPPORTED, "tokenizer.json: how it splits texts (pre_tokenizer) is not known, by its "
		                "rules or by the ids of the check text: take a GGUF of the model");
		return NULL;
	}
	if (err.status)
		conversion_note(c, "the pre-tokenizer '%s' is recognised by its rules alone: %.200s", rule, err.text);
	else
		conversion_note(c, "the pre-tokenizer '%s' is recognised by its rules, not by the ids of the check text (%.12s)",
		                rule, text);
	return rule;
}
