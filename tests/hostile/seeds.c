#include "hostile/seeds.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/limits.h"
#include "support/tiny_model.h"

void seeds_init(struct seeds *seeds)
{
	for (size_t i = 0; i < N_SEEDS; i++) {
		struct tiny_model tiny = tiny_model_smallest(i & 1 ? TINY_BPE : TINY_SPM);
		struct error err = {0};

		tiny.vocab_only = i == 2;
		tiny.tied = i == 3;
		tiny.all_bytes = i >= 4;
		buf_init(&seeds->files[i], MIB(1));
		if (tiny_model_write(&tiny, &seeds->files[i], &err) ||
		    fields_find(&seeds->fields[i], &seeds->files[i])) {
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
