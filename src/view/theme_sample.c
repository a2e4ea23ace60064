#include "view/theme_sample.h"

#include "config/theme.h"

enum { SPANS = 8, INDENT = 1 };

struct span {
	enum theme_role role;
	const char *text;
};

/* A message, thoughts, a heading, a list, a quotation, code, what went wrong, and the bar. */
static const struct span rows[THEME_SAMPLE_ROWS][SPANS] = {
	{{STYLE_PROMPT, "You  "}, {STYLE_USER, "How do I count the words of a file?"}},
	{{STYLE_LABEL, "Model  "}, {STYLE_REASONING, "They want a command; "},
	 {STYLE_HINT, "thought, 9 words"}},
	{{STYLE_HEADING, "Counting words"}},
	{{STYLE_ASSISTANT, "\u2022 Use "}, {STYLE_CODE, "wc -w"}, {STYLE_ASSISTANT, ", it is "},
	 {STYLE_STRONG, "fast"}, {STYLE_ASSISTANT, " and "}, {STYLE_EMPHASIS, "everywhere"},
	 {STYLE_ASSISTANT, ": "}, {STYLE_LINK, "gnu.org"}},
	{{STYLE_QUOTE, "\u2502 Print newline, word, and byte counts."}},
	{{STYLE_CODE_KEYWORD, "for "}, {STYLE_CODE, "f in "}, {STYLE_CODE_STRING, "\"a b\""},
	 {STYLE_CODE, "; do wc -w $f; done "}, {STYLE_CODE_COMMENT, "# each of them"}},
	{{STYLE_ERROR, "Error: no file  "}, {STYLE_WARNING, "Warning  "}, {STYLE_SUCCESS, "Saved"}},
	{{STYLE_STATUS, "Model  ready  "}, {STYLE_STATUS_BADGE, "no-save"}, {STYLE_STATUS, "  "},
	 {STYLE_GAUGE_OK, "\u2588\u2588"}, {STYLE_GAUGE_WARN, "\u2588\u2588"}, {STYLE_GAUGE_FULL, "\u2588\u2588"},
	 {STYLE_STATUS, "  3072/4096"}},
};

void theme_sample_draw(WINDOW *win, int y, int x, int cols)
{
	for (int row = 0; row < THEME_SAMPLE_ROWS; row++) {
		int at = INDENT;

		cells_fill(win, y + row, x, cols, row + 1 == THEME_SAMPLE_ROWS ? STYLE_STATUS : STYLE_ASSISTANT);
		for (int i = 0; i < SPANS && rows[row][i].text && at < cols - INDENT; i++)
			at += cells_puts(win, y + row, x + at, cols - INDENT - at, rows[row][i].role,
			                 rows[row][i].text);
	}
}
