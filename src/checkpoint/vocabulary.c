/* Which form a checkpoint's tokenizer has, as the reference chooses it (set_vocab of each family). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "checkpoint/vocabulary_job.h"
#include "checkpoint/vocabulary_special.h"
#include "checkpoint/vocabulary_template.h"

#define ADD_SPACE "tokenizer.ggml.add_space_prefix"

bool vocabulary_load(struct conversion *c, const char *name, size_t limit, char **text, size_t *len)
{
	struct error err = {0};
	enum status status = checkpoint_file(c->from, name, limit, text, len, &err);

	if (!status || status == STATUS_NOTFOUND) {
		*text = status ? NULL : *text;
		return true;
	}
	*text = NULL;
	return conversion_fail(c, status, "%s", err.text);
}

static bool exists(struct conversion *c, const char *name)
{
	char *text = NULL;
	size_t len;
	enum status status = checkpoint_file(c->from, name, 0, &text, &len, NULL);

	free(text);
	return status != STATUS_NOTFOUND;
}

/* A JSON file of the folder; *tree stays NULL where it is missing, or an empty object. */
static bool load_tree(struct conversion *c, const char *name, struct settings_tree **tree, char **text, size_t *len)
{
	struct error err = {0};

	if (!vocabulary_load(c, name, LIMIT_CHECKPOINT_CONFIG, text, len))
		return false;
	if (*text && settings_tree_parse(tree, name, *text, *len, &err))
		return conversion_fail(c, err.status, "%s", err.text);
	if (*tree && settings_tree_n(*tree) <= 1) {
		settings_tree_free(*tree);
		*tree = NULL;
	}
	return true;
}

/* A part of tokenizer.json; *tree stays NULL where it is null or missing. */
static bool parse_section(struct conversion *c, const char *json, struct json_section section, const char *name,
                          struct settings_tree **tree)
{
	struct error err = {0};

	while (section.len && strchr(" \t\r\n", json[section.at])) {
		section.at++;
		section.len--;
	}
	if (!section.len || json[section.at] != '{')
		return true;
	if (section.len > LIMIT_CHECKPOINT_CONFIG)
		return conversion_fail(c, STATUS_LIMIT, "tokenizer.json: %s has %zu bytes, expected at most %zu", name, section.len,
		                       LIMIT_CHECKPOINT_CONFIG);
	if (settings_tree_parse(tree, name, json + section.at, section.len, &err))
		return conversion_fail(c, err.status, "tokenizer.json: %s", err.text);
	return true;
}

static bool load_tokenizer(struct vocabulary_job *job)
{
	struct vocabulary *v = &job->tokenizer;
	struct error err = {0};
	char *json = NULL;
	size_t len = 0;
	bool good;

	vocabulary_init(v);
	if (!vocabulary_load(job->c, "tokenizer.json", LIMIT_CHECKPOINT_TOKENIZER, &json, &len))
		return false;
	job->has_tokenizer = json != NULL;
	good = !json || !vocabulary_read_json(v, json, len, &err) || conversion_fail(job->c, err.status, "%s", err.text);
	good = good && parse_section(job->c, json, v->normalizer, "normalizer", &job->normalizer) &&
	       parse_section(job->c, json, v->pre_tokenizer, "pre_tokenizer", &job->pre_tokenizer) &&
	       parse_section(job->c, json, v->post_processor, "post_processor", &job->post_processor) &&
	       parse_section(job->c, json, v->decoder, "decoder", &job->decoder);
	free(json);
	return good;
}

/* merges.txt, where tokenizer.json has none. */
static bool load_merges(struct vocabulary_job *job)
{
	struct error err = {0};
	char *text = NULL;
	size_t len = 0, n_bad = 0;
	bool good;

	if (!job->has_tokenizer || job->tokenizer.n_merges)
		return true;
	if (!vocabulary_load(job->c, "merges.txt", LIMIT_CHECKPOINT_TOKENIZER, &text, &len))
		return false;
	good = !text || !vocabulary_read_merges(&job->tokenizer, text, len, &n_bad, &err) ||
	       conversion_fail(job->c, err.status, "%s", err.text);
	if (n_bad)
		conversion_note(job->c, "merges.txt: %zu lines are no pairs: left out", n_bad);
	free(text);
	return good;
}

static bool load(struct vocabulary_job *job)
{
	char *text = NULL;
	size_t len = 0;
	bool good = load_tree(job->c, "tokenizer_config.json", &job->config, &job->config_text, &job->config_len) &&
	            load_tree(job->c, "config.json", &job->model, &text, &len) && load_tokenizer(job) && load_merges(job);

	free(text);
	return good;
}

static void unload(struct vocabulary_job *job)
{
	vocabulary_deinit(&job->tokenizer);
	settings_tree_free(job->normalizer);
	settings_tree_free(job->pre_tokenizer);
	settings_tree_free(job->post_processor);
	settings_tree_free(job->decoder);
	settings_tree_free(job->config);
	settings_tree_free(job->model);
	free(job->config_text);
}

/* "normalizer.lowercase" and "strip_accents" of a normalizer; `prefix` of its paths. */
static void take_normalizer(const struct settings_tree *tree, const char *prefix, const struct setting *found[2])
{
	static const char *const types[] = {"Lowercase", "StripAccents"}, *const names[] = {"lowercase", "strip_accents"};
	char path[96];
	const char *type;

	snprintf(path, sizeof path, "%stype", prefix);
	type = settings_tree_text(tree, path, "");
	for (size_t i = 0; i < 2; i++) {
		const struct setting *setting = settings_tree_get(tree, path);

		if (strcmp(type, "BertNormalizer") == 0) {
			char own[96];

			snprintf(own, sizeof own, "%s%s", prefix, names[i]);
			setting = settings_tree_get(tree, own);
			found[i] = setting && setting->kind == SETTING_BOOL ? setting : found[i];
		} else if (strcmp(type, types[i]) == 0) {
			found[i] = setting; /* its "type": it is there */
		}
	}
}

static void write_normalizer(struct vocabulary_job *job)
{
	static const char *const keys[] = {"tokenizer.ggml.normalizer.lowercase", "tokenizer.ggml.normalizer.strip_accents"};
	const struct setting *found[2] = {NULL, NULL}, *list;

	if (!job->normalizer)
		return;
	list = settings_tree_get(job->normalizer, "normalizers");
	if (!list)
		take_normalizer(job->normalizer, "", found);
	for (size_t i = 0; i < setting_n_items(list); i++) {
		char prefix[48];

		snprintf(prefix, sizeof prefix, "normalizers.%zu.", i);
		take_normalizer(job->normalizer, prefix, found);
	}
	for (size_t i = 0; i < 2; i++)
		if (found[i])
			gguf_writer_set_bool(job->c->keys, keys[i], found[i]->kind != SETTING_BOOL || found[i]->number != 0);
}

void vocabulary_write_special(struct vocabulary_job *job, size_t n_vocab)
{
	struct special_sources from = {job->has_tokenizer ? &job->tokenizer : NULL, job->post_processor, job->config,
	                               job->model, n_vocab};
	struct special_found found;
	char key[64];

	special_read(&found, job->c, &from);
	for (size_t i = 0; i < found.n_ids; i++) {
		snprintf(key, sizeof key, "tokenizer.ggml.%s", found.ids[i].key);
		gguf_writer_set_u32(job->c->keys, key, found.ids[i].id);
	}
	for (size_t i = 0; i < found.n_adds; i++) {
		snprintf(key, sizeof key, "tokenizer.ggml.%s", found.adds[i].key);
		gguf_writer_set_bool(job->c->keys, key, found.adds[i].adds);
	}
	if (job->config)
		template_write(job->c, job->config);
	write_normalizer(job);
	job->c->n_vocab = n_vocab;
}

/* BPE whose words are plain text, with tokens for single bytes. */
static bool has_byte_fallback(const struct vocabulary_job *job)
{
	return job->has_tokenizer && job->tokenizer.has_byte_fallback && job->decoder &&
	       strcmp(settings_tree_text(job->decoder, "type", ""), "Sequence") == 0;
}

/* CodeLlama's end of what is filled in, and small Granite models, which are known by their size. */
static void write_llama_extras(struct vocabulary_job *job)
{
	double n = settings_tree_number(job->c->config, "vocab_size", 32000);

	if (n == 32016)
		gguf_writer_set_u32(job->c->keys, "tokenizer.ggml.eot_token_id", 32010);
	if (n == 49152)
		gguf_writer_set_bool(job->c->keys, "tokenizer.ggml.add_bos_token", false);
}

static bool write_llama(struct vocabulary_job *job, bool has_model)
{
	const struct setting *adds = job->config ? settings_tree_get(job->config, "add_prefix_space") : NULL;
	bool good;

	if (adds && adds->kind == SETTING_BOOL)
		gguf_writer_set_bool(job->c->keys, ADD_SPACE, adds->number != 0);
	good = has_model                ? vocabulary_write_spm(job, false)
	       : has_byte_fallback(job) ? vocabulary_write_scores(job)
	                                : vocabulary_write_bpe(job);
	if (good)
		write_llama_extras(job);
	return good;
}

static bool write_phi3(struct vocabulary_job *job, bool has_model)
{
	if (job->config && strcmp(settings_tree_text(job->config, "tokenizer_class", ""), "GPT2Tokenizer") == 0)
		return vocabulary_write_bpe(job);
	return has_model                ? vocabulary_write_spm(job, true)
	       : has_byte_fallback(job) ? vocabulary_write_scores(job)
	                                : vocabulary_write_bpe(job);
}

static bool write_form(struct vocabulary_job *job, enum vocabulary_rule rule, bool has_model)
{
	bool good;

	switch (rule) {
	case VOCABULARY_BPE: return vocabulary_write_bpe(job);
	case VOCABULARY_PLAIN: return has_model ? vocabulary_write_spm(job, false) : vocabulary_write_bpe(job);
	case VOCABULARY_PHI3: return write_phi3(job, has_model);
	case VOCABULARY_GEMMA:
		if (!has_model)
			return vocabulary_write_bpe(job);
		good = vocabulary_write_spm(job, false);
		gguf_writer_set_bool(job->c->keys, ADD_SPACE, false);
		return good;
	case VOCABULARY_GEMMA4:
		good = vocabulary_write_gemma4(job);
		gguf_writer_set_bool(job->c->keys, ADD_SPACE, false);
		gguf_writer_set_bool(job->c->keys, "tokenizer.ggml.add_bos_token", true);
		return good;
	default: return write_llama(job, has_model);
	}
}

void vocabulary_write(struct conversion *c, enum vocabulary_rule rule)
{
	struct vocabulary_job job = {.c = c};
	bool has_model = exists(c, "tokenizer.model");

	if (c->err.status)
		return;
	if (load(&job)) {
		if (job.has_tokenizer || has_model)
			write_form(&job, rule, has_model);
		else if (exists(c, "tekken.json"))
			conversion_fail(c, STATUS_UNSUPPORTED, "the tokenizer is in tekken.json, Mistral's own form, which is not read: "
			                "take the repository's files for transformers (tokenizer.json), or a GGUF of the model");
		else
			conversion_fail(c, STATUS_NOTFOUND, "there is neither tokenizer.json nor tokenizer.model in the folder, "
			                "expected one of them");
	}
	unload(&job);
}
