#include "gguf/writer.h"
#include "support/family_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "support/tiny_model.h"

enum { NAME = 96, MAX_LAYERS = 128 };

static _Noreturn void give_up(const char *what, const char *name)
{
	fprintf(stderr, "family_model: %s: %s\n", what, name);
	abort();
}

const struct family_spec *family_spec_find(const char *name)
{
	const struct family_spec *spec = family_specs;

	while (spec->name && strcmp(spec->name, name) != 0)
		spec++;
	if (!spec->name)
		give_up("no such family", name);
	return spec;
}

struct family_model family_model_of(const char *name)
{
	static const struct family_sizes usual = {
		.n_ctx = 512, .n_vocab = 128, .n_embd = 64, .n_layer = 4, .n_head = 4, .n_head_kv = 2,
		.n_ff = 160, .head_dim = 16, .window = 20, .n_state_head = 4, .n_state_group = 2,
		.state_key = 16, .state_value = 16, .n_layer_embd = 16,
		.n_expert = 6, .n_expert_used = 3, .n_expert_ff = 48, .n_shared_ff = 48, .expert_step = 1,
		.latent_key = 24, .latent_value = 32, .q_rank = 48,
	};
	struct family_model made = {.spec = family_spec_find(name), .type = BLOCK_F32, .seed = 1};
	uint32_t fields[sizeof usual / sizeof(uint32_t)], standard[sizeof usual / sizeof(uint32_t)];

	memcpy(fields, &made.spec->sizes, sizeof fields);
	memcpy(standard, &usual, sizeof standard);
	for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
		if (!fields[i])
			fields[i] = standard[i];
	memcpy(&made.sizes, fields, sizeof fields);
	return made;
}

/* ---- lengths ---- */

/* 'n': one behind the layers */
static char kind_of(const struct family_model *m, uint32_t layer)
{
	const char *kinds = m->spec->kinds ? m->spec->kinds : "a";

	if (layer + m->sizes.n_behind >= m->sizes.n_layer)
		return 'n';
	return kinds[layer % strlen(kinds)];
}

static bool has_kind(const struct family_model *m, char kind)
{
	return m->spec->kinds && strchr(m->spec->kinds, kind);
}

static bool has_experts(const struct family_model *m, uint32_t layer)
{
	return kind_of(m, layer) != 'n' && layer >= m->sizes.n_dense &&
	       (layer + 1) % m->sizes.expert_step == 0;
}

static uint32_t n_head_kv(const struct family_model *m, uint32_t layer)
{
	char kind = kind_of(m, layer);

	if (m->sizes.kv_rank)
		return 1;
	if (kind == 'm' || kind == 'c' || kind == 'f')
		return 0;
	/* Gemma 4: the longer the heads, the fewer. */
	return kind == 'a' && has_kind(m, 'w') && m->sizes.n_head_kv > 1 ? m->sizes.n_head_kv / 2
	                                                                 : m->sizes.n_head_kv;
}

static uint32_t n_ff(const struct family_model *m, uint32_t layer)
{
	return has_kind(m, 'f') && kind_of(m, layer) != 'f' ? 0 : m->sizes.n_ff;
}

static uint32_t length_of(const struct family_model *m, uint32_t layer, const char *symbol)
{
	const struct family_sizes *s = &m->sizes;
	uint32_t dim = kind_of(m, layer) == 'w' ? s->head_dim / 2 : s->head_dim;
	uint32_t inner = s->n_state_head * s->state_value, q = s->n_head * dim;
	uint32_t k = n_head_kv(m, layer) * dim, channels = inner + 2 * s->n_state_group * s->state_key;
	uint32_t rotated = s->head_dim * (m->spec->rope_quarters ? m->spec->rope_quarters : 4) / 4;
	const struct {
		const char *name;
		uint32_t length;
	} symbols[] = {
		{"embd", s->n_embd},      {"2embd", 2 * s->n_embd},   {"3embd", 3 * s->n_embd},
		{"vocab", s->n_vocab},    {"ctx", s->n_ctx},          {"ff", s->n_ff},
		{"2ff", 2 * s->n_ff},     {"dim", dim},               {"half", s->head_dim / 2},
		{"q", q},                 {"2q", 2 * q},              {"k", k},
		{"qkv", q + 2 * k},       {"rotated", rotated},       {"pairs", rotated / 2},
		{"window", s->window},    {"inner", inner},           {"state", s->state_key},
		{"groups", s->n_state_group}, {"heads", s->n_state_head}, {"2heads", 2 * s->n_state_head}, {"value", s->state_value},
		{"group", inner / s->n_state_group}, {"channels", channels},
		{"ssm_in", inner + channels + s->n_state_head}, {"layer", s->n_layer_embd},
		{"layers", s->n_layer_embd * s->n_layer}, {"shared", s->n_shared}, {"behind", s->n_behind},
		{"experts", s->n_expert}, {"used", s->n_expert_used}, {"xff", s->n_expert_ff},
		{"2xff", 2 * s->n_expert_ff}, {"sff", s->n_shared_ff}, {"dense", s->n_dense},
		{"rank", s->kv_rank}, {"qrank", s->q_rank}, {"nope", s->latent_key},
		{"lkey", s->latent_key + s->head_dim}, {"lvalue", s->latent_value},
		{"latent", s->kv_rank + s->head_dim}, {"lq", s->n_head * (s->latent_key + s->head_dim)},
		{"lheads", s->n_head * s->latent_value}, {"step", s->expert_step}, {"n_head", s->n_head},
	};
	char *end;
	uint32_t number = (uint32_t)strtoul(symbol, &end, 10);

	for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++)
		if (strcmp(symbol, symbols[i].name) == 0)
			return symbols[i].length;
	if (end == symbol || *end)
		give_up("no such length", symbol);
	return number;
}

/* ---- tensors ---- */

static uint64_t mix(uint64_t x)
{
	x += 0x9E3779B97F4A7C15;
	x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
	x = (x ^ x >> 27) * 0x94D049BB133111EB;
	return x ^ x >> 31;
}

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), n = strlen(end);

	return len >= n && strcmp(text + len - n, end) == 0;
}

/* Elements are base + j * unit, j from -127 to 127, or its amount. */
struct rule {
	double base, unit;
	bool amount;
	bool is_matrix;
};

static struct rule rule_of(const char *name, const char *architecture, uint64_t columns)
{
	double scale = exp2(round(log2(2 / sqrt((double)columns))) - 7);
	const struct {
		const char *end;
		struct rule rule;
	} rules[] = {
		{"token_embd.weight", {0, strncmp(architecture, "gemma", 5) == 0 ? 1.0 / 512 :
		                          strncmp(architecture, "granite", 7) == 0 ? 1.0 / 2048
		                                                                  : 1.0 / 128, false, true}},
		{"rope_freqs.weight", {1, 1.0 / 128, true, false}},
		{"rope_factors_long.weight", {1, 1.0 / 128, true, false}},
		{"rope_factors_short.weight", {1, 1.0 / 128, true, false}},
		{"ssm_a", {-1.0 / 64, -1.0 / 64, true, false}},
		{"ssm_d", {1, 1.0 / 512, false, false}},
		{"correct_scale.weight", {0, scale, false, true}},
		{"scale.weight", {1, 1.0 / 512, false, false}},
		{".scale", {1, 1.0 / 512, false, false}},
		{"ffn_gate_inp.weight", {0, 4 * scale, false, true}},
		{"ffn_gate_inp_shexp.weight", {0, 4 * scale, false, true}},
		{"attn_sinks.weight", {0, 1.0 / 64, false, false}},
		{"ssm_dt.bias", {0, 1.0 / 64, false, false}},
		{"conv.weight", {0, 1.0 / 128, false, false}},
		{"conv1d.weight", {0, 1.0 / 128, false, false}},
		{"norm.weight", {1, 1.0 / 256, false, false}},
		{"norm_1.weight", {1, 1.0 / 256, false, false}},
		{"norm_2.weight", {1, 1.0 / 256, false, false}},
		{".bias", {0, 1.0 / 1024, false, false}},
		{"output.weight", {0, scale * (strcmp(name, "output.weight") == 0 ? 4 : 1), false, true}},
		{"", {0, scale, false, true}},
	};
	size_t i = 0;

	while (!ends_with(name, rules[i].end))
		i++;
	return rules[i].rule;
}

/* Halves hold these numbers exactly: no rounding. */
static uint16_t half_of(float x)
{
	uint32_t bits, sign, exponent;

	memcpy(&bits, &x, sizeof bits);
	sign = bits >> 16 & 0x8000;
	exponent = bits >> 23 & 0xff;
	if (exponent > 112)
		return (uint16_t)(sign | (exponent - 112) << 10 | (bits >> 13 & 0x3ff));
	return (uint16_t)(sign | (uint32_t)ldexpf(fabsf(x), 24)); /* small ones are whole 2^-24 */
}

static void store(enum block_type type, char *to, size_t i, int j, const struct rule *rule)
{
	float value = (float)(rule->base + j * rule->unit);
	uint16_t half;
	uint32_t bits;

	if (type == BLOCK_F32) {
		memcpy(to + i * sizeof value, &value, sizeof value);
	} else if (type == BLOCK_Q8_0) { /* the scale is the unit */
		half = half_of((float)rule->unit);
		memcpy(to + i / 32 * 34, &half, sizeof half);
		to[i / 32 * 34 + 2 + i % 32] = (char)j;
	} else {
		memcpy(&bits, &value, sizeof bits);
		half = type == BLOCK_BF16 ? (uint16_t)(bits >> 16) : half_of(value);
		memcpy(to + i * sizeof half, &half, sizeof half);
	}
}

static void add_tensor(struct family_file *file, const struct family_model *m, const char *name,
                       uint32_t n_dims, const uint64_t ne[])
{
	uint64_t n = ne[0] * ne[1] * ne[2], h = m->seed;
	struct rule rule = rule_of(name, m->spec->architecture, ne[0]);
	bool as_floats = !rule.is_matrix || n_dims == 1 || (m->type == BLOCK_Q8_0 && ne[0] % 32);
	enum block_type type = as_floats ? BLOCK_F32 : m->type;
	size_t n_bytes = (size_t)n / block_info(type)->n_elements * block_info(type)->n_bytes;
	char *data = malloc(n_bytes);

	if (!data || !alloc_grow(&file->data, &file->cap, file->n + 1, sizeof *file->data, SIZE_MAX / 8))
		give_up("no memory", name);
	for (const char *c = name; *c; c++)
		h = mix(h ^ (unsigned char)*c);
	for (size_t i = 0; i < n; i++) {
		int j = (int)(mix(h + i) >> 56) - 128;

		if (j < -127)
			j = -127;
		store(type, data, i, rule.amount ? abs(j) : j, &rule);
	}
	file->data[file->n++] = data;
	gguf_writer_add_tensor(file->w, name, type, n_dims, ne, data, n_bytes);
}

static bool is_for(const struct family_model *m, const char *layers, uint32_t layer)
{
	return layers[0] == '*' || strchr(layers, kind_of(m, layer)) ||
	       strchr(layers, has_experts(m, layer) ? 'E' : 'D');
}

/* One entry of the list, for each layer that it is for. */
static void add_tensors(struct family_file *file, const struct family_model *m, const char *entry)
{
	char layers[8], name[NAME / 2], lengths[3][16], full[NAME];
	int n_dims = sscanf(entry, "%7s %47s %15s %15s %15s", layers, name, lengths[0], lengths[1],
	                    lengths[2]) - 2;
	bool is_global = strcmp(layers, "-") == 0;

	if (n_dims < 1)
		give_up("no tensor", entry);
	for (uint32_t layer = 0; layer < (is_global ? 1 : m->sizes.n_layer); layer++) {
		uint64_t ne[3] = {1, 1, 1};

		if (!is_global && !is_for(m, layers, layer))
			continue;
		snprintf(full, sizeof full, "blk.%u.%s", (unsigned)layer, name);
		for (int i = 0; i < n_dims; i++)
			ne[i] = length_of(m, layer, lengths[i]);
		if (is_global)
			snprintf(full, sizeof full, "%s", name);
		if (m->misshapen && strcmp(full, m->misshapen) == 0)
			ne[n_dims - 1]++;
		if (!m->without || strcmp(full, m->without) != 0)
			add_tensor(file, m, full, (uint32_t)n_dims, ne);
	}
}

/* ---- keys ---- */

static const char *key_of(const struct family_model *m, const char *name, char key[NAME])
{
	snprintf(key, NAME, "%s.%s", m->spec->architecture, name);
	return m->without && strcmp(key, m->without) == 0 ? NULL : key;
}

static void set_u32(struct family_file *file, const struct family_model *m, const char *name,
                    uint32_t value)
{
	char key[NAME];

	if (key_of(m, name, key))
		gguf_writer_set_u32(file->w, key, value);
}

/* One number where all layers have the same. */
static void set_per_layer(struct family_file *file, const struct family_model *m, const char *name,
                          uint32_t (*value)(const struct family_model *m, uint32_t layer))
{
	int32_t values[MAX_LAYERS];
	bool same = true;
	char key[NAME];

	for (uint32_t i = 0; i < m->sizes.n_layer; i++) {
		values[i] = (int32_t)value(m, i);
		same = same && values[i] == values[0];
	}
	if (!key_of(m, name, key))
		return;
	if (same)
		gguf_writer_set_u32(file->w, key, (uint32_t)values[0]);
	else
		gguf_writer_set_i32s(file->w, key, values, m->sizes.n_layer);
}

/* Which layers have windows: all but the last of each period. */
static void set_pattern(struct family_file *file, const struct family_model *m, const char *key,
                        const char *period)
{
	struct {
		uint32_t type;
		uint64_t n;
		char flags[MAX_LAYERS];
	} array = {.type = 7, .n = m->sizes.n_layer};
	char raw[sizeof array];
	uint32_t every = (uint32_t)atoi(period);

	for (uint32_t i = 0; i < m->sizes.n_layer; i++)
		array.flags[i] = i % every != every - 1;
	memcpy(raw, &array.type, 4);
	memcpy(raw + 4, &array.n, 8);
	memcpy(raw + 12, array.flags, m->sizes.n_layer);
	gguf_writer_set_raw(file->w, key, 9, raw, 12 + m->sizes.n_layer);
}

static void set_list(struct family_file *file, const char *key, const char *list)
{
	int32_t values[8];
	size_t n = 0;

	for (const char *at = list; at && n < 8; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
		values[n++] = atoi(at);
	gguf_writer_set_i32s(file->w, key, values, n);
}

/* How far above the mean a layer's gates count: the first `n` layers', of the others any. */
static void set_sparsity(struct family_file *file, const struct family_model *m, const char *key,
                         const char *n)
{
	float values[MAX_LAYERS];

	for (uint32_t i = 0; i < m->sizes.n_layer; i++)
		values[i] = i < (uint32_t)atoi(n) ? 1.6448f : -INFINITY;
	gguf_writer_set_f32s(file->w, key, values, m->sizes.n_layer);
}

static void set_key(struct family_file *file, const struct family_model *m, const char *entry)
{
	char type, name[NAME / 2], value[32], key[NAME];

	if (sscanf(entry, "%c %47s %31s", &type, name, value) != 3)
		give_up("no key", entry);
	if (!key_of(m, name, key))
		return;
	switch (type) {
	case 'u': gguf_writer_set_u32(file->w, key, length_of(m, 0, value)); break;
	case 'f': gguf_writer_set_f32(file->w, key, strtof(value, NULL)); break;
	case 'b': gguf_writer_set_bool(file->w, key, strcmp(value, "true") == 0); break;
	case 's': gguf_writer_set_string(file->w, key, value, strlen(value)); break;
	case 'i': set_list(file, key, value); break;
	case 'p': set_pattern(file, m, key, value); break;
	case 't': set_sparsity(file, m, key, value); break;
	default: give_up("no type of key", entry);
	}
}

static void for_each_line(struct family_file *file, const struct family_model *m, const char *list,
                          void (*use)(struct family_file *file, const struct family_model *m,
                                      const char *entry))
{
	char line[160];

	for (const char *end; (end = strchr(list, '\n')); list = end + 1) {
		snprintf(line, sizeof line, "%.*s", (int)(end - list), list);
		use(file, m, line);
	}
}

void family_file_init(struct family_file *file, const struct family_model *made)
{
	struct family_model copy = *made;
	const struct family_sizes *s = &copy.sizes;

	*file = (struct family_file){.w = gguf_writer_create()};
	if (!file->w || s->n_layer > MAX_LAYERS)
		give_up("no memory", made->spec->name);
	gguf_writer_set_string(file->w, "general.architecture", made->spec->architecture,
	                       strlen(made->spec->architecture));
	gguf_writer_set_string(file->w, "general.name", made->spec->name, strlen(made->spec->name));
	set_u32(file, &copy, "context_length", s->n_ctx);
	set_u32(file, &copy, "embedding_length", s->n_embd);
	set_u32(file, &copy, "block_count", s->n_layer);
	set_u32(file, &copy, "attention.head_count", s->n_head);
	set_u32(file, &copy, "attention.key_length", s->head_dim + s->kv_rank);
	set_u32(file, &copy, "attention.value_length", s->kv_rank ? s->kv_rank : s->head_dim);
	set_u32(file, &copy, "rope.dimension_count", length_of(&copy, 0, "rotated"));
	set_per_layer(file, &copy, "feed_forward_length", n_ff);
	set_per_layer(file, &copy, "attention.head_count_kv", n_head_kv);
	for_each_line(file, &copy, made->spec->keys, set_key);
	if (copy.vocabulary)
		copy.sizes.n_vocab = (uint32_t)tiny_model_set_vocab(file->w, TINY_BPE,
		                                                    copy.vocabulary == FAMILY_ALL_BYTES);
	for_each_line(file, &copy, made->spec->tensors, add_tensors);
}

void family_file_free(struct family_file *file)
{
	gguf_writer_free(file->w);
	for (size_t i = 0; i < file->n; i++)
		free(file->data[i]);
	free(file->data);
}

enum status family_model_write(const struct family_model *made, struct buf *out, struct error *err)
{
	struct family_file file;
	enum status status;

	family_file_init(&file, made);
	status = gguf_writer_write(file.w, out, err);
	family_file_free(&file);
	return status;
}

enum status family_model_save(const struct family_model *made, const char *path, struct error *err)
{
	struct family_file file;
	enum status status;

	family_file_init(&file, made);
	status = gguf_writer_save(file.w, path, err);
	family_file_free(&file);
	return status;
}
