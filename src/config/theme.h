/* Themes: user-interface roles to colours, from themes/NAME.yaml and the
 * user's own directory. The code names a role, never a colour. sotto-theme(5)
 * is the format. */
#ifndef SOTTO_CONFIG_THEME_H
#define SOTTO_CONFIG_THEME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* One row a role: enum, name in files, help. */
#define THEME_ROLES(X) \
	X(STYLE_USER, "user", "your messages") \
	X(STYLE_ASSISTANT, "assistant", "the model's replies") \
	X(STYLE_SYSTEM, "system", "system messages and notices") \
	X(STYLE_LABEL, "label", "who speaks") \
	X(STYLE_THINKING, "thinking", "a model's reasoning") \
	X(STYLE_CODE, "code", "code in replies") \
	X(STYLE_QUOTE, "quote", "quotations in replies") \
	X(STYLE_HEADING, "heading", "headings") \
	X(STYLE_LINK, "link", "links") \
	X(STYLE_STATUS, "status", "the status bar") \
	X(STYLE_STATUS_BADGE, "badge", "badges in the status bar") \
	X(STYLE_GAUGE_OK, "gauge_ok", "context gauge, room left") \
	X(STYLE_GAUGE_WARN, "gauge_warn", "context gauge, nearly full") \
	X(STYLE_GAUGE_FULL, "gauge_full", "context gauge, full") \
	X(STYLE_INPUT, "input", "the input line") \
	X(STYLE_PROMPT, "prompt", "the input line's prompt") \
	X(STYLE_BORDER, "border", "panel borders") \
	X(STYLE_PANEL, "panel", "panel text") \
	X(STYLE_SELECTION, "selection", "the selected row") \
	X(STYLE_SLIDER, "slider", "slider bars") \
	X(STYLE_HINT, "hint", "hints and key names") \
	X(STYLE_PANEL_HINT, "panel_hint", "hints in panels; hint on the panel's ground unless named") \
	X(STYLE_HIDDEN, "hidden", "characters shown as <U+XXXX>") \
	X(STYLE_ERROR, "error", "errors") \
	X(STYLE_PANEL_ERROR, "panel_error", "errors in panels; error on the panel's ground unless named") \
	X(STYLE_PANEL_MARK, "panel_mark", "control tokens and frontiers in panels; heading on the panel's ground unless named") \
	X(STYLE_WARNING, "warning", "warnings") \
	X(STYLE_SUCCESS, "success", "good news")

enum theme_role {
#define X(id, name, help) id,
	THEME_ROLES(X)
#undef X
	THEME_ROLE_COUNT
};

const char *theme_role_name(enum theme_role role);
const char *theme_role_help(enum theme_role role);

enum theme_attr {
	ATTR_BOLD = 1, ATTR_DIM = 2, ATTR_ITALIC = 4, ATTR_UNDERLINE = 8, ATTR_REVERSE = 16
};

enum theme_color_kind { COLOR_DEFAULT, COLOR_INDEX, COLOR_RGB };

struct theme_color {
	enum theme_color_kind kind; /* DEFAULT: the terminal's own */
	uint8_t index;              /* INDEX: 0..255 */
	uint8_t r, g, b;            /* RGB */
};

struct theme_style {
	struct theme_color fg, bg;
	unsigned attrs; /* enum theme_attr */
};

struct theme {
	char name[64];
	char description[128];
	struct theme_style styles[THEME_ROLE_COUNT];
};

/* The compiled-in terminal16, so that a missing data directory harms nothing. */
void theme_default(struct theme *theme);
/* Takes out every colour, keeps attributes (NO_COLOR, terminals without colour);
 * a role with a ground of its own is shown reversed instead. */
void theme_strip_colors(struct theme *theme);
/* By name from the user's directory, then the package's. STATUS_CONFIG names
 * file and line, or the nearest name; *theme is unchanged then. */
enum status theme_load(struct theme *theme, const char *name, struct error *err) MUST_CHECK;
enum status theme_parse(struct theme *theme, const char *path, const char *text, size_t len,
                        struct error *err) MUST_CHECK;

/* Sorted names without duplicates; free with theme_list_free. */
enum status theme_list(char ***names, size_t *n, struct error *err) MUST_CHECK;
void theme_list_free(char **names, size_t n);

#endif
