#include "cli/status_line.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/sanitize.h"
#include "base/utf8.h"

struct status_line status_line_begin(void)
{
	return (struct status_line){.is_shown = isatty(STDERR_FILENO) != 0};
}

static size_t terminal_width(void)
{
	struct winsize size;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/* No character has more columns than bytes. */
void status_line_show(struct status_line *line, const char *text)
{
	struct buf safe = {.max = KIB(64)};

	if (!line->is_shown)
		return;
	status_line_clear(line);
	sanitize_line(&safe, text, strlen(text));
	line->width = utf8_cut(buf_text(&safe), safe.len, terminal_width() - 1);
	fprintf(stderr, "%.*s", (int)line->width, buf_text(&safe));
	fflush(stderr);
	buf_free(&safe);
}

void status_line_clear(struct status_line *line)
{
	if (line->width)
		fprintf(stderr, "\r%*s\r", (int)line->width, "");
	line->width = 0;
}
