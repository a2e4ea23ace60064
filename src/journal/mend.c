/* What editors and other systems put into a transcript: a byte order mark, their ends of lines, empty
 * lines before the first record. Records have none of these themselves: they escape them. */
#include <string.h>

#include "base/utf8.h"
#include "journal/journal_internal.h"

bool transcript_mend(char *bytes, size_t *len)
{
	size_t n = *len, from = utf8_mark_len(bytes, n), to = 0, line;

	while ((line = from + strspn(bytes + from, " \t\r")) < n && bytes[line] == '\n')
		from = line + 1;
	if (from == 0 && !memmem(bytes, n, "\r\n", 2))
		return false;
	for (; from < n; from++)
		if (bytes[from] != '\r' || from + 1 == n || bytes[from + 1] != '\n')
			bytes[to++] = bytes[from];
	bytes[to] = '\0';
	*len = to;
	return true;
}

bool transcript_has_record(const char *bytes, size_t len)
{
	const size_t n = sizeof RECORD_MARK - 1;

	return (len >= n && memcmp(bytes, RECORD_MARK, n) == 0) ||
	       memmem(bytes, len, "\n" RECORD_MARK, n + 1);
}
