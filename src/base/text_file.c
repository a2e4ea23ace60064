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

/* Line ends become \n. */
static void put_lines(struct buf *out, const char *bytes, size_t len)
{
	size_t at = 0, end;

	while (at < len) {
		const char *cr = memchr(bytes + at, '\r', len - at);

		end = cr ? (size_t)(cr - bytes) : len;
		utf8_repair(out, bytes + at, end - at);
		at = end + (cr != NULL);
		if (cr && (at == len || bytes[at] != '\n'))
			buf_putc(out, '\n');
	}
}

enum status text_file_put(struct buf *out, const char *name, const char *bytes, size_t len,
                          size_t *n_bad, struct error *err)
{
	enum {
		CONTROLS_PART = 64, /* one of so many bytes may be a control character */
		BAD_PART = 10,      /* one of so many bytes may be ill-formed */
	};
	size_t mark = utf8_mark_len(bytes, len), n_controls;

	*n_bad = 0;
	if (len == mark)
		return error_set(err, STATUS_FORMAT, "%s: is empty", name);
	if (len >= 4 && memcmp(bytes, "%PDF", 4) == 0)
		return error_set(err, STATUS_FORMAT, "%s: a PDF is not text; pdftotext converts it", name);
	if (utf8_is_utf16(bytes, len))
		return error_set(err, STATUS_FORMAT, "%s: the text is UTF-16; iconv -f UTF-16 -t UTF-8 "
		                 "converts it", name);
	n_controls = count_controls(bytes, len);
	if (memchr(bytes, '\0', len) || n_controls > len / CONTROLS_PART)
		return error_set(err, STATUS_FORMAT, "%s: is a binary file, not text", name);
	*n_bad = utf8_count_bad(bytes, len);
	if (*n_bad > len / BAD_PART)
		return error_set(err, STATUS_FORMAT, "%s: the text is not UTF-8; if it is Latin-1, iconv -f "
		                 "LATIN1 -t UTF-8 converts it", name);
	put_lines(out, bytes + mark, len - mark);
	if (buf_status(out) == STATUS_LIMIT)
		return error_set(err, STATUS_LIMIT, "%s: is longer than the %zu KiB there is room for", name,
		                 out->max >> 10);
	return buf_status(out) ? error_set(err, STATUS_NOMEM, "%s: not enough memory", name) : STATUS_OK;
}

enum status text_file_read(const char *path, size_t max, char **text, size_t *len, struct error *err)
{
	size_t n_bytes, n_bad;
	enum status status;
	struct buf out;
	char *bytes;

	status = sys_read_file(path, max, &bytes, &n_bytes, err);
	if (status == STATUS_LIMIT)
		return error_set(err, status, "%s: is longer than the %zu KiB there is room for", path,
		                 max >> 10);
	if (status)
		return status;
	buf_init(&out, max);
	status = text_file_put(&out, path, bytes, n_bytes, &n_bad, err);
	free(bytes);
	*text = status ? NULL : buf_take(&out, len);
	buf_free(&out);
	return status || *text ? status : error_set(err, STATUS_NOMEM, "%s: not enough memory", path);
}
