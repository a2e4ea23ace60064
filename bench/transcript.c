/* A long chat on the screen: how soon it is there, how it scrolls, what memory it takes. The real
 * program in the screen tests' terminal, with a chat of 10,000 messages. Limits are for the processor
 * time of the thread that draws, since other programs would count for the rest.
 *
 * usage: bench/transcript [MESSAGES]   (prints a table; exit status 1 when over a limit) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sys.h"
#include "bench/table.h"
#include "chat/tree.h"
#include "journal/journal.h"
#include "screen/harness.h"

static int n_messages = 10000;

static const char question[] =
	"How would I do that in C, and what is there to watch for? I have tried it with a list first, but that "
	"became slow. This is question %d.";
static const char answer[] =
	"With a **hash table**: keys are turned into numbers, which say where to look.\n\n"
	"1. *Hash* the key: `hash(key) %% n`.\n2. Look into that bucket.\n   - Most have one entry.\n   - Few have more.\n\n"
	"```c\nstruct entry *find(struct table *table, const char *key)\n{\n\tfor (struct entry *e = table->buckets[hash(key) %% "
	"table->n]; e; e = e->next)\n\t\tif (strcmp(e->key, key) == 0)\n\t\t\treturn e;\n\treturn NULL;\n}\n```\n\n"
	"| Structure | Find | Order |\n|---|---|---|\n| list | slow | yes |\n| table | fast | no |\n\n"
	"> Watch for keys that all end up in one bucket, and for the table growing while you walk through it.\n\n"
	"The end of answer %d.";

static void check(enum status status, const struct error *err)
{
	EXPECT(status == STATUS_OK, "%s", err->text);
}

/* Replies have the ids of their tokens, as those that were generated. */
static void add_reply(struct tree *tree, const char *text)
{
	enum { TOKEN = 4 }; /* bytes */
	size_t len = strlen(text);
	struct error err;
	uint32_t id;

	check(tree_add(tree, tree_leaf(tree), ROLE_ASSISTANT, "", 0, &id, &err), &err);
	for (size_t at = 0; at < len; at += TOKEN) {
		const struct token token = {.id = (int32_t)(1000 + at * 7919 % 100000), .bytes = text + at,
		                            .len = at + TOKEN < len ? TOKEN : len - at};

		check(tree_append_token(tree_node(tree, id), &token), &err);
	}
}

static void make_chat(const char *path)
{
	struct tree *tree = tree_create();
	struct error err;
	char text[2000];
	uint32_t id;

	for (int i = 1; i <= n_messages / 2; i++) {
		snprintf(text, sizeof text, question, i);
		check(tree_add(tree, tree_leaf(tree), ROLE_USER, text, strlen(text), &id, &err), &err);
		snprintf(text, sizeof text, answer, i);
		add_reply(tree, text);
	}
	check(journal_export(tree, "", path, &err), &err);
	tree_free(tree);
}

/* Of the thread that reads the chat and draws, so far, in ms; other programs do not count. */
static double processor_ms(const struct screen *s)
{
	char path[64];
	double ns = 0;
	FILE *file;

	snprintf(path, sizeof path, "/proc/%d/schedstat", (int)s->job.program);
	file = fopen(path, "r");
	if (file && fscanf(file, "%lf", &ns) != 1)
		ns = 0;
	if (file)
		fclose(file);
	return ns / 1e6;
}

static struct screen *open_chat(const char *path, double *ms, double *processor)
{
	struct screen_options options = {
		.args = {"-m", "synthetic:n_ctx=100000000", "--resume", path}, .rows = 50, .cols = 120};
	struct screen *s = screen_start(&options);
	char end[40];

	snprintf(end, sizeof end, "The end of answer %d.", n_messages / 2);
	WAIT_NOW(s, 60000, screen_has(s, end));
	*ms = (double)(s->last_us - s->job.started_us) / 1000.0;
	*processor = processor_ms(s);
	return s;
}

/* From the key to the screen, `n` times, and what it takes of the processor, which has the limit. */
static bool press(struct screen *s, const char *what, const char *key, size_t n, double limit)
{
	double *samples = calloc(n, sizeof *samples), *processor = calloc(n, sizeof *processor);
	bool over;

	for (size_t i = 0; i < n; i++) {
		uint64_t bytes = s->n_bytes, sent = sys_now_us();
		double before = processor_ms(s);

		screen_keys(s, key);
		WAIT_NOW(s, 60000, s->n_bytes > bytes);
		samples[i] = (double)(s->last_us - sent) / 1000.0;
		screen_quiet(s, 5);
		processor[i] = processor_ms(s) - before;
	}
	table_rows(what, samples, n, -1);
	over = table_rows("  of which processor", processor, n, limit);
	free(samples);
	free(processor);
	return over;
}

/* The program's memory, in MB: "VmHWM:", what it had at most, or "VmRSS:". */
static double memory_mb(struct screen *s, const char *what)
{
	char path[64], line[200];
	double kb = 0;
	FILE *file;

	snprintf(path, sizeof path, "/proc/%d/status", (int)s->job.program);
	file = fopen(path, "r");
	while (file && fgets(line, sizeof line, file))
		if (strncmp(line, what, strlen(what)) == 0)
			kb = strtod(line + strlen(what), NULL);
	if (file)
		fclose(file);
	return kb / 1000;
}

static void all(void)
{
	enum { OPENS = 10, FRAME_MS = 17 };
	char *path = strdup(test_path("long.yaml"));
	double opens[OPENS], processor[OPENS];
	struct screen *s = NULL;
	bool over = false;

	setvbuf(stdout, NULL, _IOLBF, 0);
	make_chat(path);
	for (size_t i = 0; i < OPENS; i++) {
		if (s)
			screen_free(s);
		s = open_chat(path, &opens[i], &processor[i]);
	}
	table_rows("open a long chat", opens, OPENS, -1);
	over |= table_rows("  of which processor", processor, OPENS, 300);
	screen_quiet(s, 300);
	over |= table_row("memory when it is open", memory_mb(s, "VmRSS:"), "MB", 100);
	over |= press(s, "scroll by a page", "<PgUp>", 400, FRAME_MS);
	over |= press(s, "scroll by a line", "<S-Up>", 400, FRAME_MS);
	over |= press(s, "to the beginning", "<C-Home>", 1, -1);
	over |= press(s, "scroll down by a page", "<PgDn>", 400, FRAME_MS);
	over |= press(s, "scroll from message to message", "<M-PgDn>", 400, FRAME_MS);
	over |= press(s, "to the end", "<C-End>", 1, -1);
	over |= press(s, "a letter in the input line", "x", 50, FRAME_MS);
	over |= table_row("memory at most", memory_mb(s, "VmHWM:"), "MB", 100);
	screen_free(s);
	free(path);
	if (over)
		exit(1);
}

int main(int argc, char **argv)
{
	static struct screen_test test = {"transcript", all, 600};

	if (argc > 1)
		n_messages = atoi(argv[1]);
	setenv("SCREEN_VERBOSE", "1", 1);
	return run_tests(1, argv, &test, 1);
}
