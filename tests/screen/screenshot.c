/* Makes the README's pictures: scripted sessions with the program of this build tree, drawn by the
 * screen tests' harness. Two are with the guide, the others are scenes of the goldens.
 *
 * usage: screenshot FOLDER    (make screenshot) */
#include <stdio.h>
#include <string.h>

#include "screen/scenes.h"
#include "screen/svg.h"

static const char *folder;

static void write_picture(struct screen *s, const char *name)
{
	char path[600];

	screen_quiet(s, 100);
	snprintf(path, sizeof(path), "%s/%s.svg", folder, name);
	svg_write(s, "sotto", path);
	screen_free(s);
}

static struct screen *open_guide(int rows, int cols)
{
	struct screen *s = CHAT_START(.names_no_model = true, .rows = rows, .cols = cols,
	                              .args = {"--theme", "dark", "--seed", "1"},
	                              .env = {"COLORTERM=truecolor", "SOTTO_TEST_MEMORY=8589934592"});

	WAIT_TEXT(s, "You are talking to the guide", "Enter fetches");
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
		SAY_WAIT(s, questions[i], chat_shows(s, questions[i]) && chat_is_ready(s));
		screen_quiet(s, 300);
	}
	PRESS_SHOWS(s, "<F2>", "top-k");
	PRESS_SHOWS(s, "<Right><Right>", "/set");
	write_picture(s, "sliders");
}

static void take_first_screen(void)
{
	write_picture(open_guide(19, 84), "first-screen");
}

static void take_scene(const char *scene, int rows, int cols, const char *theme, const char *name)
{
	for (size_t i = 0; i < scenes_n; i++)
		if (strcmp(scenes[i].name, scene) == 0)
			write_picture(scene_open(&scenes[i], rows, cols, theme), name);
}

static void take_markdown(void)
{
	take_scene("chat", 46, 90, "solarized-dark", "markdown");
}

static void take_themes(void)
{
	take_scene("f7-themes", 24, 84, "nord", "themes");
}

static void take_inspect(void)
{
	take_scene("f8-inspect", 18, 90, "light", "inspect");
}

int main(int argc, char **argv)
{
	static const struct screen_test shots[] = {
		{"sliders", take_chat, 0},
		{"first-screen", take_first_screen, 0},
		{"markdown", take_markdown, 0},
		{"themes", take_themes, 0},
		{"inspect", take_inspect, 0},
	};

	if (argc != 2) {
		fprintf(stderr, "usage: screenshot FOLDER\n");
		return 2;
	}
	folder = argv[1];
	return run_tests(1, argv, shots, sizeof(shots) / sizeof(shots[0]));
}
