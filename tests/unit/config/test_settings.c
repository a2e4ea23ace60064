#include <criterion/criterion.h>
#include <ctype.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "config/settings.h"
#include "support/folder.h"

static const char *const cache_types[] = {"f16", "f32", NULL};

struct target {
	float temp;
	int32_t top_k;
	int64_t seed;
	bool mouse, raw;
	char *model, *file;
	int cache;
	bool help;
};

static const struct option rows[] = {
	{"temp", "temperature", OPTION_FLOAT, offsetof(struct target, temp), 0, 5, 0.05, "0.8", NULL, "N", "how much chance", OPTION_LIVE},
	{"top-k", NULL, OPTION_INT, offsetof(struct target, top_k), 0, 1000, 1, "40", NULL, "N", "candidates kept", OPTION_LIVE},
	{"seed", "s", OPTION_INT64, offsetof(struct target, seed), -1, 0x1p63, 1, "-1", NULL, "N", "start of the random numbers", OPTION_LIVE},
	{"mouse", NULL, OPTION_BOOL, offsetof(struct target, mouse), 0, 0, 0, "yes", NULL, NULL, "listen to the mouse", OPTION_LIVE,
	 .no_help = "leave the mouse alone"},
	{"raw", "r", OPTION_BOOL, offsetof(struct target, raw), 0, 0, 0, "no", NULL, NULL, "no template", 0},
	{"model", "m", OPTION_STRING, offsetof(struct target, model), 0, 0, 0, NULL, NULL, "FILE", "model file",
	 OPTION_MODEL | OPTION_PATH},
	{"cache-type", "ctk", OPTION_ENUM, offsetof(struct target, cache), 0, 0, 0, "f16", cache_types, "TYPE", "type of the cache", 0},
	{"config", NULL, OPTION_STRING, offsetof(struct target, file), 0, 0, 0, NULL, NULL, "FILE", "configuration file", OPTION_CLI_ONLY},
	{"help", "h", OPTION_BOOL, offsetof(struct target, help), 0, 0, 0, "no", NULL, NULL, "this text", OPTION_CLI_ONLY},
};

static struct target target;
static struct settings *settings;
static char path[] = "/tmp/sotto-settings-XXXXXX";

static void create(void)
{
	struct option_table table = {rows, sizeof rows / sizeof rows[0], &target};
	struct error err;

	memset(&target, 0x5A, sizeof target); /* whatever was there */
	cr_assert_eq(settings_create(&settings, &table, 1, &err), STATUS_OK, "%s", err.text);
}

static void setup(void)
{
	int fd = mkstemp(path);

	create();
	cr_assert_geq(fd, 0);
	close(fd);
}

static void teardown(void)
{
	settings_free(settings);
	cr_assert_null(target.model);
	unlink(path);
}

TestSuite(settings, .init = setup, .fini = teardown);

static enum status read_args(struct error *err, int *n_rest, char *a, char *b, char *c, char *d)
{
	static char *argv[6];
	int argc = 1;

	argv[0] = (char *)"sotto";
	argv[1] = a;
	argv[2] = b;
	argv[3] = c;
	argv[4] = d;
	while (argc < 5 && argv[argc])
		argc++;
	return settings_read_argv(settings, argc, argv, n_rest, "", err);
}

Test(settings, start_as_their_table_says)
{
	cr_assert_float_eq(target.temp, 0.8f, 0);
	cr_assert_eq(target.top_k, 40);
	cr_assert_eq(target.seed, -1);
	cr_assert(target.mouse);
	cr_assert_not(target.raw);
	cr_assert_null(target.model);
	cr_assert_eq(target.cache, 0);
	cr_assert_eq(settings_n(settings), sizeof rows / sizeof rows[0]);
	cr_assert_eq(settings_origin_of(settings, &rows[0]), ORIGIN_DEFAULT);
	cr_assert_float_eq(settings_number(settings, &rows[0]), 0.8, 1e-12);
}

Test(settings, a_file_is_read)
{
	struct error err;

	write_text(path, "# mine\ntemp: 1.5\ntop_k: \"7\"\nmodel: 'a b.gguf'\nmouse: off\ncache-type: f32\nseed:\n");
	cr_assert_eq(settings_read_file(settings, path, NULL, &err), STATUS_OK, "%s", err.text);
	cr_assert_float_eq(target.temp, 1.5f, 0);
	cr_assert_eq(target.top_k, 7);
	cr_assert_str_eq(target.model, "a b.gguf");
	cr_assert_not(target.mouse);
	cr_assert_eq(target.cache, 1);
	cr_assert_eq(target.seed, -1);
	cr_assert_eq(settings_origin_of(settings, &rows[0]), ORIGIN_FILE);
	cr_assert_eq(settings_origin_of(settings, &rows[2]), ORIGIN_DEFAULT);
}

Test(settings, a_bad_file_is_named_with_its_line_and_changes_nothing)
{
	static const struct {
		const char *text, *error;
	} cases[] = {
		{"temp: 1\ntop-k: x\n", ":2: top-k: 'x': expected a whole number from 0 to 1000"},
		{"temp: 1\n\ntop-k: 1001\n", ":3: top-k: '1001': expected a whole number from 0 to 1000"},
		{"temp: 1\ntmep: 2\n", ":2: there is no setting 'tmep', did you mean 'temp'?"},
		{"temp: 1\nxyzzy: 2\n", ":2: there is no setting 'xyzzy'"},
		{"temp: 1\nno-mouse: yes\n", ":2: there is no setting 'no-mouse': give 'mouse' the value no"},
		{"temp: 1\nno-temp: yes\n", ":2: there is no setting 'no-temp'"},
		{"temp: 1\nno-help: yes\n", ":2: there is no setting 'no-help'"},
		{"temp: 1\nhelp: yes\n", ":2: there is no setting 'help'"},
		{"temp: 1\ntemp: 2\n", ":2: 'temp' is given twice"},
		{"temp: 1\ntemperature: 2\n", ":2: temp is given twice"},
		{"temp: 1\nmodel: [a]\n", ":2: model: expected a text, found a list"},
		{"temp: 1\nmodel: {a: b}\n", ":2: model: expected a text, found a mapping"},
		{"temp: 1\nmouse: maybe\n", ":2: mouse: 'maybe': expected yes or no"},
		{"temp: 1\ncache-type: q8\n", ":2: cache-type: 'q8': expected one of f16, f32"},
		{"temp: 1,5\n", ":1: temp: '1,5': expected a number from 0 to 5"},
		{"- temp\n", ":1: expected lines 'name: value'"},
		{"temp\n", ":1: expected lines 'name: value'"},
		{"temp: 1\n\xff\n", ":2: not UTF-8"},
		{"temp: 1\n--- \nb: 1\n", ":2: a second document"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct error err = {0};
		size_t n = strlen(path);

		write_text(path, cases[i].text);
		cr_assert_eq(settings_read_file(settings, path, NULL, &err), STATUS_CONFIG, "%s",
		             cases[i].text);
		cr_assert_eq(err.status, STATUS_CONFIG);
		cr_assert(strncmp(err.text, path, n) == 0 &&
		          strncmp(err.text + n, cases[i].error, strlen(cases[i].error)) == 0,
		          "%s: %s", cases[i].text, err.text);
		cr_assert_float_eq(target.temp, 0.8f, 0);
	}
}

Test(settings, a_missing_file_matters_only_when_it_was_named)
{
	struct error err;

	unsetenv("SOTTO_CONFIG");
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	cr_assert_eq(settings_read_file(settings, NULL, NULL, &err), STATUS_OK);
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("HOME");
	cr_assert_eq(settings_read_file(settings, NULL, NULL, &err), STATUS_OK);
	setenv("SOTTO_CONFIG", "/nonexistent/config.yaml", 1);
	cr_assert_eq(settings_read_file(settings, NULL, NULL, &err), STATUS_CONFIG);
	cr_assert_eq(settings_read_file(settings, "/nonexistent/c.yaml", NULL, &err), STATUS_CONFIG);
	cr_assert_eq(settings_read_file(settings, "/tmp", NULL, &err), STATUS_CONFIG);
	write_text(path, "top-k: 3\n");
	setenv("SOTTO_CONFIG", path, 1);
	cr_assert_eq(settings_read_file(settings, NULL, NULL, &err), STATUS_OK);
	cr_assert_eq(target.top_k, 3);
}

Test(settings, a_file_too_long_is_refused)
{
	FILE *file = fopen(path, "w");
	struct error err;

	for (size_t i = 0; i < LIMIT_YAML_BYTES; i++)
		putc('#', file);
	fflush(file);
	cr_assert_eq(settings_read_file(settings, path, NULL, &err), STATUS_OK);
	putc('#', file);
	fclose(file);
	cr_assert_eq(settings_read_file(settings, path, NULL, &err), STATUS_CONFIG);
}

Test(settings, the_environment_is_read)
{
	struct error err;

	setenv("SOTTO_TOP_K", "11", 1);
	setenv("SOTTO_CACHE_TYPE", "f32", 1);
	setenv("SOTTO_MODEL", "", 1); /* empty counts as unset */
	setenv("SOTTO_HELP", "yes", 1);
	cr_assert_eq(settings_read_environment(settings, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(target.top_k, 11);
	cr_assert_eq(target.cache, 1);
	cr_assert_null(target.model);
	cr_assert_not(target.help, "flags only");
	setenv("SOTTO_TOP_K", "-2", 1);
	cr_assert_eq(settings_read_environment(settings, &err), STATUS_CONFIG);
	cr_assert_str_eq(err.text, "SOTTO_TOP_K: '-2': expected a whole number from 0 to 1000");
}

/* Each name of an option is as good as the others, everywhere; '_' and '-' are the same. */
Test(settings, names_are_one_set)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		char names[64], *name, *rest, *copy;
		const struct option *option = &rows[i];
		const char *value = option->type == OPTION_ENUM ? "f32" : option->type == OPTION_STRING ? "x" : "1";
		struct error err;
		int n_rest;

		snprintf(names, sizeof names, "%s %s", option->name, option->aliases ? option->aliases : "");
		for (name = strtok_r(names, " ", &rest); name; name = strtok_r(NULL, " ", &rest))
			for (int which = 0; which < 2; which++) {
				char variable[80], text[96], flag[80], *argv[] = {(char *)"sotto", flag, NULL};
				bool cli_only = option->flags & OPTION_CLI_ONLY;

				for (char *c = name; *c; c++)
					*c = *c == '-' || *c == '_' ? "-_"[which] : *c;
				cr_expect_eq(settings_find(settings, name), option, "%s", name);
				settings_free(settings);
				create();
				snprintf(flag, sizeof flag, "--%s=%s", name, value);
				if (!name[1])
					snprintf(flag, sizeof flag, "-%s=%s", name, value);
				cr_expect_eq(settings_read_argv(settings, 2, argv, &n_rest, "", &err), STATUS_OK, "%s", flag);
				cr_expect(settings_is_from(settings, option->name, ORIGIN_FLAG), "%s", flag);
				settings_free(settings);
				create();
				snprintf(text, sizeof text, "%s: %s\n", name, value);
				write_text(path, text);
				cr_expect_eq(settings_read_file(settings, path, NULL, &err), cli_only ? STATUS_CONFIG : STATUS_OK,
				             "%s", text);
				cr_expect_eq(settings_is_from(settings, option->name, ORIGIN_FILE), !cli_only, "%s", text);
				settings_free(settings);
				create();
				copy = variable + snprintf(variable, sizeof variable, "SOTTO_");
				for (const char *c = name; *c; c++)
					*copy++ = *c == '-' ? '_' : (char)toupper((unsigned char)*c);
				*copy = '\0';
				setenv(variable, value, 1);
				cr_expect_eq(settings_read_environment(settings, &err), STATUS_OK, "%s", variable);
				cr_expect_eq(settings_is_from(settings, option->name, ORIGIN_ENVIRONMENT), !cli_only && name[1],
				             "%s", variable);
				unsetenv(variable);
			}
	}
}

Test(settings, a_variable_by_two_names_is_the_one_of_the_options_own)
{
	char *environment[] = {(char *)"SOTTO_TEMP=1", (char *)"SOTTO_TEMPERATURE=2", NULL};
	struct error err;
	struct buf out = {.max = KIB(4)};

	setenv("SOTTO_TEMPERATURE", "2", 1);
	cr_assert_eq(settings_read_environment(settings, &err), STATUS_OK);
	cr_assert_float_eq(target.temp, 2, 0);
	settings_check_environment(settings, environment + 1, &out);
	cr_assert_str_eq(buf_text(&out), "");
	setenv("SOTTO_TEMP", "1", 1);
	cr_assert_eq(settings_read_environment(settings, &err), STATUS_OK);
	cr_assert_float_eq(target.temp, 1, 0);
	settings_check_environment(settings, environment, &out);
	cr_assert_str_eq(buf_text(&out), "SOTTO_TEMPERATURE has no effect: SOTTO_TEMP is set, too\n");
	buf_free(&out);
}

Test(settings, paths_know_the_home_folder)
{
	struct error err;

	setenv("HOME", "/home/of mine", 1);
	write_text(path, "model: ~/models/a.gguf\n");
	cr_assert_eq(settings_read_file(settings, path, NULL, &err), STATUS_OK);
	cr_assert_str_eq(target.model, "/home/of mine/models/a.gguf");
	cr_assert_eq(settings_assign(settings, "model", "~", ORIGIN_SET, &err), STATUS_OK);
	cr_assert_str_eq(target.model, "/home/of mine");
	cr_assert_eq(settings_set(settings, "model", "~/none.gguf", &err), STATUS_NOTFOUND);
	cr_assert_str_eq(err.text, "model: ~/none.gguf: No such file or directory");
	cr_assert_eq(settings_unset(settings, "model", &err), STATUS_OK);
	cr_assert_str_eq(target.model, "/home/of mine/models/a.gguf");
}

Test(settings, the_command_line_is_read)
{
	static const struct {
		const char *args[4];
		float temp;
		int32_t top_k;
		bool mouse;
		int cache, n_rest;
	} cases[] = {
		{{"--temp", "1", "x", NULL}, 1, 40, true, 0, 1},
		{{"--temp=1", "-top-k", "-0", "y"}, 1, 0, true, 0, 1},
		{{"--no-mouse", "-", "a", "b"}, 0.8f, 40, false, 0, 3},
		{{"-ctk", "f32", "--", "--temp"}, 0.8f, 40, true, 1, 1},
		{{"--mouse=off", "--top-k=1", "--top-k=2", NULL}, 0.8f, 2, false, 0, 0},
		{{"--top_k", "5", "-r", NULL}, 0.8f, 5, true, 0, 0},
		{{"--temperature", ".5", NULL, NULL}, 0.5f, 40, true, 0, 0},
		{{NULL, NULL, NULL, NULL}, 0.8f, 40, true, 0, 0},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char *args[4];
		struct error err = {0};
		int n_rest;

		settings_free(settings);
		create();
		for (size_t a = 0; a < 4; a++)
			args[a] = cases[i].args[a] ? strdup(cases[i].args[a]) : NULL;
		cr_assert_eq(read_args(&err, &n_rest, args[0], args[1], args[2], args[3]), STATUS_OK,
		             "%zu: %s", i, err.text);
		cr_assert_float_eq(target.temp, cases[i].temp, 0, "%zu", i);
		cr_assert_eq(target.top_k, cases[i].top_k, "%zu", i);
		cr_assert_eq(target.mouse, cases[i].mouse, "%zu", i);
		cr_assert_eq(target.cache, cases[i].cache, "%zu", i);
		cr_assert_eq(n_rest, cases[i].n_rest, "%zu", i);
		for (size_t a = 0; a < 4; a++)
			free(args[a]);
	}
}

Test(settings, positional_words_move_to_the_front)
{
	char *argv[] = {(char *)"run", (char *)"one", (char *)"-s", (char *)"5", (char *)"two", (char *)"-s7", (char *)"--", (char *)"-x"};
	struct error err;
	int n_rest;

	cr_assert_eq(settings_read_argv(settings, 8, argv, &n_rest, "", &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(n_rest, 3);
	cr_assert_str_eq(argv[1], "one");
	cr_assert_str_eq(argv[2], "two");
	cr_assert_str_eq(argv[3], "-x");
	cr_assert_eq(target.seed, 7);
}

Test(settings, a_flag_may_be_given_again)
{
	char *argv[] = {(char *)"x", (char *)"-m", (char *)"a", (char *)"--model=b", (char *)"-s7", (char *)"-m", (char *)"c"};
	struct error err;
	int n_rest;
	size_t n;

	cr_assert_eq(settings_read_argv(settings, 7, argv, &n_rest, "", &err), STATUS_OK, "%s", err.text);
	cr_assert_str_eq(target.model, "c");
	cr_assert_str_eq(settings_flag_before(settings, "model", &n), "b");
	cr_assert_eq(n, 3);
	cr_assert_null(settings_flag_before(settings, "seed", &n));
	cr_assert_eq(n, 1);
	cr_assert_null(settings_flag_before(settings, "top-k", &n));
	cr_assert_eq(n, 0);
	cr_assert_null(settings_flag_before(settings, "nothing", &n));
}

Test(settings, a_bad_command_line_is_explained)
{
	static const struct {
		const char *arg, *error;
	} cases[] = {
		{"--tmep", "there is no option '--tmep', did you mean '--temp'?"},
		{"--xyzzy=3", "there is no option '--xyzzy'"},
		{"-z", "there is no option '-z'"},
		{"--temp", "'--temp' needs a value: N"},
		{"--temp=hot", "--temp: 'hot': expected a number from 0 to 5"},
		{"--temp=", "--temp: '': expected a number from 0 to 5"},
		{"--temp=5.01", "--temp: '5.01': expected a number from 0 to 5"},
		{"--temp=nan", "--temp: 'nan': expected a number from 0 to 5"},
		{"--temp=1e39", "--temp: '1e39': expected a number from 0 to 5"},
		{"--no-mouse=1", "'--no-mouse=1' takes no value"},
		{"--no-temp", "there is no option '--no-temp'"},
		{"--seed=9223372036854775808", "--seed: '9223372036854775808': expected a whole number from -1 to 9223372036854775807"},
		{"--seed=-2", "--seed: '-2': expected a whole number from -1 to 9223372036854775807"},
		{"--m=x", "there is no option '--m'"},
		{"-rs", "there is no option '-rs'"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char *arg = strdup(cases[i].arg);
		struct error err = {0};
		int n_rest;

		cr_assert_eq(read_args(&err, &n_rest, arg, NULL, NULL, NULL), STATUS_USAGE, "%s", arg);
		cr_assert(strncmp(err.text, cases[i].error, strlen(cases[i].error)) == 0, "%s: %s", arg,
		          err.text);
		free(arg);
	}
}

Test(settings, higher_sources_win_in_any_order)
{
	struct error err;
	int n_rest;

	cr_assert_eq(read_args(&err, &n_rest, (char *)"--top-k=1", NULL, NULL, NULL), STATUS_OK);
	setenv("SOTTO_TOP_K", "2", 1);
	setenv("SOTTO_TEMP", "2", 1);
	cr_assert_eq(settings_read_environment(settings, &err), STATUS_OK);
	write_text(path, "top-k: 3\ntemp: 3\nseed: 3\n");
	cr_assert_eq(settings_read_file(settings, path, NULL, &err), STATUS_OK);
	cr_assert_eq(target.top_k, 1);
	cr_assert_float_eq(target.temp, 2, 0);
	cr_assert_eq(target.seed, 3);
	cr_assert_eq(settings_set(settings, "top-k", "4", &err), STATUS_OK);
	cr_assert_eq(target.top_k, 4);
	cr_assert_str_eq(settings_origin_name(settings_origin_of(settings, &rows[1])), "/set");
}

Test(settings, set_changes_what_may_change)
{
	struct error err;

	cr_assert_eq(settings_set(settings, "model", "x.gguf", &err), STATUS_OK);
	cr_assert_str_eq(target.model, "x.gguf");
	cr_assert_eq(settings_set(settings, "model", "y.gguf", &err), STATUS_OK);
	cr_assert_str_eq(target.model, "y.gguf");
	cr_assert_eq(settings_set(settings, "model", NULL, &err), STATUS_OK);
	cr_assert_null(target.model);
	cr_assert_eq(settings_set(settings, "raw", "yes", &err), STATUS_USAGE);
	cr_assert_str_eq(err.text,
	                 "raw cannot be changed in a running chat: start sotto with --raw");
	cr_assert_eq(settings_set(settings, "help", "yes", &err), STATUS_USAGE);
	cr_assert_eq(settings_set(settings, "temprature", "1", &err), STATUS_USAGE);
	cr_assert_str_eq(err.text, "there is no setting 'temprature', did you mean 'temp'?");
	cr_assert_eq(settings_set(settings, "temp", "9", &err), STATUS_USAGE);
	cr_assert_str_eq(err.text, "temp: '9': expected a number from 0 to 5");
	cr_assert_eq(settings_set(settings, "temp", NULL, &err), STATUS_USAGE);
	cr_assert_float_eq(target.temp, 0.8f, 0);
	cr_assert_eq(settings_assign(settings, "raw", "on", ORIGIN_FLAG, &err), STATUS_OK);
	cr_assert(target.raw);
	cr_assert_eq(settings_assign(settings, "nothing", "on", ORIGIN_FLAG, &err), STATUS_USAGE);
}

Test(settings, printed_configuration_reads_back)
{
	struct target other;
	struct option_table table = {rows, sizeof rows / sizeof rows[0], &other};
	struct settings *again;
	struct error err;
	struct buf out = {.max = MIB(1)};

	cr_assert_eq(settings_set(settings, "model", "a \"b\"\n\\ \xe2\x80\xae.gguf", &err), 0);
	cr_assert_eq(settings_set(settings, "temp", "0.7", &err), 0);
	cr_assert_eq(settings_set(settings, "mouse", "0", &err), 0);
	cr_assert_eq(settings_set(settings, "seed", "9223372036854775807", &err), 0);
	cr_assert_eq(settings_print(settings, &out), STATUS_OK);
	write_text(path, buf_text(&out));
	cr_assert_not_null(strstr(buf_text(&out), "# how much chance (0 to 5; /set)\ntemp: 0.7\n"),
	                   "%s", buf_text(&out));
	cr_assert_eq(settings_create(&again, &table, 1, &err), STATUS_OK);
	cr_assert_eq(settings_read_file(again, path, NULL, &err), STATUS_OK, "%s", err.text);
	cr_assert_str_eq(other.model, target.model);
	cr_assert_eq(other.temp, target.temp);
	cr_assert_eq(other.seed, INT64_MAX);
	cr_assert_not(other.mouse);
	settings_free(again);
	buf_free(&out);
}

static void expect_temp(float temp, enum settings_origin origin)
{
	cr_assert_float_eq(target.temp, temp, 1e-6);
	cr_assert_eq(settings_origin_of(settings, &rows[0]), origin);
}

Test(settings, what_a_model_recommends_counts_for_little)
{
	static const struct option_text first[] = {{"temp", "0.6"}, {"top-k", "20"}}, second[] = {{"top-k", "64"}};
	struct error err;

	cr_assert_eq(settings_assign(settings, "top-k", "3", ORIGIN_FILE, &err), STATUS_OK);
	cr_assert_eq(settings_recommend(settings, first, 2, &err), STATUS_OK);
	expect_temp(0.6f, ORIGIN_MODEL);
	cr_assert_eq(target.top_k, 3, "the user's file counts for more");
	cr_assert_str_eq(settings_default(settings, &rows[0]), "0.6");
	cr_assert_str_eq(settings_default(settings, &rows[2]), "-1");

	/* A template comes and goes. */
	cr_assert_eq(settings_assign(settings, "temp", "1.5", ORIGIN_TEMPLATE, &err), STATUS_OK);
	expect_temp(1.5f, ORIGIN_TEMPLATE);
	settings_forget(settings, ORIGIN_TEMPLATE);
	expect_temp(0.6f, ORIGIN_MODEL);

	/* Another model comes while there is one. */
	cr_assert_eq(settings_assign(settings, "temp", "1.5", ORIGIN_TEMPLATE, &err), STATUS_OK);
	cr_assert_eq(settings_recommend(settings, second, 1, &err), STATUS_OK);
	expect_temp(1.5f, ORIGIN_TEMPLATE);
	settings_forget(settings, ORIGIN_TEMPLATE);
	expect_temp(0.8f, ORIGIN_DEFAULT);
	cr_assert_eq(target.top_k, 3);

	/* What somebody sets stays, whatever comes. */
	cr_assert_eq(settings_set(settings, "temp", "0.2", &err), STATUS_OK);
	cr_assert_eq(settings_recommend(settings, first, 2, &err), STATUS_OK);
	expect_temp(0.2f, ORIGIN_SET);
	cr_assert_str_eq(settings_default(settings, &rows[0]), "0.6");
	cr_assert_eq(settings_recommend(settings, NULL, 0, &err), STATUS_OK);
	expect_temp(0.2f, ORIGIN_SET);
	cr_assert_str_eq(settings_default(settings, &rows[0]), "0.8");
}

Test(settings, unset_is_what_the_next_lower_origin_says)
{
	static const struct option_text recommended = {"temp", "0.6"};
	struct error err;

	cr_assert_eq(settings_assign(settings, "model", "flag.gguf", ORIGIN_FLAG, &err), STATUS_OK);
	cr_assert_eq(settings_assign(settings, "model", "file.gguf", ORIGIN_FILE, &err), STATUS_OK);
	cr_assert_eq(settings_set(settings, "model", "set.gguf", &err), STATUS_OK);
	cr_assert_eq(settings_unset(settings, "model", &err), STATUS_OK);
	cr_assert_str_eq(target.model, "flag.gguf");
	cr_assert_eq(settings_unset(settings, "model", &err), STATUS_OK); /* nothing to take back */
	cr_assert_str_eq(target.model, "flag.gguf");

	cr_assert_eq(settings_set(settings, "temp", "0.2", &err), STATUS_OK);
	/* what was said meanwhile counts, too */
	cr_assert_eq(settings_recommend(settings, &recommended, 1, &err), STATUS_OK);
	cr_assert_eq(settings_assign(settings, "temp", "1.5", ORIGIN_TEMPLATE, &err), STATUS_OK);
	expect_temp(0.2f, ORIGIN_SET);
	cr_assert_eq(settings_unset(settings, "temp", &err), STATUS_OK);
	expect_temp(1.5f, ORIGIN_TEMPLATE);
	cr_assert_eq(settings_assign(settings, "temp", "0.3", ORIGIN_FILE, &err), STATUS_OK);
	settings_forget(settings, ORIGIN_TEMPLATE);
	expect_temp(0.3f, ORIGIN_FILE);
	settings_forget(settings, ORIGIN_FILE);
	expect_temp(0.6f, ORIGIN_MODEL);
	settings_forget(settings, ORIGIN_MODEL);
	expect_temp(0.8f, ORIGIN_DEFAULT);

	cr_assert_eq(settings_unset(settings, "raw", &err), STATUS_USAGE);
	cr_assert_eq(settings_unset(settings, "temprature", &err), STATUS_USAGE);
	cr_assert_str_eq(err.text, "there is no setting 'temprature', did you mean 'temp'?");
}

Test(settings, a_bad_recommendation_is_an_error)
{
	static const struct option_text unknown = {"tepm", "1"}, beyond = {"temp", "9"};
	struct error err;

	cr_assert_eq(settings_recommend(settings, &unknown, 1, &err), STATUS_USAGE);
	cr_assert_str_eq(err.text, "there is no setting 'tepm', did you mean 'temp'?");
	cr_assert_eq(settings_recommend(settings, &beyond, 1, &err), STATUS_USAGE);
	expect_temp(0.8f, ORIGIN_DEFAULT);
}

static bool is_for_files(const void *ctx, const struct option *option)
{
	(void)ctx;
	return !(option->flags & (OPTION_LIVE | OPTION_CLI_ONLY));
}

Test(settings, help_has_a_row_an_option)
{
	struct buf out = {.max = MIB(1)};

	cr_assert_eq(settings_help(settings, NULL, NULL, &out), STATUS_OK);
	cr_assert_str_eq(buf_text(&out),
	                 "  --temperature, --temp N       how much chance (0.8)\n"
	                 "  --top-k N                     candidates kept (40)\n"
	                 "  -s, --seed N                  start of the random numbers (-1)\n"
	                 "  --no-mouse                    leave the mouse alone\n"
	                 "  -r, --raw                     no template\n"
	                 "  -m, --model FILE              model file\n"
	                 "  -ctk, --cache-type TYPE       type of the cache: f16, f32 (f16)\n"
	                 "  --config FILE                 configuration file\n"
	                 "  -h, --help                    this text\n");
	buf_clear(&out);
	cr_assert_eq(settings_help(settings, is_for_files, NULL, &out), STATUS_OK);
	cr_assert_str_eq(buf_text(&out),
	                 "  -r, --raw                     no template\n"
	                 "  -m, --model FILE              model file\n"
	                 "  -ctk, --cache-type TYPE       type of the cache: f16, f32 (f16)\n");
	buf_free(&out);
}

Test(settings, help_names_the_choices_once)
{
	static const struct option choice[] = {
		{"x", NULL, OPTION_ENUM, 0, 0, 0, 0, "f16", cache_types, "f16|f32", "a type", 0}};
	struct option_table table = {choice, 1, &target};
	struct settings *one;
	struct error err;
	struct buf out = {.max = KIB(4)};

	cr_assert_eq(settings_create(&one, &table, 1, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(settings_help(one, NULL, NULL, &out), STATUS_OK);
	cr_assert_str_eq(buf_text(&out), "  --x f16|f32                   a type (f16)\n");
	settings_free(one);
	buf_free(&out);
}

Test(settings, a_bad_default_is_the_programmers_error)
{
	static const struct option bad[] = {
		{"x", NULL, OPTION_INT, 0, 0, 5, 1, "6", NULL, "N", "help", 0}};
	int32_t value;
	struct option_table table = {bad, 1, &value};
	struct settings *none;
	struct error err;

	cr_assert_eq(settings_create(&none, &table, 1, &err), STATUS_USAGE);
	cr_assert_str_eq(err.text, "default of x: '6': expected a whole number from 0 to 5");
}

static void expect_unread(const char *variable, const char *line)
{
	char *environment[] = {(char *)"PATH=/bin", (char *)(uintptr_t)variable, NULL};
	struct buf out = {.max = KIB(64)};

	cr_assert_eq(settings_check_environment(settings, environment, &out), STATUS_OK);
	cr_assert_str_eq(buf_text(&out), line);
	buf_free(&out);
}

Test(settings, tell_of_variables_that_nobody_reads)
{
	expect_unread("SOTTO_TEMP=1", "");
	expect_unread("SOTTO_TOP_K=1", "");
	expect_unread("SOTTO_TEMPERATURE=1", "");
	expect_unread("SOTTO_CONFIG=x", "");
	expect_unread("SOTTO_PKGDATADIR=/x", "");
	expect_unread("SOTTO_DATA_DIR=/x", "");
	expect_unread("SOTTO_TESTDATA=/x", "");
	expect_unread("SOTTO_TEST_LONG=1", "");
	expect_unread("SOTTO_TEMPP=", "");
	expect_unread("SOTTO_=1", "");
	expect_unread("SOTTO", "");
	expect_unread("SOTTO_TEMPP=1", "SOTTO_TEMPP has no effect, did you mean SOTTO_TEMP?\n");
	expect_unread("SOTTO_top_k=1", "SOTTO_top_k has no effect, did you mean SOTTO_TOP_K?\n");
	expect_unread("SOTTO_DATADIR=1", "SOTTO_DATADIR has no effect, did you mean SOTTO_DATA_DIR?\n");
	expect_unread("SOTTO_HELP=1",
	              "SOTTO_HELP has no effect: --help works on the command line only\n");
	expect_unread("SOTTO_XYZZYXYZZY=1", "SOTTO_XYZZYXYZZY has no effect\n");
}

static int find_word(const char *a, const char *b, const char *c)
{
	char *argv[] = {(char *)"sotto", (char *)(uintptr_t)a, (char *)(uintptr_t)b,
	                (char *)(uintptr_t)c, NULL};

	return settings_find_word(settings, c ? 4 : b ? 3 : 2, argv);
}

Test(settings, find_the_first_word)
{
	cr_assert_eq(find_word("run", "--temp", "1"), 1);
	cr_assert_eq(find_word("--temp", "1", "run"), 3);
	cr_assert_eq(find_word("--temp=1", "run", NULL), 2);
	cr_assert_eq(find_word("-s5", "--raw", "run"), 3);
	cr_assert_eq(find_word("--no-mouse", "run", NULL), 2);
	cr_assert_eq(find_word("-m", "run", NULL), 0);
	cr_assert_eq(find_word("-m", "run", "run"), 3);
	cr_assert_eq(find_word("--", "run", NULL), 0);
	cr_assert_eq(find_word("--frobnicate", "run", NULL), 0);
	cr_assert_eq(find_word("-", "run", NULL), 1);
}

Test(settings, a_number_out_of_range_may_have_a_meaning)
{
	struct error err;
	static const struct option row = {"top", NULL, OPTION_INT, .max = 100, .def = "40", .also = "-1=0"};
	int32_t top = 0;
	const struct option_table table = {&row, 1, &top};
	char *argv[] = {(char *)(uintptr_t)"sotto", (char *)(uintptr_t)"--top", (char *)(uintptr_t)"-1", NULL};
	struct settings *made;
	struct buf shown = {.max = 1000};
	int n_rest;

	cr_assert_eq(settings_create(&made, &table, 1, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(top, 40);
	cr_assert_eq(settings_read_argv(made, 3, argv, &n_rest, "", &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(top, 0);
	cr_assert_eq(settings_print(made, &shown), STATUS_OK);
	cr_assert(strstr(buf_text(&shown), "top: 0"), "%s", buf_text(&shown));
	buf_free(&shown);
	argv[2] = (char *)(uintptr_t)"-2";
	cr_assert_eq(settings_read_argv(made, 3, argv, &n_rest, "", &err), STATUS_USAGE);
	settings_free(made);
}
