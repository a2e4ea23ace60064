/* Theme files: finding, listing and reading them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/data_name.h"
#include "base/limits.h"
#include "base/nearest.h"
#include "base/number.h"
#include "base/sys.h"
#include "base/words.h"
#include "config/theme.h"
#include "config/yaml.h"

static const char *const role_names[THEME_ROLE_COUNT] = {
#define X(id, name, color, attrs, help) [id] = name,
	THEME_ROLES(X)
#undef X
};

/* -1: there is none of that name; *nearest then has the one that is nearest. */
static int find_role(const char *name, struct nearest *nearest)
{
	nearest_init(nearest, name, strlen(name));
	for (int role = 0; role < THEME_ROLE_COUNT; role++) {
		if (strcmp(role_names[role], name) == 0)
			return role;
		nearest_offer(nearest, role_names[role]);
	}
	return -1;
}

/* The terminal's own sixteen, in its order. */
static const char *const color_names[16] = {
	"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
	"bright-black", "bright-red", "bright-green", "bright-yellow",
	"bright-blue", "bright-magenta", "bright-cyan", "bright-white",
};

static bool parse_hex(const char *text, struct theme_color *color)
{
	unsigned long value;

	if (strlen(text) != 7 || strspn(text + 1, "0123456789abcdefABCDEF") != 6)
		return false;
	value = strtoul(text + 1, NULL, 16);
	*color = (struct theme_color){.kind = COLOR_RGB, .r = (uint8_t)(value >> 16),
	                              .g = (uint8_t)(value >> 8), .b = (uint8_t)value};
	return true;
}

static bool parse_color(const char *text, struct theme_color *color, struct nearest *nearest)
{
	int64_t number;

	nearest_init(nearest, text, 0);
	if (text[0] == '#')
		return parse_hex(text, color);
	if (number_parse_int(text, &number)) {
		*color = (struct theme_color){.kind = COLOR_INDEX, .index = (uint8_t)number};
		return number >= 0 && number <= 255;
	}
	if (strcmp(text, "default") == 0) {
		*color = (struct theme_color){.kind = COLOR_DEFAULT};
		return true;
	}
	nearest_init(nearest, text, strlen(text));
	nearest_offer(nearest, "default");
	for (uint8_t i = 0; i < 16; i++) {
		if (strcmp(color_names[i], text) == 0) {
			*color = (struct theme_color){.kind = COLOR_INDEX, .index = i};
			return true;
		}
		nearest_offer(nearest, color_names[i]);
	}
	return false;
}

/* 0: there is none of that name. */
static unsigned find_attr(const char *name, size_t len, struct nearest *nearest)
{
	static const struct {
		const char *name;
		unsigned bit;
	} attrs[] = {{"bold", ATTR_BOLD}, {"dim", ATTR_DIM}, {"italic", ATTR_ITALIC},
	             {"underline", ATTR_UNDERLINE}, {"reverse", ATTR_REVERSE}};

	nearest_init(nearest, name, len);
	for (size_t i = 0; i < sizeof attrs / sizeof attrs[0]; i++) {
		if (strlen(attrs[i].name) == len && memcmp(attrs[i].name, name, len) == 0)
			return attrs[i].bit;
		nearest_offer(nearest, attrs[i].name);
	}
	return 0;
}

/* Colours for several roles at once, as in themes of other chat programs. `foreground` and
 * `background` are what `default` means. */
enum shorthand {
	SHORT_FOREGROUND, SHORT_BACKGROUND, SHORT_SURFACE, SHORT_PRIMARY, SHORT_SECONDARY,
	SHORT_ACCENT, SHORT_ERROR, SHORT_WARNING, SHORT_SUCCESS, SHORT_COUNT
};

static const char *const shorthands[SHORT_COUNT] = {
	"foreground", "background", "surface", "primary", "secondary",
	"accent", "error", "warning", "success",
};

static const struct {
	enum shorthand shorthand;
	bool is_bg;
	enum theme_role role;
} shorthand_roles[] = {
	{SHORT_SURFACE, true, STYLE_STATUS}, {SHORT_SURFACE, true, STYLE_STATUS_BADGE},
	{SHORT_SURFACE, true, STYLE_PANEL}, {SHORT_SURFACE, true, STYLE_BORDER},
	{SHORT_PRIMARY, false, STYLE_USER}, {SHORT_PRIMARY, false, STYLE_PROMPT},
	{SHORT_PRIMARY, false, STYLE_HEADING},
	{SHORT_SECONDARY, false, STYLE_LINK}, {SHORT_SECONDARY, false, STYLE_QUOTE},
	{SHORT_ACCENT, false, STYLE_SLIDER}, {SHORT_ACCENT, false, STYLE_CODE},
	{SHORT_ERROR, false, STYLE_ERROR}, {SHORT_ERROR, false, STYLE_GAUGE_FULL},
	{SHORT_WARNING, false, STYLE_WARNING}, {SHORT_WARNING, false, STYLE_GAUGE_WARN},
	{SHORT_SUCCESS, false, STYLE_SUCCESS}, {SHORT_SUCCESS, false, STYLE_GAUGE_OK},
};

/* A theme being read: it becomes one only if all of it is right. */
struct theme_draft {
	struct yaml_reader *reader;
	struct theme theme;
	struct theme_style *style; /* of the role at hand */
	struct theme_color colors[SHORT_COUNT];
	bool has_color[SHORT_COUNT], has_role[THEME_ROLE_COUNT], has_entries;
};

static const char builtin_name[] = "terminal16"; /* theme_default */
static const char no_theme[] = "expected a theme: 'roles:' and a line for each role";

/* `key`: what the colour is of, as errors name it. */
static enum status read_color(struct theme_draft *draft, const char *key, const struct yaml_item *item,
                              struct theme_color *color, struct error *err)
{
	static const char expected[] = "expected a colour: a name, 0 to 255, or \"#rrggbb\"";
	enum status status;
	struct nearest nearest;

	if (item->kind != YAML_SCALAR)
		return yaml_fail(draft->reader, item->line, STATUS_CONFIG, err,
		                 "%s: %s, found %s", key, expected, yaml_kind_name(item->kind));
	status = yaml_check_comment(draft->reader, item, err);
	if (status || parse_color(item->text, color, &nearest))
		return status;
	if (nearest_best(&nearest))
		return yaml_fail(draft->reader, item->line, STATUS_CONFIG, err, "%s: there is no colour '%.40s'%s", key,
		                 item->text, nearest_hint(&nearest));
	return yaml_fail(draft->reader, item->line, STATUS_CONFIG, err, "%s: '%.40s': %s", key, item->text, expected);
}

/* One word, or several separated by blanks. */
static enum status read_attr(void *ctx, struct yaml_reader *reader, const struct yaml_item *item,
                             struct error *err)
{
	struct theme_draft *draft = ctx;
	const char *word = item->text;
	enum status status = STATUS_OK;
	struct nearest nearest;

	if (item->kind != YAML_SCALAR)
		return yaml_fail(reader, item->line, STATUS_CONFIG, err,
		                 "attr: expected a text, found %s", yaml_kind_name(item->kind));
	for (size_t n; !status && words_list_next(&word, &n); word += n) {
		unsigned bit = find_attr(word, n, &nearest);

		if (!bit)
			status = yaml_fail(reader, item->line, STATUS_CONFIG, err,
			                   "attr: there is no attribute '%.*s'%s",
			                   (int)(n < 40 ? n : 40), word, nearest_hint(&nearest));
		draft->style->attrs |= bit;
	}
	return status;
}

static enum status read_attrs(struct theme_draft *draft, struct error *err)
{
	struct yaml_item item;
	enum status status = yaml_next_value(draft->reader, &item, err);

	if (status || yaml_is_null(&item))
		return status;
	if (item.kind == YAML_MAP_BEGIN)
		return yaml_fail(draft->reader, item.line, STATUS_CONFIG, err,
		                 "attr: expected a list or a text, found %s", yaml_kind_name(item.kind));
	return item.kind == YAML_SCALAR ? read_attr(draft, draft->reader, &item, err)
	                                : yaml_read_entries(draft->reader, read_attr, draft, err);
}

/* One of `{fg: cyan, bg: default, attr: [bold]}`. */
static enum status read_style_part(void *ctx, struct yaml_reader *reader,
                                   const struct yaml_item *key, struct error *err)
{
	struct theme_draft *draft = ctx;
	struct theme_color *color = NULL;
	struct yaml_item item;
	enum status status;

	if (strcmp(key->text, "attr") == 0)
		return read_attrs(draft, err);
	if (strcmp(key->text, "fg") == 0)
		color = &draft->style->fg;
	else if (strcmp(key->text, "bg") == 0)
		color = &draft->style->bg;
	else
		return yaml_fail(reader, key->line, STATUS_CONFIG, err,
		                 "a role has no '%.40s': it has fg, bg and attr", key->text);
	status = yaml_next(reader, &item, err);
	return status ? status : read_color(draft, color == &draft->style->fg ? "fg" : "bg", &item, color, err);
}

/* A role: the parts of its style, or the foreground alone. */
static enum status read_role(void *ctx, struct yaml_reader *reader, const struct yaml_item *key,
                             struct error *err)
{
	struct theme_draft *draft = ctx;
	struct nearest nearest;
	int role = find_role(key->text, &nearest);
	struct yaml_item item;
	enum status status;

	if (role < 0)
		return yaml_fail(reader, key->line, STATUS_CONFIG, err,
		                 "there is no role '%.40s'%s", key->text, nearest_hint(&nearest));
	draft->has_role[role] = true;
	draft->style = &draft->theme.styles[role];
	*draft->style = (struct theme_style){0};
	status = yaml_next_value(reader, &item, err);
	if (status || yaml_is_null(&item))
		return status;
	return item.kind == YAML_MAP_BEGIN ? yaml_read_entries(reader, read_style_part, draft, err)
	                                   : read_color(draft, role_names[role], &item, &draft->style->fg, err);
}

static enum status read_text(struct theme_draft *draft, const char *what, char *out, size_t size,
                             struct error *err)
{
	struct yaml_item item;
	enum status status = yaml_expect(draft->reader, YAML_SCALAR, what, &item, err);

	if (!status)
		status = yaml_check_comment(draft->reader, &item, err);
	if (status)
		return status;
	if (item.len >= size)
		return yaml_fail(draft->reader, item.line, STATUS_CONFIG, err,
		                 "%s: longer than %zu bytes", what, size - 1);
	memcpy(out, item.text, item.len + 1);
	return STATUS_OK;
}

static enum status read_entry(void *ctx, struct yaml_reader *reader, const struct yaml_item *key,
                              struct error *err)
{
	struct theme_draft *draft = ctx;
	struct theme *theme = &draft->theme;
	struct nearest nearest;
	struct yaml_item item;
	enum status status;

	draft->has_entries = true;
	if (strcmp(key->text, "name") == 0)
		return read_text(draft, "name", theme->name, sizeof theme->name, err);
	if (strcmp(key->text, "description") == 0)
		return read_text(draft, "description", theme->description,
		                 sizeof theme->description, err);
	if (strcmp(key->text, "roles") == 0) {
		status = yaml_expect(reader, YAML_MAP_BEGIN, "roles", &item, err);
		return status ? status : yaml_read_entries(reader, read_role, draft, err);
	}
	nearest_init(&nearest, key->text, key->len);
	nearest_offer(&nearest, "name");
	nearest_offer(&nearest, "description");
	nearest_offer(&nearest, "roles");
	for (size_t i = 0; i < SHORT_COUNT; i++) {
		if (strcmp(key->text, shorthands[i]) == 0) {
			draft->has_color[i] = true;
			status = yaml_next(reader, &item, err);
			return status ? status : read_color(draft, shorthands[i], &item, &draft->colors[i], err);
		}
		nearest_offer(&nearest, shorthands[i]);
	}
	return yaml_fail(reader, key->line, STATUS_CONFIG, err,
	                 "a theme has no '%.40s'%s", key->text, nearest_hint(&nearest));
}

/* A role that looks like `of` on the panel's background, unless the file names it. */
static void derive_in_panel(const struct theme_draft *draft, struct theme_style *styles,
                            enum theme_role role, enum theme_role of)
{
	if (draft->has_role[role])
		return;
	styles[role] = styles[of];
	styles[role].bg = styles[STYLE_PANEL].bg;
}

/* A role that looks like `of` with an attribute more, unless the file names it. */
static void derive_with(const struct theme_draft *draft, struct theme_style *styles,
                        enum theme_role role, enum theme_role of, unsigned attrs)
{
	if (draft->has_role[role])
		return;
	styles[role] = styles[of];
	styles[role].attrs |= attrs;
}

/* Roles that the file does not name get the default theme's style, changed by the shorthands. */
static void finish(struct theme_draft *draft)
{
	struct theme_style *styles = draft->theme.styles;

	for (size_t i = 0; i < sizeof shorthand_roles / sizeof shorthand_roles[0]; i++) {
		enum shorthand which = shorthand_roles[i].shorthand;
		enum theme_role role = shorthand_roles[i].role;

		if (!draft->has_color[which] || draft->has_role[role])
			continue;
		if (shorthand_roles[i].is_bg)
			styles[role].bg = draft->colors[which];
		else
			styles[role].fg = draft->colors[which];
		if (shorthand_roles[i].is_bg) /* the colour makes it stand out now */
			styles[role].attrs &= ~(unsigned)ATTR_REVERSE;
	}
	if (draft->has_role[STYLE_CODE]) {
		derive_with(draft, styles, STYLE_CODE_KEYWORD, STYLE_CODE, ATTR_BOLD);
		derive_with(draft, styles, STYLE_CODE_STRING, STYLE_CODE, 0);
	}
	derive_with(draft, styles, STYLE_CODE_COMMENT, STYLE_HINT, ATTR_ITALIC);
	derive_with(draft, styles, STYLE_STRONG, STYLE_ASSISTANT, ATTR_BOLD);
	derive_with(draft, styles, STYLE_EMPHASIS, STYLE_ASSISTANT, ATTR_ITALIC);
	derive_with(draft, styles, STYLE_STRONG_EMPHASIS, STYLE_STRONG, ATTR_ITALIC);
	derive_with(draft, styles, STYLE_STRUCK, STYLE_ASSISTANT, ATTR_DIM);
	derive_in_panel(draft, styles, STYLE_PANEL_HINT, STYLE_HINT);
	derive_in_panel(draft, styles, STYLE_PANEL_ERROR, STYLE_ERROR);
	derive_in_panel(draft, styles, STYLE_PANEL_MARK, STYLE_HEADING);
	for (size_t role = 0; role < THEME_ROLE_COUNT; role++) {
		if (draft->has_color[SHORT_FOREGROUND] && styles[role].fg.kind == COLOR_DEFAULT)
			styles[role].fg = draft->colors[SHORT_FOREGROUND];
		if (draft->has_color[SHORT_BACKGROUND] && styles[role].bg.kind == COLOR_DEFAULT)
			styles[role].bg = draft->colors[SHORT_BACKGROUND];
	}
}

enum status theme_parse(struct theme *theme, const char *path, const char *text, size_t len,
                        struct error *err)
{
	struct theme_draft draft = {0};
	enum status status;
	const char *name;
	size_t name_len;

	theme_default(&draft.theme);
	name = data_name_of_path(path, &name_len);
	snprintf(draft.theme.name, sizeof draft.theme.name, "%.*s", (int)name_len, name);
	draft.theme.description[0] = '\0';
	status = yaml_open(&draft.reader, path, text, len, 1, &yaml_limits_config, err);
	if (!status)
		status = yaml_read_map(draft.reader, no_theme, read_entry, &draft, err);
	if (!status && !draft.has_entries)
		status = yaml_fail(draft.reader, 1, STATUS_CONFIG, err, "%s", no_theme);
	yaml_close(draft.reader);
	if (status)
		return yaml_as_config(status, err);
	finish(&draft);
	*theme = draft.theme;
	return STATUS_OK;
}

/* The two folders in order of precedence; false if there is no such folder. */
static bool themes_dir(size_t which, struct buf *out)
{
	buf_clear(out);
	return !(which == 0 ? sys_user_path(SYS_DIR_CONFIG, "/themes", out, NULL)
	                    : sys_data_path("/themes", out, NULL));
}

static enum status unknown_theme(const char *name, struct error *err)
{
	struct name_list names = {.n = 0};

	theme_list(&names, NULL);
	return name_list_unknown(&names, "theme", name, strlen(name), STATUS_CONFIG, err);
}

enum status theme_load(struct theme *theme, const char *name, struct error *err)
{
	enum status status = STATUS_NOTFOUND;
	struct buf path = {.max = KIB(64)};

	if (!data_name_is_valid(name, strlen(name)))
		return unknown_theme(name, err);
	for (size_t which = 0; which < 2 && status == STATUS_NOTFOUND; which++) {
		char *text;
		size_t len;

		if (!themes_dir(which, &path) || buf_printf(&path, "/%s.yaml", name))
			continue;
		status = sys_read_file(buf_text(&path), LIMIT_YAML_BYTES, &text, &len, err);
		if (!status) {
			status = theme_parse(theme, buf_text(&path), text, len, err);
			free(text);
		}
	}
	buf_free(&path);
	if (status == STATUS_NOTFOUND && strcmp(name, builtin_name) == 0) {
		theme_default(theme);
		return STATUS_OK;
	}
	return status == STATUS_NOTFOUND ? unknown_theme(name, err) : status;
}

enum status theme_list(struct name_list *out, struct error *err)
{
	struct buf path = {.max = KIB(64)};

	if (!name_list_add(out, builtin_name, strlen(builtin_name)))
		return error_no_memory(err, NULL);
	for (size_t which = 0; which < 2; which++)
		if (themes_dir(which, &path))
			name_list_add_folder(out, buf_text(&path));
	buf_free(&path);
	name_list_sort(out);
	return STATUS_OK;
}
