/* The instruction sets that kernels are tested on. */
#ifndef SOTTO_TESTS_SUPPORT_ISAS_H
#define SOTTO_TESTS_SUPPORT_ISAS_H

#include "kernels/isa.h"

/* After `isa` (NULL: the first) the next one that this machine can run; NULL at the
 * end. Those of isa_table, and the twins of avxvnni and avx512bf16. Programs that call this link
 * $(TEST_KERNEL_LIBS). */
const struct isa *next_isa(const struct isa *isa);

static inline const struct isa *isa_generic(void)
{
	return &isa_table[0];
}

#endif
