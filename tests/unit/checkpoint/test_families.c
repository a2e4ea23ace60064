/* Tiny checkpoints of all families, converted: each key and tensor is what llama.cpp's converter makes of the same
 * checkpoint (tests/vectors/convert, by tools/convert-vectors.py), and the engine computes with it. */
#include <criterion/criterion.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/io.h"
#include "base/limits.h"
#include "checkpoint/conversion.h"
#include "checkpoint/convert.h"
#include "gguf/internal.h"
#include "gguf/types.h"
#include "quantize/recipe.h"
#include "support/folder.h"
#include "support/logits.h"
#include "support/tiny_checkpoint.h"

enum { PATH_MAX_BYTES = 128 };

struct converted {
	char folder[PATH_MAX_BYTES / 2], from[PATH_MAX_BYTES], path[PATH_MAX_BYTES];
	struct convert_plan *plan;
	struct error err;
};

/* The tokenizer has tests of its own, and its keys are left out here. In Gemma's reference the vocabulary was counted
 * so. */
void vocabulary_write(struct conversion *c, enum vocabulary_rule rule)
{
	c->n_vocab = rule == VOCABULARY_GEMMA || rule == VOCABULARY_GEMMA4 ? 265 : TINY_FAMILY_VOCAB;
}

void sampling_write(struct conversion *c)
{
	(void)c;
}

static void prepare(struct converted *c, const struct tiny_checkpoint *tiny)
{
	memset(c, 0, sizeof *c);
	strcpy(c->folder, "/tmp/sotto-families-XXXXXX");
	cr_assert(mkdtemp(c->folder));
	snprintf(c->from, sizeof c->from, "%s/%s", c->folder, tiny->family->name);
	snprintf(c->path, sizeof c->path, "%s/out.gguf", c->folder);
	tiny_checkpoint_write(tiny, c->from);
}

static enum status plan_prepared(struct converted *c)
{
	struct convert_job job = {.recipe = recipe_find("F32"), .io = &io_system, .folder = c->from};

	return convert_plan_create(&c->plan, &job, &c->err);
}

static enum status plan(struct converted *c, const struct tiny_checkpoint *tiny)
{
	prepare(c, tiny);
	return plan_prepared(c);
}

static struct gguf *save(struct converted *c)
{
	struct gguf *gguf;

	cr_assert_eq(convert_save(c->plan, c->path, NULL, &c->err), STATUS_OK, "%s", c->err.text);
	cr_assert_eq(gguf_open(&gguf, c->path, &c->err), STATUS_OK, "%s", c->err.text);
	return gguf;
}

static void release(struct converted *c)
{
	convert_plan_free(c->plan);
	remove_folder(c->folder);
}

/* ---- a file as text, a key or tensor a line ---- */

static void put_item(struct buf *out, const struct gguf_kv *kv, size_t i)
{
	enum gguf_type type = kv->type == GGUF_ARRAY ? kv->item_type : kv->type;
	const unsigned char *data = kv->data;
	uint32_t bits;
	float value;

	if (type == GGUF_STRING) {
		buf_append(out, data + kv->starts[i], (size_t)(kv->starts[i + 1] - kv->starts[i]) - GGUF_LENGTH_FIELD);
		return;
	}
	if (type == GGUF_BOOL) {
		buf_printf(out, "%d", data[i]);
		return;
	}
	memcpy(&bits, data + i * sizeof bits, sizeof bits);
	memcpy(&value, &bits, sizeof value);
	if (type == GGUF_F32)
		buf_printf(out, "%.9g", (double)value);
	else
		buf_printf(out, type == GGUF_I32 ? "%d" : "%u", bits);
}

static void put_key(struct buf *out, const struct gguf_kv *kv)
{
	static const char *const types[] = {[GGUF_U32] = "UINT32", [GGUF_I32] = "INT32", [GGUF_F32] = "FLOAT32",
	                                    [GGUF_BOOL] = "BOOL", [GGUF_STRING] = "STRING", [GGUF_ARRAY] = "ARRAY"};

	buf_printf(out, "%.*s %s", (int)kv->key.len, kv->key.data, types[kv->type]);
	if (kv->type == GGUF_STRING)
		buf_printf(out, " %.*s", (int)kv->n, (const char *)kv->data);
	if (kv->type == GGUF_ARRAY)
		buf_printf(out, "/%s", types[kv->item_type]);
	for (size_t i = 0; i < (kv->type == GGUF_ARRAY ? kv->n : 1) && kv->type != GGUF_STRING; i++) {
		buf_putc(out, ' ');
		put_item(out, kv, i);
	}
	buf_putc(out, '\n');
}

/* Floats' bits, or bytes, each times an odd number that depends on its place. */
static uint64_t checksum(const struct gguf_tensor *tensor)
{
	const unsigned char *bytes = tensor->data;
	size_t width = tensor->type == BLOCK_F32 ? sizeof(uint32_t) : 1;
	uint64_t sum = 0;

	for (uint64_t i = 0; i < tensor->n_bytes / width; i++) {
		uint32_t bits = bytes[i];

		if (width > 1)
			memcpy(&bits, bytes + i * width, width);
		sum += bits * (i * 0x9E3779B97F4A7C15u | 1);
	}
	return sum;
}

static void put_tensor(struct buf *out, const struct gguf_tensor *tensor)
{
	buf_printf(out, "%.*s %s ", (int)tensor->name.len, tensor->name.data, block_info(tensor->type)->name);
	for (uint32_t i = 0; i < tensor->n_dims; i++)
		buf_printf(out, "%s%llu", i ? "x" : "", (unsigned long long)tensor->ne[i]);
	buf_printf(out, " %016llx\n", (unsigned long long)checksum(tensor));
}

static void describe(struct buf *out, const struct gguf *gguf)
{
	for (size_t i = 0; i < gguf->n_kvs; i++)
		put_key(out, &gguf->kvs[i]);
	for (size_t i = 0; i < gguf->n_tensors; i++)
		put_tensor(out, &gguf->tensors[i]);
	cr_assert_eq(buf_status(out), STATUS_OK);
}

/* The line that differs first. */
static void compare(const char *family, const char *found)
{
	char path[512], expected[512];
	FILE *file;

	snprintf(path, sizeof path, TEST_SRCDIR "/tests/vectors/convert/%s.txt", family);
	file = fopen(path, "r");
	cr_assert(file, "%s", path);
	while (fgets(expected, sizeof expected, file)) {
		size_t n = strcspn(found, "\n");

		expected[strcspn(expected, "\n")] = '\0';
		cr_expect(strlen(expected) == n && memcmp(expected, found, n) == 0, "%s: found '%.*s', expected '%s'",
		          family, (int)n, found, expected);
		found += n + (found[n] == '\n');
	}
	cr_assert(!*found, "%s: found '%.60s' at the end", family, found);
	fclose(file);
}

Test(families, all_are_what_the_reference_makes_of_them)
{
	size_t n;
	const struct tiny_family *all = tiny_families(&n);

	for (size_t i = 0; i < n; i++) {
		struct buf text = {.max = KIB(256)};
		struct converted c;
		struct gguf *gguf;

		cr_assert_eq(plan(&c, &(struct tiny_checkpoint){.family = &all[i], .dtype = "BF16"}), STATUS_OK,
		             "%s: %s", all[i].name, c.err.text);
		gguf = save(&c);
		describe(&text, gguf);
		compare(all[i].name, buf_text(&text));
		buf_free(&text);
		gguf_close(gguf);
		release(&c);
	}
}

Test(families, the_engine_computes_with_all)
{
	static const int32_t ids[] = {1, 17, 200, 3, 99, 264, 55, 8, 100, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40};
	enum { N_IDS = sizeof ids / sizeof ids[0] };
	size_t n;
	const struct tiny_family *all = tiny_families(&n);

	for (size_t i = 0; i < n; i++) {
		struct converted c;
		struct model *model;
		size_t n_logits;
		float *logits;

		cr_assert_eq(plan(&c, &(struct tiny_checkpoint){.family = &all[i], .dtype = "F32"}), STATUS_OK,
		             "%s: %s", all[i].name, c.err.text);
		gguf_close(save(&c));
		model = logits_open_model(c.path);
		logits = logits_of_model(model, &(struct logits_options){.n_ctx = 64}, ids, N_IDS);
		n_logits = N_IDS * (size_t)model_plan(model)->n_vocab;
		for (size_t j = 0; j < n_logits; j++)
			cr_assert(isfinite(logits[j]), "%s: logit %zu", all[i].name, j);
		free(logits);
		model_close(model);
		release(&c);
	}
}

/* The expected lines are the reference's. */
Test(families, the_card_says_where_a_model_is_from)
{
	static const char readme[] = "---\n# of this model\nlicense: other\nlicense_name: tiny-research   # a comment\n"
				     "license_link: \"https://example.org/tiny/LICENSE\"\nlanguage:\n- en\n- "
	                             "no\npipeline_tag: text-generation\n"
				     "tags: [chat, 'tiny model']\nbase_model:\n  - Qwen/Qwen2-7B\n  - "
	                             "https://huggingface.co/meta-llama/Llama-3.2-1B\n"
				     "  - https://example.org/model\ndatasets:\n- "
	                             "HuggingFaceTB/smoltalk\nmodel-index:\n- name: tiny\n  results:\n"
				     "  - task:\n      type: text-generation\nmodel_creator: Some One\nlibrary_name: "
	                             "transformers\n---\nlicense: mit\n";
	static const char expected[] =
		"general.architecture STRING qwen2\ngeneral.type STRING model\n"
		"general.name STRING Tiny Qwen2 7B Instruct\ngeneral.author STRING Some One\n"
		"general.finetune STRING 7b-Instruct\ngeneral.basename STRING Tiny-Qwen2\ngeneral.size_label STRING "
	        "87K\n"
		"general.license STRING other\ngeneral.license.name STRING tiny-research\n"
		"general.license.link STRING https://example.org/tiny/LICENSE\ngeneral.base_model.count UINT32 3\n"
		"general.base_model.0.name STRING Qwen2 7B\ngeneral.base_model.0.organization STRING Qwen\n"
		"general.base_model.0.repo_url STRING https://huggingface.co/Qwen/Qwen2-7B\n"
		"general.base_model.1.name STRING Llama 3.2 1B\ngeneral.base_model.1.organization STRING Meta Llama\n"
		"general.base_model.1.repo_url STRING https://huggingface.co/meta-llama/Llama-3.2-1B\n"
		"general.base_model.2.repo_url STRING https://example.org/model\ngeneral.dataset.count UINT32 1\n"
		"general.dataset.0.name STRING Smoltalk\ngeneral.dataset.0.organization STRING HuggingFaceTB\n"
		"general.dataset.0.repo_url STRING https://huggingface.co/HuggingFaceTB/smoltalk\n"
		"general.tags ARRAY/STRING chat tiny model text-generation\ngeneral.languages ARRAY/STRING en "
	        "no\nqwen2.block_count";
	struct tiny_family family = *tiny_family_find("qwen2");
	struct buf text = {.max = KIB(256)};
	char path[2 * PATH_MAX_BYTES];
	struct converted c;
	struct gguf *gguf;

	family.name = "Tiny-Qwen2-7B-Instruct";
	prepare(&c, &(struct tiny_checkpoint){.family = &family, .dtype = "F32"});
	snprintf(path, sizeof path, "%s/README.md", c.from);
	write_text(path, readme);
	cr_assert_eq(plan_prepared(&c), STATUS_OK, "%s", c.err.text);
	describe(&text, gguf = save(&c));
	cr_assert(strncmp(buf_text(&text), expected, strlen(expected)) == 0, "found %.2000s", buf_text(&text));
	gguf_close(gguf);
	buf_free(&text);
	release(&c);
}

Test(families, folders_of_the_hubs_cache_have_the_repositorys_name)
{
	static const char *const expected[] = {"\ngeneral.name STRING Tiny Llama 7B\n", "\ngeneral.organization STRING A Lab\n",
	                                       "\ngeneral.basename STRING Tiny-Llama\n"};
	struct tiny_family family = *tiny_family_find("mistral");
	struct buf text = {.max = KIB(256)};
	char path[2 * PATH_MAX_BYTES];
	struct converted c;
	struct gguf *gguf;

	prepare(&c, &(struct tiny_checkpoint){.family = &family, .dtype = "F32"});
	snprintf(path, sizeof path, "%s/models--a-lab--Tiny-Llama-7B", c.folder);
	cr_assert_eq(mkdir(path, 0700), 0);
	snprintf(path, sizeof path, "%s/models--a-lab--Tiny-Llama-7B/snapshots", c.folder);
	cr_assert_eq(mkdir(path, 0700), 0);
	snprintf(path, sizeof path, "%s/models--a-lab--Tiny-Llama-7B/snapshots/0123abcd", c.folder);
	cr_assert_eq(rename(c.from, path), 0);
	snprintf(c.from, sizeof c.from, "%.127s", path);
	cr_assert_eq(plan_prepared(&c), STATUS_OK, "%s", c.err.text);
	describe(&text, gguf = save(&c));
	for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
		cr_expect(strstr(buf_text(&text), expected[i]), "%s in %.400s", expected[i], buf_text(&text));
	gguf_close(gguf);
	buf_free(&text);
	release(&c);
}

Test(families, models_that_rank_are_refused)
{
	struct tiny_family family = *tiny_family_find("qwen3");
	struct converted c;

	family.name = "Qwen3-Reranker-0.6B";
	cr_assert_eq(plan(&c, &(struct tiny_checkpoint){.family = &family, .dtype = "F32"}), STATUS_UNSUPPORTED);
	cr_assert(strstr(c.err.text, "this model ranks texts"), "%s", c.err.text);
	release(&c);
}

/* ---- what does not fit ---- */

/* A copy of a text with one part in another's place. */
static char *with(const char *text, const char *part, const char *other)
{
	const char *at = strstr(text, part);
	struct buf out = {.max = KIB(64)};

	cr_assert(at, "%s", part);
	buf_append(&out, text, (size_t)(at - text));
	buf_puts(&out, other);
	buf_puts(&out, at + strlen(part));
	return buf_take(&out, NULL);
}

/* A family with one weight called otherwise; NULL: without it. */
static struct tiny_family renamed(const char *family, const char *name, const char *other, struct tiny_weight *weights)
{
	struct tiny_family made = *tiny_family_find(family);
	size_t n = 0;
	bool found = false;

	for (size_t i = 0; i < made.n_weights; i++) {
		bool is_this = strcmp(made.weights[i].name, name) == 0;

		found |= is_this;
		if (is_this && !other)
			continue;
		weights[n] = made.weights[i];
		if (is_this)
			weights[n].name = other;
		n++;
	}
	cr_assert(found, "%s", name);
	made.weights = weights;
	made.n_weights = n;
	return made;
}

Test(families, tensors_that_are_missing_or_unknown_are_named)
{
	static const struct {
		const char *family, *name, *other, *text;
	} rows[] = {
		{"llama", "model.layers.%u.mlp.up_proj.weight", NULL,
	         "no tensor 'model.layers.0.mlp.up_proj.weight' is there"},
		{"llama", "model.norm.weight", NULL, "no tensor 'model.norm.weight' is there"},
		{"llama", "model.layers.%u.mlp.up_proj.weight", "model.layers.%u.mlp.up.weight",
	         "tensor 'model.layers.0.mlp.up.weight': models of the kind llama have none of this name"},
		{"llama", "lm_head.weight", "model.layers.3.mlp.up_proj.weight", "is of a layer that the model"},
		{"mixtral", "model.layers.%u.block_sparse_moe.experts.%u.w3.weight", NULL,
	         "no tensor 'model.layers.0.block_sparse_moe.experts.0.w3.weight' is there"},
		{"qwen35", "model.language_model.layers.%u.linear_attn.A_log", NULL,
	         "no tensor 'model.layers.0.linear_attn.A_log'"},
		{"qwen35moe", "model.language_model.layers.%u.mlp.experts.gate_up_proj", NULL,
	         "no tensor 'model.layers.0.mlp.experts.0.gate_proj.weight'"},
		{"gpt-oss", "model.layers.%u.mlp.experts.down_proj_scales", NULL,
	         "as many scales in a tensor beside it"},
		{"gpt-oss", "model.layers.%u.self_attn.sinks", NULL, "no tensor 'model.layers.0.self_attn.sinks'"},
		{"lfm2", "model.layers.%u.conv.conv.weight", NULL, "no tensor 'model.layers.0.conv.conv.weight'"},
	};
	struct tiny_weight weights[64];

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct tiny_family family = renamed(rows[i].family, rows[i].name, rows[i].other, weights);
		struct converted c;

		cr_expect_neq(plan(&c, &(struct tiny_checkpoint){.family = &family, .dtype = "F32"}), STATUS_OK, "%s",
		              rows[i].text);
		cr_expect(strstr(c.err.text, rows[i].text), "found '%s', expected '%s'", c.err.text, rows[i].text);
		release(&c);
	}
}

Test(families, configurations_that_do_not_fit_are_named)
{
	static const struct {
		const char *family, *part, *other, *text;
	} rows[] = {
		{"llama", "\"num_attention_heads\": 4", "\"num_attention_heads\": 5", "its 96 rows are no 5 heads"},
		{"llama", "\"num_attention_heads\": 4", "\"num_attention_heads\": 0", "its 96 rows are no 0 heads"},
		{"llama", "\"num_key_value_heads\": 2", "\"num_key_value_heads\": 5", "its 48 rows are no 5 heads"},
		{"llama", "\"num_hidden_layers\": 3", "\"num_hidden_layers\": 2",
	         "is of a layer that the model, of 2 layers"},
		{"llama", "\"num_hidden_layers\": 3", "\"num_hidden_layers\": 1e9",
	         "num_hidden_layers is 1000000000, expected 1 to"},
		{"llama", "\"num_hidden_layers\": 3, ", "", "num_hidden_layers is missing"},
		{"llama", "\"hidden_size\": 64", "\"hidden_size\": -64", "hidden_size is -64, expected a whole number"},
		{"llama", "\"num_attention_heads\": 4", "\"num_attention_heads\": -4", "num_attention_heads is -4, expected a whole"},
		{"llama", "\"hidden_size\": 64", "\"hidden_size\": \"64\"", "hidden_size is no number"},
		{"llama", "\"head_dim\": 24", "\"head_dim\": 23", "found heads of 23 elements"},
		{"mixtral", "\"num_local_experts\": 4", "\"num_local_experts\": 3",
	         "has tensors of more experts than the 3"},
		{"mixtral", "\"num_local_experts\": 4", "\"num_local_experts\": 5", "experts.4.w1.weight' is there"},
		{"qwen35", "\"linear_num_value_heads\": 6", "\"linear_num_value_heads\": 7", "heads of config.json"},
		{"gemma3", "\"sliding_window\": 16", "\"sliding_window\": 1.5", "sliding_window is 1.5"},
		{"gemma4", "\"rope_type\": \"proportional\"", "\"rope_type\": \"other\"", "rotated by 'other'"},
		{"gemma4", "\"num_kv_shared_layers\": 2", "\"num_kv_shared_layers\": 5",
	         "num_kv_shared_layers is 5 of 4"},
		{"qwen35", "\"mrope_section\": [2, 1, 1]", "\"mrope_section\": 1e18", "mrope_section is not a list"},
		{"phi3", "1.25, 2.5, 4.0", "1.25, 2.5", "no lists of 6 numbers"},
		{"mistral3", "\"ministral3\"", "\"mistral4\"", "Mistral 4 is not converted"},
		{"gemma2", "\"attn_logit_softcapping\": 50.0", "\"attn_logit_softcapping\": null",
	         "attn_logit_softcapping is null, expected a number"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct tiny_family *family = tiny_family_find(rows[i].family);
		char *config = with(family->config, rows[i].part, rows[i].other);
		struct converted c;

		cr_expect_neq(plan(&c, &(struct tiny_checkpoint){.family = family, .dtype = "F32", .config = config}),
		              STATUS_OK, "%s", rows[i].text);
		cr_expect(strstr(c.err.text, rows[i].text), "found '%s', expected '%s'", c.err.text, rows[i].text);
		release(&c);
		free(config);
	}
}

Test(families, what_the_class_takes_by_default_is_said)
{
	static const struct {
		const char *family, *part, *other, *note, *key;
	} rows[] = {
		{"llama", "\"rms_norm_eps\": 1e-05, ", "", "config.json has no rms_norm_eps: taken as 1e-06\n",
		 "\nllama.attention.layer_norm_rms_epsilon FLOAT32 9.99999997e-07\n"},
		{"gemma3", "\"rope_local_base_freq\": 10000.0, ", "", "config.json has no rope_local_base_freq: taken as 10000\n",
		 "\ngemma3.rope.freq_base_swa FLOAT32 10000\n"},
		{"lfm2", "\"layer_types\": [\"conv\", \"conv\", \"full_attention\", \"conv\"]", "\"full_attn_idxs\": [2]", "",
		 "\nlfm2.attention.head_count_kv ARRAY/INT32 0 0 2 0\n"},
		{"lfm2", "\"layer_types\": [\"conv\", \"conv\", \"full_attention\", \"conv\"]", "\"full_attn_idxs\": 1e18", "",
		 "\nlfm2.attention.head_count_kv ARRAY/INT32 0 0 0 0\n"},
		{"gemma4", "\"num_kv_shared_layers\": 2, ", "", "config.json has no num_kv_shared_layers: taken as 0\n",
		 "\ngemma4.attention.shared_kv_layers UINT32 0\n"},
		{"mistral", "\"head_dim\": 16, ", "", "", "\nllama.attention.key_length UINT32 16\n"},
		{"mistral3", "\"sliding_window\": null, ", "", "2 tensors are not of what answers in text", "\nmistral3.block_count UINT32 2\n"},
		{"mistral", "\"rope_theta\": 1000000.0, ", "", "config.json has no rope_theta: taken as 10000\n",
		 "\nllama.rope.freq_base FLOAT32 10000\n"},
		{"mistral", "\"num_key_value_heads\": 2", "\"num_key_value_heads\": null",
		 "config.json has no num_key_value_heads: taken as 4\n", "\nllama.attention.head_count_kv UINT32 4\n"},
		{"mistral3", "\"max_position_embeddings\": 4096, ", "",
		 "config.json has no max_position_embeddings: taken as 262144\n", "\nmistral3.context_length UINT32 262144\n"},
		{"mistral3",
		 "\"model_type\": \"ministral3\", \"hidden_size\": 64, \"num_hidden_layers\": 2, "
		 "\"num_attention_heads\": 4, \"num_key_value_heads\": 2, "
		 "\"intermediate_size\": 96, \"vocab_size\": 384, \"head_dim\": 16, ",
		 "\"model_type\": \"mistral\", \"hidden_size\": 64, \"num_hidden_layers\": 2, "
		 "\"num_attention_heads\": 4, \"num_key_value_heads\": 2, \"intermediate_size\": 96, ",
		 "config.json has no vocab_size: taken as 32000\n", "\nmistral3.attention.key_length UINT32 16\n"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct tiny_family *family = tiny_family_find(rows[i].family);
		char *config = with(family->config, rows[i].part, rows[i].other);
		struct buf text = {.max = KIB(256)};
		struct converted c;
		struct gguf *gguf;

		cr_assert_eq(plan(&c, &(struct tiny_checkpoint){.family = family, .dtype = "F32", .config = config}),
		             STATUS_OK, "%s", c.err.text);
		cr_expect(strstr(convert_plan_notes(c.plan), rows[i].note), "found '%s'", convert_plan_notes(c.plan));
		describe(&text, gguf = save(&c));
		cr_expect(strstr(buf_text(&text), rows[i].key), "%s", rows[i].key);
		gguf_close(gguf);
		buf_free(&text);
		release(&c);
		free(config);
	}
}

/* Foreign text: whatever stands there, an error or a plan comes of it. */
Test(families, mutated_configurations_are_no_trouble)
{
	static const char *const values[] = {"0", "-1", "1e300", "4294967296", "4294967295", "0.5", "null", "true", "\"x\"", "[]",
	                                     "[1, 2]", "{}", "{\"a\": 1}"};
	size_t n;
	const struct tiny_family *all = tiny_families(&n);

	for (size_t i = 0; i < n; i++) {
		struct converted c;

		prepare(&c, &(struct tiny_checkpoint){.family = &all[i], .dtype = "BF16", .without_tokenizer = true});
		for (const char *at = all[i].config; (at = strstr(at, "\": ")); at++) {
			size_t before = (size_t)(at + 3 - all[i].config), len = strcspn(at + 3, ",{}[]");
			struct buf config = {.max = KIB(64)};
			char path[2 * PATH_MAX_BYTES];

			buf_append(&config, all[i].config, before);
			buf_puts(&config, values[before % (sizeof values / sizeof values[0])]);
			buf_puts(&config, at + 3 + len);
			snprintf(path, sizeof path, "%s/config.json", c.from);
			write_text(path, buf_text(&config));
			if (plan_prepared(&c) == STATUS_OK)
				convert_plan_free(c.plan);
			else
				cr_expect(*c.err.text, "%s", buf_text(&config));
			c.plan = NULL;
			buf_free(&config);
		}
		release(&c);
	}
}

/* As transformers writes it since version 5: what was beside and in rope_scaling is in rope_parameters. And null where
 * nothing is meant. */
Test(families, other_ways_to_say_it_mean_the_same)
{
	static const struct {
		const char *family, *part, *other;
	} rows[] = {
		{"llama", "\"rope_theta\": 500000.0, \"rope_scaling\": {",
	         "\"rope_parameters\": {\"rope_theta\": 500000.0, "},
		{"qwen3", "\"rope_theta\": 1000000, \"rope_scaling\": null",
	         "\"rope_parameters\": {\"rope_type\": \"default\", \"rope_theta\": 1000000}"},
		{"gemma3",
	         "\"rope_theta\": 1000000.0, \"rope_local_base_freq\": 10000.0, \"rope_scaling\": {\"factor\": 8.0, "
	         "\"rope_type\": \"linear\"}",
	         "\"rope_parameters\": {\"full_attention\": {\"rope_theta\": 1000000.0, \"factor\": 8.0, "
	         "\"rope_type\": \"linear\"}, "
	         "\"sliding_attention\": {\"rope_theta\": 10000.0, \"rope_type\": \"default\"}}"},
		{"olmo3", "\"rope_theta\": 500000, ", "\"rope_theta\": 500000.0, "},
		{"mistral3", "\"model_type\": \"ministral3\", ", "\"model_type\": \"ministral3\", \"architectures\": null, "},
		{"gemma4moe", "\"hidden_size_per_layer_input\": 0", "\"hidden_size_per_layer_input\": null"},
		{"granite", "\"rms_norm_eps\"", "\"head_dim\": 16, \"rms_norm_eps\""},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct tiny_family *family = tiny_family_find(rows[i].family);
		char *config = with(family->config, rows[i].part, rows[i].other);
		struct buf text = {.max = KIB(256)};
		struct converted c;
		struct gguf *gguf;

		cr_assert_eq(plan(&c, &(struct tiny_checkpoint){.family = family, .dtype = "BF16", .config = config}),
		             STATUS_OK, "%s", c.err.text);
		describe(&text, gguf = save(&c));
		compare(family->name, buf_text(&text));
		gguf_close(gguf);
		buf_free(&text);
		release(&c);
		free(config);
	}
}
