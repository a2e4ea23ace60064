#include "base/path_variable.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/home_path.h"
#include "base/limits.h"
#include "base/sys.h"

/* Appends what stands for the variable at `text`, behind its '$'; gives how many bytes that was, 0 if there is none. */
static size_t put_variable(struct buf *out, const char *text)
{
	bool is_braced = text[0] == '{';
	size_t start = is_braced, len = start;
	const char *value;
	char *name;

	while (isalnum((unsigned char)text[len]) || text[len] == '_')
		len++;
	if (len == start || (is_braced && text[len] != '}'))
		return 0;
	name = alloc_strndup(text + start, len - start);
	value = name ? getenv(name) : NULL;
	free(name);
	if (!value)
		return 0;
	buf_puts(out, value);
	return len + is_braced;
}

bool path_variable_put(struct buf *out, const char *variable)
{
	const char *value = sys_variable(variable);
	struct buf text = {.max = KIB(16)};

	if (!value)
		return false;
	while (*value) {
		size_t n = *value == '$' ? put_variable(&text, value + 1) : 0;

		if (!n)
			buf_putc(&text, *value);
		value += n + 1;
	}
	if (!buf_status(&text))
		(void)!home_path_put(out, buf_text(&text));
	buf_free(&text);
	return true;
}
