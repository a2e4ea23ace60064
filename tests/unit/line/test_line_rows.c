#include <criterion/criterion.h>
#include <string.h>

#include "line/line_rows.h"
#include "terminal/term.h"

Test(line_rows, counts_the_rows_above)
{
	static const struct {
		const char *prompt, *text;
		int cols, rows;
	} rows[] = {
		{"> ", "", 10, 0},
		{"> ", "1234567", 10, 0},
		{"> ", "12345678", 10, 1},   /* the caret waits in the next row */
		{"> ", "123456789012345678", 10, 2},
		{"You: ", "123", 4, 2},
		{"> ", "\346\227\245\346\234\254\346\227\245", 7, 1}, /* wide ones are not cut */
		{"> ", "e\314\201e\314\201", 5, 0}, /* and what takes no room does not count */
		{"> ", "a\nb", 6, 1},        /* shown as ^J */
		{"> ", "a\tb", 20, 0},
		{"> ", "\377\377", 10, 0},
	};

	term_set_locale();
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		cr_expect_eq(line_rows_above(rows[i].prompt, rows[i].text, strlen(rows[i].text), rows[i].cols), rows[i].rows,
		             "row %zu: %d", i,
		             line_rows_above(rows[i].prompt, rows[i].text, strlen(rows[i].text), rows[i].cols));
	cr_expect_eq(line_rows_above("> ", "12345678901234567890", 3, 10), 0);
}
