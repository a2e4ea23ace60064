/* Makes the README's picture: a scripted session with the program of this
 * build tree and the guide, drawn by the screen tests' harness.
 *
 * usage: screenshot FILE.svg    (make screenshot) */
#include <stdio.h>

#include "screen/chat.h"
#include "screen/svg.h"

static const char *output;

/* The sliders are open when the reply has ended, so that the picture is the same each
 * time but for the speed. */
static void take_picture(void)
{
	struct screen *s = chat_start(&(struct chat_options){
		.names_no_model = true, .rows = 28, .cols = 96,
		.args = {"--theme", "dark", "--temp", "0.3", "--seed", "9"},
	});

	chat_wait_ready(s);
	chat_say(s, "How do I make the replies more lively?");
	chat_wait_ready(s);
	chat_say(s, "Tell me a story!");
	screen_keys(s, "<F2>");
	WAIT_NOW(s, 20000, screen_has(s, "top-k") && chat_is_ready(s) && screen_has(s, "Tell me"));
	screen_quiet(s, 100);
	svg_write(s, "sotto", output);
	screen_free(s);
}

int main(int argc, char **argv)
{
	static const struct screen_test shot = {"screenshot", take_picture, 0};

	if (argc != 2) {
		fprintf(stderr, "usage: screenshot FILE.svg\n");
		return 2;
	}
	output = argv[1];
	return run_tests(1, argv, &shot, 1);
}
