#include <criterion/criterion.h>

#include "catalog/memory.h"
#include "engine/options.h"

static struct plan two_layers(void)
{
	struct plan hp = {.n_vocab = 300, .n_ctx_train = 20000, .n_embd = 16, .n_layer = 2,
	                     .n_ropes = 1, .ropes = {{.dim = 4}}};

	for (uint32_t i = 0; i < 2; i++)
		hp.layers[i] = (struct layer_plan){.mixers = MIXER_ATTENTION, .n_head = 4, .n_head_kv = 2,
		                                   .head_dim_k = 4, .head_dim_v = 4, .kv_layer = i,
		                                   .n_ff = 32};
	return hp;
}

Test(memory, counts_weights_cache_and_scratch)
{
	struct plan hp = two_layers();
	struct engine_params params = engine_params_default();
	struct memory_need f16 = memory_need_of(&hp, 1000000, &params, 1), f32, heavier;

	params.kv_type_k = params.kv_type_v = KV_F32;
	f32 = memory_need_of(&hp, 1000000, &params, 1);
	heavier = memory_need_of(&hp, 1000007, &params, 1);
	/* K and V of 2 layers, with 8 values each for a position: twice as many bytes in f32 */
	cr_assert_eq(memory_needed(&f32, 1024) - memory_needed(&f16, 1024), 1024u * 2 * 2 * 8 * 2);
	cr_assert_eq(memory_needed(&heavier, 1024) - memory_needed(&f32, 1024), 7);
	cr_assert_eq(memory_needed(&f32, SIZE_MAX / 2), UINT64_MAX);
}

Test(memory, the_wanted_context_shrinks_to_what_fits)
{
	struct plan hp = two_layers();
	struct engine_params params = engine_params_default();
	struct memory_need need = memory_need_of(&hp, 1000000, &params, 1);

	cr_assert_eq(memory_wanted_ctx(&need, &params), 8192);
	cr_assert_eq(memory_fitting_ctx(&need, &params, UINT64_MAX), 8192);
	for (size_t n = 16; n < 8192; n += 97) {
		uint64_t limit = memory_needed(&need, n);
		size_t fitting = memory_fitting_ctx(&need, &params, limit);

		cr_assert(memory_needed(&need, fitting) <= limit || fitting <= 16);
		cr_assert(fitting >= n - n / 8 - 1, "%zu of %zu", fitting, n);
	}
	cr_assert(memory_fitting_ctx(&need, &params, 1) <= 16, "nothing fits");
	params.beside = true;
	cr_assert_eq(memory_fitting_ctx(&need, &params, 1), 8192, "no smaller one beside another model");
	params = engine_params_default();
	params.n_ctx = 12345;
	cr_assert_eq(memory_wanted_ctx(&need, &params), 12345);
	cr_assert_eq(memory_fitting_ctx(&need, &params, 1), 12345, "what was asked for");
	params.n_ctx = 0;
	hp.n_ctx_train = 64;
	cr_assert_eq(memory_wanted_ctx(&need, &params), 64);
	hp.n_ctx_train = 131072;
	hp.n_ctx_original = 4096;
	cr_assert_eq(memory_wanted_ctx(&need, &params), 8192, "stretched positions are the same ones");
	hp.has_long_factors = true;
	cr_assert_eq(memory_wanted_ctx(&need, &params), 4096, "before the frequencies change");
	params.n_ctx = 10000;
	cr_assert_eq(memory_wanted_ctx(&need, &params), 10000);
}

Test(memory, micro_batches_are_larger_where_experts_share_them)
{
	struct plan plan = two_layers();
	struct engine_params params = engine_params_default();

	cr_assert_eq(memory_micro_batch(&plan, &params), 256);
	plan.layers[1].experts = (struct experts_plan){.n = 8, .n_used = 2, .n_ff = 32};
	cr_assert_eq(memory_micro_batch(&plan, &params), 512);
	plan.layers[0].mixers = MIXER_DELTA;
	cr_assert_eq(memory_micro_batch(&plan, &params), 256);
	params.n_batch = 7;
	cr_assert_eq(memory_micro_batch(&plan, &params), 7);
}
