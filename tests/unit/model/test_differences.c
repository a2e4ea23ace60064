/* Keys that llama.cpp ignores, or takes otherwise than sotto: what the plan makes of them, and what the user
 * is told. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "gguf/reader.h"
#include "gguf/writer.h"
#include "model/model.h"
#include "support/family_model.h"
#include "support/gguf_memory.h"
#include "turn/turn.h"

/* ---- small models with another key or two ---- */

static struct family_model small_model(const char *name)
{
	struct family_model made = family_model_of(name);

	made.sizes.n_embd = 32;
	made.sizes.n_ff = 48;
	made.sizes.n_vocab = 16;
	return made;
}

/* "u 5", "f 0.5", "b true", "s yarn", "F 110" (flags, one a layer), without the key: "", set by the user: "=float:1". */
static void set_key(const struct family_file *file, uint32_t n_layer, const char *key, const char *value)
{
	unsigned char flags[12 + 64] = {7};
	uint64_t n = n_layer;

	memcpy(flags + 4, &n, sizeof n);
	for (uint32_t i = 0; i < n_layer; i++)
		flags[12 + i] = value[0] == 'F' && value[2 + i % strlen(value + 2)] == '1';
	switch (value[0]) {
	case 'u': gguf_writer_set_u32(file->w, key, (uint32_t)strtoul(value + 2, NULL, 10)); break;
	case 'f': gguf_writer_set_f32(file->w, key, strtof(value + 2, NULL)); break;
	case 'b': gguf_writer_set_bool(file->w, key, value[2] == 't'); break;
	case 's': gguf_writer_set_string(file->w, key, value + 2, strlen(value + 2)); break;
	case 'F': gguf_writer_set_raw(file->w, key, 9, flags, 12 + n_layer); break;
	default: break;
	}
}

struct told {
	size_t n;
	char text[512]; /* of the last one */
};

static void tell(void *ctx, const char *text)
{
	struct told *told = ctx;

	told->n++;
	snprintf(told->text, sizeof told->text, "%s", text);
}

struct opened {
	struct buf bytes;
	struct model *model; /* NULL: refused */
	struct told told;
	struct error err;
};

static void open_with(struct opened *o, const char *name, const char *key, const char *value, const char *also,
                      const char *also_value)
{
	struct family_model made = small_model(name);
	struct family_file file;
	struct gguf *gguf;
	char full[96], without[96];

	*o = (struct opened){.told = {.n = 0}};
	snprintf(full, sizeof full, "%s.%s", made.spec->architecture, key);
	snprintf(without, sizeof without, "%s.%s", made.spec->architecture, also ? also : "");
	made.without = also ? without : NULL;
	family_file_init(&file, &made);
	set_key(&file, made.sizes.n_layer, full, value);
	if (also)
		set_key(&file, made.sizes.n_layer, without, also_value);
	buf_init(&o->bytes, MIB(64));
	cr_assert_eq(gguf_writer_write(file.w, &o->bytes, &o->err), STATUS_OK);
	cr_assert_eq(gguf_open_memory(&gguf, o->bytes.data, o->bytes.len, &o->err), STATUS_OK);
	if (also && also_value[0] == '=') {
		snprintf(without + strlen(without), sizeof without - strlen(without), "%s", also_value);
		cr_assert_eq(gguf_override(gguf, without, &o->err), STATUS_OK, "%s", o->err.text);
	}
	if (model_open(&o->model, gguf, NULL, &o->err)) {
		o->model = NULL;
		gguf_close(gguf);
	} else {
		model_differences(o->model, tell, &o->told);
	}
	family_file_free(&file);
}

static void close_it(struct opened *o)
{
	if (o->model)
		model_close(o->model);
	buf_free(&o->bytes);
}

/* ---- what is followed ---- */

static double first_window(const struct plan *p) { return p->layers[0].window; }
static double last_window(const struct plan *p) { return p->layers[p->n_layer - 1].window; }
static double attention_scale(const struct plan *p) { return (double)p->layers[0].attention_scale; }
static double route(const struct plan *p) { return p->layers[p->n_layer - 1].experts.route; }
static double normalises(const struct plan *p) { return p->layers[p->n_layer - 1].experts.normalises; }
static double route_scale(const struct plan *p) { return (double)p->layers[p->n_layer - 1].experts.route_scale; }
static double first_experts(const struct plan *p) { return p->layers[0].experts.n; }
static double layers(const struct plan *p) { return p->n_layer; }
static double logit_softcap(const struct plan *p) { return (double)p->logit_softcap; }
static double low(const struct plan *p) { return (double)p->ropes[0].low; }
static double high(const struct plan *p) { return (double)p->ropes[0].high; }
static double magnitude(const struct plan *p) { return (double)p->ropes[0].magnitude; }
static double yarn(const struct plan *p) { return (double)p->ropes[0].yarn; }

#define WINDOW "attention.sliding_window"
#define PATTERN "attention.sliding_window_pattern"
#define FOLLOWED ": followed, because"
#define NOT ": not followed, because"
#define OTHERWISE "takes otherwise"

static const struct {
	const char *model, *key, *value;
	const char *told; /* NULL: nothing */
	double (*of)(const struct plan *plan);
	double expected;
	const char *also, *also_value; /* another key, set or ("") taken away */
} cases[] = {
	{"llama-yarn", WINDOW, "u 7", FOLLOWED, last_window, 7},
	{"llama-yarn", WINDOW, "u 0", NULL, last_window, 0},
	{"llama-yarn", WINDOW, "u 1000000", NULL, last_window, 1000000}, /* no less than the context */
	{"llama-yarn", PATTERN, "u 2", FOLLOWED, first_window, 7, WINDOW, "u 7"},
	{"llama-yarn", PATTERN, "F 01", FOLLOWED, first_window, 0, WINDOW, "u 7"},
	{"mistral3", WINDOW, "u 7", FOLLOWED, last_window, 7},
	{"phi3", WINDOW, "u 7", FOLLOWED, last_window, 7},
	{"starcoder2", WINDOW, "u 7", FOLLOWED, last_window, 7},
	{"exaone4", WINDOW, "u 7", OTHERWISE, first_window, 7},
	{"qwen2", WINDOW, "u 7", NOT, last_window, 0},
	{"qwen3moe", WINDOW, "u 7", NOT, last_window, 0},
	{"glm4", WINDOW, "u 7", NOT, last_window, 0},
	{"lfm2moe", WINDOW, "u 7", NOT, last_window, 0},
	{"lfm2", WINDOW, "u 7", NULL, first_window, 7},
	{"gemma2", WINDOW, "u 7", NULL, first_window, 7},
	{"gemma3", PATTERN, "u 2", NULL, first_window, 20},
	{"gemma3", PATTERN, "F 111110", NULL, first_window, 20},
	{"gemma3", PATTERN, "F 01", FOLLOWED, first_window, 0},
	{"gemma2", PATTERN, "F 10", NULL, first_window, 20},
	{"gemma2", PATTERN, "F 01", FOLLOWED, first_window, 0},
	{"gpt-oss", PATTERN, "F 01", FOLLOWED, first_window, 0},
	{"olmo3", PATTERN, "F 0111", FOLLOWED, first_window, 0},

	{"llama-yarn", "attention.scale", "f 0.5", NOT, attention_scale, 0.25},
	{"llama-yarn", "attention.scale", "f 0.25", NULL, attention_scale, 0.25},
	{"llama-yarn", "attention.scale", "f 0", NULL, attention_scale, 0.25},
	{"mistral3", "attention.scale", "f 0.5", NOT, attention_scale, 0.1767767},
	{"smollm3", "attention.scale", "f 0.5", NOT, attention_scale, 0.25},
	{"qwen3", "attention.scale", "f 0.5", NOT, NULL, 0},
	{"gemma2", "attention.scale", "f 0.5", FOLLOWED, attention_scale, 0.5},
	{"gemma3", "attention.scale", "f 0.5", FOLLOWED, attention_scale, 0.5},
	{"gemma4", "attention.scale", "f 0.5", NOT, attention_scale, 1},
	{"granite", "attention.scale", "f 0.5", NULL, attention_scale, 0.5},
	{"gemma3n", "final_logit_softcapping", "f 0", FOLLOWED, logit_softcap, 0},
	{"gemma3n", "final_logit_softcapping", "f 30", NULL, logit_softcap, 30},

	{"qwen3moe", "expert_weights_scale", "f 2.5", NOT, route_scale, 1},
	{"qwen3moe", "expert_weights_scale", "f 1", NULL, route_scale, 1},
	{"qwen3moe", "expert_weights_scale", "f 0", NULL, route_scale, 1},
	{"qwen3moe", "expert_weights_norm", "b false", FOLLOWED, normalises, 0},
	{"qwen3moe", "expert_weights_norm", "b true", NULL, normalises, 1},
	{"qwen3moe", "expert_gating_func", "u 2", NOT, route, 1},
	{"qwen3moe", "expert_gating_func", "u 1", NULL, route, 1},
	{"qwen2moe", "expert_weights_norm", "b true", FOLLOWED, normalises, 1},
	{"qwen2moe", "expert_weights_norm", "b false", NULL, normalises, 0},
	{"olmoe", "expert_weights_norm", "b true", FOLLOWED, normalises, 1},
	{"mixtral", "expert_weights_norm", "b false", NOT, normalises, 1},
	{"mixtral", "expert_gating_func", "u 2", NOT, route, 1},
	{"mixtral", "leading_dense_block_count", "u 1", NOT, first_experts, 6},
	{"gpt-oss", "expert_gating_func", "u 2", NOT, route, 3},
	{"gpt-oss", "expert_weights_scale", "f 2", NOT, route_scale, 1},
	{"granitemoe", "expert_weights_norm", "b false", NOT, normalises, 1},
	{"lfm2moe", "expert_weights_scale", "f 2", FOLLOWED, route_scale, 2},
	{"lfm2moe", "expert_weights_norm", "b false", FOLLOWED, normalises, 0},
	{"glm4moe", "expert_weights_scale", "f 2.5", NULL, route_scale, 2.5},
	{"glm4moe", "expert_gating_func", "u 1", NULL, route, 1},
	{"deepseek3", "expert_weights_norm", "b false", NULL, normalises, 0},
	{"deepseek3", "expert_weights_scale", "f 1.5", NULL, route_scale, 1.5},
	{"minimax-m2", "expert_gating_func", "u 1", NULL, route, 1},
	{"qwen3", "nextn_predict_layers", "u 1", NOT, layers, 4},

	{"deepseek3", "rope.scaling.factor", "f 4", OTHERWISE, yarn, 0, "rope.scaling.type", ""},
	{"deepseek3", "rope.scaling.factor", "f 4", OTHERWISE, yarn, 0, "rope.scaling.type", "s linear"},
	{"deepseek3", "rope.scaling.factor", "f 4", NULL, yarn, 1},
	{"deepseek3", "rope.scaling.factor", "f 1", NULL, yarn, 0, "rope.scaling.type", ""},
	{"llama-rope3", "rope.scaling.factor", "f 4", NULL, yarn, 0},
	{"llama-yarn", "rope.scaling.yarn_beta_fast", "f 32", NULL, low, 0},
	{"llama-yarn", "rope.scaling.yarn_beta_fast", "f 0.5", FOLLOWED, low, 2},
	{"llama-yarn", "rope.scaling.yarn_beta_slow", "f 0.5", FOLLOWED, high, 3},
	{"llama-yarn", "rope.scaling.yarn_log_multiplier", "f 1", FOLLOWED, magnitude, 1},
	{"llama-yarn", "rope.scaling.yarn_ext_factor", "f 0", FOLLOWED, yarn, 0},
	{"llama-yarn", "rope.scaling.yarn_attn_factor", "f 2", NOT, magnitude, 1.1386294},
	{"mistral3", "rope.scaling.yarn_beta_fast", "f 0.5", NULL, low, 4},
	{"llama-rope3", "rope.scaling.yarn_beta_fast", "f 0.5", NULL, NULL, 0}, /* no YaRN */
};

Test(differences, are_followed_or_not_and_told)
{
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct opened o;
		char key[96];
		size_t n_told;

		open_with(&o, cases[i].model, cases[i].key, cases[i].value, cases[i].also, cases[i].also_value);
		cr_expect(o.model, "%s, %s: %s", cases[i].model, cases[i].key, o.err.text);
		if (!o.model) {
			close_it(&o);
			continue;
		}
		snprintf(key, sizeof key, "%s = ", cases[i].key);
		n_told = cases[i].also && strcmp(cases[i].also, WINDOW) == 0 ? 2 : 1; /* of the window, too */
		if (!cases[i].told)
			cr_expect_eq(o.told.n, 0, "%s, %s %s: %s", cases[i].model, key, cases[i].value, o.told.text);
		else
			cr_expect(o.told.n == n_told &&
			          strstr(o.told.text, cases[i].told) && strstr(o.told.text, key),
			          "%s, %s %s: %zu, %s", cases[i].model, key, cases[i].value, o.told.n, o.told.text);
		if (cases[i].of)
			cr_expect_float_eq(cases[i].of(model_plan(o.model)), cases[i].expected, 1e-6,
			                   "%s, %s %s: found %g", cases[i].model, key, cases[i].value,
			                   cases[i].of(model_plan(o.model)));
		close_it(&o);
	}
}

Test(differences, are_told_in_full_sentences)
{
	struct opened o;

	open_with(&o, "llama-yarn", "attention.scale", "f 0.5", NULL, NULL);
	cr_expect_str_eq(o.told.text, "This file has llama.attention.scale = 0.5, which llama.cpp ignores for llama "
	                 "models: not followed, because the model's own code has no such setting.");
	close_it(&o);
	open_with(&o, "llama-yarn", "attention.scale", "f 0.25", "attention.scale", "=float:0.75");
	cr_expect(strstr(o.told.text, "attention.scale = 0.75, which"), "%s", o.told.text);
	close_it(&o);
	open_with(&o, "llama-yarn", "attention.scale", "s a\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4"
	          "\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4", NULL, NULL); /* 37 bytes */
	cr_expect(strstr(o.told.text, "scale = a\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4"
	                              "\u00e4\u00e4\u00e4\u00e4..., which"), "%s", o.told.text);
	close_it(&o);
	open_with(&o, "gemma3", PATTERN, "F 01", NULL, NULL);
	cr_expect(strstr(o.told.text, "gemma3." PATTERN " = "), "%s", o.told.text);
	close_it(&o);
}

/* Every model as it is, and with each of the keys: nothing is told of those that are as they should be, and
 * what is told fits a note. */
Test(differences, of_every_family_fit_a_note)
{
	static const struct {
		const char *key, *value;
	} keys[] = {
		{WINDOW, "u 7"}, {PATTERN, "F 01"}, {"attention.scale", "f 0.3"}, {"expert_weights_scale", "f 3"},
		{"expert_weights_norm", "b true"}, {"expert_weights_norm", "b false"}, {"expert_gating_func", "u 3"},
		{"leading_dense_block_count", "u 1"}, {"nextn_predict_layers", "u 1"},
		{"rope.scaling.yarn_beta_fast", "f 9"}, {"rope.scaling.yarn_attn_factor", "f 9"},
		{"rope.scaling.yarn_attn_factor", "s a text that is longer than what is shown of it"},
		{"rope.scaling.yarn_log_multiplier", "f 0.7"}, {"rope.scaling.factor", "f 3"},
	};
	static const struct model_note note;
	size_t n_told = 0;

	for (const struct family_spec *spec = family_specs; spec->name; spec++) {
		struct opened o;

		open_with(&o, spec->name, "unknown", "u 1", NULL, NULL);
		cr_expect(o.model && !o.told.n, "%s: %s%s", spec->name, o.err.text, o.told.text);
		close_it(&o);
		for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
			open_with(&o, spec->name, keys[i].key, keys[i].value, NULL, NULL);
			cr_expect_leq(o.told.n, 1);
			cr_expect(!o.told.n || strstr(o.told.text, keys[i].key));
			cr_expect_lt(strlen(o.told.text), sizeof note.text, "%s", o.told.text);
			n_told += o.told.n;
			close_it(&o);
		}
	}
	cr_expect_gt(n_told, 150, "%zu", n_told);
}
