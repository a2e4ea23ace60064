#include "ui/typed.h"

#include <string.h>

#include "base/buf.h"
#include "base/limits.h"
#include "line/input_line.h"
#include "line/line_history.h"

/* A message as a line. */
static void put(struct buf *line, const char *text, size_t len)
{
	if (len && text[0] == '/')
		buf_putc(line, '/');
	buf_append(line, text, len);
}

const char *typed_message(size_t *len)
{
	const char *line = input_line_text(len);
	bool doubled = *len > 1 && line[0] == '/' && line[1] == '/';

	*len -= doubled;
	return line + doubled;
}

bool typed_is(const char *text, size_t len)
{
	size_t line_len;
	const char *line = typed_message(&line_len);

	return line_len == len && memcmp(line, text, len) == 0;
}

enum status typed_set(const char *text, size_t len, struct error *err)
{
	struct buf line = {.max = LIMIT_MESSAGE};
	enum status status;

	put(&line, text, len);
	status = buf_status(&line);
	if (status)
		error_set(err, status, status == STATUS_LIMIT ? "the message is too long for the line"
		                                              : "not enough memory for the line");
	else
		status = input_line_set(buf_text(&line), line.len, err);
	buf_free(&line);
	return status;
}

bool typed_prepend(const char *text, size_t len)
{
	size_t line_len;
	const char *line = input_line_text(&line_len);
	struct error err;
	struct buf joined = {.max = 2 * LIMIT_MESSAGE};
	bool done;

	if (input_line_is_selected()) /* it is in the history, and would be replaced by the next key */
		line_len = 0;
	put(&joined, text, len);
	if (line_len) {
		buf_putc(&joined, '\n');
		buf_append(&joined, line, line_len);
	}
	/* Set only if it fits: a refused line would be lost. */
	done = !buf_status(&joined) && joined.len <= LIMIT_MESSAGE &&
	       !input_line_set(buf_text(&joined), joined.len, &err);
	buf_free(&joined);
	return done;
}

void typed_leave(bool is_changed)
{
	size_t len;

	if (is_changed) /* only what goes to the file can fail */
		(void)!line_history_add(input_line_text(&len), false, NULL);
	input_line_clear();
}
