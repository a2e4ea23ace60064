/* A table of figures that a command prints as aligned text, as JSON or as CSV. */
#ifndef SOTTO_CLI_FIGURES_H
#define SOTTO_CLI_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/json.h"

struct figure_column {
	const char *name; /* of JSON and CSV, and the heading */
	bool is_text;     /* else numbers, which are right-aligned; a text stands last */
};

struct figure_cell {
	size_t at, len; /* in the table's text */
	bool is_there;  /* false: there is no such figure: "-", null, nothing */
};

struct figures {
	const char *name; /* of the table, a key of JSON */
	const struct figure_column *columns; /* borrowed */
	size_t n_columns;
	struct buf text;           /* owned, as the cells */
	struct figure_cell *cells; /* [rows][n_columns] */
	size_t n, cap;
	bool is_short;             /* there was too little memory for cells */
};

#define FIGURES(table_name, table_columns) \
	{.name = table_name, .columns = table_columns, .n_columns = sizeof table_columns / sizeof table_columns[0], \
	 .text = {.max = SIZE_MAX / 2}}

#define FIGURES_SET_COLUMNS(figures, table_columns) \
	((figures)->columns = (table_columns), (figures)->n_columns = sizeof(table_columns) / sizeof(table_columns)[0])

/* Cells in the order of the columns, row by row. What is not a number of JSON (NaN) is written as text, and as
 * null there. */
void figures_number(struct figures *figures, const char *format, double value);
void figures_count(struct figures *figures, size_t value);
void figures_text(struct figures *figures, const char *text, size_t len);
void figures_string(struct figures *figures, const char *text);
void figures_none(struct figures *figures);
void figures_free(struct figures *figures);

/* With a heading and every column as wide as it needs; the rows of JSON are objects in an array. The status of what is
 * written to tells of too little memory for the table, too. */
void figures_put_text(const struct figures *figures, struct buf *out);
void figures_put_json(const struct figures *figures, struct json_writer *json);
void figures_put_csv(const struct figures *figures, struct buf *out);

#endif
