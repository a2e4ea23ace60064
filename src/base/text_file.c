#include "base/text_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/sys.h"
#include "base/utf8.h"

/* Text has hardly any control characters besides these: logs may have colours and titles of windows. */
static size_t count_controls(const char *bytes, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)bytes[i];

		n += (c < 0x20 && !strchr("\a\b\t\n\v\f\r\033", c)) || c == 0x7f || c == 0;
	}
	return n;
}

/* Line ends, and the mark at the beginning. */
static size_t normalise(char *bytes, size_t len)
{
	size_t at = len >= 3 && memcmp(bytes, "\357\273\277", 3) == 0 ? 3 : 0, n = 0;

	for (; at < len; at++) {
		if (bytes[at] != '\r')
			bytes[n++] = bytes[at];
		else if (at + 1 == len || bytes[at + 1] != '\n')
			bytes[n++] = '\n';
	}
	bytes[n] = '\0';
	return n;
}

enum status text_file_check(const char *name, char *bytes, size_t *len, struct error *err)
{
	enum { CONTROLS_PART = 64 }; /* one of so many characters may be one */
	size_t n_controls = count_controls(bytes, *len);
	bool has_nul = memchr(bytes, '\0', *len) != NULL;

	if (*len == 0)
		return error_set(err, STATUS_FORMAT, "%s: is empty", name);
	if (*len >= 4 && memcmp(bytes, "%PDF", 4) == 0)
		return error_set(err, STATUS_FORMAT, "%s: a PDF is not text; pdftotext converts it", name);
	if (*len >= 2 && (memcmp(bytes, "\377\376", 2) == 0 || memcmp(bytes, "\376\377", 2) == 0))
		return error_set(err, STATUS_FORMAT, "%s: the text is UTF-16; iconv -f UTF-16 -t UTF-8 "
		                 "converts it", name);
	if (has_nul || n_controls > *len / CONTROLS_PART)
		return error_set(err, STATUS_FORMAT, "%s: is a binary file, not text", name);
	if (!utf8_valid(bytes, *len))
		return error_set(err, STATUS_FORMAT, "%s: the text is not UTF-8; if it is Latin-1, iconv -f "
		                 "LATIN1 -t UTF-8 converts it", name);
	*len = normalise(bytes, *len);
	return *len ? STATUS_OK : error_set(err, STATUS_FORMAT, "%s: is empty", name);
}

enum status text_file_read(const char *path, size_t max, char **text, size_t *len, struct error *err)
{
	enum status status = sys_read_file(path, max, text, len, err);

	if (status == STATUS_LIMIT)
		return error_set(err, status, "%s: is longer than the %zu KiB there is room for", path,
		                 max >> 10);
	if (status)
		return status;
	status = text_file_check(path, *text, len, err);
	if (status) {
		free(*text);
		*text = NULL;
	}
	return status;
}
