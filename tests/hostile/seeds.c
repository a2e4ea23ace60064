#include "hostile/seeds.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/limits.h"
#include "support/family_model.h"
#include "support/tiny_model.h"

static enum status write_llama(size_t i, struct buf *file, struct error *err)
{
	struct tiny_model tiny = tiny_model_smallest(i & 1 ? TINY_BPE : TINY_SPM);

	tiny.vocab_only = i == 2;
	tiny.tied = i == 3;
	tiny.all_bytes = i >= 4;
	return tiny_model_write(&tiny, file, err);
}

static enum status write_family(size_t i, struct buf *file, struct error *err)
{
	static const char *const names[N_FAMILIES] = {
		"mistral3", "gemma2", "gemma4-e2b", "phi3-long", "olmo3",
		"qwen35-mtp", "lfm2", "granitehybrid", "falcon-h1", "nemotron_h",
		"qwen3moe", "gpt-oss", "gemma4-moe", "lfm2moe", "qwen3next", "llama4", "deepseek3",
	};
	struct family_model made = family_model_of(names[i]);
	struct family_sizes *s = &made.sizes;

	made.vocabulary = FAMILY_FEW_LETTERS;
	s->n_ctx = 16;
	s->n_embd = s->n_ff = 16;
	s->n_head = 2;
	s->n_head_kv = 1;
	s->head_dim = 8;
	s->window = 4;
	s->n_state_head = 2;
	s->n_state_group = 1;
	s->state_key = 4;
	s->state_value = 8;
	s->n_layer_embd = 4;
	s->n_expert = 4;
	s->n_expert_used = 2;
	s->n_expert_ff = s->n_shared_ff = 16;
	s->latent_key = s->latent_value = s->q_rank = 8;
	if (s->kv_rank)
		s->kv_rank = 8;
	return family_model_write(&made, file, err);
}

void seeds_init(struct seeds *seeds)
{
	for (size_t i = 0; i < N_SEEDS; i++) {
		struct buf *file = &seeds->files[i];
		struct error err = {0};

		buf_init(file, MIB(1));
		if ((i < N_LLAMAS ? write_llama(i, file, &err) : write_family(i - N_LLAMAS, file, &err)) ||
		    fields_find(&seeds->fields[i], file)) {
			fprintf(stderr, "seed %zu: %s\n", i, err.text);
			abort();
		}
	}
}

void seeds_deinit(struct seeds *seeds)
{
	for (size_t i = 0; i < N_SEEDS; i++) {
		buf_free(&seeds->files[i]);
		fields_free(&seeds->fields[i]);
	}
}
