/* Makes the README's picture: a scripted session with the program of this
 * build tree, drawn by the screen tests' harness.
 *
 * usage: screenshot FILE.svg MODEL.gguf    (make screenshot) */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "screen/chat.h"
#include "screen/svg.h"

static const char *output, *model;

/* In mid-reply, with the sliders open: the program is stopped for the picture,
 * so that it is the same each time but for a token or two. */
static void take_picture(void)
{
	struct screen *s = chat_open_with(&(struct chat_options){
		.model = model, .rows = 28, .cols = 96,
		.args = {"--theme", "dark", "--temp", "0.5", "--seed", "9", "-n", "400", "-c", "512"},
	});

	screen_keys(s, "Tell me a story about a little dog.");
	WAIT(s, chat_line_has(s, "dog."));
	screen_keys(s, "<Enter><F2>");
	WAIT_NOW(s, 20000, screen_has(s, "strong") && screen_has(s, "top-k"));
	kill(s->job.program, SIGSTOP);
	WAIT(s, s->job.state == JOB_STOPPED);
	screen_quiet(s, 100);
	svg_write(s, "sotto", output);
	screen_free(s);
}

int main(int argc, char **argv)
{
	static const struct screen_test shot = {"screenshot", take_picture, 0};
	static char path[4096];

	if (argc != 3 || !realpath(argv[2], path)) {
		fprintf(stderr, "usage: screenshot FILE.svg MODEL.gguf\n");
		return 2;
	}
	output = argv[1];
	model = path;
	return run_tests(1, argv, &shot, 1);
}
