/* Which weights are packed (kernels/panels.h) when a model is loaded. What is not stays in the
 * mapped file, so that the system may drop and read it again, and is packed whenever it is
 * multiplied: the same bits, a slower token, no copy in memory. */
#ifndef SOTTO_MODEL_PACKING_H
#define SOTTO_MODEL_PACKING_H

enum packing {
	PACKING_AUTO,  /* the first of these that fits in the memory that is available */
	PACKING_ALL,
	PACKING_DENSE, /* what every token takes: all but the experts */
	PACKING_NONE,  /* but for what is small and made floats (WEIGHTS_EXACT) */
	PACKING_COUNT
};

#endif
