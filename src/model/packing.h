/* Which weights are packed (kernels/panels.h) when a model is loaded. The rest stays in the
 * mapped file, where the system may drop and reread it, and is packed whenever it is
 * multiplied: the same bits, slower tokens, no copy in memory. */
#ifndef SOTTO_MODEL_PACKING_H
#define SOTTO_MODEL_PACKING_H

enum packing {
	PACKING_AUTO,  /* the first of these that fits in the memory that is available */
	PACKING_ALL,
	PACKING_DENSE, /* what every token takes: all but the experts */
	PACKING_NONE,  /* except small ones that are converted to floats (WEIGHTS_EXACT) */
	PACKING_COUNT
};

#endif
