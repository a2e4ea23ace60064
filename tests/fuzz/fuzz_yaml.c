/* YAML as configuration files and themes have it. What is read is within the
 * limits, whatever is read as a text comes back when it is written and read
 * again, and a bad file is refused with a reason. */
#include <string.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "config/theme.h"
#include "config/yaml_lines.h"
#include "fuzz/fuzz.h"

/* Every text that was read survives being written. */
static void write_and_read(const struct yaml_item *item)
{
	static const struct yaml_limits limits = {MIB(8), 100, 4};
	struct yaml_reader *reader;
	struct yaml_item again;
	struct buf out = {.max = MIB(8)};

	buf_puts(&out, "k: ");
	FUZZ_CHECK(yaml_put_quoted(&out, item->text, item->len, 2) == STATUS_OK);
	FUZZ_CHECK(out.len <= 5 + item->len * 9 / 2 + 16);
	FUZZ_CHECK(yaml_open(&reader, "again", buf_text(&out), out.len, 1, &limits, NULL) == STATUS_OK);
	FUZZ_CHECK(yaml_next(reader, &again, NULL) == STATUS_OK);
	FUZZ_CHECK(yaml_next(reader, &again, NULL) == STATUS_OK);
	FUZZ_CHECK(yaml_next(reader, &again, NULL) == STATUS_OK);
	FUZZ_CHECK(again.kind == YAML_SCALAR && again.len == item->len);
	FUZZ_CHECK(memcmp(again.text, item->text, item->len) == 0);
	yaml_close(reader);
	buf_free(&out);
}

static void read_all(const char *text, size_t len)
{
	struct error err = {0};
	struct yaml_reader *reader = NULL;
	struct yaml_item item = {.kind = YAML_SCALAR};
	enum status status = yaml_open(&reader, "f", text, len, 1, &yaml_limits_config, &err);
	size_t n = 0, depth = 0;

	while (!status && item.kind != YAML_END) {
		status = yaml_next(reader, &item, &err);
		if (status)
			break;
		FUZZ_CHECK(n++ <= LIMIT_YAML_EVENTS);
		if (item.kind == YAML_MAP_BEGIN || item.kind == YAML_LIST_BEGIN)
			FUZZ_CHECK(++depth <= LIMIT_YAML_DEPTH);
		else if (item.kind == YAML_MAP_END || item.kind == YAML_LIST_END)
			FUZZ_CHECK(depth-- > 0);
		if (item.kind == YAML_SCALAR) {
			FUZZ_CHECK(utf8_valid(item.text, item.len));
			FUZZ_CHECK(strlen(item.text) == item.len);
			if (n < 20)
				write_and_read(&item);
		}
	}
	FUZZ_CHECK(status || depth == 0);
	FUZZ_CHECK(!status || (err.status == status && err.text[0]));
	yaml_close(reader);
}

static enum status take_line(void *ctx, const char *name, size_t line, const struct yaml_item *value,
                             struct error *err)
{
	size_t *n = ctx;

	(void)line;
	++*n;
	return value->kind == YAML_SCALAR && name[0] != 'x' ? STATUS_OK
	                                                    : error_set(err, STATUS_CONFIG, "refused");
}

/* What is well-formed gives all of its lines either way; what is not says so, but that a name comes
 * twice, which is left to take_line. */
static void read_lines(const char *text, size_t len)
{
	size_t n_strict = 0, n_good = 0, n_problems;
	struct error err = {0};
	enum status status = yaml_read_lines("f", text, len, take_line, &n_strict, &err);
	struct buf problems = {.max = MIB(1)};

	n_problems = yaml_read_good_lines("f", text, len, take_line, &n_good, &problems);
	FUZZ_CHECK((n_problems > 0) == (problems.len > 0));
	FUZZ_CHECK(status ? n_problems || strstr(err.text, "given twice") : !n_problems && n_good == n_strict);
	buf_free(&problems);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct theme theme, before;
	struct error err = {0};

	read_all(text, size);
	read_lines(text, size);
	memset(&theme, 0x55, sizeof theme);
	before = theme;
	if (theme_parse(&theme, "t.yaml", text, size, &err)) {
		FUZZ_CHECK(err.text[0]);
		FUZZ_CHECK(memcmp(&theme, &before, sizeof theme) == 0);
	} else {
		FUZZ_CHECK(memchr(theme.name, '\0', sizeof theme.name));
		FUZZ_CHECK(memchr(theme.description, '\0', sizeof theme.description));
	}
	return 0;
}
