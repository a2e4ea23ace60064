/* Writes a tiny checkpoint for scripts and for the vectors of tests/vectors/convert.
 * usage: make_checkpoint FAMILY FOLDER [DTYPE [SHARDS]]; without arguments: lists the families */
#include <stdio.h>
#include <stdlib.h>

#include "support/tiny_checkpoint.h"

int main(int argc, char **argv)
{
	struct tiny_checkpoint tiny = {.dtype = argc > 3 ? argv[3] : "BF16"};
	size_t n;

	if (argc < 3) {
		const struct tiny_family *families = tiny_families(&n);

		for (size_t i = 0; i < n; i++)
			puts(families[i].name);
		return 0;
	}
	tiny.family = tiny_family_find(argv[1]);
	tiny.n_shards = argc > 4 ? (unsigned)strtoul(argv[4], NULL, 10) : 1;
	if (!tiny.family) {
		fprintf(stderr, "make_checkpoint: there is no family '%s'\n", argv[1]);
		return 2;
	}
	tiny_checkpoint_write(&tiny, argv[2]);
	return 0;
}
