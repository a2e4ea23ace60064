/* keys.yaml: keys that the user binds. */
#include <string.h>

#include "screen/chat.h"

static void write_keys(const char *text)
{
	test_make_directory(screen_home("config/sotto"));
	test_write_text(screen_home("config/sotto/keys.yaml"), text);
}

static void test_bound(void)
{
	struct screen *s;

	write_keys("Ctrl+G: /set temperature 0.2\n"
	           "F3: /model\n"
	           "F6: none\n"
	           "Ctrl+O: newline\n"
	           "Alt+T: none\n"
	           "F1: /show temp\n");
	s = CHAT_OPEN(.model = "synthetic:mode=think,tokens=5", .cols = 100, .rows = 30);
	EXPECT(!screen_has(s, "keys.yaml"), "nothing is wrong with the file");
	WAIT_TEXT(s, "F3 shows other models"); /* the hints follow */
	EXPECT(screen_has(s, "?       shows the keys and commands"), " ");
	PRESS_SHOWS(s, "draft<C-g>", "temp is 0.2"); /* while there is text, which stays */
	EXPECT(chat_line_has(s, "draft"), " ");
	PRESS_SHOWS(s, "<C-o>more", "more");
	EXPECT(!chat_line_has(s, "draftmore"), " ");
	PRESS_WAIT(s, "<C-c>", chat_line_is_empty(s));
	PRESS_SHOWS(s, "<F1>", "0.2");
	SAY_SHOWS(s, "hi", "no key unfolds");
	PRESS_SHOWS(s, "?", "Help");
	EXPECT(screen_has(s, "(keys.yaml)"), " ");
	PRESS_HIDES(s, "<Esc>", "Help");
	SAY_SHOWS(s, "/keys", "Changed by", "/set temperature 0.2");
	EXPECT(screen_has(s, "none; before: the models on this machine"), " ");
	PRESS_HIDES(s, "<Esc>", "Changed by");
	PRESS_SHOWS(s, "<F3>", "Models");
	PRESS_HIDES(s, "<Esc>", "Models");
	screen_quiet(s, 60);
	chat_quit(s);
}

/* What cannot be followed is named, the rest works; /keys reads the file again. */
static void test_wrong(void)
{
	struct screen *s;

	write_keys("Ctrl+I: /quit\n"
	           "F3: /sampelr\n"
	           "Ctrl+G: top\n"
	           "ctrl+g: bottom\n"
	           "Ctrl+O: /sampler\n");
	s = CHAT_OPEN(.model = "synthetic:mode=echo", .cols = 120);
	WAIT_TEXT(s, "keys.yaml:1: terminals cannot tell Ctrl+I from Tab");
	EXPECT(screen_has(s, "keys.yaml:2: there is no command /sampelr, did you mean /sampler?"), " ");
	EXPECT(screen_has(s, "keys.yaml:4: Ctrl+G is already bound in line 3"), " ");
	PRESS_SHOWS(s, "<C-o>", "temp");
	PRESS_QUIET(s, "<Esc>", 60);
	write_keys("F3: /keys\n");
	SAY_SHOWS(s, "/keys", "Changed by");
	PRESS_HIDES(s, "<Esc>", "Changed by");
	PRESS_SHOWS(s, "<F3>", "Changed by");
	PRESS_HIDES(s, "<Esc>", "Changed by");
	chat_quit(s);
}

/* No hint names a key that is not bound. */
static void test_unbound(void)
{
	struct screen *s;

	write_keys("Ctrl+D: none\nAlt+X: none\nUp: none\nEsc: none\nCtrl+G: escape\n");
	test_write_text(test_path("notes"), "some text\n");
	s = CHAT_OPEN(.model = "synthetic:tokens=100000,rate=20", .cols = 100);
	EXPECT(screen_has(s, "leaves") && !screen_has(s, "no key"), " ");
	SAY_SHOWS(s, "go", "Ctrl+G stops");
	SAY_SHOWS(s, "/read notes", "/detach removes");
	SAY_SHOWS(s, "next", "queued: next");
	SAY_SHOWS(s, "/edit", "a reply is under way; Ctrl+G stops it");
	EXPECT(!screen_has(s, "no key"), " ");
	chat_send(s, "<C-g>");
	chat_quit(s);
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"bound", test_bound, 0},
		{"wrong", test_wrong, 0},
		{"unbound", test_unbound, 0},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
