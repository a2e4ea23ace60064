/* Themes: user-interface roles to colours, from themes/NAME.yaml and the
 * user's own directory. The code names a role, never a colour. sotto-theme(5)
 * is the format. */
#ifndef SOTTO_CONFIG_THEME_H
#define SOTTO_CONFIG_THEME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/name_list.h"

/* One row a role: enum, name in files, what it looks like in terminal16 (colour, -1: the
 * terminal's own; attributes) and help. themes/terminal16.yaml says the same, a test holds the
 * two together. */
#define THEME_ROLES(X) \
	X(STYLE_USER, "user", 6, 0, "your messages") \
	X(STYLE_ASSISTANT, "assistant", -1, 0, "the model's replies") \
	X(STYLE_SYSTEM, "system", -1, ATTR_DIM, "system messages and notices") \
	X(STYLE_LABEL, "label", -1, ATTR_BOLD, "who speaks") \
	X(STYLE_REASONING, "thinking", -1, ATTR_DIM | ATTR_ITALIC, "a model's reasoning") \
	X(STYLE_CODE, "code", 2, 0, "code in replies") \
	X(STYLE_CODE_KEYWORD, "code_keyword", 2, ATTR_BOLD, "keywords in code") \
	X(STYLE_CODE_STRING, "code_string", 6, 0, "strings and numbers in code") \
	X(STYLE_CODE_COMMENT, "code_comment", -1, ATTR_DIM | ATTR_ITALIC, "comments in code") \
	X(STYLE_STRONG, "strong", -1, ATTR_BOLD, "strong words in replies") \
	X(STYLE_EMPHASIS, "emphasis", -1, ATTR_ITALIC, "words in italics in replies") \
	X(STYLE_STRONG_EMPHASIS, "strong_emphasis", -1, ATTR_BOLD | ATTR_ITALIC, \
	  "strong words in italics in replies") \
	X(STYLE_STRUCK, "struck", -1, ATTR_DIM, "struck words in replies") \
	X(STYLE_QUOTE, "quote", -1, ATTR_ITALIC, "quotations in replies") \
	X(STYLE_HEADING, "heading", -1, ATTR_BOLD, "headings") \
	X(STYLE_LINK, "link", 4, ATTR_UNDERLINE, "links") \
	X(STYLE_STATUS, "status", -1, ATTR_REVERSE, "the status bar") \
	X(STYLE_STATUS_BADGE, "badge", -1, ATTR_BOLD | ATTR_REVERSE, "badges in the status bar") \
	X(STYLE_GAUGE_OK, "gauge_ok", 2, 0, "context gauge, room left") \
	X(STYLE_GAUGE_WARN, "gauge_warn", 3, 0, "context gauge, nearly full") \
	X(STYLE_GAUGE_FULL, "gauge_full", 1, ATTR_BOLD, "context gauge, full") \
	X(STYLE_INPUT, "input", -1, 0, "the input line") \
	X(STYLE_PROMPT, "prompt", 6, ATTR_BOLD, "the input line's prompt") \
	X(STYLE_BORDER, "border", -1, ATTR_DIM, "panel borders") \
	X(STYLE_PANEL, "panel", -1, 0, "panel text") \
	X(STYLE_SELECTION, "selection", -1, ATTR_REVERSE, "the selected row") \
	X(STYLE_SLIDER, "slider", 6, 0, "slider bars") \
	X(STYLE_HINT, "hint", -1, ATTR_DIM, "hints and key names") \
	X(STYLE_PANEL_HINT, "panel_hint", -1, ATTR_DIM, \
	  "hints in panels; hint on the panel's background unless named") \
	X(STYLE_HIDDEN, "hidden", 5, ATTR_DIM, "characters shown as <U+XXXX>") \
	X(STYLE_ERROR, "error", 1, ATTR_BOLD, "errors") \
	X(STYLE_PANEL_ERROR, "panel_error", 1, ATTR_BOLD, \
	  "errors in panels; error on the panel's background unless named") \
	X(STYLE_PANEL_MARK, "panel_mark", -1, ATTR_BOLD, \
	  "control tokens and boundaries in panels; heading on the panel's background unless named") \
	X(STYLE_WARNING, "warning", 3, ATTR_BOLD, "warnings") \
	X(STYLE_SUCCESS, "success", 2, 0, "good news") \
	X(STYLE_PROB_SURE, "prob_sure", -1, 0, "/confidence: what the model was sure of") \
	X(STYLE_PROB_LIKELY, "prob_likely", 2, ATTR_UNDERLINE, "/confidence: likely words") \
	X(STYLE_PROB_OPEN, "prob_open", 3, ATTR_BOLD, "/confidence: one of several likely words") \
	X(STYLE_PROB_GUESS, "prob_guess", 1, ATTR_BOLD | ATTR_UNDERLINE, "/confidence: guessed words")

enum theme_role {
#define X(id, name, color, attrs, help) id,
	THEME_ROLES(X)
#undef X
	THEME_ROLE_COUNT
};

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

/* What a kind does not use of a colour is 0. */
bool theme_same_color(const struct theme_color *a, const struct theme_color *b);
/* The compiled-in terminal16, so that sotto also works without its data directory. */
void theme_default(struct theme *theme);
/* Removes every colour, keeps attributes (NO_COLOR, terminals without colour); a role with its own
 * background is shown reversed instead. */
void theme_strip_colors(struct theme *theme);
/* By name from the user's directory, then the package's. STATUS_CONFIG names
 * file and line, or the nearest name; *theme is unchanged then. */
enum status theme_load(struct theme *theme, const char *name, struct error *err) MUST_CHECK;
enum status theme_parse(struct theme *theme, const char *path, const char *text, size_t len,
                        struct error *err) MUST_CHECK;

/* Sorted names without duplicates, into an empty list. */
enum status theme_list(struct name_list *out, struct error *err);

#endif
