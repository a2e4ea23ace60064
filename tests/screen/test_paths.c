/* Paths in commands: ~ in all of them, and what stands where a file is expected. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "screen/turns.h"

static const char model[] = "synthetic:mode=echo,rate=2000";

static struct screen *open_chat(void)
{
	struct screen *s;

	test_make_directory(screen_home(""));
	test_write_text(screen_home("t.txt"), "some text\n");
	test_write_text(screen_home("c.jinja"), "{{ messages }}");
	test_write_text(screen_home("i.json"),
	                "[{\"role\": \"user\", \"content\": \"imported question\"},"
	                " {\"role\": \"assistant\", \"content\": \"imported answer\"}]");
	test_make_directory(screen_home("folder"));
	EXPECT(mkfifo(screen_home("fifo"), 0600) == 0, " ");
	s = CHAT_OPEN(.model = model, .cols = 200, .rows = 40);
	ASK_WAIT(s, "hello there", screen_count(s, "hello there") == 2);
	return s;
}

static bool is_file(const char *name)
{
	struct stat st;

	return stat(screen_home(name), &st) == 0 && S_ISREG(st.st_mode);
}

/* Whether there is a file with this ending in the home folder. */
static bool has_file(const char *ending)
{
	DIR *dir = opendir(screen_home("."));
	struct dirent *entry;
	bool found = false;

	EXPECT(dir, " ");
	while ((entry = readdir(dir))) {
		size_t len = strlen(entry->d_name), n = strlen(ending);

		found |= len > n && strcmp(entry->d_name + len - n, ending) == 0;
	}
	closedir(dir);
	return found;
}

static void type(struct screen *s, const char *line)
{
	screen_keys(s, "<C-a><C-k>");
	PRESS_QUIET(s, line, 30);
	screen_keys(s, "<Enter>");
}

#define TYPE_SHOWS(s, line, text) (type(s, line), WAIT_TEXT(s, text))

static void test_home(void)
{
	struct screen *s = open_chat();

	TYPE_SHOWS(s, "/write ~/w.md", "home/w.md");
	TYPE_SHOWS(s, "/export md \"~/e e.md\"", "home/e e.md");
	TYPE_SHOWS(s, "/export html ~/", ".html"); /* a folder: under the name of the chat */
	TYPE_SHOWS(s, "/export txt ~", ".txt");
	TYPE_SHOWS(s, "/save ~/s.yaml", "home/s.yaml");
	EXPECT(is_file("w.md") && is_file("e e.md") && is_file("s.yaml"), " ");
	EXPECT(has_file(".html"), " ");
	TYPE_SHOWS(s, "/chat-template-file ~/c.jinja", "it takes effect with the next /model");
	TYPE_SHOWS(s, "/read ~/t.txt", "t.txt  10 B");
	TYPE_SHOWS(s, "/detach", "no longer attached");
	PRESS_SHOWS(s, "<C-a><C-k>see @~/t.txt", "t.txt  10 B");
	type(s, "/load ~/s.yaml");
	WAIT(s, screen_count(s, "hello there") == 2);
	TYPE_SHOWS(s, "/import ~/i.json", "imported answer");
	TYPE_SHOWS(s, "/model ~/none.gguf", "home/none.gguf");
	screen_keys(s, "<C-a><C-k>");
	chat_quit(s);
}

/* No command waits for a fifo, takes a folder for a file or a name that is not there for one that is. */
static void test_refused(void)
{
	static const struct {
		const char *line, *why;
	} rows[] = {
		{"/read ~/none", "none: cannot open: No such file"},
		{"/read ~/folder", "folder: is a folder"},
		{"/read ~/fifo", "fifo: not a regular file"},
		{"/load ~/none.yaml", "none.yaml: cannot open: No such file"},
		{"/load ~/folder", "folder: cannot open: Is a directory"},
		{"/load ~/fifo", "fifo: not a regular file"},
		{"/import ~/none", "none: cannot open: No such file"},
		{"/import ~/folder", "folder: is a folder"},
		{"/import ~/fifo", "fifo: not a regular file"},
		{"/chat-template-file ~/none.jinja", "chat-template: ~/none.jinja: No such file"},
		{"/chat-template ~/folder", "chat-template: ~/folder: is a folder"},
		{"/set chat_template ~/fifo", "chat-template: ~/fifo: not a regular file"},
		{"/set model ~/none.gguf", "model: ~/none.gguf: No such file"},
		{"/write ~/folder", "folder: is a folder"},
		{"/write ~/fifo", "fifo: already exists"},
		{"/write! ~/fifo", "fifo: not a regular file"},
		{"/write ~/none/x", "No such file"},
		{"/export md ~/fifo", "fifo: already exists"},
		{"/export md ~/none/x.md", "x.md: cannot create: No such file"},
		{"/save ~/folder/", "folder/: is a folder"},
		{"/save ~", "home: is a folder"},
		{"/save ~/fifo", "fifo: not a regular file"},
		{"/logit-bias foo", "logit-bias: 'foo' is not TEXT+N, TEXT-N, ID+N or ID-N"},
		{"/override-kv a=int:x", "override-kv: 'a=int:x': expected KEY=int:N"},
		{"/samplers top_q", "samplers: unknown sampler 'top_q'; known: penalties;dry;"},
		{"/isa none", "isa: "},
		{"/dry-sequence-breaker \"a b", "dry-sequence-breaker: unclosed quote"},
		{"/set copy no-such-program -x", "copy: there is no program 'no-such-program'"},
		{"/set copy ~/folder", "copy: there is no program '~/folder'"},
	};
	struct screen *s = open_chat();

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		TYPE_SHOWS(s, rows[i].line, rows[i].why);
		screen_keys(s, "<C-a><C-k><C-l>");
		chat_say(s, "/detach"); /* something else takes the place of the message */
	}
	ASK_WAIT(s, "still here", screen_count(s, "still here") == 2);
	chat_quit(s);
}

/* Why a command was refused can be read to its end, however narrow the screen is. */
static void test_long(void)
{
	static const struct {
		const char *line, *begins, *ends;
	} rows[] = {
		{"/preset nosuch", "there is no preset", "is set now"},
		{"/samplers nosuch", "samplers: unknown sampler", "erature"},
		{"/read /usr", "/usr: is a folder;", "in its folders"},
		{"/template nosuch", "there is no prompt template", "tutor"},
	};
	struct screen *s = CHAT_OPEN(.model = "synthetic:mode=echo", .rows = 24, .cols = 60);

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		type(s, rows[i].line);
		WAIT(s, screen_has(s, rows[i].begins) && screen_has(s, rows[i].ends));
		EXPECT(!screen_has(s, "\u2026"), "%s", rows[i].line);
		screen_keys(s, "<C-a><C-k>");
	}
	chat_quit(s);
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"home", test_home, 0},
		{"refused", test_refused, 0},
		{"long", test_long, 0},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
