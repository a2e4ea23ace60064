/* Writes a tiny model for tests that drive the program from outside.
 * usage: make_tiny [--smallest] [--bpe] [--vocab-only] [--tied] FILE */
#include <stdio.h>
#include <string.h>

#include "support/tiny_model.h"

int main(int argc, char **argv)
{
	struct tiny_model tiny = tiny_model_default();
	struct error err = {0};
	int i = 1;

	for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
		if (strcmp(argv[i], "--smallest") == 0) /* first: it chooses all else */
			tiny = tiny_model_smallest(tiny.vocab);
		else if (strcmp(argv[i], "--bpe") == 0)
			tiny.vocab = TINY_BPE;
		else if (strcmp(argv[i], "--vocab-only") == 0)
			tiny.vocab_only = true;
		else if (strcmp(argv[i], "--tied") == 0)
			tiny.tied = true;
		else
			break;
	}
	if (i != argc - 1) {
		fprintf(stderr, "usage: make_tiny [--smallest] [--bpe] [--vocab-only] [--tied] FILE\n");
		return 2;
	}
	if (tiny_model_save(&tiny, argv[i], &err)) {
		fprintf(stderr, "make_tiny: %s\n", err.text);
		return 1;
	}
	return 0;
}
