/* Good model files that wrong ones are made from: both kinds of vocabulary,
 * with and without tensors, tied, with all byte tokens; then other families. */
#ifndef SOTTO_TESTS_SEEDS_H
#define SOTTO_TESTS_SEEDS_H

#include "base/buf.h"
#include "hostile/mutate.h"

enum { N_LLAMAS = 6, N_FAMILIES = 17, N_SEEDS = N_LLAMAS + N_FAMILIES };

struct seeds {
	struct buf files[N_SEEDS];
	struct fields fields[N_SEEDS];
};

/* Aborts without memory: nothing can be tested then. */
void seeds_init(struct seeds *seeds);
void seeds_deinit(struct seeds *seeds);

#endif
