/* Makes the README's pictures: scripted sessions with the program of this build tree and
 * the guide, drawn by the screen tests' harness.
 *
 * usage: screenshot CHAT.svg FIRST-SCREEN.svg    (make screenshot) */
#include <stdio.h>

#include "screen/chat.h"
#include "screen/svg.h"

static const char *chat_file, *first_file;

static struct screen *open_guide(int rows, int cols)
{
	struct screen *s = chat_start(&(struct chat_options){
		.names_no_model = true, .rows = rows, .cols = cols,
		.args = {"--theme", "dark", "--seed", "1"},
	});

	WAIT_TEXT(s, "This is the guide");
	chat_wait_ready(s);
	return s;
}

/* The sliders are open when the reply has ended, so that the picture is the same each
 * time but for the speed. */
static void take_chat(void)
{
	static const char *const questions[] = {"What is the temperature for?", "What is a good value?",
	                                        "Can I move it while the model writes?"};
	struct screen *s = open_guide(35, 100);

	for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++) {
		chat_say(s, questions[i]);
		WAIT(s, chat_shows(s, questions[i]) && chat_is_ready(s));
		screen_quiet(s, 300);
	}
	screen_keys(s, "<F2>");
	WAIT_TEXT(s, "top-k");
	screen_keys(s, "<Right><Right>");
	WAIT_TEXT(s, "/set");
	screen_quiet(s, 100);
	svg_write(s, "sotto", chat_file);
	screen_free(s);
}

static void take_first_screen(void)
{
	struct screen *s = open_guide(18, 84);

	screen_quiet(s, 100);
	svg_write(s, "sotto", first_file);
	screen_free(s);
}

int main(int argc, char **argv)
{
	static const struct screen_test shots[] = {
		{"chat", take_chat, 0},
		{"first-screen", take_first_screen, 0},
	};

	if (argc != 3) {
		fprintf(stderr, "usage: screenshot CHAT.svg FIRST-SCREEN.svg\n");
		return 2;
	}
	chat_file = argv[1];
	first_file = argv[2];
	return run_tests(1, argv, shots, sizeof(shots) / sizeof(shots[0]));
}
