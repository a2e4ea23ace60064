/* OLMo 2 and 3. */
#include "checkpoint/family.h"

static void olmo2_keys(struct conversion *c)
{
	keys_usual(c);
	if (!settings_tree_get(c->config, "sliding_window") && c->family != &checkpoint_olmo3)
		return;
	key_u32(c, "attention.sliding_window", config_needed_u32(c, "sliding_window"));
	key_window_pattern(c, 4);
}

const struct checkpoint_family checkpoint_olmo2 = {
	.classes = FAMILY_CLASSES("Olmo2ForCausalLM"),
	.architecture = "olmo2",
	.vocabulary = VOCABULARY_BPE,
	.defaults = FAMILY_DEFAULTS({"max_position_embeddings", 2048}, {"rms_norm_eps", 1e-5}, {"rope_theta", 10000}),
	.keys = olmo2_keys,
};

const struct checkpoint_family checkpoint_olmo3 = {
	.classes = FAMILY_CLASSES("Olmo3ForCausalLM"),
	.architecture = "olmo2",
	.vocabulary = VOCABULARY_BPE,
	.defaults = FAMILY_DEFAULTS({"max_position_embeddings", 2048}, {"rms_norm_eps", 1e-5}, {"rope_theta", 500000},
		{"sliding_window", 4096}),
	.keys = olmo2_keys,
};
