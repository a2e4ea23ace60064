/* The model that a chat starts with where none is named: a new one, one that is gone on with, one that
 * is opened while another model is loaded. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "gguf/writer.h"
#include "screen/chat.h"
#include "support/tiny_model.h"

#define GUIDE "guide (built in)"
#define LIST "Filter:" /* of F6 */
enum { ROWS = 30, COLS = 110 };

static void save_model(const char *name, const char *file, bool guide)
{
	struct tiny_model tiny = tiny_model_default();
	struct gguf_writer *w;
	struct error err;

	tiny.n_ctx = 2048;
	tiny.guide = guide;
	w = tiny_model_writer(&tiny);
	gguf_writer_set_string(w, "general.name", name, strlen(name));
	EXPECT(gguf_writer_save(w, test_path(file), &err) == STATUS_OK, "%s", err.text);
	gguf_writer_free(w);
}

/* The guide is there, and two models: "Alpha" and "Beta". */
static const char *make_models(void)
{
	const char *data = chat_guide_data();

	save_model("the guide", CHAT_GUIDE_MODEL, true);
	save_model("Alpha", "alpha.gguf", false);
	save_model("Beta", "beta.gguf", false);
	return data;
}

/* With -m where a model is named. */
static struct screen *start(const char *data, const char *model, const char *arg, const char *env)
{
	return CHAT_START(.model = model, .names_no_model = !model, .rows = ROWS, .cols = COLS,
	                  .env = {data, env}, .args = {"-n", "3", "--seed", "1", arg});
}

/* In the status bar, once it is loaded. */
static void wait_model(struct screen *s, const char *name)
{
	WAIT_TEXT(s, name);
	chat_wait_ready(s);
}

static void talk(const char *data, const char *model, const char *name, const char *text)
{
	struct screen *s = start(data, model, NULL, NULL);

	wait_model(s, name);
	ASK_SHOWS(s, text, "Stopped after 3 tokens");
	chat_quit(s);
}

static void configure(const char *text)
{
	test_make_directory(screen_home("config/sotto"));
	test_write_text(screen_home("config/sotto/config.yaml"), text);
}

/* After a chat with Alpha, then one with Beta. */
static void test_which(void)
{
	static const struct {
		const char *config, *env, *model, *arg;
		const char *starts_with;
	} cases[] = {
		{"", NULL, NULL, NULL, "Beta"},
		{"", NULL, NULL, "-C", "Beta"},
		{"", NULL, NULL, "--resume=with Alpha", "Alpha"},
		{"", NULL, "alpha.gguf", NULL, "Alpha"},
		{"", NULL, "alpha.gguf", "-C", "Alpha"},
		{"", NULL, "guide", NULL, GUIDE},
		{"", NULL, "guide", "-C", GUIDE},
		{"", NULL, NULL, "--start-with=guide", GUIDE},
		{"", NULL, NULL, "--start-with=last", "Beta"},
		{"", "SOTTO_START_WITH=guide", NULL, NULL, GUIDE},
		{"start-with: guide\n", NULL, NULL, NULL, GUIDE},
		{"start_with: guide\n", NULL, NULL, "-C", "Beta"},
		{"start-with: guide\n", NULL, NULL, "--start-with=last", "Beta"},
		{"model: alpha.gguf\n", NULL, NULL, NULL, "Alpha"},
		{"model: alpha.gguf\n", NULL, NULL, "-C", "Beta"},
		{"model: guide\n", NULL, NULL, NULL, GUIDE},
		{"model: guide\n", NULL, NULL, "-C", "Beta"},
		{"model: guide\n", NULL, "alpha.gguf", "-C", "Alpha"},
		{"", "SOTTO_MODEL=alpha.gguf", NULL, NULL, "Alpha"},
		{"", "SOTTO_MODEL=alpha.gguf", NULL, "-C", "Beta"},
	};
	const char *data = make_models();

	talk(data, "alpha.gguf", "Alpha", "with Alpha");
	talk(data, "beta.gguf", "Beta", "with Beta");
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct screen *s;

		/* the list of models as it was, whatever a case has loaded */
		s = start(data, "beta.gguf", NULL, NULL);
		wait_model(s, "Beta");
		chat_quit(s);
		configure(cases[i].config);
		s = start(data, cases[i].model, cases[i].arg, cases[i].env);
		wait_model(s, cases[i].starts_with);
		EXPECT(!screen_has(s, "is not there"), "case %zu", i);
		chat_quit(s);
		configure("");
	}
}

static void test_ask(void)
{
	const char *data = make_models();
	struct screen *s;

	talk(data, "alpha.gguf", "Alpha", "with Alpha");
	s = start(data, NULL, "--start-with=ask", NULL);
	WAIT(s, screen_has(s, LIST) && screen_has(s, "Alpha"));
	EXPECT(screen_has(s, CHAT_NO_MODEL), "none is loaded unasked");
	PRESS_HIDES(s, "<Enter>", LIST);
	wait_model(s, "Alpha");
	chat_quit(s);
}

/* A file that is no longer there is named, and another model answers. */
static void test_gone(void)
{
	const char *data = make_models();
	struct screen *s;

	talk(data, "alpha.gguf", "Alpha", "with Alpha");
	EXPECT(rename(test_path("alpha.gguf"), test_path("moved.gguf")) == 0, " ");
	s = start(data, NULL, NULL, NULL);
	wait_model(s, GUIDE);
	EXPECT(screen_has(s, "The model used last is not there: ") && screen_has(s, "/alpha.gguf: No such file"), " ");
	chat_quit(s);
	s = start(data, NULL, "-C", NULL);
	wait_model(s, GUIDE);
	EXPECT(screen_has(s, "The model of this chat, Alpha, is not there: ") &&
	       screen_has(s, "/alpha.gguf: No such file"), " ");
	chat_say(s, "/model chat");
	WAIT(s, screen_count(s, "/alpha.gguf: No such file") == 2 || chat_line_has(s, "/model chat"));
	chat_quit(s);

	s = start(data, "beta.gguf", NULL, NULL); /* now it is the one used last */
	wait_model(s, "Beta");
	chat_quit(s);
	s = start(data, NULL, "-C", NULL);
	wait_model(s, "Beta");
	EXPECT(screen_has(s, "The model of this chat, Alpha, is not there: "), " ");
	chat_quit(s);

	s = start(data, "moved.gguf", NULL, NULL); /* it is known by what it is, not by its name */
	wait_model(s, "Alpha");
	chat_quit(s);
	s = start(data, "beta.gguf", NULL, NULL);
	wait_model(s, "Beta");
	chat_quit(s);
	s = start(data, NULL, "-C", NULL);
	wait_model(s, "Alpha");
	EXPECT(!screen_has(s, "is not there"), " ");
	chat_quit(s);
}

/* There, but no model any more: the guide answers. */
static void test_spoilt(void)
{
	const char *data = make_models();
	struct screen *s;

	talk(data, "alpha.gguf", "Alpha", "with Alpha");
	test_write_text(test_path("alpha.gguf"), "no model\n");
	for (int resumes = 0; resumes < 2; resumes++) {
		s = start(data, NULL, resumes ? "-C" : NULL, NULL);
		wait_model(s, GUIDE);
		EXPECT(screen_has(s, "not a GGUF file"), " ");
		chat_quit(s);
	}
}

/* A chat that is opened by F5 or /load while a model is loaded leaves it there, and says how to have
 * its own. */
static void test_opened(void)
{
	const char *data = make_models();
	struct screen *s;

	talk(data, "alpha.gguf", "Alpha", "with Alpha");
	talk(data, "beta.gguf", "Beta", "with Beta");
	s = start(data, "beta.gguf", NULL, NULL);
	wait_model(s, "Beta");
	SAY_WAIT(s, "/load with Beta", chat_shows(s, "with Beta"));
	EXPECT(!screen_has(s, "/model chat"), "it is its own");
	ASK_SHOWS(s, "/load with Alpha", "This chat was with Alpha: /model chat loads it.");
	SAY_WAIT(s, "/model chat", screen_count(s, "Alpha") > 2);
	wait_model(s, "Alpha");
	ASK_WAIT(s, "and now?", screen_count(s, "Stopped after 3 tokens") == 2 || chat_is_ready(s));
	chat_quit(s);
}

/* The model of a chat wins over the one that its template would like. */
static void test_template(void)
{
	const char *data = make_models();
	struct screen *s;

	test_make_directory(screen_home("config/sotto/prompts"));
	test_write_text(screen_home("config/sotto/prompts/role.yaml"),
	                "description: a role\nmodel: alpha.gguf\nsystem: Be brief.\n");
	test_write_text(screen_home("config/sotto/prompts/other.yaml"),
	                "description: another\nmodel: alpha.gguf\nsystem: Be kind.\n");
	s = start(data, "beta.gguf", "--template=role", NULL);
	wait_model(s, "Beta");
	ASK_SHOWS(s, "with Beta", "Stopped after 3 tokens");
	chat_quit(s);
	s = start(data, NULL, "-C", NULL);
	wait_model(s, "Beta");
	chat_quit(s);
	s = CHAT_START(.names_no_model = true, .rows = ROWS, .cols = COLS, .env = {data},
	               .args = {"-C", "--template=other"});
	WAIT_TEXT(s, "is made for another model");
	wait_model(s, "Beta");
	chat_quit(s);
	s = start(data, NULL, "--template=role", NULL); /* a new chat has the template's */
	wait_model(s, "Alpha");
	chat_quit(s);
}

static void test_nothing_saved(void)
{
	const char *data = make_models();
	struct screen *s = start(data, "alpha.gguf", "--no-save", NULL);

	wait_model(s, "Alpha");
	chat_quit(s);
	s = start(data, NULL, NULL, NULL);
	wait_model(s, GUIDE);
	chat_quit(s);
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"which", test_which, 240},
		{"ask", test_ask, 0},
		{"gone", test_gone, 120},
		{"spoilt", test_spoilt, 0},
		{"opened", test_opened, 0},
		{"template", test_template, 0},
		{"nothing-saved", test_nothing_saved, 0},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
