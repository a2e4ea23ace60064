/* Faults planted in models of every kind, each of which the checks of test_families must
 * notice; prints a table. Some are planted in the plan and the weights after they are read,
 * others in functions that the linker lets this program replace (--wrap). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/scan.h"
#include "model/cache.h"
#include "model/model_internal.h"
#include "support/family_checks.h"
#include "support/logits.h"

/* ---- in functions ---- */

static struct {
	bool states_stay, checkpoints_late, states_lost, conv_forgets, conv_lacks_silu;
	bool decay_left_out, delta_left_out, head_gates_left_out, state_gates_left_out;
	bool products_left_out, groups_swapped;
} planted;

size_t __real_cache_rewind(struct cache *cache, size_t pos);
size_t __wrap_cache_rewind(struct cache *cache, size_t pos);
void __real_cache_checkpoint(struct cache *cache);
void __wrap_cache_checkpoint(struct cache *cache);
void __real_cache_commit(struct cache *cache, size_t pos);
void __wrap_cache_commit(struct cache *cache, size_t pos);
void __real_convolve(const struct compute *compute, const struct conv *conv);
void __wrap_convolve(const struct compute *compute, const struct conv *conv);
void __real_scan_states(const struct compute *compute, const struct scan *scan);
void __wrap_scan_states(const struct compute *compute, const struct scan *scan);
void __real_activate(const struct compute *compute, enum activation activation, float *x,
                     const float *y, size_t count);
void __wrap_activate(const struct compute *compute, enum activation activation, float *x,
                     const float *y, size_t count);
void __real_multiply(const struct compute *compute, float *x, const float *y, size_t count);
void __wrap_multiply(const struct compute *compute, float *x, const float *y, size_t count);

static float *new_floats(size_t n, float value)
{
	float *floats = malloc((n ? n : 1) * sizeof *floats);

	if (!floats)
		exit(1);
	for (size_t i = 0; i < n; i++)
		floats[i] = value;
	return floats;
}

size_t __wrap_cache_rewind(struct cache *cache, size_t pos)
{
	size_t bytes = cache->n_floats * sizeof(float), reach;
	float *states;

	if (!planted.states_stay || !cache->n_floats)
		return __real_cache_rewind(cache, pos);
	states = new_floats(cache->n_floats, 0);
	memcpy(states, cache->states[cache->now], bytes);
	reach = __real_cache_rewind(cache, pos);
	if (reach)
		memcpy(cache->states[cache->now], states, bytes);
	free(states);
	return reach;
}

/* Keeps the states of the previous micro-batch. */
void __wrap_cache_checkpoint(struct cache *cache)
{
	size_t n = cache->n_checkpoints;

	__real_cache_checkpoint(cache);
	if (planted.checkpoints_late && cache->n_checkpoints > n)
		memcpy(cache->checkpoints[n].states, cache->states[1 - cache->now],
		       cache->n_floats * sizeof(float));
}

void __wrap_cache_commit(struct cache *cache, size_t pos)
{
	__real_cache_commit(cache, pos);
	if (planted.states_lost)
		cache->now = 1 - cache->now;
}

void __wrap_convolve(const struct compute *compute, const struct conv *conv)
{
	struct conv other = *conv;
	float *zeros = new_floats(conv->n_channels * conv->n_taps, 0);

	if (planted.conv_forgets)
		other.before = zeros;
	if (planted.conv_lacks_silu)
		other.activated = false;
	__real_convolve(compute, &other);
	free(zeros);
}

void __wrap_scan_states(const struct compute *compute, const struct scan *scan)
{
	struct scan other = *scan;
	float *ones = new_floats(scan->n * scan->n_head, 1);

	if (planted.decay_left_out)
		other.decay = ones;
	if (planted.delta_left_out)
		other.is_delta = false;
	if (planted.groups_swapped)
		other.groups_alternate = !other.groups_alternate;
	__real_scan_states(compute, &other);
	free(ones);
}

void __wrap_activate(const struct compute *compute, enum activation activation, float *x,
                     const float *y, size_t count)
{
	/* A mixer's output goes through SILU or SIGMOID with a gate, as does that of the
	 * feed-forward, which has another width. */
	bool of_heads = activation == ACTIVATION_SIGMOID && y && planted.head_gates_left_out;
	bool of_states = activation == ACTIVATION_SILU && y && planted.state_gates_left_out &&
	                 count % (size_t)160 != 0;

	if (of_heads || of_states)
		memcpy(x, y, count * sizeof *x);
	else
		__real_activate(compute, activation, x, y, count);
}

void __wrap_multiply(const struct compute *compute, float *x, const float *y, size_t count)
{
	if (!planted.products_left_out)
		__real_multiply(compute, x, y, count);
}

/* ---- in plan and weights ---- */

#define PLANT(name, ...) \
	static void name(struct model *m) \
	{ \
		struct plan *p = &m->plan; \
		struct weights *global = &m->weights; \
		(void)p, (void)global; \
		__VA_ARGS__; \
	}
#define PLANT_LAYERS(name, ...) \
	static void name(struct model *m) \
	{ \
		for (uint32_t i = 0; i < m->plan.n_layer; i++) { \
			struct layer_plan *l = &m->plan.layers[i]; \
			struct layer_weights *w = &m->weights.layers[i]; \
			(void)l, (void)w; \
			__VA_ARGS__; \
		} \
	}

PLANT(swap_pairing, p->ropes[0].pairing = p->ropes[0].pairing == ROPE_HALVES ? ROPE_ADJACENT : ROPE_HALVES)
PLANT(rotate_all, p->ropes[0].dim = p->layers[0].head_dim_k)
PLANT(rotate_less, p->ropes[0].dim -= 2)
PLANT(yarn_off, p->ropes[0].yarn = 0)
PLANT(yarn_unbounded, p->ropes[0].low = 0, p->ropes[0].high = (float)p->ropes[0].dim)
PLANT(magnitude_off, p->ropes[0].magnitude = 1)
PLANT(stretch_off, p->ropes[0].freq_scale = 1)
PLANT(stretch_both, p->ropes[1].freq_scale = p->ropes[0].freq_scale)
PLANT(freqs_left_out, global->rope_factors = NULL)
PLANT(freqs_for_all, p->layers[0].rope = p->layers[1].rope = p->layers[2].rope = 0)
PLANT(factors_left_out, global->rope_factors_long = global->rope_factors_short = NULL)
PLANT(factors_short, global->rope_factors_long = global->rope_factors_short)
PLANT(factors_long, global->rope_factors_short = global->rope_factors_long)
PLANT_LAYERS(one_rope_set, l->rope = 0)
PLANT_LAYERS(swap_rope_sets, l->rope = 1 - l->rope)
PLANT_LAYERS(rotate_every_layer, l->rope = 0)
PLANT_LAYERS(rotate_no_layer, l->rope = ROPE_NONE)
PLANT_LAYERS(window_one_more, l->window += l->window > 0)
PLANT_LAYERS(window_one_less, l->window -= l->window > 0)
PLANT_LAYERS(window_off, l->window = 0)
PLANT_LAYERS(window_everywhere, l->window = 20)
PLANT_LAYERS(window_elsewhere, l->window = 20 - l->window)
PLANT_LAYERS(score_cap_off, l->softcap = 0)
PLANT(logit_cap_off, p->logit_softcap = 0)
PLANT_LAYERS(scores_by_dim, l->attention_scale = 1 / sqrtf((float)l->head_dim_k))
PLANT(embedding_scale_off, p->embedding_scale = 1)
PLANT(residual_scale_off, p->residual_scale = 1)
PLANT(logit_scale_off, p->logit_scale = 1)
PLANT_LAYERS(temperature_off, l->temperature_scale = 0)
PLANT(temperature_late, p->temperature_length *= 2)

PLANT_LAYERS(attn_norm_left_out, w->attn_norm.dim = 0)
PLANT(attn_norm_of_one, global->layers[2].attn_norm.dim = 0)
PLANT_LAYERS(ffn_norm_left_out, w->ffn_norm.dim = 0)
PLANT(output_norm_left_out, global->output_norm.dim = 0)
PLANT(post_norm_left_out, global->layers[1].attn_post_norm.dim = 0)
PLANT(ffn_post_norm_left_out, global->layers[1].ffn_post_norm.dim = 0)
PLANT(q_norm_left_out, global->layers[1].q_norm.dim = 0)
PLANT(k_norm_left_out, global->layers[1].k_norm.dim = 0)
PLANT(k_norm_left_out_2, global->layers[2].k_norm.dim = 0)
PLANT(heads_norm_left_out, global->layers[1].heads_norm.dim = 0)
PLANT(hidden_norm_left_out, global->layers[1].hidden_norm.dim = 0)
PLANT(state_norm_left_out, global->layers[0].state_norm.dim = 0)
PLANT(state_norm_of_all, global->layers[0].state_norm.dim *= global->layers[0].state_norm.n,
      global->layers[0].state_norm.n = 1)
PLANT(swap_norms, p->norm = p->norm == NORM_RMS ? NORM_LAYER : NORM_RMS)
PLANT(norm_bias_left_out, global->layers[1].attn_norm.bias = NULL)
PLANT(ffn_norm_bias_left_out, global->layers[1].ffn_norm.bias = NULL)
PLANT(output_norm_bias_left_out, global->output_norm.bias = NULL)
PLANT_LAYERS(swap_head_norms, l->norms_after_rope = !l->norms_after_rope)
PLANT_LAYERS(values_not_normed, l->norms_values = false)
PLANT_LAYERS(swap_residual, l->is_parallel = !l->is_parallel)

PLANT(q_bias_left_out, global->layers[1].q.bias = NULL)
PLANT(k_bias_left_out, global->layers[1].k.bias = NULL)
PLANT(v_bias_left_out, global->layers[1].v.bias = NULL)
PLANT(o_bias_left_out, global->layers[1].o.bias = NULL)
PLANT(up_bias_left_out, global->layers[1].up.bias = NULL)
PLANT(down_bias_left_out, global->layers[1].down.bias = NULL)
PLANT(output_bias_left_out, global->output.bias = NULL)
PLANT_LAYERS(silu, l->activation = ACTIVATION_SILU)
PLANT_LAYERS(gelu, l->activation = ACTIVATION_GELU)

PLANT_LAYERS(keys_of_another, if (l->kv_layer != i && l->window) l->kv_layer--)
PLANT(layer_norm_of_embeddings_left_out, global->layer_embd_norm.dim = 0)
PLANT(embd_post_norm_left_out, global->layers[1].embd_post_norm.dim = 0)
PLANT(embeddings_of_one_left_out, global->layers[1].embd_proj.matrix.data = NULL)
PLANT(output_scale_left_out, global->layers[1].output_scale = NULL)

PLANT_LAYERS(groups_as_neighbours, l->groups_alternate = false)
PLANT_LAYERS(attention_left_out, if (l->mixers & MIXER_MAMBA2) l->mixers &= ~(unsigned)MIXER_ATTENTION)
PLANT_LAYERS(mamba_left_out, l->mixers &= ~(unsigned)MIXER_MAMBA2)
PLANT(conv_bias_left_out, global->layers[0].conv_bias = NULL)

static void conv_one_off(struct model *m)
{
	size_t channels = layer_conv_channels(&m->plan, 0), taps = m->plan.layers[0].conv_taps;
	float *conv = (float *)m->weights.layers[0].conv;

	memmove(conv + channels, conv, (taps - 1) * channels * sizeof *conv);
	memset(conv, 0, channels * sizeof *conv);
}

static void zero(const float *vector, size_t n)
{
	memset((float *)vector, 0, n * sizeof *vector);
}

PLANT(time_bias_left_out, zero(global->layers[0].state_time_bias, p->layers[0].n_state_head))
PLANT(skip_left_out, zero(global->layers[0].state_skip, p->layers[0].n_state_head))

PLANT(states_stay, (void)m, planted.states_stay = true)
PLANT(checkpoints_late, (void)m, planted.checkpoints_late = true)
PLANT(states_lost, (void)m, planted.states_lost = true)
PLANT(conv_forgets, (void)m, planted.conv_forgets = true)
PLANT(conv_lacks_silu, (void)m, planted.conv_lacks_silu = true)
PLANT(decay_left_out, (void)m, planted.decay_left_out = true)
PLANT(delta_left_out, (void)m, planted.delta_left_out = true)
PLANT(head_gates_left_out, (void)m, planted.head_gates_left_out = true)
PLANT(state_gates_left_out, (void)m, planted.state_gates_left_out = true)
PLANT(groups_swapped, (void)m, planted.groups_swapped = true)
PLANT(products_left_out, (void)m, planted.products_left_out = true)

/* experts */
#define PLANT_ROUTE(name, ...) PLANT_LAYERS(name, struct experts_plan *e = &l->experts; (void)e; __VA_ARGS__)
PLANT_ROUTE(softmax_routes, e->route = ROUTE_SOFTMAX)
PLANT_ROUTE(sigmoid_routes, e->route = ROUTE_SIGMOID)
PLANT_ROUTE(softmax_of_chosen, e->route = ROUTE_SOFTMAX_CHOSEN)
PLANT_ROUTE(swap_normalising, e->normalises = !e->normalises)
PLANT_ROUTE(one_expert_less, e->n_used -= e->n_used > 1)
PLANT_ROUTE(groups_off, e->n_groups = e->n_groups_used = 1)
PLANT_ROUTE(all_groups, e->n_groups_used = e->n_groups)
PLANT_ROUTE(route_scale_off, e->route_scale = 1)
PLANT_ROUTE(input_scale_off, e->input_scale = 1)
PLANT_ROUTE(outputs_weighed, e->weighs_inputs = false)
PLANT_LAYERS(route_bias_left_out, w->router_bias = NULL)
PLANT_LAYERS(router_bias_left_out, w->router.bias = NULL)
PLANT_LAYERS(router_norm_left_out, w->router_norm.dim = 0)
PLANT_LAYERS(experts_norm_left_out, w->experts_norm.dim = 0)
PLANT_LAYERS(experts_post_norm_left_out, w->experts_post_norm.dim = 0)
PLANT_LAYERS(shared_post_norm_left_out, w->shared_post_norm.dim = 0)
PLANT_LAYERS(shared_gate_left_out, w->shared_gate.matrix.data = NULL)
PLANT_LAYERS(shared_left_out, l->n_ff = l->experts.n ? 0 : l->n_ff)
PLANT_LAYERS(gate_bias_left_out, w->expert_gate.bias = NULL)
PLANT_LAYERS(up_bias_of_experts_left_out, w->expert_up.bias = NULL)
PLANT_LAYERS(down_bias_of_experts_left_out, w->expert_down.bias = NULL)
PLANT_LAYERS(down_scale_left_out, w->expert_down.scale = NULL)
PLANT_LAYERS(swap_gate_up, struct stack gate = w->expert_gate; w->expert_gate = w->expert_up; w->expert_up = gate)
PLANT_LAYERS(one_expert_on, if (w->expert_up.n) w->expert_up.panels_step = 0)
PLANT_LAYERS(silu_of_experts, l->activation = ACTIVATION_SILU)
PLANT_LAYERS(sinks_left_out, w->sinks = NULL)
PLANT_LAYERS(latent_norm_left_out, w->latent_norm.dim = 0)
PLANT_LAYERS(low_norm_left_out, w->q_a_norm.dim = 0)
PLANT_LAYERS(scores_by_latent, l->attention_scale = 1 / sqrtf((float)l->head_dim_k))
PLANT_LAYERS(heads_not_normed, l->norms_heads = false)
PLANT_LAYERS(chunks_of_20, l->window = l->window ? 20 : 0)
PLANT_LAYERS(rates_swapped, if (w->state_rates.matrix.data) l->n_state_group = l->n_state_group == 2 ? 1 : 2)

static const struct fault {
	const char *what, *model;
	void (*plant)(struct model *m);
} faults[] = {
	{"none", "qwen35", NULL}, /* the fault may go unnoticed */
	{"rope: pairs in halves, not adjacent", "llama-yarn", swap_pairing},
	{"rope: pairs adjacent, not in halves", "qwen3", swap_pairing},
	{"rope: the whole head", "glm4", rotate_all},
	{"rope: the whole head", "stablelm", rotate_all},
	{"rope: one pair less", "phi4-mini", rotate_less},
	{"rope: no layer", "smollm3", rotate_no_layer},
	{"rope: layers without positions, too", "smollm3", rotate_every_layer},
	{"rope: layers that see everything, too", "cohere2", rotate_every_layer},
	{"rope: although the file says it has none", "granitehybrid", rotate_every_layer},
	{"rope: one set for all layers", "gemma3", one_rope_set},
	{"rope: one set for all layers", "gemma4-e2b", one_rope_set},
	{"rope: one set for all layers", "olmo3", one_rope_set},
	{"rope: sets swapped", "gemma3", swap_rope_sets},
	{"rope: stretched nowhere", "gemma3-scaled", stretch_off},
	{"rope: stretched in windowed layers, too", "gemma3-scaled", stretch_both},
	{"rope: rope_freqs left out", "llama-rope3", freqs_left_out},
	{"rope: rope_freqs left out", "gemma4", freqs_left_out},
	{"rope: rope_freqs for windowed layers, too", "gemma4", freqs_for_all},
	{"YaRN: all pairs stretched", "llama-yarn", yarn_off},
	{"YaRN: a mixture of all pairs", "mistral3", yarn_unbounded},
	{"YaRN: scores as without", "llama-yarn", magnitude_off},
	{"YaRN: scores as without", "olmo3", magnitude_off},
	{"longrope: factors left out", "phi3-long", factors_left_out},
	{"longrope: those of a short context", "phi3-long", factors_short},
	{"longrope: those of a long context", "phi3", factors_long},
	{"longrope: scores as without", "phi3", magnitude_off},
	{"window: one more", "gemma2", window_one_more},
	{"window: one less", "gemma3", window_one_less},
	{"window: one more", "olmo3", window_one_more},
	{"window: one less", "cohere2", window_one_less},
	{"window: one more", "gemma4", window_one_more},
	{"window: none", "gemma4-e2b", window_off},
	{"window: in every layer", "gemma3", window_everywhere},
	{"window: in the other layers", "gemma2", window_elsewhere},
	{"soft cap of the scores off", "gemma2", score_cap_off},
	{"soft cap of the logits off", "gemma2", logit_cap_off},
	{"scores by the heads' length", "granite", scores_by_dim},
	{"scores by the heads' length", "gemma4", scores_by_dim},
	{"embedding scale off", "gemma2", embedding_scale_off},
	{"embedding scale off", "granite", embedding_scale_off},
	{"residual scale off", "granite", residual_scale_off},
	{"residual scale off", "granitehybrid", residual_scale_off},
	{"logit scale off", "command-r", logit_scale_off},
	{"logit scale off", "granite", logit_scale_off},
	{"temperature scale off", "mistral3", temperature_off},
	{"temperature from another position on", "mistral3", temperature_late},
	{"norm before attention left out", "llama-rope3", attn_norm_left_out},
	{"norm before attention of one layer left out", "ernie4_5", attn_norm_of_one},
	{"norm before feed-forward left out", "seed_oss", ffn_norm_left_out},
	{"norm before output left out", "qwen2", output_norm_left_out},
	{"norm before output left out", "lfm2", output_norm_left_out},
	{"norm behind attention left out", "exaone4", post_norm_left_out},
	{"norm behind attention left out", "glm4", post_norm_left_out},
	{"norm behind feed-forward left out", "gemma3", ffn_post_norm_left_out},
	{"norm behind feed-forward left out", "olmo2", ffn_post_norm_left_out},
	{"norm of queries left out", "qwen3", q_norm_left_out},
	{"norm of keys left out", "olmo2", k_norm_left_out},
	{"norm of keys left out", "lfm2", k_norm_left_out_2},
	{"norm of values left out", "gemma4", values_not_normed},
	{"norms of heads before rope", "hunyuan-dense", swap_head_norms},
	{"norms of heads behind rope", "qwen3", swap_head_norms},
	{"norm of heads' outputs left out", "bitnet", heads_norm_left_out},
	{"norm of the hidden left out", "bitnet", hidden_norm_left_out},
	{"norm of states left out", "qwen35", state_norm_left_out},
	{"norm of states over all groups", "nemotron_h", state_norm_of_all},
	{"RMS, not layer norm", "command-r", swap_norms},
	{"layer norm, not RMS", "phi3", swap_norms},
	{"bias of a norm left out", "phi2", norm_bias_left_out},
	{"bias of a norm left out", "stablelm", ffn_norm_bias_left_out},
	{"bias of the output's norm left out", "starcoder2", output_norm_bias_left_out},
	{"bias of queries left out", "qwen2", q_bias_left_out},
	{"bias of keys left out", "seed_oss", k_bias_left_out},
	{"bias of values left out", "glm4", v_bias_left_out},
	{"bias of attention's output left out", "starcoder2", o_bias_left_out},
	{"bias of up left out", "starcoder2", up_bias_left_out},
	{"bias of down left out", "phi2", down_bias_left_out},
	{"bias of the output left out", "phi2", output_bias_left_out},
	{"attention and feed-forward one by one", "phi2", swap_residual},
	{"attention and feed-forward one by one", "cohere2", swap_residual},
	{"SILU, not GELU", "gemma2", silu},
	{"SILU, not squared ReLU", "nemotron_h", silu},
	{"GELU, not SILU", "bitnet", gelu},
	{"shared cache of the wrong layer", "gemma4-e2b", keys_of_another},
	{"layers' embeddings: norm left out", "gemma4-e2b", layer_norm_of_embeddings_left_out},
	{"layers' embeddings: norm behind left out", "gemma4-e2b", embd_post_norm_left_out},
	{"layers' embeddings: left out in one", "gemma4-e2b", embeddings_of_one_left_out},
	{"output scale of a layer left out", "gemma4", output_scale_left_out},
	{"state: groups are neighbours, not alternate", "qwen35", groups_as_neighbours},
	{"state: groups alternate, not neighbours", "nemotron_h", groups_swapped},
	{"state: nothing is forgotten", "qwen35", decay_left_out},
	{"state: nothing is forgotten", "granitehybrid", decay_left_out},
	{"state: what is known is added, too", "qwen35", delta_left_out},
	{"state: bias of the time step left out", "qwen35", time_bias_left_out},
	{"state: bias of the time step left out", "falcon-h1", time_bias_left_out},
	{"state: what passes by left out", "falcon-h1", skip_left_out},
	{"state: gate left out", "qwen35", state_gates_left_out},
	{"state: gate left out", "granitehybrid", state_gates_left_out},
	{"convolution one tap off", "qwen35", conv_one_off},
	{"convolution one tap off", "lfm2", conv_one_off},
	{"convolution one tap off", "nemotron_h", conv_one_off},
	{"convolution without its bias", "falcon-h1", conv_bias_left_out},
	{"convolution without SILU", "qwen35", conv_lacks_silu},
	{"convolution forgets at each batch", "lfm2", conv_forgets},
	{"convolution without gates", "lfm2", products_left_out},
	{"gates of heads left out", "qwen35", head_gates_left_out},
	{"attention beside Mamba-2 left out", "falcon-h1", attention_left_out},
	{"Mamba-2 beside attention left out", "falcon-h1", mamba_left_out},
	{"experts: softmax, not sigmoids", "lfm2moe", softmax_routes},
	{"experts: sigmoids, not a softmax", "qwen3moe", sigmoid_routes},
	{"experts: softmax over those chosen", "olmoe", softmax_of_chosen},
	{"experts: softmax over all", "gpt-oss", softmax_routes},
	{"experts: routes not normalised", "mixtral", swap_normalising},
	{"experts: routes normalised", "qwen2moe", swap_normalising},
	{"experts: one less", "phimoe", one_expert_less},
	{"experts: groups left out", "deepseek3", groups_off},
	{"experts: all groups", "deepseek3", all_groups},
	{"experts: scale of routes off", "glm4moe", route_scale_off},
	{"experts: scale of the router's input off", "gemma4-moe", input_scale_off},
	{"experts: outputs weighed, not inputs", "llama4", outputs_weighed},
	{"experts: bias of the choice left out", "ernie4_5-moe", route_bias_left_out},
	{"experts: bias of the choice left out", "minimax-m2", route_bias_left_out},
	{"experts: bias of the router left out", "gpt-oss", router_bias_left_out},
	{"experts: the router's norm left out", "gemma4-moe", router_norm_left_out},
	{"experts: norm before them left out", "gemma4-moe", experts_norm_left_out},
	{"experts: norm behind them left out", "gemma4-moe", experts_post_norm_left_out},
	{"experts: norm behind the dense left out", "gemma4-moe", shared_post_norm_left_out},
	{"experts: gate of the shared left out", "qwen35moe", shared_gate_left_out},
	{"experts: the shared left out", "granitemoe", shared_left_out},
	{"experts: the shared left out", "deepseek2-lite", shared_left_out},
	{"experts: bias of gates left out", "gpt-oss", gate_bias_left_out},
	{"experts: bias of ups left out", "gpt-oss", up_bias_of_experts_left_out},
	{"experts: bias of downs left out", "gpt-oss", down_bias_of_experts_left_out},
	{"experts: scale of downs left out", "gemma4-moe", down_scale_left_out},
	{"experts: gates and ups swapped", "qwen35moe", swap_gate_up},
	{"experts: the first for all", "mistral3-moe", one_expert_on},
	{"experts: SILU, not clamped", "gpt-oss", silu_of_experts},
	{"sinks left out", "gpt-oss", sinks_left_out},
	{"latent: norm left out", "deepseek3", latent_norm_left_out},
	{"latent: norm of the queries' left out", "deepseek3", low_norm_left_out},
	{"latent: scores by what is kept", "deepseek2-lite", scores_by_latent},
	{"heads not normalised", "llama4", heads_not_normed},
	{"chunks of fewer positions", "llama4", chunks_of_20},
	{"rope: the layers without, too", "llama4", rotate_every_layer},
	{"state: rates of other groups", "qwen3next", rates_swapped},
	{"states not restored on going back", "qwen3next", states_stay},
	{"states not restored on going back", "lfm2moe", states_stay},
	{"states not restored on going back", "qwen35", states_stay},
	{"states not restored on going back", "lfm2", states_stay},
	{"states not restored on going back", "granitehybrid", states_stay},
	{"states kept of one batch before", "nemotron_h", checkpoints_late},
	{"states of a batch lost", "falcon-h1", states_lost},
};

static const struct family_reference *reference_of(const char *name)
{
	const struct family_reference *r = family_references;

	while (r->name && strcmp(r->name, name) != 0)
		r++;
	if (!r->name)
		exit(1);
	return r;
}

/* Whether the checks found what they should. */
static bool try_fault(const struct fault *fault)
{
	const struct family_reference *reference = reference_of(fault->model);
	struct family_model made = family_model_of(fault->model);
	struct family_opened opened;
	int32_t ids[REFERENCE_IDS];
	const char *broken;
	float *logits, distance;

	family_open(&opened, &made, PACKING_ALL);
	memset(&planted, 0, sizeof planted);
	if (fault->plant)
		fault->plant(opened.model);
	family_reference_ids(reference, ids);
	logits = logits_of_model(opened.model, &(struct logits_options){.kv_type = KV_F32}, ids, REFERENCE_IDS);
	broken = strstr(fault->what, "soft cap") ? family_check_caps(fault->plant) : NULL;
	distance = family_reference_distance(reference, logits, made.sizes.n_vocab);
	if (distance <= family_reference_tolerance(reference)) {
		if (!broken)
			broken = family_check_bits(opened.model, ids, REFERENCE_IDS, logits);
		printf("%-46s %-14s %s\n", fault->what, fault->model,
		       broken ? broken : "not seen");
	} else {
		broken = "logits";
		printf("%-46s %-14s logits off by %.2g\n", fault->what, fault->model, (double)distance);
	}
	free(logits);
	family_close(&opened);
	return !broken == !fault->plant;
}

int main(void)
{
	int missed = 0;

	for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
		if (!try_fault(&faults[i])) {
			printf("FAIL: the row above\n");
			missed++;
		}
	printf("%zu faults, %d missed\n", sizeof faults / sizeof faults[0] - 1, missed);
	return missed != 0;
}
