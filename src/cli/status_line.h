/* A line on standard error that says what goes on, and gives way to whatever is printed next. Only on a
 * terminal. */
#ifndef SOTTO_CLI_STATUS_LINE_H
#define SOTTO_CLI_STATUS_LINE_H

#include <stdbool.h>
#include <stddef.h>

struct status_line {
	bool is_shown; /* standard error is a terminal */
	size_t width;  /* of what stands there, at most */
};

struct status_line status_line_begin(void);
/* Shows a foreign text, sanitised and cut to the terminal's width, in the place of the last one. */
void status_line_show(struct status_line *line, const char *text);
void status_line_clear(struct status_line *line);

#endif
