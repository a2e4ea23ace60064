/* The threads and the instruction set to compute with: an argument of every kernel whose work is
 * divided among threads. Owned by whoever opened it; used by one thread at a time. */
#ifndef SOTTO_KERNELS_COMPUTE_H
#define SOTTO_KERNELS_COMPUTE_H

#include "kernels/isa.h"

struct threadpool;

/* Where threads pack units of matrices without panels (matmul); owned by whoever sets it. */
struct pack_buffer {
	void *memory;   /* [threads][n_bytes], aligned to 64 */
	size_t n_bytes; /* of the largest packed unit, a multiple of 64 */
};

struct compute {
	struct threadpool *pool; /* NULL: the caller's thread alone */
	const struct isa *isa;   /* never NULL */
	struct pack_buffer pack_buffer; /* all zero: all matrices have panels */
};

/* With `n_threads` threads, 0 = one for each physical core, and the instruction
 * set of that name (isa_find). After an error there is nothing to close. */
enum status compute_open(struct compute *compute, const char *isa, size_t n_threads,
                         struct error *err) MUST_CHECK;
void compute_close(struct compute *compute); /* all zero is fine */

#endif
