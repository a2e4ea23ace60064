/* What every target defines: one call takes one input, of any bytes. It must
 * return 0, free all it allocated and never crash, abort or hang; a property
 * that does not hold (a round trip, say) is reported with FUZZ_CHECK. */
#ifndef SOTTO_TESTS_FUZZ_H
#define SOTTO_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_CHECK(condition)                                                                      \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);    \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

#endif
