#include "prompts/prompt_template.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "sampler/params.h"
#include "support/folder.h"

static void parse(struct prompt_template *tmpl, const char *text)
{
	cr_assert_eq(prompt_template_parse(tmpl, "/x/pirate.yaml", text, strlen(text), NULL), STATUS_OK);
}

static const char whole[] =
	"description: Like a pirate\n"
	"variables:\n"
	"  ship: {default: the Pearl, help: its name}\n"
	"  rank:\n"
	"  sea: north\n"
	"system: |\n"
	"  You are {{ rank }} of {{ ship }}{% if rank == 'captain' %}, and give orders{% endif %}.\n"
	"messages:\n"
	"  - user: Ahoy!\n"
	"  - assistant: Ahoy from the {{ sea }}!\n"
	"options: {temp: 1.5, top-k: 7}\n"
	"stop: [\"THE END\", \"###\"]\n"
	"model: pirate.gguf\n";

Test(prompt_template, all_keys_are_read)
{
	struct prompt_template tmpl;

	parse(&tmpl, whole);
	cr_assert_not(tmpl.is_broken, "%s", tmpl.error.text);
	cr_assert_str_eq(tmpl.name, "pirate");
	cr_assert_str_eq(tmpl.description, "Like a pirate");
	cr_assert_eq(tmpl.n_variables, 3);
	cr_assert_str_eq(tmpl.variables[0].def, "the Pearl");
	cr_assert_str_eq(tmpl.variables[0].help, "its name");
	cr_assert_null(tmpl.variables[1].def);
	cr_assert_str_eq(tmpl.variables[2].def, "north");
	cr_assert_eq(tmpl.n_messages, 2);
	cr_assert_eq(tmpl.messages[1].role, ROLE_ASSISTANT);
	cr_assert_eq(tmpl.n_options, 2);
	cr_assert_str_eq(tmpl.options[1].name, "top-k");
	cr_assert_eq(tmpl.n_stops, 2);
	cr_assert_str_eq(tmpl.stops[0], "THE END");
	cr_assert_str_eq(tmpl.model, "pirate.gguf");
	prompt_template_deinit(&tmpl);
}

Test(prompt_template, what_is_wrong_is_told_with_its_line)
{
	static const struct {
		const char *text, *error;
	} rows[] = {
		{"", "pirate.yaml:1: expected a prompt template"},
		{"just text", "pirate.yaml:1: expected a prompt template"},
		{"description: x\n", "there is neither 'system:' nor 'messages:'"},
		{"sytem: x\n", "pirate.yaml:1: a prompt template has no 'sytem', did you mean 'system'?"},
		{"system: x\nsystem: y\n", "pirate.yaml:2: "},
		{"system: '{{ x'\n", "pirate.yaml:1: system:1: "},
		{"a: &x 1\n", "pirate.yaml:1: "},
		{"system: hi {{ nmae }}\nvariables: {name: x}\n", "'nmae' is not among the variables"},
		{"system: x\noptions: {tmep: 1}\n",
		 "pirate.yaml:2: options: there is no 'tmep', did you mean 'temp'?"},
		{"system: x\noptions:\n  temp: hot\n", "pirate.yaml:3: options: temp: 'hot'"},
		{"system: x\noptions: {temp: 1, temperature: 1}\n", "pirate.yaml:2: options: temp is given twice"},
		{"system: x\nvariables:\n  a: #red\n", "pirate.yaml:3: a # begins a comment"},
		{"system: #red\n", "pirate.yaml:1: a # begins a comment"},
		{"system: x\noptions: {temp: 9}\n", "pirate.yaml:2: options: temp: '9'"},
		{"system: x\nvariables: {'a b': 1}\n", "pirate.yaml:2: variables: 'a b' is not a name"},
		{"system: x\nvariables: [a]\n", "pirate.yaml:2: variables: expected lines"},
		{"system: x\nvariables: {a: {defualt: 1}}\n", "did you mean 'default'?"},
		{"system: x\nmessages:\n  - usr: hi\n", "pirate.yaml:3: a message has no 'usr', did you mean"},
		{"system: x\nmessages:\n  - hi\n", "pirate.yaml:3: messages: expected"},
		{"system: x\nmessages:\n  - {user: a, assistant: b}\n", "one role per message"},
		{"system: x\nstop: ['']\n", "pirate.yaml:2: stop: expected"},
		{"system: x\nname: ../evil\n", "pirate.yaml:2: name: "},
		{"system: [x]\n", "pirate.yaml:1: "},
		{"system: x\n---\nsystem: y\n", "pirate.yaml:2"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct prompt_template tmpl;

		parse(&tmpl, rows[i].text);
		cr_expect(tmpl.is_broken, "%s", rows[i].text);
		cr_expect(strstr(tmpl.error.text, rows[i].error), "row %zu: %s", i, tmpl.error.text);
		cr_expect_eq(tmpl.error.status, STATUS_CONFIG);
		cr_expect_str_eq(tmpl.name, "pirate");
		prompt_template_deinit(&tmpl);
	}
}

static enum status fill(const char *values_text, struct prompt_rendered *out, struct error *err)
{
	struct prompt_values values = {0};
	struct prompt_template tmpl;
	enum status status;

	parse(&tmpl, whole);
	cr_assert_eq(prompt_parse_values(values_text, strlen(values_text), &values, err), STATUS_OK);
	status = prompt_template_render(out, &tmpl, &values, NULL, err);
	prompt_values_free(&values);
	prompt_template_deinit(&tmpl);
	return status;
}

Test(prompt_template, variables_are_filled_in)
{
	struct prompt_rendered rendered;
	struct error err;

	cr_assert_eq(fill("rank=captain ship='a {{ raft }}'", &rendered, &err), STATUS_OK, "%s", err.text);
	cr_assert_str_eq(rendered.system, "You are captain of a {{ raft }}, and give orders.");
	cr_assert_eq(rendered.n_messages, 2);
	cr_assert_str_eq(rendered.messages[1].text, "Ahoy from the north!");
	prompt_rendered_free(&rendered);
}

Test(prompt_template, missing_and_unknown_variables_are_named)
{
	struct prompt_rendered rendered;
	struct error err;

	cr_assert_eq(fill("", &rendered, &err), STATUS_USAGE);
	cr_assert(strstr(err.text, "needs a value: rank="), "%s", err.text);
	cr_assert_eq(fill("rank=x shp=y", &rendered, &err), STATUS_USAGE);
	cr_assert(strstr(err.text, "did you mean 'ship'?"), "%s", err.text);
}

Test(prompt_template, an_error_of_the_text_names_the_file)
{
	struct prompt_template tmpl;
	struct prompt_rendered rendered;
	struct prompt_values none = {0};
	struct error err;

	parse(&tmpl, "system: \"one\\n{{ raise_exception('no') }}\"\n");
	cr_assert_eq(prompt_template_render(&rendered, &tmpl, &none, NULL, &err), STATUS_CONFIG);
	cr_assert(strstr(err.text, "/x/pirate.yaml"), "%s", err.text);
	prompt_template_deinit(&tmpl);
	parse(&tmpl, "system: \"one\\ntwo {{ 1 / 0 }}\"\n");
	cr_assert_eq(prompt_template_render(&rendered, &tmpl, &none, NULL, &err), STATUS_CONFIG);
	cr_assert(strstr(err.text, "system:2: division by zero"), "%s", err.text);
	prompt_template_deinit(&tmpl);
}

Test(prompt_template, builtin_variables_are_there)
{
	struct prompt_template tmpl;
	struct prompt_rendered rendered;
	struct prompt_values none = {0};

	setenv("SOTTO_TEST_CLOCK", "1795253400", 1);
	setenv("TZ", "UTC", 1);
	setenv("USER", "ada", 1);
	setenv("LC_ALL", "de_DE.UTF-8", 1);
	parse(&tmpl, "system: '{{ date }} {{ time }} {{ user }} {{ lang }} {{ model }} {{ os and cwd and 1 }}'\n");
	cr_assert_not(tmpl.is_broken, "%s", tmpl.error.text);
	cr_assert_eq(prompt_template_render(&rendered, &tmpl, &none, "tiny", NULL), STATUS_OK);
	cr_assert_str_eq(rendered.system, "2026-11-21 09:30 ada de_DE tiny 1");
	prompt_rendered_free(&rendered);
	prompt_template_deinit(&tmpl);
}

Test(prompt_template, a_call_goes_there_and_back)
{
	const char *line = "translator to='Low German' from=a\\'b \"x=\"";
	struct prompt_values values = {0}, again = {0};
	struct buf name = {.max = KIB(1)}, out = {.max = KIB(1)};
	struct error err;

	cr_assert_eq(prompt_parse_call(line, strlen(line), &name, &values, &err), STATUS_OK);
	cr_assert_str_eq(buf_text(&name), "translator");
	cr_assert_str_eq(prompt_values_get(&values, "to"), "Low German");
	cr_assert_str_eq(prompt_values_get(&values, "from"), "a'b");
	cr_assert_str_eq(prompt_values_get(&values, "x"), "");
	cr_assert_null(prompt_values_get(&values, "y"));
	cr_assert_eq(prompt_format_call(&out, "translator", &values), STATUS_OK);
	cr_assert_eq(prompt_parse_call(buf_text(&out), out.len, &name, &again, &err), STATUS_OK);
	cr_assert_eq(again.n, 3);
	cr_assert_str_eq(prompt_values_get(&again, "from"), "a'b");
	cr_assert_eq(prompt_parse_values("oops", 4, &again, &err), STATUS_USAGE);
	cr_assert_eq(prompt_parse_values("=x", 2, &again, &err), STATUS_USAGE);
	prompt_values_free(&values);
	prompt_values_free(&again);
	buf_free(&name);
	buf_free(&out);
}

/* `begin`, then the item of each number below n. */
static void parse_many(struct prompt_template *tmpl, const char *begin, const char *before,
                       const char *after, int n)
{
	struct buf text = {.max = 1 << 20};

	buf_puts(&text, begin);
	for (int i = 0; i < n; i++)
		buf_printf(&text, "  %s%d%s\n", before, i, after);
	parse(tmpl, buf_text(&text));
	buf_free(&text);
}

Test(prompt_template, lists_are_bounded)
{
	static const struct {
		const char *begin, *before, *after, *error;
	} rows[] = {
		{"system: x\nmessages:\n", "- user: m", "", "more than 256 messages"},
		{"system: x\nstop:\n", "- s", "", "more than 256 stop strings"},
		{"system: x\nvariables:\n", "v", ": x", "more than 256 variables"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct prompt_template tmpl;

		parse_many(&tmpl, rows[i].begin, rows[i].before, rows[i].after, LIMIT_PROMPT_ITEMS);
		cr_expect_not(tmpl.is_broken, "%s", tmpl.error.text);
		prompt_template_deinit(&tmpl);
		parse_many(&tmpl, rows[i].begin, rows[i].before, rows[i].after,
		           LIMIT_PROMPT_ITEMS + 1);
		cr_expect(tmpl.is_broken);
		cr_expect(strstr(tmpl.error.text, rows[i].error), "%s", tmpl.error.text);
		prompt_template_deinit(&tmpl);
	}
}

Test(prompt_template, values_are_bounded)
{
	struct prompt_values values = {0};
	struct error err;
	char name[16];

	for (int i = 0; i <= LIMIT_PROMPT_ITEMS; i++) {
		size_t len = (size_t)snprintf(name, sizeof name, "v%d", i);

		cr_expect_eq(prompt_values_set(&values, name, len, "x", 1, &err),
		             i < LIMIT_PROMPT_ITEMS ? STATUS_OK : STATUS_LIMIT);
	}
	cr_expect_str_eq(err.text, "too many variables");
	prompt_values_free(&values);
}

/* ---- folders ---- */

static char folder[] = "/tmp/sotto-prompts-XXXXXX";

static void put(const char *path, const char *text)
{
	char full[512];

	snprintf(full, sizeof full, "%s/%s", folder, path);
	write_text(full, text);
}

static void make_folders(void)
{
	static const char *const dirs[] = {"", "/extra", "/config", "/config/sotto",
	                                   "/config/sotto/prompts", "/pkg", "/pkg/prompts"};
	char path[512];

	cr_assert_not_null(mkdtemp(folder));
	for (size_t i = 1; i < sizeof dirs / sizeof dirs[0]; i++) {
		snprintf(path, sizeof path, "%s%s", folder, dirs[i]);
		cr_assert_eq(mkdir(path, 0700), 0);
	}
	snprintf(path, sizeof path, "%s/config", folder);
	setenv("XDG_CONFIG_HOME", path, 1);
	snprintf(path, sizeof path, "%s/pkg", folder);
	setenv("SOTTO_PKGDATADIR", path, 1);
}

static void remove_folders(void)
{
	remove_folder(folder);
}

Test(prompt_library, earlier_folders_count_and_broken_files_hurt_nobody, .init = make_folders,
     .fini = remove_folders)
{
	const struct prompt_template *tmpl;
	struct prompt_library *library;
	struct error err;
	char extra[512];

	put("pkg/prompts/a.yaml", "system: package\n");
	put("pkg/prompts/b.yaml", "system: package\n");
	put("pkg/prompts/c.yaml", "system: package\n");
	put("config/sotto/prompts/b.yaml", "system: user\n");
	put("config/sotto/prompts/c.yaml", "system: [broken\n");
	put("config/sotto/prompts/notes.txt", "not a template");
	put("config/sotto/prompts/-x.yaml", "not a name");
	put("extra/other.yaml", "name: a\nsystem: extra\n");
	snprintf(extra, sizeof extra, "%s/extra", folder);
	cr_assert_eq(prompt_library_open(&library, extra, &err), STATUS_OK);
	cr_assert_eq(prompt_library_n(library), 3);
	cr_assert_str_eq(prompt_library_at(library, 0)->system, "extra");
	cr_assert_str_eq(prompt_library_at(library, 1)->system, "user");
	cr_assert(prompt_library_at(library, 2)->is_broken);
	cr_assert_null(prompt_library_at(library, 3));
	prompt_library_close(library);
	cr_assert_eq(prompt_library_open_for(&library, extra, "b", 1, &tmpl, &err), STATUS_OK);
	prompt_library_close(library);
	cr_assert_eq(prompt_library_open_for(&library, extra, "c", 1, &tmpl, &err), STATUS_CONFIG);
	cr_assert(strstr(err.text, "c.yaml:"), "%s", err.text);
	cr_assert_eq(prompt_library_open_for(&library, extra, "bb", 2, &tmpl, &err), STATUS_NOTFOUND);
	cr_assert_null(library);
	cr_assert_eq(prompt_library_open(&library, "/no/such/folder", &err), STATUS_OK);
	cr_assert_eq(prompt_library_n(library), 3);
	prompt_library_close(library);
}

Test(prompt_library, so_many_are_listed, .init = make_folders, .fini = remove_folders)
{
	struct prompt_library *library;
	struct error err;
	char path[64];

	for (int i = 0; i <= LIMIT_PROMPT_TEMPLATES; i++) {
		snprintf(path, sizeof path, "pkg/prompts/t%d.yaml", i);
		put(path, "system: x\n");
		if (i < LIMIT_PROMPT_TEMPLATES - 1)
			continue;
		cr_assert_eq(prompt_library_open(&library, NULL, &err), STATUS_OK);
		cr_expect_eq(prompt_library_n(library), LIMIT_PROMPT_TEMPLATES);
		prompt_library_close(library);
	}
}

Test(prompt_library, its_stamp_tells_every_change, .init = make_folders, .fini = remove_folders)
{
	char extra[512], path[600];
	uint64_t stamp, before;

	snprintf(extra, sizeof extra, "%s/extra", folder);
	put("extra/a.yaml", "system: one\n");
	stamp = prompt_library_stamp(extra);
	cr_assert_eq(prompt_library_stamp(extra), stamp);
	cr_assert_neq(prompt_library_stamp(NULL), stamp);
	put("extra/notes.txt", "no template");
	cr_assert_eq(prompt_library_stamp(extra), stamp);
	put("extra/b.yaml", "system: two\n");
	before = stamp;
	cr_assert_neq(stamp = prompt_library_stamp(extra), before, "one has come");
	put("extra/b.yaml", "system: three\n");
	cr_assert_neq(prompt_library_stamp(extra), stamp, "it has changed");
	snprintf(path, sizeof path, "%s/b.yaml", extra);
	cr_assert_eq(unlink(path), 0);
	cr_assert_eq(prompt_library_stamp(extra), before, "and gone");
}

/* Those that ship are right, complete, and can be filled in. */
Test(prompt_library, the_package_has_its_templates)
{
	static const char *const names[] = {"assistant", "concise", "coder", "reviewer", "translator",
	                                    "tutor", "editor", "summarizer", "brainstorm", "socratic",
	                                    "shell", "storyteller", "manual"};
	struct prompt_library *library;
	struct error err;

	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	setenv("SOTTO_PKGDATADIR", TEST_SRCDIR, 1);
	cr_assert_eq(prompt_library_open(&library, NULL, &err), STATUS_OK);
	cr_assert_eq(prompt_library_n(library), sizeof names / sizeof names[0]);
	prompt_library_close(library);
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const struct prompt_template *tmpl;
		struct prompt_values values = {0};
		struct prompt_rendered rendered;

		cr_assert_eq(prompt_library_open_for(&library, NULL, names[i], strlen(names[i]), &tmpl, &err),
		             STATUS_OK, "%s", err.text);
		cr_expect(tmpl->description[0]);
		for (size_t v = 0; v < tmpl->n_variables; v++) {
			cr_expect(tmpl->variables[v].help[0]);
			if (!tmpl->variables[v].def)
				cr_assert_eq(prompt_values_set(&values, tmpl->variables[v].name,
				                               strlen(tmpl->variables[v].name), "X", 1, &err),
				             STATUS_OK);
		}
		cr_assert_eq(prompt_template_render(&rendered, tmpl, &values, "m", &err), STATUS_OK, "%s",
		             err.text);
		cr_expect(rendered.system && strlen(rendered.system) > 40);
		prompt_rendered_free(&rendered);
		prompt_values_free(&values);
		prompt_library_close(library);
	}
}

Test(prompt_template, options_are_set_and_taken_back)
{
	struct sampler_params params;
	struct option_table table = {sampler_options, sampler_n_options, &params};
	struct prompt_template tmpl;
	struct settings *settings;
	struct error err;

	cr_assert_eq(settings_create(&settings, &table, 1, &err), STATUS_OK);
	cr_assert_eq(settings_assign(settings, "top-k", "3", ORIGIN_FILE, &err), STATUS_OK);
	parse(&tmpl, whole);
	cr_assert_eq(prompt_apply_options(&tmpl, settings, &err), STATUS_OK);
	cr_assert_float_eq(params.temp, 1.5, 1e-6);
	cr_assert_eq(params.top_k, 3, "the user's file counts for more");
	cr_assert_eq(settings_origin_of(settings, settings_find(settings, "temp")), ORIGIN_TEMPLATE);
	cr_assert_eq(prompt_apply_options(NULL, settings, &err), STATUS_OK);
	cr_assert_float_eq(params.temp, 0.8, 1e-6);
	cr_assert_eq(settings_origin_of(settings, settings_find(settings, "temp")), ORIGIN_DEFAULT);
	prompt_template_deinit(&tmpl);
	settings_free(settings);
}
