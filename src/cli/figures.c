#include "cli/figures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static const size_t most_cells = (size_t)1 << 28;

static void add_cell(struct figures *figures, size_t at, bool is_there)
{
	if (!alloc_grow(&figures->cells, &figures->cap, figures->n + 1, sizeof *figures->cells, most_cells))
		figures->is_short = true;
	else
		figures->cells[figures->n++] = (struct figure_cell){at, figures->text.len - at, is_there};
}

void figures_number(struct figures *figures, const char *format, double value)
{
	size_t at = figures->text.len;
	char text[64];

	/* A literal of the caller's, for one double. */
	snprintf(text, sizeof text, format, value);
	buf_puts(&figures->text, text);
	add_cell(figures, at, true);
}

void figures_count(struct figures *figures, size_t value)
{
	size_t at = figures->text.len;

	buf_printf(&figures->text, "%zu", value);
	add_cell(figures, at, true);
}

void figures_text(struct figures *figures, const char *text, size_t len)
{
	size_t at = figures->text.len;

	buf_append(&figures->text, text, len);
	add_cell(figures, at, true);
}

void figures_string(struct figures *figures, const char *text)
{
	figures_text(figures, text, strlen(text));
}

void figures_none(struct figures *figures)
{
	add_cell(figures, figures->text.len, false);
}

void figures_free(struct figures *figures)
{
	buf_free(&figures->text);
	free(figures->cells);
	figures->cells = NULL;
	figures->n = figures->cap = 0;
}

static const char *cell_text(const struct figures *figures, const struct figure_cell *cell)
{
	return buf_text(&figures->text) + cell->at;
}

/* "nan" and "inf" are none. */
static bool is_json_number(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!strchr("0123456789+-.eE", text[i]))
			return false;
	return len > 0;
}

static size_t width_of(const struct figures *figures, size_t column)
{
	size_t width = strlen(figures->columns[column].name);

	for (size_t i = column; i < figures->n; i += figures->n_columns)
		width = figures->cells[i].len > width ? figures->cells[i].len : width;
	return width;
}

static void put_padded(struct buf *out, const char *text, size_t len, size_t width, bool left)
{
	if (!left)
		buf_printf(out, "%*s", (int)(width - len), "");
	buf_append(out, text, len);
	if (left)
		buf_printf(out, "%*s", (int)(width - len), "");
}

/* Half a table is none: what it was to be written to says that there was too little memory. */
static void check_whole(const struct figures *figures, struct buf *out)
{
	if (figures->is_short || buf_status(&figures->text))
		out->status = STATUS_NOMEM;
}

void figures_put_text(const struct figures *figures, struct buf *out)
{
	size_t n = figures->n_columns, *widths = alloc_array(n, sizeof *widths);

	if (!widths) {
		out->status = STATUS_NOMEM;
		return;
	}
	for (size_t c = 0; c < n; c++) /* a text that stands last is not filled up */
		widths[c] = c + 1 == n && figures->columns[c].is_text ? 0 : width_of(figures, c);
	for (size_t c = 0; c < n; c++) {
		const char *name = figures->columns[c].name;
		size_t len = strlen(name);

		buf_puts(out, c ? "  " : "");
		put_padded(out, name, len, widths[c] > len ? widths[c] : len, figures->columns[c].is_text);
	}
	buf_putc(out, '\n');
	for (size_t i = 0; i < figures->n; i++) {
		const struct figure_cell *cell = &figures->cells[i];
		const char *text = cell->is_there ? cell_text(figures, cell) : "-";
		size_t c = i % n, len = cell->is_there ? cell->len : 1;

		buf_puts(out, c ? "  " : "");
		put_padded(out, text, len, widths[c] > len ? widths[c] : len, figures->columns[c].is_text);
		if (c + 1 == n)
			buf_putc(out, '\n');
	}
	free(widths);
	check_whole(figures, out);
}

void figures_put_json(const struct figures *figures, struct json_writer *json)
{
	json_put_begin(json, figures->name, '[');
	for (size_t i = 0; i < figures->n; i++) {
		const struct figure_cell *cell = &figures->cells[i];
		const struct figure_column *column = &figures->columns[i % figures->n_columns];
		const char *text = cell_text(figures, cell);

		if (i % figures->n_columns == 0) {
			json_put_line(json, "\n  ");
			json_put_begin(json, NULL, '{');
		}
		if (cell->is_there && column->is_text)
			json_put_text(json, column->name, text, cell->len);
		else if (cell->is_there && is_json_number(text, cell->len))
			json_put_raw(json, column->name, text, cell->len);
		else
			json_put_null(json, column->name);
		if (i % figures->n_columns == figures->n_columns - 1)
			json_put_end(json, '}');
	}
	json_put_end(json, ']');
	check_whole(figures, json->out);
}

/* RFC 4180: in quotes where it has a comma, a quote or the end of a line. */
static void put_csv_text(struct buf *out, const char *text, size_t len)
{
	bool quotes = len == 0;

	for (size_t i = 0; i < len; i++)
		quotes |= strchr(",\"\r\n", text[i]) != NULL;
	if (quotes)
		buf_putc(out, '"');
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '"')
			buf_putc(out, '"');
		buf_putc(out, text[i]);
	}
	if (quotes)
		buf_putc(out, '"');
}

void figures_put_csv(const struct figures *figures, struct buf *out)
{
	for (size_t c = 0; c < figures->n_columns; c++)
		buf_printf(out, "%s%s", c ? "," : "", figures->columns[c].name);
	buf_putc(out, '\n');
	for (size_t i = 0; i < figures->n; i++) {
		const struct figure_cell *cell = &figures->cells[i];
		size_t c = i % figures->n_columns;

		buf_puts(out, c ? "," : "");
		if (cell->is_there && figures->columns[c].is_text)
			put_csv_text(out, cell_text(figures, cell), cell->len);
		else if (cell->is_there)
			buf_append(out, cell_text(figures, cell), cell->len);
		if (c + 1 == figures->n_columns)
			buf_putc(out, '\n');
	}
	check_whole(figures, out);
}
