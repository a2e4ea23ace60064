/* Tables that fit the width: as wide as their text where there is room, else their widest columns
 * become narrower and cells wrap; where columns would be too narrow for their words, a line for each
 * cell instead ("Name: value"). */
#include "markdown/markdown_internal.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "terminal/wrap.h"

/* Columns of the screen: a column that is cut has as many at least, a word may be cut from as many on,
 * and " | " has as many. */
enum { NARROWEST = 6, LONG_WORD = 32, GAP = 3 };

struct table_cell {
	struct styled text;
	enum table_align align;
	struct wrap wrap;
};

struct table {
	size_t n_cols;
	struct table_cell *cells; /* owned, row by row */
	size_t n, cap;
};

struct table *table_create(size_t n_cols)
{
	struct table *table = alloc_array(1, sizeof *table);

	if (table)
		table->n_cols = n_cols ? n_cols : 1;
	return table;
}

void table_free(struct table *table)
{
	if (!table)
		return;
	for (size_t i = 0; i < table->n; i++) {
		styled_free(&table->cells[i].text);
		wrap_free(&table->cells[i].wrap);
	}
	free(table->cells);
	free(table);
}

struct styled *table_cell(struct table *table, enum table_align align)
{
	struct table_cell *cell;

	if (!alloc_grow(&table->cells, &table->cap, table->n + 1, sizeof *table->cells,
	                SIZE_MAX / sizeof *table->cells))
		return NULL;
	cell = &table->cells[table->n++];
	*cell = (struct table_cell){.text = STYLED_EMPTY, .align = align};
	return &cell->text;
}

size_t table_source(const struct table *table, size_t none, int *above)
{
	for (size_t i = 0; i < table->n; i++) {
		size_t row = i / table->n_cols;

		*above = (int)row + (row > 0); /* the line below the head */
		if (table->cells[i].text.n_places)
			return styled_source(&table->cells[i].text, 0);
	}
	*above = 0;
	return none;
}

static int at_most(int a, int b)
{
	return a < b ? a : b;
}

/* Columns of the screen that a table's column wants, those of its longest word, and of its widest
 * character, which cannot be cut. */
struct width {
	int wanted, word, character;
};

static void at_least(int *n, int least)
{
	if (*n < least)
		*n = least;
}

static void measure(const struct table_cell *cell, struct width *width)
{
	const char *bytes = buf_text(&cell->text.text);
	size_t n = cell->text.text.len;
	struct safe_piece piece;
	int all = 0, word = 0;

	for (size_t at = 0; sanitize_next(bytes, n, at, &piece); at = piece.end) {
		int cols = piece.kind == SAFE_NEWLINE ? 0 : cells_piece_width(&piece, all);

		if (piece.kind != SAFE_TEXT || piece.cps[0] == ' ' || cols > 1)
			word = 0; /* a line may end before it: wrap.h */
		all = piece.kind == SAFE_NEWLINE ? 0 : all + cols;
		word = piece.cps[0] == ' ' ? 0 : word + cols;
		at_least(&width->wanted, all);
		at_least(&width->word, word);
		at_least(&width->character, cols);
	}
}

/* The widths that fit into `room`: no word is cut but the longest (addresses, hashes); what is left
 * goes, one by one, to the column that has the most lines. False where that is too narrow. */
static bool fit(const struct width *columns, size_t n, int room, int *widths)
{
	int left = room;

	for (size_t i = 0; i < n; i++) {
		widths[i] = at_most(columns[i].word, LONG_WORD);
		widths[i] = at_most(columns[i].wanted, widths[i] > NARROWEST ? widths[i] : NARROWEST);
		left -= widths[i];
		if (widths[i] < columns[i].character)
			return false;
	}
	for (; left > 0; left--) {
		size_t tallest = n;
		int most = 1;

		for (size_t i = 0; i < n; i++) {
			int lines = widths[i] < columns[i].wanted ? (columns[i].wanted - 1) / widths[i] + 1 : 1;

			if (lines > most) {
				most = lines;
				tallest = i;
			}
		}
		if (tallest == n)
			break;
		widths[tallest]++;
	}
	return left >= 0;
}

static int pad_before(const struct table_cell *cell, int room)
{
	return cell->align == TABLE_RIGHT ? room : cell->align == TABLE_CENTER ? room / 2 : 0;
}

static void add_blanks(struct markdown *markdown, int n)
{
	for (; n > 0; n--)
		buf_putc(&markdown->text, ' ');
}

/* The line of a cell in its column; the last column has nothing behind it. */
static void add_cell_line(struct markdown *markdown, const struct table_cell *cell, size_t line,
                          int width, bool last)
{
	size_t from, to;
	int room, before;

	if (line >= cell->wrap.n) {
		add_blanks(markdown, last ? 0 : width);
		return;
	}
	from = cell->wrap.lines[line].start;
	to = cell->wrap.lines[line].end;
	while (to > from && cell->text.text.data[to - 1] == ' ')
		to--;
	room = width - cells_width(buf_text(&cell->text.text) + from, to - from);
	before = pad_before(cell, room);
	add_blanks(markdown, before);
	markdown_row_add(markdown, &cell->text, from, to);
	add_blanks(markdown, last ? 0 : room - before);
}

/* Returns the lines of the row that has most of them. */
static size_t wrap_cells(struct table *table, struct markdown *markdown, const int *widths)
{
	size_t tallest = 1;

	for (size_t i = 0; i < table->n; i++) {
		struct table_cell *cell = &table->cells[i];
		int width = widths[i % table->n_cols];

		if (wrap_update(&cell->wrap, buf_text(&cell->text.text), cell->text.text.len, width > 0 ? width : 1))
			markdown->text.status = STATUS_NOMEM;
		if (cell->wrap.n > tallest)
			tallest = cell->wrap.n;
	}
	return tallest;
}

static void add_row(const struct table *table, struct markdown *markdown, struct table_cell *row,
                    const int *widths, const struct styled *before, const struct styled *bar)
{
	size_t lines = 1;

	for (size_t i = 0; i < table->n_cols; i++)
		if (row[i].wrap.n > lines)
			lines = row[i].wrap.n;
	for (size_t line = 0; line < lines; line++) {
		markdown_row_begin(markdown, before, styled_source(&row[0].text, 0));
		for (size_t i = 0; i < table->n_cols; i++) {
			if (i)
				markdown_row_add(markdown, bar, 0, bar->text.len);
			add_cell_line(markdown, &row[i], line, widths[i], i + 1 == table->n_cols);
		}
		markdown_row_end(markdown);
	}
}

/* The line below the head, and between rows of several lines. */
static void add_rule(const struct table *table, struct markdown *markdown, const int *widths,
                     const struct styled *before, size_t source)
{
	struct styled rule = STYLED_EMPTY;

	for (size_t i = 0; i < table->n_cols; i++) {
		if (i)
			styled_puts(&rule, "\u2500\u253C\u2500", STYLE_HINT, source);
		styled_fill(&rule, "\u2500", (size_t)widths[i], STYLE_HINT, source);
	}
	markdown_row_begin(markdown, before, source);
	markdown_row_add(markdown, &rule, 0, rule.text.len);
	markdown_row_end(markdown);
	styled_free(&rule);
}

/* A line for each cell that has something in it, a rule between rows. */
static void add_list(const struct table *table, struct markdown *markdown, const struct styled *first,
                     const struct styled *rest, int cols)
{
	size_t n_rows = table->n / table->n_cols;
	struct styled line = STYLED_EMPTY;

	for (size_t row = n_rows > 1 ? 1 : 0; row < n_rows; row++) {
		if (row > 1)
			markdown_rule(markdown, line.n_places ? line.places[0].source : 0, rest, rest, cols);
		for (size_t i = 0; i < table->n_cols; i++) {
			const struct styled *head = &table->cells[i].text;
			const struct styled *cell = &table->cells[row * table->n_cols + i].text;

			if (!cell->text.len && !head->text.len)
				continue;
			styled_clear(&line);
			styled_append(&line, head);
			if (row) {
				styled_puts(&line, ": ", STYLE_HEADING, styled_source(cell, 0));
				styled_append(&line, cell);
			}
			markdown_rows(markdown, &line, first, rest);
			first = rest;
		}
	}
	styled_free(&line);
}

void table_lay_out(struct table *table, struct markdown *markdown, const struct styled *first,
                   const struct styled *rest, int cols)
{
	struct width columns[MARKDOWN_COLUMNS] = {{0, 0}};
	int widths[MARKDOWN_COLUMNS];
	size_t n_rows = table->n / table->n_cols, tallest;
	struct styled bar = STYLED_EMPTY;

	for (size_t i = 0; i < n_rows * table->n_cols; i++) {
		measure(&table->cells[i], &columns[i % table->n_cols]);
		if (buf_status(&table->cells[i].text.text))
			markdown->text.status = STATUS_NOMEM;
	}
	if (!fit(columns, table->n_cols, cols - GAP * (int)(table->n_cols - 1), widths)) {
		add_list(table, markdown, first, rest, cols);
		return;
	}
	styled_puts(&bar, " \u2502 ", STYLE_HINT, 0);
	tallest = wrap_cells(table, markdown, widths);
	for (size_t row = 0; row < n_rows; row++) {
		struct table_cell *cells = &table->cells[row * table->n_cols];

		add_row(table, markdown, cells, widths, row ? rest : first, &bar);
		/* Where cells have several lines, it says where a row ends. */
		if (!row || (tallest > 1 && row + 1 < n_rows))
			add_rule(table, markdown, widths, rest, styled_source(&cells[0].text, 0));
	}
	styled_free(&bar);
}
