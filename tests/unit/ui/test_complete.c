#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sampler/params.h"
#include "support/folder.h"
#include "ui/commands.h"
#include "ui/complete.h"
#include "ui/params.h"

static char dir[] = "/tmp/sotto-complete-XXXXXX";

static void begin(void)
{
	cr_assert_not_null(mkdtemp(dir));
	cr_assert_eq(chdir(dir), 0);
	setenv("HOME", dir, 1);
	setenv("XDG_DATA_HOME", dir, 1);
	setenv("XDG_CONFIG_HOME", dir, 1);
	setenv("SOTTO_PKGDATADIR", TEST_SRCDIR, 1);
	cr_assert_eq(mkdir("models", 0700), 0);
	write_text("models/tiny.gguf", "");
	write_text("models/tiny two.gguf", "");
	write_text("models/.hidden", "");
	write_text("more", "");
	cr_assert_eq(mkdir("sotto", 0700), 0);
	write_text("sotto/servers.yaml", "box: {url: 'http://h', models: {'a:b': }}\nbad: {url: h}\n");
}

static void end(void)
{
	cr_assert_eq(chdir("/"), 0);
	remove_folder(dir);
}

TestSuite(complete, .init = begin, .fini = end);

static const struct {
	const char *line;
	const char *items; /* joined by blanks */
	size_t start;
} rows[] = {
	{"/hel", "/help", 0},
	{"/lo", "/load /log", 0},
	{"/zzz", "", 0},
	{"//hel", "", 2}, /* a slash to send, and a path in the root that is not there */
	{"/te", "/template /temp", 0}, /* options after the commands */
	{"/top-", "/top-k /top-nsigma /top-p", 0},
	{"/mous", "/mouse", 0},
	{"/temp d", "default", 6},
	{"/set te", "temp", 5},
	{"/set  top-", "top-k top-nsigma top-p", 6},
	{"/set mouse o", "off on", 11},
	{"/set nonsense o", "", 14},
	{"/preset c", "compare creative", 8},
	{"/preset compare ", "creative greedy precise", 16},
	{"/preset compare creative pr", "precise", 25},
	{"/theme high", "high-contrast", 7},
	{"/set theme mono", "monochrome", 11},
	{"/model mo", "models/ more", 7},
	{"/model ser", "server:box server:box/a:b", 7}, /* a wrong server is none */
	{"/model server:box/", "server:box/a:b", 7},
	{"/model gu", "guide", 7},
	{"/pull unsloth/Qwen3.5-4", "unsloth/Qwen3.5-4B-GGUF:Q4_K_M", 6},
	{"/pull st", "stop", 6},
	{"/model models/", "models/tiny two.gguf models/tiny.gguf", 7},
	{"/model models/tiny t", "models/tiny two.gguf", 7},
	{"/model models/.", "models/.hidden", 7},
	{"/model ~/mod", "~/models/", 7},
	{"/read mo", "models/ more", 6},
	{"/read more models/tiny", "models/tiny.gguf models/tiny\\ two.gguf", 11},
	{"/read more models/tiny\\ t", "models/tiny\\ two.gguf", 11},
	{"see @mo", "@models/ @more", 4},
	{"@models/tiny\\ ", "@models/tiny\\ two.gguf", 0},
	{"@~/mod", "@~/models/", 0},
	{"me@mo", "", 0},
	{"/export ", "html json md txt", 8},
	{"/export m", "md", 8},
	{"/export md  mo", "models/ more", 12},
	{"/write mo", "models/ more", 7},
	{"/write 2 mo", "models/ more", 9},
	{"/write! 12 ~/mod", "~/models/", 11},
	{"/write 2x mo", "", 7},
	{"/template tra", "translator", 10},
	{"/role s", "shell socratic storyteller summarizer", 6},
	{"/template -a tut", "tutor", 13},
	{"/template no", "none", 10},
	{"/template translator ", "from= to=", 21},
	{"/template translator from='old Norse' ", "to=", 38},
	{"/template -a translator t", "to=", 24},
	{"/template translator to=Ger", "", 21},
	{"/template nonsense x", "", 19},
	{"/help lo", "load log", 6},
	{"/quit now", "", 6},
	{"/nonsense x", "", 10},
	{"look at ./mo", "./models/ ./more", 8},
	{"no path here mo", "", 0},
	{"", "", 0},
};

Test(complete, finds_what_the_place_in_the_line_takes)
{
	struct sampler_params sampler;
	struct ui_params ui = {.theme = NULL};
	const struct option_table tables[] = {{sampler_options, sampler_n_options, &sampler},
	                                      {ui_options, ui_n_options, &ui}};
	struct settings *settings;

	cr_assert_eq(settings_create(&settings, tables, 2, NULL), STATUS_OK);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct complete_list list;
		char joined[1024] = "";

		complete_line(&commands, settings, rows[i].line, strlen(rows[i].line), &list);
		for (size_t j = 0; j < list.n; j++) {
			strcat(joined, j ? " " : "");
			strcat(joined, list.items[j]);
		}
		cr_expect_str_eq(joined, rows[i].items, "\"%s\": \"%s\"", rows[i].line, joined);
		if (list.n)
			cr_expect_eq(list.start, rows[i].start, "\"%s\": start %zu", rows[i].line,
			             list.start);
		complete_free(&list);
	}
	settings_free(settings);
}
