#include "gguf/split_name.h"

#include <string.h>
#include <unistd.h>

static const char suffix[] = ".gguf";

enum {
	DIGITS = 5,
	SUFFIX_LEN = sizeof suffix - 1,
	TAIL_LEN = 1 + DIGITS + 4 + DIGITS + SUFFIX_LEN /* -00001-of-00003.gguf */
};

static bool read_digits(const char *text, uint32_t *value)
{
	*value = 0;
	for (size_t i = 0; i < DIGITS; i++) {
		if (text[i] < '0' || text[i] > '9')
			return false;
		*value = *value * 10 + (uint32_t)(text[i] - '0');
	}
	return true;
}

const char *split_name_file(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

bool split_name_parse(const char *path, struct split_name *out)
{
	size_t len = strlen(path);
	const char *tail = path + len - TAIL_LEN;

	if (len < TAIL_LEN || tail <= split_name_file(path)) /* the name has to have a stem */
		return false;
	out->stem = len - TAIL_LEN;
	return tail[0] == '-' && read_digits(tail + 1, &out->part) &&
	       memcmp(tail + 1 + DIGITS, "-of-", 4) == 0 &&
	       read_digits(tail + 5 + DIGITS, &out->n_parts) &&
	       strcmp(tail + TAIL_LEN - SUFFIX_LEN, suffix) == 0 &&
	       out->part >= 1 && out->part <= out->n_parts;
}

enum status split_name_path(struct buf *out, const char *path, const struct split_name *name,
                            uint32_t part)
{
	buf_clear(out);
	return buf_printf(out, "%.*s-%05u-of-%05u%s", (int)name->stem, path, (unsigned)part,
	                  (unsigned)name->n_parts, suffix);
}

enum status split_name_first(struct buf *out, const char *path)
{
	struct split_name name;
	enum status status;

	if (split_name_parse(path, &name) && name.part > 1) {
		status = split_name_path(out, path, &name, 1);
		if (status || access(buf_text(out), F_OK) == 0)
			return status;
	}
	buf_clear(out);
	return buf_puts(out, path);
}
