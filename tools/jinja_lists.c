/* Prints the lists of what templates may use, from the engine's tables, as
 * they stand in src/jinja/README.md: see tools/update-lists.sh. */
#include <stdio.h>
#include <string.h>

#include "jinja/builtins.h"
#include "jinja/parser_internal.h"

enum { WIDTH = 130 };

struct line {
	size_t column;
};

static void put_word(struct line *line, const char *word)
{
	size_t len = strlen(word);

	if (line->column + 1 + len > WIDTH) {
		fputs("\n ", stdout);
		line->column = 1;
	}
	printf("%s%s", line->column ? " " : "", word);
	line->column += len + 1;
}

static void put_name(struct line *line, const char *name, bool last)
{
	char word[64];

	snprintf(word, sizeof word, "`%s`%s", name, last ? "" : ",");
	put_word(line, word);
}

static void put_heading(struct line *line, const char *heading)
{
	line->column = 0;
	put_word(line, "-");
	printf(" **%s:**", heading);
	line->column += strlen(heading) + 6;
}

static void put_list(const char *heading, const struct builtin_table *table)
{
	struct line line;

	put_heading(&line, heading);
	for (size_t i = 0; i < table->n; i++)
		put_name(&line, table->rows[i].name, i + 1 == table->n);
	putchar('\n');
}

int main(void)
{
	struct line line;
	const char *name;

	put_heading(&line, "Statements");
	for (size_t i = 0; (name = parser_statement_name(i)) != NULL; i++)
		put_name(&line, name, !parser_statement_name(i + 1));
	putchar('\n');
	put_list("Filters", &jinja_filters);
	put_list("Tests", &jinja_tests);
	put_list("Globals", &jinja_globals);
	put_list("Methods of strings", &jinja_string_methods);
	put_list("of lists", &jinja_list_methods);
	put_list("of dicts", &jinja_dict_methods);
	return 0;
}
