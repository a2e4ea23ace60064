/* Who computes, and with what: what every kernel that is worth sharing out is
 * given. Borrowed by all; the pool is used by one thread at a time. */
#ifndef SOTTO_KERNELS_COMPUTE_H
#define SOTTO_KERNELS_COMPUTE_H

#include "kernels/isa.h"

struct threadpool;

struct compute {
	struct threadpool *pool; /* NULL: the caller's thread alone */
	const struct isa *isa;   /* never NULL */
};

/* The same without threads: for work that is not worth waking any. */
static inline struct compute compute_alone(const struct compute *compute)
{
	return (struct compute){NULL, compute->isa};
}

#endif
