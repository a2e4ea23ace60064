#include "screen/scenes.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "chat/tree.h"
#include "journal/journal.h"
#include "support/hub_server/hub_server.h"

#define SCENE_MODEL "synthetic:rate=0,tokens=5"
#define WRITES "synthetic:tokens=60,hold=40,rate=50"
#define LONG "synthetic:rate=1000,tokens=20"
#define SERVER "synthetic:remote=1,tokens=5"
#define FOX "The fox went out on a chilly night."

const struct scene scenes[] = {
	{.name = "empty", .shows = "sotto: a quiet talk"},
	{.name = "chat", .resumes = true, .shows = "Resizing keeps"},
	{.name = "thoughts", .resumes = true, .keys = "<M-t>" "<C-Home>", .shows = "Alt+T folds"},
	{.name = "plain", .resumes = true, .keys = "<M-m>", .shows = "**"},
	{.name = "thinking", .model = "synthetic:mode=think,think=60,hold=50,rate=50", .say = FOX, .then = "thought 48",
	 .shows = "thinking"},
	{.name = "writing", .model = WRITES, .resumes = true, .say = FOX, .then = "warm 39", .shows = "writing"},
	{.name = "queue", .model = WRITES, .say = FOX, .then = "warm 39",
	 .keys = "a second message<Enter>" "and a third<Enter>", .shows = "and a third"},
	{.name = "error", .model = "synthetic:fail=5", .resumes = true, .say = FOX, .then = "made to fail",
	 .shows = "made to fail"},
	{.name = "looks-wrong", .model = "synthetic:rate=1000,tokens=30,mode=long,here=1", .say = FOX,
	 .then = "again and again", .shows = "sotto doctor"},
	{.name = "looks-wrong-monochrome", .theme = "monochrome", .model = "synthetic:rate=1000,tokens=30,mode=long,here=1",
	 .say = FOX, .then = "again and again", .shows = "sotto doctor"},
	{.name = "log", .keys = "/log<Enter>", .shows = "Logged: nothing"},
	{.name = "notices", .resumes = true, .keys = "/nonsense<Enter>" "<C-a><C-k>" "/show temp<Enter>",
	 .shows = "temp  "},
	{.name = "picked", .resumes = true, .keys = "<M-Up><M-Up>", .shows = "Esc unpick"},
	{.name = "parts", .resumes = true, .keys = "<M-Up>" "<M-Up>" "<M-Up>" "<Tab>", .shows = "Esc"},
	{.name = "attached", .resumes = true, .keys = "/read notes.txt<Enter>", .shows = "notes.txt"},
	{.name = "edit", .resumes = true, .keys = "<M-e>", .shows = "editing:"},
	{.name = "find", .resumes = true, .say = "/find bucket", .then = "of ", .shows = "bucket"},
	{.name = "confidence", .model = "synthetic:rate=1000,tokens=20", .say = FOX, .then = "warm 19", .keys = "<M-u>",
	 .shows = "Alt+N goes"},
	{.name = "confidence-monochrome", .theme = "monochrome", .model = "synthetic:rate=1000,tokens=20", .say = FOX,
	 .then = "warm 19", .keys = "<M-u>" "<M-u>", .shows = "Alt+N goes"},
	{.name = "unsure", .model = "synthetic:rate=1000,tokens=20", .say = FOX, .then = "warm 19", .keys = "<M-u>" "<M-n>",
	 .shows = "unsure word 1"},
	{.name = "score", .model = "synthetic:rate=1000,tokens=5", .say = FOX, .then = "warm 4", .keys = "/score It did. | \"No, never!\" | Perhaps<Enter>",
	 .shows = "Perhaps"},
	{.name = "f3-tokens", .model = LONG, .say = FOX, .then = "warm 19", .keys = "<F3>" "n" "<End>" "<Down>" "<Down>" "<PgDn>",
	 .shows = "Cut by top-k"},
	{.name = "f3-monochrome", .theme = "monochrome", .model = LONG, .say = FOX, .then = "warm 19", .keys = "<F3>" "n",
	 .shows = "3 of 20"},
	{.name = "f3-branch", .model = LONG, .say = FOX, .then = "warm 19",
	 .keys = "<F3>" "<Right>" "<Down>" "<Enter>", .shows = "other1"},
	{.name = "takes", .model = LONG, .say = FOX, .then = "warm 19", .keys = "<F3>" "n" "<Down>" "<Enter>" "<M-d>",
	 .shows = "They part at token"},
	{.name = "takes-monochrome", .theme = "monochrome", .model = LONG, .say = FOX, .then = "warm 19",
	 .keys = "<F3>" "n" "<Down>" "<Enter>" "<M-d>", .shows = "They part at token"},
	{.name = "entropy", .model = LONG, .say = FOX, .then = "warm 19", .keys = "/confidence entropy<Enter>",
	 .shows = "how open it was"},
	{.name = "long-line", .keys = FOX " " FOX " " FOX " " FOX " " FOX, .shows = "chilly"},
	{.name = "commands", .keys = "/t", .shows = "template"},
	{.name = "command", .keys = "/copy", .shows = "/copy"},
	{.name = "completion", .keys = "/set dry-<Tab>", .shows = "dry-base", .keeps_list = true},
	{.name = "f1-help", .resumes = true, .keys = "<F1>", .shows = "Esc close"},
	{.name = "f2-sampler", .resumes = true, .keys = "<F2>", .shows = "temp"},
	{.name = "f2-distribution", .model = LONG, .say = FOX, .then = "warm 19", .keys = "<F2>", .shows = "last token"},
	{.name = "f2-what-if", .model = LONG, .say = FOX, .then = "warm 19", .keys = "<F2>" "<Down>" "1" "<Enter>",
	 .shows = "what if: token 4"},
	{.name = "f2-not-enough", .model = LONG, .say = FOX, .then = "warm 19",
	 .keys = "<F2>" "<Down>" "0" "<Down>" "0" "<Down>" "0", .shows = "what if: not known"},
	{.name = "f2-monochrome", .theme = "monochrome", .model = LONG, .say = FOX, .then = "warm 19", .keys = "<F2>",
	 .shows = "last token"},
	{.name = "f4-templates", .resumes = true, .keys = "<F4>", .shows = "translator"},
	{.name = "f4-form", .resumes = true, .keys = "<F4>" "translator<Enter>", .shows = "applies"},
	{.name = "f5-chats", .resumes = true, .keys = "<F5>", .shows = "Moving a meeting"},
	{.name = "f6-models", .resumes = true, .keys = "<F6>", .shows = "broken.gguf", .masks = MASK_NUMBERS | MASK_FOOT},
	{.name = "f7-themes", .resumes = true, .keys = "<F7>" "<Up>", .shows = "nord"},
	{.name = "f8-inspect", .resumes = true, .keys = "<F8>", .shows = "tokens"},
	{.name = "f8-changed", .model = "synthetic:rate=0,tokens=5,changed=1", .resumes = true, .keys = "<F8>" "<End>",
	 .shows = "the first change"},
	{.name = "f9-context", .resumes = true, .keys = "<F9>", .shows = "What fills the context"},
	{.name = "branches", .resumes = true, .say = "/branches", .then = "Branches", .shows = "Branches"},
	{.name = "help-word", .keys = "/help temp<Enter>", .shows = "0 to 5"},
	{.name = "server-first", .model = SERVER ",unverified=1", .shows = "answers, on box"},
	{.name = "server-waiting", .model = SERVER ",wait=1000000", .resumes = true, .first = "~" /* counted */, .say = FOX,
	 .then = "no answer yet", .shows = "no answer yet", .masks = MASK_NUMBERS},
	{.name = "server-thinking", .model = "synthetic:remote=2,mode=think,think=60,hold=50,rate=50", .say = FOX,
	 .then = "thought 48", .shows = "answers now"},
	{.name = "server-error", .model = SERVER ",fail=server", .resumes = true, .first = "~", .say = FOX,
	 .then = "refused (400)", .shows = "line two"},
	{.name = "server-f2", .model = SERVER, .resumes = true, .keys = "<F2>" "<Down>", .shows = "server ignores it"},
	{.name = "server-f8", .model = SERVER, .resumes = true, .keys = "<F8>", .shows = "sent as chat messages"},
	{.name = "server-confidence", .model = SERVER ",rate=1000", .say = FOX, .then = "warm 4", .keys = "<M-u>",
	 .shows = "gives no probabilities"},
	{.name = "server-f2-candidates", .model = "synthetic:remote=2,rate=1000,tokens=5", .say = FOX, .then = "warm 4",
	 .keys = "<F2>", .shows = "last token"},
	{.name = "server-f3", .model = SERVER ",rate=1000", .say = FOX, .then = "warm 4", .keys = "<F3>", .shows = "no candidates"},
	{.name = "server-f3-candidates", .model = "synthetic:remote=2,rate=1000,tokens=5", .say = FOX, .then = "warm 4",
	 .keys = "<F3>", .shows = "after"},
	{.name = "server-f9", .model = SERVER ",unknown_ctx=1", .resumes = true, .keys = "<F9>", .shows = "estimated"},
	{.name = "first-offer", .is_guide = true, .shows = "Enter fetches"},
	{.name = "pull-choices", .pulls = true, .resumes = true, .say = "/pull tiny/toy-GGUF", .then = "(best here)",
	 .shows = "licence"},
	{.name = "presets", .keys = "/preset<Enter>", .shows = "precise"},
};
const size_t scenes_n = sizeof(scenes) / sizeof(scenes[0]);

/* ---- the chats ---- */

/* Of another year than today, since the list of chats shows times of this year in another form. */
enum { DAY_ONE = 1578225600, DAY = 86400 }; /* 5 January 2020 */

static const char question[] = "How does a hash table work?";
static const char thoughts[] =
	"The user asks how a hash table works. A short explanation will do: the array, the hash, what "
	"happens when two keys meet, and how it grows. A small example in C makes it concrete.";
static const char answer[] =
	"## Hash tables\n\nA hash table keeps **pairs** of a key and a value in an array of *buckets*. A hash "
	"function turns the key into a number, and that number chooses the bucket:\n\n"
	"1. Compute `hash(key) % n`.\n2. Look into that bucket.\n3. If another key is there, go on to the next "
	"one.\n\n```c\n/* The bucket that has the key, or a free one. */\nsize_t find(const struct table *t, "
	"const char *key)\n{\n\tsize_t i = hash(key) % t->n;\n\n\twhile (t->keys[i] && strcmp(t->keys[i], key) "
	"!= 0)\n\t\ti = (i + 1) % t->n;\n\treturn i;\n}\n```\n\n"
	"| Operation | On average | At worst |\n|---|---|---|\n| Look up | O(1) | O(n) |\n| Insert | O(1) | O(n) "
	"|\n\n> Resizing keeps it fast: past three quarters, twice as many buckets are taken.\n";
static const char other_answer[] = "It is an array whose index is computed from the key.";
static const char next_question[] = "And when two keys meet in one bucket?";
static const char next_answer[] =
	"Then one of them has to go elsewhere:\n\n- **Chaining** keeps a list in each bucket.\n- **Probing** "
	"takes the next free bucket, which is kinder to the cache.\n\nResizing keeps both short.";

static uint32_t add(struct tree *tree, uint32_t parent, enum role role, const char *text)
{
	struct error err;
	uint32_t id;

	EXPECT(tree_add(tree, parent, role, text, strlen(text), &id, &err) == STATUS_OK, "%s", err.text);
	tree_node(tree, id)->created = DAY_ONE;
	if (role == ROLE_ASSISTANT)
		EXPECT(tree_set_model(tree_node(tree, id), "Qwen3-4B") == STATUS_OK, " ");
	return id;
}

/* Saves the chat as one that was used on a January day; frees it. */
static void save(struct tree *tree, const char *name, const char *title, int day)
{
	struct timespec times[2] = {{.tv_sec = DAY_ONE + day * DAY}, {.tv_sec = DAY_ONE + day * DAY}};
	char path[400];
	struct error err;

	snprintf(path, sizeof(path), "%s/%s", screen_home("data/sotto/chats"), name);
	EXPECT(journal_export(tree, title, path, &err) == STATUS_OK, "%s", err.text);
	EXPECT(utimensat(AT_FDCWD, path, times, 0) == 0, " ");
	tree_free(tree);
}

static void save_chats(void)
{
	struct tree *tree = tree_create();
	uint32_t first, id;

	test_make_directory(screen_home("data/sotto/chats"));
	first = add(tree, 0, ROLE_USER, question);
	add(tree, first, ROLE_ASSISTANT, other_answer);
	id = add(tree, first, ROLE_ASSISTANT, answer);
	EXPECT(tree_append_reasoning(tree_node(tree, id), thoughts, strlen(thoughts)) == STATUS_OK, " ");
	id = add(tree, id, ROLE_USER, next_question);
	add(tree, id, ROLE_ASSISTANT, next_answer);
	save(tree, "20200109-120000-0001.yaml", "", 4);
	tree = tree_create();
	id = add(tree, 0, ROLE_USER, "Draft a mail that moves a meeting.");
	add(tree, id, ROLE_ASSISTANT, "Dear all, could we meet on Thursday instead?");
	save(tree, "20200107-120000-0002.yaml", "Moving a meeting", 2);
	tree = tree_create();
	add(tree, 0, ROLE_USER, "Suggest a quick dinner for two.");
	save(tree, "20200106-120000-0003.yaml", "", 1);
}

/* A model file among those of this machine, which has none otherwise. */
static void save_models(void)
{
	test_make_directory(screen_home("data/sotto/models"));
	test_write_text(screen_home("data/sotto/models/broken.gguf"), "GGUF, it says");
}

/* ---- opening ---- */

/* Numbers before a word. */
static void mask_before(struct screen *s, const char *word)
{
	for (int row = 0; row < s->rows; row++) {
		int col = screen_col_of(s, row, word);

		if (col > 8)
			screen_mask(s, row, col - 8, col);
	}
}

static void mask_numbers(struct screen *s)
{
	for (int row = 0; row < s->rows; row++)
		for (int col = 0; col < s->cols; col++) {
			uint32_t cp = screen_cell(s, row, col).chars[0];

			if ((cp >= '0' && cp <= '9') || cp == '.')
				screen_mask(s, row, col, col + 1);
		}
}

/* When the answer to this key is on the screen, so are those to the keys before it. */
static void redraw(struct screen *s)
{
	unsigned n_clears = s->checker.n_clears;

	PRESS_WAIT(s, "<C-l>", s->checker.n_clears > n_clears);
	screen_quiet(s, 60);
}

/* One after the other: a keystroke right after others would count as pasted. */
static void press(struct screen *s, const char *keys, bool keeps_list)
{
	while (*keys) {
		const char *end = *keys == '<' ? strchr(keys, '>') + 1 : keys + strcspn(keys, "<");
		char part[400];

		snprintf(part, sizeof(part), "%.*s", (int)(end - keys), keys);
		PRESS_QUIET(s, part, 60);
		if (!keeps_list)
			redraw(s);
		keys = end;
	}
}

static const char *start_hub(void)
{
	static char endpoint[100];
	struct hub_server *hub = hub_server_start(&(struct hub_options){0});

	hub_server_put_usual(hub, 0);
	snprintf(endpoint, sizeof(endpoint), "HF_ENDPOINT=%s", hub_server_url(hub));
	return endpoint;
}

struct screen *scene_open(const struct scene *scene, int rows, int cols, const char *theme)
{
	struct chat_options options = {
		.model = scene->model ? scene->model : SCENE_MODEL, .rows = rows, .cols = cols,
		.names_no_model = scene->is_guide, .env = {"TZ=UTC", "COLORTERM=truecolor", "SOTTO_TEST_MEMORY=8589934592"}, .args = {"--theme", scene->theme ? scene->theme : theme, scene->resumes ? "-C" : NULL},
	};
	struct screen *s;

	if (scene->pulls)
		options.env[3] = start_hub();
	if (scene->is_guide)
		options.model = NULL;
	save_chats();
	if (!scene->is_guide)
		save_models();
	test_write_text(test_path("notes.txt"), "Chaining needs memory for its links.\nProbing does not.\n");
	s = chat_start(&options);
	chat_wait_ready(s);
	if (scene->first)
		WAIT_TEXT(s, scene->first);
	if (scene->say)
		SAY_SHOWS(s, scene->say, scene->then);
	if (scene->keys)
		press(s, scene->keys, scene->keeps_list);
	if (scene->shows[0])
		WAIT_TEXT(s, scene->shows);
	screen_quiet(s, 150);
	return s;
}

/* What a list says of its selected row: all below its last row. */
static void mask_foot(struct screen *s)
{
	int last = screen_row_of(s, "guide (built in)"), edge = screen_row_of(s, "Esc close");
	int left = screen_col_of(s, edge, "\u2514"), right = screen_col_of(s, edge, "\u2518");

	EXPECT(last > 0 && edge > last && left >= 0 && right > left, "no list");
	for (int row = last + 1; row < edge; row++)
		screen_mask(s, row, left + 1, right);
}

void scene_mask(struct screen *s, const struct scene *scene)
{
	mask_before(s, " tok/s");
	if (scene->masks & MASK_FOOT)
		mask_foot(s);
	if (scene->masks & MASK_NUMBERS)
		mask_numbers(s);
}
