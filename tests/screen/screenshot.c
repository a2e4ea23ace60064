/* Makes the README's picture: a scripted session with the program of this
 * build tree, drawn by the screen tests' harness.
 *
 * usage: screenshot FILE.svg [MODEL.gguf] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "screen/svg.h"

static const char *output, *model;

static void take_picture(void)
{
	struct screen_options options = {
		.rows = 12, .cols = 60, .program = "/bin/sh",
		.args = {"-c", "printf '\\033[1;32mYou\\033[m\\r\\nhello <there> & \346\274\242\345\255\227 ok\\r\\n\\033[36m\342\225\255\342\224\200\342\224\200\342\225\256\\033[m\\r\\n\342\224\202\342\226\210\342\226\215\342\224\202\\r\\n\342\225\260\342\224\200\342\224\200\342\225\257\\r\\n\\033[7m status  bar  \\033[m'; read x"},
	};
	struct screen *s = screen_start(&options);

	WAIT_TEXT(s, "status");
	svg_write(s, "sotto", output);
	screen_free(s);
}

int main(int argc, char **argv)
{
	static const struct screen_test shot = {"screenshot", take_picture, 0};

	if (argc < 2) {
		fprintf(stderr, "usage: screenshot FILE.svg [MODEL.gguf]\n");
		return 2;
	}
	output = argv[1];
	model = argc > 2 ? argv[2] : NULL;
	return run_tests(1, argv, &shot, 1);
}
