/* Writing to config.yaml what was changed in the chat: nothing else of it changes, however it is written. */
#include <criterion/criterion.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/sys.h"
#include "config/settings.h"
#include "support/folder.h"

static const char *const kinds[] = {"plain", "fancy", NULL};

struct target {
	float temp;
	int32_t top_k;
	bool mouse;
	int kind;
	char *theme, *model, *stop, *prompt, *preset;
};

#define ROW(field) .offset = offsetof(struct target, field), .flags = OPTION_LIVE
static const struct option rows[] = {
	{.name = "temp", .aliases = "temperature", .type = OPTION_FLOAT, .max = 5, .def = "0.8", ROW(temp) | OPTION_SLIDER},
	{.name = "top-k", .type = OPTION_INT, .max = 1000, .def = "40", ROW(top_k) | OPTION_SLIDER},
	{.name = "mouse", .type = OPTION_BOOL, .def = "no", ROW(mouse)},
	{.name = "kind", .type = OPTION_ENUM, .values = kinds, .def = "plain", ROW(kind)},
	{.name = "theme", .type = OPTION_STRING, .def = "terminal16", ROW(theme)},
	{.name = "model", .aliases = "m", .type = OPTION_STRING, ROW(model) | OPTION_PATH},
	{.name = "stop", .aliases = "reverse-prompt", .type = OPTION_STRING, ROW(stop)},
	{.name = "system-prompt", .type = OPTION_STRING, .offset = offsetof(struct target, prompt)},
	{.name = "preset", .type = OPTION_STRING, .offset = offsetof(struct target, preset)},
};
enum { N_ROWS = sizeof rows / sizeof rows[0], PATH_SIZE = 200 };

/* A sotto that has read the file. */
struct session {
	struct target target;
	struct settings *settings;
	struct settings_kept kept;
	struct error err;
};

static char folder[] = "/tmp/sotto-keep-XXXXXX", config[PATH_SIZE];

static void setup(void)
{
	cr_assert_not_null(mkdtemp(folder));
	setenv("XDG_CONFIG_HOME", folder, 1);
	unsetenv("SOTTO_CONFIG");
	snprintf(config, sizeof config, "%s/sotto", folder);
	cr_assert_eq(mkdir(config, 0700), 0);
	snprintf(config, sizeof config, "%s/sotto/config.yaml", folder);
}

static void teardown(void)
{
	remove_folder(folder);
}

TestSuite(keep, .init = setup, .fini = teardown);

static const char *in_folder(const char *name)
{
	static char paths[4][PATH_SIZE];
	static unsigned turn;
	char *path = paths[turn++ % 4];

	snprintf(path, PATH_SIZE, "%s/%s", folder, name);
	return path;
}

static void expect_text(const char *path, const char *expected, const char *what)
{
	char *text;
	size_t len;

	cr_assert_eq(sys_read_file(path, MIB(1), &text, &len, NULL), STATUS_OK, "%s", what);
	cr_expect_str_eq(text, expected, "%s: \"%s\"", what, text);
	free(text);
}

/* False: the file is wrong. */
static bool begin(struct session *s)
{
	struct option_table table = {rows, N_ROWS, &s->target};

	*s = (struct session){.settings = NULL};
	cr_assert_eq(settings_create(&s->settings, &table, 1, &s->err), STATUS_OK, "%s", s->err.text);
	return settings_read_file(s->settings, NULL, NULL, &s->err) == STATUS_OK;
}

static void end(struct session *s)
{
	settings_free(s->settings);
	settings_kept_free(&s->kept);
}

/* "temp=0.7;theme=nord" */
static void set(struct session *s, const char *values)
{
	char copy[400], *at = copy, *next;

	snprintf(copy, sizeof copy, "%s", values);
	for (; at && *at; at = next) {
		char *equals = strchr(at, '=');

		next = strchr(at, ';');
		if (next)
			*next++ = '\0';
		*equals = '\0';
		cr_assert_eq(settings_assign(s->settings, at, equals + 1, ORIGIN_SET, &s->err), STATUS_OK, "%s",
		             s->err.text);
	}
}

static const struct settings_alias guide = {"/data/guide.gguf", "guide"};

static enum status keep(struct session *s)
{
	settings_kept_free(&s->kept);
	return settings_keep(s->settings, &io_system, &guide, &s->kept, &s->err);
}

/* ---- how a file is written ---- */

#define MARK "\xEF\xBB\xBF"

Test(keep, values_go_where_they_stand)
{
	static const struct {
		const char *before, *set, *after;
	} cases[] = {
		{"", "temp=0.7", "temp: 0.7\n"},
		{"temp: 0.5\n", "temp=0.7", "temp: 0.7\n"},
		{"temp: 0.5", "temp=0.7", "temp: 0.7"},
		{"top-k: 5", "temp=0.7", "top-k: 5\ntemp: 0.7\n"},
		{"temp: 0.5 # mine\ntop-k: 5\n", "temp=0.7", "temp: 0.7 # mine\ntop-k: 5\n"},
		{"# a\n\ntop-k: 5 # b\n# c\n", "temp=0.7", "# a\n\ntop-k: 5 # b\n# c\ntemp: 0.7\n"},
		{"# only this", "temp=0.7", "# only this\ntemp: 0.7\n"},
		{"temperature: 0.5\n", "temp=0.7", "temperature: 0.7\n"},
		{"top_k: 5\n\"temp\" : 0.5\n", "temp=0.7;top-k=6", "top_k: 6\n\"temp\" : 0.7\n"},
		{"'temp': '0.5'\n", "temp=0.7", "'temp': 0.7\n"},
		{"temp:\n", "temp=0.7", "temp: 0.7\n"},
		{"temp:", "temp=0.7", "temp: 0.7"},
		{"temp:\ntop-k: 3\n", "temp=0.7", "temp: 0.7\ntop-k: 3\n"},
		{"temp: ~ # none\n", "temp=0.7", "temp: 0.7 # none\n"},
		{"temp: # none\n", "temp=0.7", "temp: 0.7 # none\n"},
		{"temp:\n  0.5\ntop-k: 5\n", "temp=0.7", "temp:\n  0.7\ntop-k: 5\n"},
		{"temp: !!float 0.5\n", "temp=0.7", "temp: 0.7\n"},
		{"temp:\t0.5\t# t\n", "temp=0.7", "temp:\t0.7\t# t\n"},
		{MARK "temp: 0.5\r\ntop-k: 5\r\n", "temp=0.7;mouse=on", MARK "temp: 0.7\r\ntop-k: 5\r\nmouse: yes\r\n"},
		{MARK, "temp=0.7", MARK "temp: 0.7\n"},
		{"top-k: 5\r# c\r", "temp=0.7", "top-k: 5\r# c\rtemp: 0.7\r"},
		{"  top-k: 5\n  mouse: on\n", "temp=0.7", "  top-k: 5\n  mouse: on\n  temp: 0.7\n"},
		{"---\ntop-k: 5\n", "temp=0.7", "---\ntop-k: 5\ntemp: 0.7\n"},
		{"---\ntop-k: 5\n...\n# end\n", "temp=0.7", "---\ntop-k: 5\ntemp: 0.7\n...\n# end\n"},
		{"{top-k: 5}", "temp=0.7", "{top-k: 5, temp: 0.7}"},
		{"{top-k: 5, temp: 0.5}\n", "temp=0.7", "{top-k: 5, temp: 0.7}\n"},
		{"{\n  top-k: 5, # c\n}\n", "temp=0.7", "{\n  top-k: 5, temp: 0.7, # c\n}\n"},
		{"{\"temp\":0.5}", "temp=0.7", "{\"temp\":0.7}"},
		{"{}", "temp=0.7;theme=nord", "{temp: 0.7, theme: nord}"},
		{"theme: \"a # b\"\ntemp: 0.5\n", "temp=0.7", "theme: \"a # b\"\ntemp: 0.7\n"},
		{"system-prompt: \"one\n  two\"\ntemp: 0.5\n", "temp=0.7", "system-prompt: \"one\n  two\"\ntemp: 0.7\n"},
		{"system-prompt: |\n  temp: 1\n\n  # no comment\ntemp: 0.5\n", "temp=0.7",
		 "system-prompt: |\n  temp: 1\n\n  # no comment\ntemp: 0.7\n"},
		{"system-prompt: |\n  Be\n", "temp=0.7", "system-prompt: |\n  Be\ntemp: 0.7\n"},
		{"# c\nsystem-prompt: |\n  Be", "temp=0.7", "# c\ntemp: 0.7\nsystem-prompt: |\n  Be"}, /* it ends there */
		{"stop: |\n  a\n  b\n\n# c\ntemp: 1\n", "stop=x", "stop: x\n\n# c\ntemp: 1\n"},
		{"stop: >-\n  a\n  b", "stop=x", "stop: x"},
		{"stop: one\n  two\n", "stop=x", "stop: x\n"},
		{"\xC3\xA4: 1\n", NULL, NULL}, /* nothing that is one: not read */
		{"theme: \xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80 # \xC3\xB6\ntemp: 0.5\n", "temp=0.7",
		 "theme: \xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80 # \xC3\xB6\ntemp: 0.7\n"},
		{"", "stop=a: #b", "stop: \"a: #b\"\n"},
		{"", "stop=null", "stop: \"null\"\n"},
		{"", "stop= ", "stop: \" \"\n"},
		{"stop: x\n", "stop=", "stop: \"\"\n"},
		{"", "kind=fancy;theme=nord", "kind: fancy\ntheme: nord\n"},
		{"", "model=/data/guide.gguf", "model: guide\n"},
		{"model: /a.gguf\n", "model=/data/guide.gguf", "model: guide\n"},
		{"", "model=~/x.gguf", "model: \"~/x.gguf\"\n"},
		{"", "model=server:box/a:b", "model: \"server:box/a:b\"\n"},
		{"temp: 0.5\n", "temp=0.8", "temp: 0.8\n"}, /* its default, which is not what the file says */
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct session s;

		write_bytes(config, cases[i].before, strlen(cases[i].before));
		if (!begin(&s)) {
			cr_assert_null(cases[i].set, "%s: %s", cases[i].before, s.err.text);
			end(&s);
			continue;
		}
		set(&s, cases[i].set);
		cr_expect_eq(keep(&s), STATUS_OK, "%s: %s", cases[i].before, s.err.text);
		expect_text(config, cases[i].after, cases[i].before);
		cr_expect(keep(&s) == STATUS_OK && s.kept.n == 0, "the second time there is nothing to keep");
		end(&s);
	}
}

Test(keep, only_what_the_file_does_not_say)
{
	static const struct {
		const char *before, *set, *told;
	} cases[] = {
		{"temp: 0.70\n", "temp=0.7", ""},
		{"temp: 0.5\n", "temp=0.50", ""},
		{"", "temp=0.8", ""},
		{"", "mouse=off", ""},
		{"mouse: on\n", "mouse=yes", ""},
		{"model: guide\n", "model=/data/guide.gguf", ""},
		{"preset: greedy\n", "temp=0", ""},
		{"preset: greedy\n", "temp=0.8", "temp 0.8"},
		{"temp: 0.5\n", "temp=0.7;top-k=40", "temp 0.7"},
		{"", "temp=0.7;top-k=4", "temp 0.7 and top-k 4"},
		{"", "top-k=4;temp=0.7;theme=nord", "temp 0.7, top-k 4 and theme nord"},
		{"stop: x\n", "stop=", "stop none"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct session s;

		write_bytes(config, cases[i].before, strlen(cases[i].before));
		cr_assert(begin(&s), "%s", s.err.text);
		set(&s, cases[i].set);
		cr_expect_eq(keep(&s), STATUS_OK, "%s", s.err.text);
		cr_expect_str_eq(buf_text(&s.kept.told), cases[i].told, "%zu: %s", i, buf_text(&s.kept.told));
		if (!cases[i].told[0])
			expect_text(config, cases[i].before, "nothing is written");
		end(&s);
	}
}

Test(keep, a_variable_that_is_stronger_is_named)
{
	struct session s;

	setenv("SOTTO_TOP_K", "5", 1);
	cr_assert(begin(&s));
	cr_assert_eq(settings_read_environment(s.settings, &s.err), STATUS_OK, "%s", s.err.text);
	set(&s, "temp=0.7;top-k=7");
	cr_expect_eq(keep(&s), STATUS_OK, "%s", s.err.text);
	cr_expect_str_eq(buf_text(&s.kept.told), "temp 0.7 and top-k 7 (at the next start SOTTO_TOP_K overrides it)");
	end(&s);
	unsetenv("SOTTO_TOP_K");
}

/* ---- where it cannot be written ---- */

static void expect_refused(struct session *s, const char *text, const char *why)
{
	set(s, "temp=0.7;theme=nord");
	cr_expect_neq(keep(s), STATUS_OK, "%s", why);
	cr_expect(strstr(s->err.text, why), "%s: %s", why, s->err.text);
	cr_expect_str_eq(buf_text(&s->kept.lines), "temp: 0.7\ntheme: nord");
	if (text)
		expect_text(config, text, why);
	end(s);
}

Test(keep, what_cannot_be_changed_safely_is_left_alone)
{
	static const char *const texts[] = {"? temp\n", "{temp}", "{temp, top-k: 3}", "~\n", "~", "---\n...\n",
	                                    "? temp\n? top-k\n"};

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		struct session s;

		write_bytes(config, texts[i], strlen(texts[i]));
		cr_assert(begin(&s), "%s: %s", texts[i], s.err.text);
		expect_refused(&s, texts[i], "cannot be changed safely");
	}
}

Test(keep, a_file_with_an_error_is_left_alone)
{
	static const char *const texts[] = {"temp: [\n", "temp: 0.5\n top-k: 3\n", "temp: 0.5\ntemperature: 0.6\n", "nosuch: 1\n",
	                                    "temp: 0.5\n---\ntemp: 0.6\n", "temp: &a 0.5\n", "- temp\n", "temp: hot\n"};

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		struct session s;

		write_bytes(config, texts[i], strlen(texts[i]));
		cr_assert_not(begin(&s), "%s", texts[i]);
		expect_refused(&s, texts[i], "config.yaml:");
	}
}

Test(keep, a_file_that_is_read_only_is_left_alone)
{
	struct session s;
	struct stat st;

	write_bytes(config, "temp: 0.5\n", 10);
	cr_assert_eq(chmod(config, 0444), 0);
	cr_assert(begin(&s));
	expect_refused(&s, "temp: 0.5\n", "is read-only");
	cr_assert(stat(config, &st) == 0 && (st.st_mode & 0777) == 0444);
	cr_assert_eq(rename(config, in_folder("store.yaml")), 0); /* a link to such a file, too */
	cr_assert_eq(symlink(in_folder("store.yaml"), config), 0);
	cr_assert(begin(&s));
	expect_refused(&s, "temp: 0.5\n", "is read-only");
	cr_assert_eq(unlink(config), 0);
	cr_assert_eq(mkdir(config, 0700), 0);
	cr_assert_not(begin(&s));
	expect_refused(&s, NULL, "config.yaml");
}

Test(keep, a_link_stays_one)
{
	struct session s;
	struct stat st;

	write_bytes(in_folder("dot.yaml"), "temp: 0.5 # mine\n", 17);
	cr_assert_eq(chmod(in_folder("dot.yaml"), 0640), 0);
	cr_assert_eq(symlink("../dot.yaml", config), 0);
	cr_assert(begin(&s));
	set(&s, "temp=0.7");
	cr_expect_eq(keep(&s), STATUS_OK, "%s", s.err.text);
	end(&s);
	cr_expect(lstat(config, &st) == 0 && S_ISLNK(st.st_mode), "it is a link still");
	cr_expect(stat(in_folder("dot.yaml"), &st) == 0 && (st.st_mode & 0777) == 0640);
	expect_text(in_folder("dot.yaml"), "temp: 0.7 # mine\n", "what it leads to");
	cr_assert_eq(unlink(in_folder("dot.yaml")), 0); /* now it leads nowhere */
	cr_assert(begin(&s));
	expect_refused(&s, NULL, "what this link leads to");
	cr_expect(lstat(config, &st) == 0 && S_ISLNK(st.st_mode), "it is a link still");
}

Test(keep, a_file_that_has_changed_is_asked_about_once)
{
	struct session s;

	write_bytes(config, "temp: 0.5\n", 10);
	cr_assert(begin(&s));
	set(&s, "temp=0.7;top-k=3");
	write_bytes(config, "top-k: 3\nmouse: on\n", 19);
	cr_expect_eq(keep(&s), STATUS_BUSY);
	cr_expect(strstr(s.err.text, "has changed since it was read"), "%s", s.err.text);
	expect_text(config, "top-k: 3\nmouse: on\n", "the first time");
	cr_expect_eq(keep(&s), STATUS_OK, "%s", s.err.text);
	expect_text(config, "top-k: 3\nmouse: on\ntemp: 0.7\n", "the second time");
	set(&s, "temp=0.6");
	cr_expect_eq(keep(&s), STATUS_OK, "what we have written ourselves is no change");
	expect_text(config, "top-k: 3\nmouse: on\ntemp: 0.6\n", "again");
	end(&s);
}

static int no_rename(const char *from, const char *to)
{
	(void)from, (void)to;
	errno = EIO;
	return -1;
}

Test(keep, a_failure_leaves_the_old_file)
{
	struct io_ops io = io_system;
	struct session s;
	char command[PATH_SIZE + 50];

	write_bytes(config, "temp: 0.5\n", 10);
	cr_assert(begin(&s));
	set(&s, "temp=0.7");
	io.rename = no_rename;
	cr_expect_neq(settings_keep(s.settings, &io, NULL, &s.kept, &s.err), STATUS_OK);
	expect_text(config, "temp: 0.5\n", "after a failure");
	snprintf(command, sizeof command, "test \"$(ls %s/sotto)\" = config.yaml", folder);
	cr_expect_eq(system(command), 0, "nothing else is left there");
	cr_expect_eq(keep(&s), STATUS_OK, "%s", s.err.text);
	expect_text(config, "temp: 0.7\n", "then");
	end(&s);
}

Test(keep, the_folder_is_made)
{
	struct session s;

	setenv("XDG_CONFIG_HOME", in_folder("new/er"), 1);
	cr_assert(begin(&s), "%s", s.err.text);
	set(&s, "temp=0.7");
	cr_expect_eq(keep(&s), STATUS_OK, "%s", s.err.text);
	expect_text(in_folder("new/er/sotto/config.yaml"), "temp: 0.7\n", "a new file");
	end(&s);
}

Test(keep, a_folder_that_cannot_be_made_is_named)
{
	struct session s;

	write_bytes(in_folder("new"), "", 0);
	setenv("XDG_CONFIG_HOME", in_folder("new/er"), 1);
	(void)begin(&s);
	set(&s, "temp=0.7");
	cr_expect_neq(keep(&s), STATUS_OK);
	cr_expect(s.err.status != STATUS_NOMEM && strstr(s.err.text, in_folder("new/er")), "%s", s.err.text);
	end(&s);
}

Test(keep, a_value_that_no_file_can_hold_is_named)
{
	struct session s;
	char *value = malloc(LIMIT_YAML_BYTES + 1);

	cr_assert_not_null(value);
	memset(value, '"', LIMIT_YAML_BYTES); /* each takes two bytes */
	for (size_t len = LIMIT_YAML_BYTES; len > LIMIT_YAML_BYTES / 4; len /= 2) {
		value[len] = '\0';
		write_bytes(config, "temp: 0.5\n", 10);
		cr_assert(begin(&s));
		cr_assert_eq(settings_assign(s.settings, "stop", value, ORIGIN_SET, &s.err), STATUS_OK);
		cr_expect_eq(keep(&s), STATUS_LIMIT, "%zu", len);
		cr_expect(strstr(s.err.text, "stop: too long") || strstr(s.err.text, "larger than"), "%zu: %s", len, s.err.text);
		expect_text(config, "temp: 0.5\n", "a value that is too long");
		end(&s);
	}
	free(value);
}

/* ---- a thousand files ---- */

static uint64_t state = 1;

static unsigned below(unsigned n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(state >> 33) % n;
}

static const char *one_of(const char *const *words, unsigned n)
{
	return words[below(n)];
}
#define ONE_OF(...) one_of((const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static const char *a_value(const struct option *option)
{
	static char text[40];

	switch (option->type) {
	case OPTION_FLOAT: snprintf(text, sizeof text, "%u.%u", below(5), below(100)); return text;
	case OPTION_INT: snprintf(text, sizeof text, "%u", below(1000)); return text;
	case OPTION_BOOL: return ONE_OF("yes", "no", "on", "off", "true", "0");
	case OPTION_ENUM: return ONE_OF("plain", "fancy");
	default: break;
	}
	return ONE_OF("nord", "a b", "/x/y.gguf", "a # b", "a: b", "\xC3\xA4\xE2\x82\xAC", "{x}", "~/m.gguf", "- a", "null", "'", "\"q\"",
	              "C:\\x", "#x", "*", "1", "");
}

/* A way to write a name. */
static void put_key(struct buf *out, const struct option *option)
{
	char name[40];
	const char *quote = ONE_OF("", "", "", "'", "\"");

	snprintf(name, sizeof name, "%s", option->aliases && below(3) == 0 ? option->aliases : option->name);
	for (char *at = name; *at; at++)
		if (*at == '-' && below(2))
			*at = '_';
	buf_printf(out, "%s%s%s", quote, name, quote);
}

static unsigned n_comments;
static bool has_text; /* what looks like a comment may be in one */

/* ... and a value; not all of these mean something in all places, or the same. */
static void put_value(struct buf *out, const char *value, const char *eol, const char *margin, bool flow)
{
	unsigned how = below(flow ? 5 : 8);

	has_text |= how == 5 || (how > 1 && strpbrk(value, "'\""));
	switch (how) {
	case 0:
		buf_putc(out, '"');
		for (const char *at = value; *at; at++)
			buf_printf(out, "%s%c", *at == '"' || *at == '\\' ? "\\" : "", *at);
		buf_putc(out, '"');
		break;
	case 1:
		buf_putc(out, '\'');
		for (const char *at = value; *at; at++)
			buf_printf(out, "%s%c", *at == '\'' ? "'" : "", *at);
		buf_putc(out, '\'');
		break;
	case 2: buf_puts(out, below(3) ? value : ONE_OF("~", "", "null", "Null")); break;
	case 5: buf_printf(out, "%s%s%s  %s", ONE_OF("|", ">", "|-", ">-", "|+"), eol, margin, value); break;
	case 6: buf_printf(out, "%s%s  %s", eol, margin, value); break;
	case 7: buf_printf(out, "\"%s%s  \\%s%s  \"", value[0] == '"' || value[0] == 'C' ? "x" : value, eol, eol, margin); break;
	default: buf_printf(out, "%s%s", below(8) ? "" : "!!str ", value);
	}
}

static void put_comment(struct buf *out)
{
	buf_printf(out, "%s#%u %s", ONE_OF(" ", "  ", "\t"), n_comments++, ONE_OF("c", "temp: 3", "\xC3\xB6", "{", "'", "---"));
}

static void make_file(struct buf *out)
{
	const char *eol = ONE_OF("\n", "\n", "\r\n", "\r"), *margin = ONE_OF("", "", "", " ", "   ");
	bool flow = below(5) == 0, lines = flow && below(2);
	unsigned first = below(N_ROWS), n = below(N_ROWS + 1);

	n_comments = 0;
	has_text = false;
	if (below(6) == 0)
		buf_puts(out, MARK);
	if (below(4) == 0) {
		put_comment(out);
		buf_puts(out, eol);
	}
	if (below(5) == 0)
		buf_printf(out, "---%s", eol);
	if (flow)
		buf_putc(out, '{');
	for (unsigned i = 0; i < n; i++) {
		const struct option *option = &rows[(first + i) % N_ROWS];

		if (!flow)
			buf_puts(out, margin);
		put_key(out, option);
		buf_printf(out, "%s:%s", below(6) ? "" : " ", ONE_OF(" ", " ", " ", "  ", "\t"));
		if (strcmp(option->name, "preset") == 0) /* it has to be one that there is */
			buf_puts(out, ONE_OF("greedy", "\"greedy\"", "'greedy'", "~", ""));
		else
			put_value(out, a_value(option), eol, margin, flow);
		if (flow && (i + 1 < n || below(4) == 0))
			buf_puts(out, ", ");
		if ((!flow || lines) && below(4) == 0)
			put_comment(out);
		if ((!flow || lines) && (flow || i + 1 < n || below(4)))
			buf_printf(out, "%s%s", eol, below(6) ? "" : eol);
	}
	if (flow)
		buf_printf(out, "}%s", below(2) ? eol : "");
	if (below(8) == 0)
		buf_printf(out, "%s...%s", eol, below(2) ? eol : "");
	if (below(5) == 0) {
		buf_puts(out, eol);
		put_comment(out);
	}
}

/* The values as text, one a line. */
static void put_values(struct buf *out, const struct session *s)
{
	for (size_t i = 0; i < N_ROWS; i++) {
		buf_printf(out, "%s=", rows[i].name);
		settings_value_text(s->settings, &rows[i], out);
		buf_putc(out, '\n');
	}
}

/* Comments are all there, and in their order. */
static void expect_comments(const char *text)
{
	char mark[20];

	for (unsigned i = 0; i < n_comments; i++) {
		snprintf(mark, sizeof mark, "#%u ", i);
		text = strstr(text, mark);
		cr_assert_not_null(text, "%s", mark);
	}
}

static int no_sync(int fd)
{
	(void)fd;
	return 0;
}

Test(keep, a_thousand_files_say_the_same_and_what_was_kept, .timeout = 120)
{
	unsigned n_read = 0, n_written = 0, n_refused = 0;
	struct io_ops io = io_system;

	io.fdatasync = io.fsync = no_sync; /* slow */
	for (unsigned i = 0; n_read < 1000; i++) {
		struct buf text = {.max = MIB(1)}, expected = {.max = MIB(1)}, found;
		struct session s, after;
		char *now;
		size_t len;

		cr_assert_lt(i, 20000);
		buf_init(&found, MIB(1));
		make_file(&text);
		write_bytes(config, buf_text(&text), text.len);
		if (begin(&s)) {
			n_read++;
			for (unsigned k = 1 + below(3); k; k--) {
				unsigned row = below(N_ROWS - 2);

				cr_assert_eq(settings_assign(s.settings, rows[row].name, a_value(&rows[row]), ORIGIN_SET,
				                             &s.err), STATUS_OK, "%s", s.err.text);
			}
			put_values(&expected, &s);
			if (settings_keep(s.settings, &io, &guide, &s.kept, &s.err) == STATUS_OK) {
				n_written += s.kept.n > 0;
				cr_assert(begin(&after), "%s: %s", buf_text(&text), after.err.text);
				put_values(&found, &after);
				cr_assert_str_eq(buf_text(&found), buf_text(&expected), "%s", buf_text(&text));
				cr_assert_eq(sys_read_file(config, MIB(1), &now, &len, NULL), STATUS_OK);
				if (!has_text)
					expect_comments(now);
				free(now);
				end(&after);
			} else {
				n_refused++;
				cr_assert(strstr(s.err.text, "cannot be changed safely"), "%s: %s", buf_text(&text), s.err.text);
				cr_assert_gt(s.kept.lines.len, 0);
				expect_text(config, buf_text(&text), "a file that is refused");
			}
		}
		end(&s);
		buf_free(&text);
		buf_free(&expected);
		buf_free(&found);
	}
	printf("%u of %u files were refused\n", n_refused, n_read);
	cr_expect_lt(n_refused, n_read / 20);
	cr_expect_gt(n_written, n_read / 2);
}
