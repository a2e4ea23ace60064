/* Looking up in what is sorted, whatever its keys are. */
#ifndef SOTTO_BASE_BISECT_H
#define SOTTO_BASE_BISECT_H

#include <stdbool.h>
#include <stddef.h>

/* Raises `at`, a variable, to the first index that does not come before what is looked for, or to `n`:
 *
 *     size_t at = 0;
 *     BISECT(at, n, i, items[i].start <= offset); // the first item that starts behind the offset
 */
#define BISECT(at, n, i, comes_before)                                                                  \
	for (size_t i, bisect_end = (n);                                                                \
	     (at) < bisect_end && (i = (at) + (bisect_end - (at)) / 2, true);)                          \
		if (comes_before)                                                                       \
			(at) = i + 1;                                                                   \
		else                                                                                    \
			bisect_end = i

#endif
