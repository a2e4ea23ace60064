/* The instruction sets that there are kernels for, and which of them this
 * machine can run.
 *
 * One row an instruction set, best last: pointers to its tables of kernels. A
 * kernel that a set lacks is the generic one. All give results within rounding
 * of each other's (tests/unit/kernels compare each with the generic twin); one
 * set alone gives the same bits for every batch size and number of threads. */
#ifndef SOTTO_KERNELS_ISA_H
#define SOTTO_KERNELS_ISA_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct attention_kernels;
struct bf16_kernels;
struct matmul_kernels;
struct peak_kernels;
struct vector_kernels;

struct isa {
	const char *name;  /* as --isa and SOTTO_ISA have it */
	unsigned feature;  /* of enum cpu_feature: what its kernels use; 0: nothing */
	const struct matmul_kernels *matmul;
	const struct peak_kernels *peak;
	const struct attention_kernels *attention;
	const struct vector_kernels *ops;
	const struct bf16_kernels *bf16; /* NULL: BF16 matrices are like other floats */
};

extern const struct isa isa_table[]; /* the first is generic: plain C, which any machine runs */
extern const size_t isa_n;

/* Whether this machine can run the kernels of a row. */
bool isa_usable(const struct isa *isa);

/* The row named `name`, or the best that this machine can run for NULL, "" and
 * "auto". STATUS_USAGE with the names for one that does not exist,
 * STATUS_UNSUPPORTED for one that this machine lacks. */
enum status isa_find(const struct isa **out, const char *name, struct error *err) MUST_CHECK;

#endif
