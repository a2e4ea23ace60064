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
	s = chat_open_with(&(struct chat_options){
		.model = "synthetic:mode=think,tokens=5", .cols = 100, .rows = 30});
	EXPECT(!screen_has(s, "keys.yaml"), "nothing is wrong with the file");
	WAIT_TEXT(s, "F3 shows the other models"); /* the hints follow */
	EXPECT(screen_has(s, "?       shows the keys and commands"), " ");
	screen_keys(s, "draft<C-g>"); /* while there is text, which stays */
	WAIT_TEXT(s, "temp is 0.2");
	EXPECT(chat_line_has(s, "draft"), " ");
	screen_keys(s, "<C-o>more");
	WAIT_TEXT(s, "more");
	EXPECT(!chat_line_has(s, "draftmore"), " ");
	screen_keys(s, "<C-c>");
	WAIT(s, chat_line_is_empty(s));
	screen_keys(s, "<F1>");
	WAIT_TEXT(s, "0.2");
	chat_say(s, "hi");
	WAIT_TEXT(s, "no key unfolds");
	screen_keys(s, "?");
	WAIT_TEXT(s, "Help");
	EXPECT(screen_has(s, "(keys.yaml)"), " ");
	screen_keys(s, "<Esc>");
	WAIT_GONE(s, "Help");
	chat_say(s, "/keys");
	WAIT_TEXT(s, "Changed by");
	WAIT_TEXT(s, "/set temperature 0.2");
	EXPECT(screen_has(s, "none; before: the models on this machine"), " ");
	screen_keys(s, "<Esc>");
	WAIT_GONE(s, "Changed by");
	screen_keys(s, "<F3>");
	WAIT_TEXT(s, "Models");
	screen_keys(s, "<Esc>");
	WAIT_GONE(s, "Models");
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
	s = chat_open_with(&(struct chat_options){.model = "synthetic:mode=echo", .cols = 120});
	WAIT_TEXT(s, "keys.yaml:1: terminals cannot tell Ctrl+I from Tab");
	EXPECT(screen_has(s, "keys.yaml:2: there is no command /sampelr, did you mean /sampler?"), " ");
	EXPECT(screen_has(s, "keys.yaml:4: Ctrl+G is already bound in line 3"), " ");
	screen_keys(s, "<C-o>");
	WAIT_TEXT(s, "temp");
	screen_keys(s, "<Esc>");
	screen_quiet(s, 60);
	write_keys("F3: /keys\n");
	chat_say(s, "/keys");
	WAIT_TEXT(s, "Changed by");
	screen_keys(s, "<Esc>");
	WAIT_GONE(s, "Changed by");
	screen_keys(s, "<F3>");
	WAIT_TEXT(s, "Changed by");
	screen_keys(s, "<Esc>");
	WAIT_GONE(s, "Changed by");
	chat_quit(s);
}

/* No hint names a key that is not bound. */
static void test_unbound(void)
{
	struct screen *s;

	write_keys("Ctrl+D: none\nAlt+X: none\nUp: none\nEsc: none\nCtrl+G: escape\n");
	test_write_text(test_path("notes"), "some text\n");
	s = chat_open_with(&(struct chat_options){.model = "synthetic:tokens=100000,rate=20", .cols = 100});
	EXPECT(screen_has(s, "leaves") && !screen_has(s, "no key"), " ");
	chat_say(s, "go");
	WAIT_TEXT(s, "Ctrl+G stops");
	chat_say(s, "/read notes");
	WAIT_TEXT(s, "/detach removes");
	chat_say(s, "next");
	WAIT_TEXT(s, "queued: next");
	chat_say(s, "/edit");
	WAIT_TEXT(s, "a reply is under way; Ctrl+G stops it");
	EXPECT(!screen_has(s, "no key"), " ");
	screen_keys(s, "<C-g>");
	chat_wait_ready(s);
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
