#include "quantize/recipe.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/nearest.h"

enum recipe_id {
	F32, F16, BF16, Q8_0, Q4_0, Q4_1, Q5_0, Q5_1, Q2_K, Q3_K_S, Q3_K_M, Q3_K_L, Q4_K_S, Q4_K_M,
	Q5_K_S, Q5_K_M, Q6_K, IQ4_NL, IQ4_XS, MXFP4_MOE
};

const struct recipe recipes[] = {
	[F32] = {"F32", NULL, BLOCK_F32, 0, "32 bits a weight: nothing is lost"},
	[F16] = {"F16", NULL, BLOCK_F16, 1, "16 bits, half precision"},
	[BF16] = {"BF16", NULL, BLOCK_BF16, 32, "16 bits, bfloat16"},
	[Q8_0] = {"Q8_0", NULL, BLOCK_Q8_0, 7, "8.5 bits: almost as good as F16"},
	[Q4_0] = {"Q4_0", NULL, BLOCK_Q4_0, 2, "4.5 bits, an old type; prefer Q4_K_S"},
	[Q4_1] = {"Q4_1", NULL, BLOCK_Q4_1, 3, "5 bits, an old type; prefer Q4_K_M"},
	[Q5_0] = {"Q5_0", NULL, BLOCK_Q5_0, 8, "5.5 bits, an old type; prefer Q5_K_S"},
	[Q5_1] = {"Q5_1", NULL, BLOCK_Q5_1, 9, "6 bits, an old type; prefer Q5_K_M"},
	[Q2_K] = {"Q2_K", NULL, BLOCK_Q2_K, 10, "about 3 bits: only if nothing else fits"},
	[Q3_K_S] = {"Q3_K_S", NULL, BLOCK_Q3_K, 11, "about 3.5 bits, loses a lot"},
	[Q3_K_M] = {"Q3_K_M", "Q3_K", BLOCK_Q3_K, 12, "about 3.9 bits"},
	[Q3_K_L] = {"Q3_K_L", NULL, BLOCK_Q3_K, 13, "about 4.3 bits"},
	[Q4_K_S] = {"Q4_K_S", NULL, BLOCK_Q4_K, 14, "about 4.6 bits"},
	[Q4_K_M] = {"Q4_K_M", "Q4_K", BLOCK_Q4_K, 15, "about 4.8 bits: a good choice"},
	[Q5_K_S] = {"Q5_K_S", NULL, BLOCK_Q5_K, 16, "about 5.5 bits"},
	[Q5_K_M] = {"Q5_K_M", "Q5_K", BLOCK_Q5_K, 17, "about 5.7 bits: loses little"},
	[Q6_K] = {"Q6_K", NULL, BLOCK_Q6_K, 18, "6.6 bits: loses very little"},
	[IQ4_NL] = {"IQ4_NL", NULL, BLOCK_IQ4_NL, 25, "4.5 bits with levels closer together near zero"},
	[IQ4_XS] = {"IQ4_XS", NULL, BLOCK_IQ4_XS, 30, "4.25 bits with levels closer together near zero"},
	[MXFP4_MOE] = {"MXFP4_MOE", "MXFP4", BLOCK_MXFP4, 38, "4.25 bits for experts, Q8_0 for all else",
	               .plain = true},
};
const size_t n_recipes = sizeof recipes / sizeof *recipes;

/* What a tensor is for, by its name. */
enum tensor_role {
	ROLE_KEPT, /* never quantised */
	ROLE_OUTPUT,
	ROLE_EMBEDDING,
	ROLE_V, /* attention's V, also where it is one with Q and K */
	ROLE_K,
	ROLE_ATTN_OUTPUT,
	ROLE_FFN_DOWN,
	ROLE_OTHER,
};

/* When a rule applies; layers are counted from 0. */
enum when {
	ALWAYS,
	GROUPED,         /* four query heads or more for each KV head */
	FIRST_TWO,
	FIRST_FOUR,
	FIRST_EIGHTH,
	FIRST_SIXTEENTH,
	SPREAD,          /* the first and the last eighth, and every third between */
	EIGHT_EXPERTS,
};

#define M(id) (1u << (id))
#define ANY (~0u)
enum { OWN = -1 }; /* the recipe's own type */

/* The first that applies. */
static const struct rule {
	unsigned recipes;
	enum tensor_role role;
	enum when when;
	int type;
} rules[] = {
	/* What all experts share is small in comparison. */
	{ANY, ROLE_V, EIGHT_EXPERTS, BLOCK_Q8_0},
	{ANY, ROLE_K, EIGHT_EXPERTS, BLOCK_Q8_0},
	{M(Q2_K) | M(Q3_K_S) | M(Q3_K_M) | M(Q4_K_S) | M(Q4_K_M) | M(IQ4_NL) | M(IQ4_XS),
	 ROLE_ATTN_OUTPUT, EIGHT_EXPERTS, BLOCK_Q5_K},
	{ANY, ROLE_ATTN_OUTPUT, EIGHT_EXPERTS, OWN},

	{M(Q2_K), ROLE_V, GROUPED, BLOCK_Q4_K},
	{M(Q2_K), ROLE_V, ALWAYS, BLOCK_Q3_K},
	{M(Q3_K_M), ROLE_V, FIRST_TWO, BLOCK_Q5_K},
	{M(Q3_K_M), ROLE_V, ALWAYS, BLOCK_Q4_K},
	{M(Q3_K_L), ROLE_V, ALWAYS, BLOCK_Q5_K},
	{M(Q4_K_S), ROLE_V, FIRST_FOUR, BLOCK_Q5_K},
	{M(Q4_K_M) | M(Q5_K_M), ROLE_V, SPREAD, BLOCK_Q6_K},
	{M(IQ4_NL) | M(IQ4_XS), ROLE_V, GROUPED, BLOCK_Q5_K},

	{M(Q2_K), ROLE_FFN_DOWN, ALWAYS, BLOCK_Q3_K},
	{M(Q3_K_M), ROLE_FFN_DOWN, FIRST_SIXTEENTH, BLOCK_Q5_K},
	{M(Q3_K_M), ROLE_FFN_DOWN, ALWAYS, BLOCK_Q4_K},
	{M(Q3_K_L), ROLE_FFN_DOWN, ALWAYS, BLOCK_Q5_K},
	{M(Q4_K_S), ROLE_FFN_DOWN, FIRST_EIGHTH, BLOCK_Q5_K},
	{M(Q4_K_M) | M(Q5_K_M), ROLE_FFN_DOWN, SPREAD, BLOCK_Q6_K},
	{M(IQ4_NL) | M(IQ4_XS), ROLE_FFN_DOWN, FIRST_EIGHTH, BLOCK_Q5_K},

	{M(Q2_K), ROLE_ATTN_OUTPUT, ALWAYS, BLOCK_Q3_K},
	{M(Q3_K_M), ROLE_ATTN_OUTPUT, ALWAYS, BLOCK_Q4_K},
	{M(Q3_K_L), ROLE_ATTN_OUTPUT, ALWAYS, BLOCK_Q5_K},
};

/* Parts of names. Tensors of these are small, or not multiplied with. */
static const char *const kept_parts[] = {
	"_norm.weight", "ffn_gate_inp.weight", "ffn_gate_tid2eid.weight", "altup", "laurel",
	"per_layer_model_proj", "ssm_conv1d", "shortconv.conv.weight", "indexer.k_proj.weight",
	"indexer.q_proj.weight", "time_mix_first.weight", "time_mix_w0.weight", "time_mix_w1.weight",
	"time_mix_w2.weight", "time_mix_v0.weight", "time_mix_v1.weight", "time_mix_v2.weight",
	"time_mix_a0.weight", "time_mix_a1.weight", "time_mix_a2.weight", "time_mix_g1.weight",
	"time_mix_g2.weight", "time_mix_decay_w1.weight", "time_mix_decay_w2.weight",
	"time_mix_lerp_fused.weight", "attn_rel_b.weight", "sam.pos_embd",
	"sam.neck.", "sam.net_", ".rel_pos", ".patch_embd", ".patch_merger", ".position_embd",
	"a.rvq.codebook", "mm.a.code_embd",
};
static const char *const kept_names[] = {"position_embd.weight", "token_types.weight"};

static const struct {
	const char *part;
	enum tensor_role role;
} role_parts[] = {
	{"attn_qkv.weight", ROLE_V}, {"attn_kv_b.weight", ROLE_V}, {"attn_v.weight", ROLE_V},
	{"attn_k.weight", ROLE_K}, {"attn_q.weight", ROLE_OTHER},
	{"attn_output.weight", ROLE_ATTN_OUTPUT}, {"ffn_up", ROLE_OTHER}, {"ffn_gate", ROLE_OTHER},
	{"ffn_down", ROLE_FFN_DOWN},
};

const struct recipe *recipe_find(const char *name)
{
	for (size_t i = 0; i < n_recipes; i++)
		if (strcasecmp(name, recipes[i].name) == 0 ||
		    (recipes[i].alias && strcasecmp(name, recipes[i].alias) == 0))
			return &recipes[i];
	return NULL;
}

const char *recipe_nearest(const char *name)
{
	char upper[NEAREST_WORD_MAX + 1];
	struct nearest nearest;
	size_t len = strlen(name);

	if (len > NEAREST_WORD_MAX)
		return NULL;
	for (size_t i = 0; i < len; i++)
		upper[i] = (char)(name[i] >= 'a' && name[i] <= 'z' ? name[i] - 'a' + 'A' : name[i]);
	nearest_init(&nearest, upper, len);
	for (size_t i = 0; i < n_recipes; i++)
		nearest_offer(&nearest, recipes[i].name);
	return nearest_best(&nearest);
}

/* A tensor under consideration. */
struct entry {
	const struct gguf_tensor *tensor;
	size_t index;   /* in the file */
	char name[LIMIT_GGUF_TENSOR_NAME + 1];
	long layer;     /* of "blk.N."; -1 for none */
	enum tensor_role role;
};

/* What the rules ask about the model. */
struct traits {
	uint32_t n_layer, n_expert;
	bool grouped;
	bool is_70b; /* wide, with few KV heads: its V is worth more bits */
	bool tied;   /* no output.weight: the embeddings stand for it */
	size_t n_v;  /* tensors with ROLE_V */
};

static bool has_part(const char *name, const char *const *parts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strstr(name, parts[i]))
			return true;
	return false;
}

static bool is_matrix(const struct gguf_tensor *tensor)
{
	return tensor->ne[1] > 1 || tensor->ne[2] > 1 || tensor->ne[3] > 1;
}

static enum tensor_role role_of(const char *name, const struct gguf_tensor *tensor)
{
	size_t len = strlen(name);

	if (!is_matrix(tensor) || len < 6 || strcmp(name + len - 6, "weight") != 0 ||
	    has_part(name, kept_parts, sizeof kept_parts / sizeof *kept_parts))
		return ROLE_KEPT;
	for (size_t i = 0; i < sizeof kept_names / sizeof *kept_names; i++)
		if (strcmp(name, kept_names[i]) == 0)
			return ROLE_KEPT;
	if (strcmp(name, "output.weight") == 0)
		return ROLE_OUTPUT;
	if (strcmp(name, "token_embd.weight") == 0 || strcmp(name, "per_layer_token_embd.weight") == 0)
		return ROLE_EMBEDDING;
	for (size_t i = 0; i < sizeof role_parts / sizeof *role_parts; i++)
		if (strstr(name, role_parts[i].part))
			return role_parts[i].role;
	return ROLE_OTHER;
}

static int compare_entries(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return x->layer != y->layer ? (x->layer > y->layer) - (x->layer < y->layer)
	                            : strcmp(x->name, y->name);
}

/* In the order in which layers are counted. */
static struct entry *list_entries(const struct gguf *gguf)
{
	size_t n = gguf_n_tensors(gguf);
	struct entry *entries = alloc_array(n, sizeof *entries);

	if (!entries)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		struct entry *entry = &entries[i];
		struct gguf_string rest;
		uint64_t layer;

		entry->tensor = gguf_tensor_at(gguf, i);
		entry->index = i;
		memcpy(entry->name, entry->tensor->name.data, entry->tensor->name.len);
		rest = entry->tensor->name;
		entry->layer = gguf_split_layer(&rest, &layer) ? (long)layer : -1;
		entry->role = role_of(entry->name, entry->tensor);
	}
	qsort(entries, n, sizeof *entries, compare_entries);
	return entries;
}

/* "ARCH.name": a number, or the first of a list of one for each layer; else 0. */
static uint32_t number_of(const struct gguf *gguf, struct gguf_string arch, const char *name)
{
	char key[GGUF_ARCH_KEY_MAX];
	struct gguf_array array;
	uint32_t value = 0;

	gguf_arch_key(arch, name, key);
	if (gguf_get_u32(gguf, key, &value, NULL) == STATUS_OK)
		;
	else if ((!gguf_get_array(gguf, key, GGUF_I32, &array, NULL) ||
	          !gguf_get_array(gguf, key, GGUF_U32, &array, NULL)) && array.n > 0)
		value = gguf_array_u32(&array, 0);
	return value;
}

static enum status read_traits(struct traits *traits, const struct gguf *gguf,
                              const struct entry *entries, struct error *err)
{
	uint32_t n_head, n_head_kv;
	struct gguf_string arch;
	enum status status = gguf_get_string(gguf, "general.architecture", &arch, err);

	if (status == STATUS_NOTFOUND)
		return error_set(err, STATUS_FORMAT, "key 'general.architecture' is missing: the file is not a model");
	if (status)
		return status;
	*traits = (struct traits){.n_layer = number_of(gguf, arch, "block_count"),
	                          .n_expert = number_of(gguf, arch, "expert_count"), .tied = true};
	n_head = number_of(gguf, arch, "attention.head_count");
	n_head_kv = number_of(gguf, arch, "attention.head_count_kv");
	traits->grouped = n_head_kv && n_head / n_head_kv >= 4;
	traits->is_70b = (traits->n_layer == 80 &&
	                  ((gguf_string_is(arch, "llama") && n_head_kv && n_head != n_head_kv) ||
	                   gguf_string_is(arch, "qwen2") || gguf_string_is(arch, "deci") || gguf_string_is(arch, "olmo"))) ||
	                 (traits->n_layer == 68 && gguf_string_is(arch, "jais2"));
	for (size_t i = 0; i < gguf_n_tensors(gguf); i++) {
		traits->n_v += entries[i].role == ROLE_V;
		traits->tied = traits->tied && entries[i].role != ROLE_OUTPUT;
	}
	return STATUS_OK;
}

static bool applies(enum when when, const struct traits *traits, size_t layer, size_t n_layers)
{
	switch (when) {
	case ALWAYS: return true;
	case GROUPED: return traits->grouped;
	case FIRST_TWO: return layer < 2;
	case FIRST_FOUR: return layer < 4;
	case FIRST_EIGHTH: return layer < n_layers / 8;
	case FIRST_SIXTEENTH: return layer < n_layers / 16;
	case SPREAD:
		return layer < n_layers / 8 || layer >= 7 * n_layers / 8 ||
		       (layer - n_layers / 8) % 3 == 2;
	case EIGHT_EXPERTS: return traits->n_expert == 8;
	}
	return false;
}

/* `layer` of n_layers that have a tensor of this role. */
static uint32_t type_by_rules(const struct recipe *recipe, enum tensor_role role,
                              const struct traits *traits, size_t layer, size_t n_layers)
{
	uint32_t type = recipe->type;

	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
		const struct rule *rule = &rules[i];

		if (!(rule->recipes >> (recipe - recipes) & 1) || rule->role != role ||
		    !applies(rule->when, traits, layer, n_layers))
			continue;
		if (rule->type != OWN)
			type = (uint32_t)rule->type;
		break;
	}
	if (role == ROLE_V && traits->is_70b && (type == BLOCK_Q3_K || type == BLOCK_Q4_K))
		type = BLOCK_Q5_K;
	return type;
}

/* The output matrix, multiplied last, for every token of the vocabulary. */
static uint32_t output_type(const struct recipe *recipe, const struct gguf_tensor *tensor)
{
	if (recipe->type == BLOCK_Q8_0 || tensor->ne[0] % block_info(recipe->type)->n_elements)
		return BLOCK_Q8_0;
	return BLOCK_Q6_K;
}

/* The next best type for rows that are not whole blocks of this one. */
static uint32_t fit_row(uint32_t type, uint64_t row, size_t *n_fallbacks)
{
	static const struct {
		uint32_t type, instead;
	} smaller[] = {
		{BLOCK_Q2_K, BLOCK_Q4_0}, {BLOCK_Q3_K, BLOCK_Q4_0}, {BLOCK_Q4_K, BLOCK_Q5_0},
		{BLOCK_Q5_K, BLOCK_Q5_1}, {BLOCK_Q6_K, BLOCK_Q8_0}, {BLOCK_IQ4_XS, BLOCK_IQ4_NL},
	};

	if (row % block_info(type)->n_elements == 0)
		return type;
	++*n_fallbacks;
	for (size_t i = 0; i < sizeof smaller / sizeof *smaller; i++)
		if (smaller[i].type == type && row % block_info(smaller[i].instead)->n_elements == 0)
			return smaller[i].instead;
	return BLOCK_F16;
}

/* How many tensors of a role came before this one. */
struct seen_tensors {
	size_t v, ffn_down;
};

static uint32_t choose_type(const struct recipe *recipe, const struct entry *entry,
                            const struct traits *traits, struct seen_tensors *seen)
{
	size_t layer;

	/* Only experts: what every token uses stays close to the original. */
	if (recipe == &recipes[MXFP4_MOE])
		return entry->tensor->ne[2] > 1 ? BLOCK_MXFP4 : BLOCK_Q8_0;
	switch (entry->role) {
	case ROLE_OUTPUT:
		return output_type(recipe, entry->tensor);
	case ROLE_EMBEDDING:
		return traits->tied ? output_type(recipe, entry->tensor) : recipe->type;
	case ROLE_V:
		return type_by_rules(recipe, ROLE_V, traits, seen->v++, traits->n_v);
	case ROLE_FFN_DOWN:
		/* With experts a layer may have several, or one in some other place. */
		layer = traits->n_expert > 1 && entry->layer >= 0 ? (size_t)entry->layer : seen->ffn_down;
		seen->ffn_down++;
		return type_by_rules(recipe, ROLE_FFN_DOWN, traits, layer, traits->n_layer);
	default:
		return type_by_rules(recipe, entry->role, traits, 0, traits->n_layer);
	}
}

enum status recipe_plan(const struct recipe *recipe, bool pure, const struct gguf *gguf,
                         uint32_t *types, size_t *n_fallbacks, struct error *err)
{
	bool quantised = block_info(recipe->type)->n_elements > 1;
	struct entry *entries = list_entries(gguf);
	struct seen_tensors seen = {0};
	struct traits traits;
	enum status status;

	if (!entries)
		return error_no_memory(err, "for the list of tensors");
	*n_fallbacks = 0;
	status = read_traits(&traits, gguf, entries, err);
	for (size_t i = 0; i < gguf_n_tensors(gguf) && !status; i++) {
		const struct entry *entry = &entries[i];
		uint32_t *type = &types[entry->index];

		if (entry->role == ROLE_KEPT) {
			*type = entry->tensor->type;
			continue;
		}
		*type = recipe->type;
		if (quantised && !pure)
			*type = choose_type(recipe, entry, &traits, &seen);
		*type = fit_row(*type, entry->tensor->ne[0], n_fallbacks);
	}
	free(entries);
	return status;
}
