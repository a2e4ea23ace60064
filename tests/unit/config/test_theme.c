#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/theme.h"
#include "support/folder.h"

static const char *const role_names[] = {
#define X(id, name, color, attrs, help) name,
	THEME_ROLES(X)
#undef X
};

static void use_source_tree(void)
{
	setenv("SOTTO_PKGDATADIR", TEST_SRCDIR, 1);
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
}

TestSuite(theme, .init = use_source_tree);

static enum status parse(struct theme *theme, const char *text, struct error *err)
{
	*err = (struct error){0};
	return theme_parse(theme, "dir/mine.yaml", text, strlen(text), err);
}

static bool is_index(const struct theme_color *color, int index)
{
	return color->kind == COLOR_INDEX && color->index == index;
}

Test(theme, colours_and_attributes_are_read)
{
	static const char text[] =
		"name: Mine\ndescription: words\nroles:\n"
		"  user: {fg: cyan, bg: default, attr: [bold, italic]}\n"
		"  assistant: {fg: bright-red, bg: 255}\n"
		"  code: {fg: \"#0aF510\", attr: underline reverse}\n"
		"  link: 0\n"
		"  hint: {attr: dim}\n";
	struct theme theme;
	struct error err;

	cr_assert_eq(parse(&theme, text, &err), STATUS_OK, "%s", err.text);
	cr_assert_str_eq(theme.name, "Mine");
	cr_assert_str_eq(theme.description, "words");
	cr_assert(is_index(&theme.styles[STYLE_USER].fg, 6));
	cr_assert_eq(theme.styles[STYLE_USER].bg.kind, COLOR_DEFAULT);
	cr_assert_eq(theme.styles[STYLE_USER].attrs, ATTR_BOLD | ATTR_ITALIC);
	cr_assert(is_index(&theme.styles[STYLE_ASSISTANT].fg, 9));
	cr_assert(is_index(&theme.styles[STYLE_ASSISTANT].bg, 255));
	cr_assert_eq(theme.styles[STYLE_CODE].fg.kind, COLOR_RGB);
	cr_assert_eq(theme.styles[STYLE_CODE].fg.r, 0x0A);
	cr_assert_eq(theme.styles[STYLE_CODE].fg.g, 0xF5);
	cr_assert_eq(theme.styles[STYLE_CODE].fg.b, 0x10);
	cr_assert_eq(theme.styles[STYLE_CODE].attrs, ATTR_UNDERLINE | ATTR_REVERSE);
	cr_assert(is_index(&theme.styles[STYLE_LINK].fg, 0));
	cr_assert_eq(theme.styles[STYLE_LINK].attrs, 0, "a named role is taken whole");
	cr_assert_eq(theme.styles[STYLE_HINT].attrs, ATTR_DIM);
	cr_assert_eq(theme.styles[STYLE_STATUS].attrs, ATTR_REVERSE, "the others are the default's");
}

Test(theme, a_file_without_a_name_is_called_as_its_file)
{
	struct theme theme;
	struct error err;

	cr_assert_eq(parse(&theme, "roles: {user: red}\n", &err), STATUS_OK, "%s", err.text);
	cr_assert_str_eq(theme.name, "mine");
}

Test(theme, shorthands_colour_several_roles)
{
	struct theme theme;
	struct error err;

	cr_assert_eq(parse(&theme, "primary: 100\nsurface: 101\nbackground: 102\nforeground: 103\n"
	                           "error: 104\nroles: {prompt: {fg: 7, bg: default}}\n", &err),
	             STATUS_OK, "%s", err.text);
	cr_assert(is_index(&theme.styles[STYLE_USER].fg, 100));
	cr_assert(is_index(&theme.styles[STYLE_USER].bg, 102));
	cr_assert(is_index(&theme.styles[STYLE_PROMPT].fg, 7), "the role wins");
	cr_assert(is_index(&theme.styles[STYLE_PROMPT].bg, 102));
	cr_assert(is_index(&theme.styles[STYLE_STATUS].bg, 101));
	cr_assert_eq(theme.styles[STYLE_STATUS].attrs & ATTR_REVERSE, 0);
	cr_assert(is_index(&theme.styles[STYLE_ASSISTANT].fg, 103));
	cr_assert(is_index(&theme.styles[STYLE_ERROR].fg, 104));
	cr_assert(is_index(&theme.styles[STYLE_GAUGE_FULL].fg, 104));
}

Test(theme, a_broken_file_is_named_with_its_line_and_hurts_nothing)
{
	static const struct {
		const char *text, *error;
	} cases[] = {
		{"roles:\n  user: {fg: cyn}\n", ":2: fg: there is no colour 'cyn', did you mean 'cyan'?"},
		{"roles:\n  user:\n    fg: #ff0000\n", ":3: a # begins a comment: a value that begins with it needs "
		 "quotes, as in \"#ff0000\""},
		{"roles:\n  user: {fg: #ff0000, bg: blue}\n", ":2: a # begins a comment: a value that begins with it "
		 "needs quotes, as in \"#ff0000\""},
		{"roles:\n  user: #ff0000\n", ":2: a # begins a comment"},
		{"accent: #ff0000\n", ":1: a # begins a comment"},
		{"name: #mine\n", ":1: a # begins a comment"},
		{"roles:\n  user: {attr: #bold}\n", ":2: a # begins a comment"},
		{"roles:\n  user: {fg: 256}\n", ":2: fg: '256': expected a colour: a name, 0 to 255, or \"#rrggbb\""},
		{"roles:\n  user: {fg: -1}\n", ":2: fg: '-1': expected a colour"},
		{"roles:\n  user: {fg: \"#12345\"}\n", ":2: fg: '#12345': expected a colour"},
		{"roles:\n  user: {fg: \"#12345g\"}\n", ":2: fg: '#12345g': expected a colour"},
		{"roles:\n  user: {fg: [1]}\n", ":2: fg: expected a colour: a name, 0 to 255, or \"#rrggbb\", found a list"},
		{"roles:\n  usr: red\n", ":2: there is no role 'usr', did you mean 'user'?"},
		{"roles:\n  user:\n    attr: [bold,\n      bolt]\n", ":4: attr: there is no attribute 'bolt', did you mean 'bold'?"},
		{"roles:\n  user: {attr: {a: b}}\n", ":2: attr: expected a list or a text, found a mapping"},
		{"roles:\n  user: {attr: [[bold]]}\n", ":2: attr: expected a text, found a list"},
		{"roles:\n  user: {color: red}\n", ":2: a role has no 'color': it has fg, bg and attr"},
		{"roles:\n  user: red\n  user: blue\n", ":3: 'user' is given twice"},
		{"name: x\nrols: {}\n", ":2: a theme has no 'rols', did you mean 'roles'?"},
		{"name: [x]\n", ":1: name: expected a text, found a list"},
		{"name: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n",
		 ":1: name: longer than 63 bytes"},
		{"roles: red\n", ":1: roles: expected a mapping, found a text"},
		{"primary: nocolor\n", ":1: primary: 'nocolor': expected a colour"},
		{"- a\n", ":1: expected a theme"},
		{"", ":1: expected a theme"},
		{"name: x\nroles: {user: *a}\n", ":2: aliases (*a)"},
		{"name: x\n\xff", ":2: not UTF-8"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct theme theme, before;
		struct error err;

		memset(&theme, 7, sizeof theme);
		before = theme;
		cr_assert_eq(parse(&theme, cases[i].text, &err), STATUS_CONFIG, "%s", cases[i].text);
		cr_assert(strncmp(err.text, "dir/mine.yaml", 13) == 0 &&
		          strncmp(err.text + 13, cases[i].error, strlen(cases[i].error)) == 0,
		          "%s: %s", cases[i].text, err.text);
		cr_assert_eq(memcmp(&theme, &before, sizeof theme), 0);
	}
}

static const char *const shipped[] = {"dark", "gruvbox", "high-contrast", "light", "monochrome",
                                      "nightfall", "nord", "solarized-dark", "solarized-light",
                                      "terminal16"};
enum { N_SHIPPED = sizeof shipped / sizeof shipped[0] };

Test(theme, the_shipped_ones_load_and_name_every_role)
{
	for (size_t i = 0; i < sizeof shipped / sizeof shipped[0]; i++) {
		char path[500], text[8000], wanted[64];
		struct error err = {0};
		struct theme theme;
		FILE *file;
		size_t n;

		cr_assert_eq(theme_load(&theme, shipped[i], &err), STATUS_OK, "%s", err.text);
		cr_assert_str_eq(theme.name, shipped[i]);
		cr_assert_gt(strlen(theme.description), 0);
		snprintf(path, sizeof path, "%s/themes/%s.yaml", TEST_SRCDIR, shipped[i]);
		file = fopen(path, "r");
		cr_assert_not_null(file, "%s", path);
		n = fread(text, 1, sizeof text - 1, file);
		text[n] = '\0';
		fclose(file);
		for (enum theme_role role = 0; role < THEME_ROLE_COUNT; role++) {
			snprintf(wanted, sizeof wanted, "\n  %s: {", role_names[role]);
			cr_assert_not_null(strstr(text, wanted), "%s lacks %s", path,
			                   role_names[role]);
		}
	}
}

Test(theme, the_man_page_names_every_role)
{
	static char text[20000];
	FILE *file = fopen(TEST_SRCDIR "/man/sotto-theme.5", "r");
	char wanted[64];

	cr_assert_not_null(file);
	text[fread(text, 1, sizeof text - 1, file)] = '\0';
	fclose(file);
	for (enum theme_role role = 0; role < THEME_ROLE_COUNT; role++) {
		snprintf(wanted, sizeof wanted, "\n.It Cm %s\n", role_names[role]);
		cr_assert_not_null(strstr(text, wanted), "%s", role_names[role]);
	}
}

Test(theme, the_compiled_in_one_is_terminal16)
{
	struct theme built_in, loaded;
	struct error err;

	theme_default(&built_in);
	cr_assert_eq(theme_load(&loaded, "terminal16", &err), STATUS_OK, "%s", err.text);
	cr_assert_str_eq(loaded.description, built_in.description);
	for (enum theme_role role = 0; role < THEME_ROLE_COUNT; role++) {
		const struct theme_style *a = &built_in.styles[role], *b = &loaded.styles[role];

		cr_assert_eq(a->attrs, b->attrs, "%s", role_names[role]);
		cr_assert_eq(a->fg.kind, b->fg.kind, "%s", role_names[role]);
		cr_assert_eq(a->fg.index, b->fg.index, "%s", role_names[role]);
		cr_assert_eq(a->bg.kind, COLOR_DEFAULT);
		cr_assert_eq(b->bg.kind, COLOR_DEFAULT, "the terminal's own ground");
	}
	setenv("SOTTO_PKGDATADIR", "/nonexistent", 1);
	cr_assert_eq(theme_load(&loaded, "terminal16", &err), STATUS_OK);
	cr_assert_eq(theme_load(&loaded, "dark", &err), STATUS_CONFIG);
}

Test(theme, monochrome_has_no_colours)
{
	struct theme theme;
	struct error err;

	cr_assert_eq(theme_load(&theme, "monochrome", &err), STATUS_OK);
	for (enum theme_role role = 0; role < THEME_ROLE_COUNT; role++) {
		cr_assert_eq(theme.styles[role].fg.kind, COLOR_DEFAULT);
		cr_assert_eq(theme.styles[role].bg.kind, COLOR_DEFAULT);
	}
}

/* Relative luminance and contrast as WCAG 2.1 defines them. */
static double luminance(const struct theme_color *color)
{
	const uint8_t parts[3] = {color->r, color->g, color->b};
	const double weights[3] = {0.2126, 0.7152, 0.0722};
	double sum = 0;

	for (int i = 0; i < 3; i++) {
		double c = parts[i] / 255.0;

		sum += weights[i] * (c <= 0.03928 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
	}
	return sum;
}

/* What is looked at rather than read. */
static bool is_dim(enum theme_role role)
{
	return role == STYLE_BORDER || role == STYLE_HINT || role == STYLE_PANEL_HINT;
}

/* Of all that name their colours; the others have the terminal's. */
Test(theme, text_can_be_read_on_its_ground)
{
	for (size_t i = 0; i < N_SHIPPED; i++) {
		bool is_strict = strcmp(shipped[i], "high-contrast") == 0;
		struct theme theme;
		struct error err;

		if (strcmp(shipped[i], "monochrome") == 0 || strcmp(shipped[i], "terminal16") == 0)
			continue;
		cr_assert_eq(theme_load(&theme, shipped[i], &err), STATUS_OK, "%s", err.text);
		for (enum theme_role role = 0; role < THEME_ROLE_COUNT; role++) {
			const struct theme_style *style = &theme.styles[role];
			double a = luminance(&style->fg) + 0.05, b = luminance(&style->bg) + 0.05;

			cr_assert_eq(style->fg.kind, COLOR_RGB);
			cr_assert_eq(style->bg.kind, COLOR_RGB);
			cr_expect_geq(a > b ? a / b : b / a, is_strict ? 7 : is_dim(role) ? 3 : 4.5,
			              "%s: %s: %f", shipped[i], role_names[role], a > b ? a / b : b / a);
		}
	}
}

Test(theme, without_colours_what_stood_out_is_reversed)
{
	struct theme theme;
	struct error err;

	cr_assert_eq(theme_load(&theme, "dark", &err), STATUS_OK);
	theme_strip_colors(&theme);
	for (enum theme_role role = 0; role < THEME_ROLE_COUNT; role++) {
		cr_assert_eq(theme.styles[role].fg.kind, COLOR_DEFAULT);
		cr_assert_eq(theme.styles[role].bg.kind, COLOR_DEFAULT);
	}
	cr_assert(theme.styles[STYLE_STATUS].attrs & ATTR_REVERSE);
	cr_assert(theme.styles[STYLE_SELECTION].attrs & ATTR_REVERSE);
	cr_assert_not(theme.styles[STYLE_USER].attrs & ATTR_REVERSE);
	cr_assert(theme.styles[STYLE_HEADING].attrs & ATTR_BOLD);
}

static void write_theme(const char *folder, const char *name, const char *text)
{
	char path[300];

	snprintf(path, sizeof path, "%s/sotto/themes/%s", folder, name);
	write_text(path, text);
}

Test(theme, the_users_folder_comes_first)
{
	char folder[] = "/tmp/sotto-theme-XXXXXX", path[300];
	struct theme theme, before;
	struct error err;
	struct name_list names = {.n = 0};

	cr_assert_not_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/sotto", folder);
	mkdir(path, 0700);
	strcat(path, "/themes");
	mkdir(path, 0700);
	setenv("XDG_CONFIG_HOME", folder, 1);
	write_theme(folder, "dark.yaml", "description: my own\nroles: {user: red}\n");
	write_theme(folder, "aaa.yaml", "roles: {user: rod}\n");
	write_theme(folder, "notes.txt", "no theme");
	write_theme(folder, ".yaml", "no theme");
	write_theme(folder, "-x.yaml", "no theme");
	cr_assert_eq(theme_load(&theme, "dark", &err), STATUS_OK);
	cr_assert_str_eq(theme.description, "my own");
	before = theme;
	cr_assert_eq(theme_load(&theme, "aaa", &err), STATUS_CONFIG);
	cr_assert(strstr(err.text, "/sotto/themes/aaa.yaml:1: user: there is no colour 'rod'"), "%s", err.text);
	cr_assert_eq(theme_load(&theme, "drak", &err), STATUS_CONFIG);
	cr_assert_str_eq(err.text, "there is no theme 'drak', did you mean 'dark'?");
	cr_assert_eq(theme_load(&theme, "../themes/dark", &err), STATUS_CONFIG);
	cr_assert_eq(theme_load(&theme, "", &err), STATUS_CONFIG);
	cr_assert_eq(memcmp(&theme, &before, sizeof theme), 0);
	cr_assert_eq(theme_list(&names, &err), STATUS_OK);
	cr_assert_eq(names.n, N_SHIPPED + 1);
	cr_assert_str_eq(names.items[0], "aaa");
	for (size_t i = 1; i < names.n; i++)
		cr_assert_str_eq(names.items[i], shipped[i - 1]);
	name_list_free(&names);
	snprintf(path, sizeof path, "rm -r %s", folder);
	cr_assert_eq(system(path), 0);
}
