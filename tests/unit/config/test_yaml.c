#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "config/yaml.h"
#include "support/cpu_time.h"

/* Reads everything; what it saw as letters in `seen`: { } [ ] and texts. */
static enum status read_all(const char *text, size_t len, const struct yaml_limits *limits,
                            struct buf *seen, struct error *err)
{
	struct yaml_reader *reader = NULL;
	struct yaml_item item = {.kind = YAML_SCALAR};
	enum status status = yaml_open(&reader, "f.yaml", text, len, 1, limits, err);

	while (!status && item.kind != YAML_END) {
		status = yaml_next(reader, &item, err);
		if (status || !seen)
			continue;
		if (item.kind == YAML_SCALAR)
			buf_printf(seen, "%s%zu%s ", item.plain ? "" : "'", item.line, item.text);
		else
			buf_putc(seen, "$.{}[]"[item.kind]);
	}
	yaml_close(reader);
	return status;
}

Test(yaml, tells_items_with_their_lines)
{
	static const char text[] = "# c\na: 1\nb:\n  - x\n  - {k: \"v\\x41\"}\nc: |\n  two\n  lines\n";
	struct error err;
	struct buf seen = {.max = 1000};

	cr_assert_eq(read_all(text, sizeof text - 1, &yaml_limits_config, &seen, &err), STATUS_OK,
	             "%s", err.text);
	cr_assert_str_eq(buf_text(&seen), "{2a 21 3b [4x {5k '5vA }]6c '6two\nlines\n }$");
	buf_clear(&seen);
	cr_assert_eq(read_all("", 0, &yaml_limits_config, &seen, &err), STATUS_OK);
	cr_assert_str_eq(buf_text(&seen), "$");
	buf_free(&seen);
}

/* They end lines in YAML 1.1 alone, and in no editor. */
Test(yaml, other_line_ends_are_characters)
{
	static const struct {
		const char *text, *seen;
	} rows[] = {
		{"# a\u2028b\na: 1 # x\u2029 b: 2\nc: 3 # \xc2\x85 d\ne: f\n", "{2a 21 3c 33 4e 4f }$"},
		{"a: x\u2028y\nb: 'x\u2029y'\nc: \"\xc2\x85\\L\"\n", "{1a 1x\u2028y 2b '2x\u2029y 3c '3\xc2\x85\u2028 }$"},
		{"a: |\n  x\u2028y\n  z\nb: 1\n", "{1a '1x\u2028y\nz\n 4b 41 }$"},
		{"a: \"\ue000\u2028\\ue001\"\n", "{1a '1\ue000\u2028\ue001 }$"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct buf seen = {.max = 1000};
		struct error err;

		cr_expect_eq(read_all(rows[i].text, strlen(rows[i].text), &yaml_limits_config, &seen, &err), STATUS_OK,
		             "%zu: %s", i, err.text);
		cr_expect_str_eq(buf_text(&seen), rows[i].seen, "%zu: %s", i, buf_text(&seen));
		buf_free(&seen);
	}
}

Test(yaml, refuses_with_the_line)
{
	static const struct {
		const char *text, *error;
		enum status status;
	} cases[] = {
		{"a: 1\nb: 2\na: 3\n", "f.yaml:3: 'a' is given twice", STATUS_FORMAT},
		{"x: {a: 1, b: {a: 1}, a: 2}\n", "f.yaml:1: 'a' is given twice", STATUS_FORMAT},
		{"a: &x 1\n", "f.yaml:1: anchors (&x)", STATUS_FORMAT},
		{"a: 1\nb: &x [1]\n", "f.yaml:2: anchors (&x)", STATUS_FORMAT},
		{"&x {a: 1}\n", "f.yaml:1: anchors", STATUS_FORMAT},
		{"a: &a [x, *a]\n", "f.yaml:1: anchors", STATUS_FORMAT},
		{"a: *x\n", "f.yaml:1: aliases (*x)", STATUS_FORMAT},
		{"a: !!python/object:os.system x\n", "f.yaml:1: the tag", STATUS_FORMAT},
		{"a: !foo x\n", "f.yaml:1: the tag '!foo'", STATUS_FORMAT},
		{"a: !!set {x}\n", "f.yaml:1: the tag", STATUS_FORMAT},
		{"%TAG ! tag:evil,2002:\n---\na: !x 1\n", "f.yaml:3: the tag", STATUS_FORMAT},
		{"? [a, b]\n: c\n", "f.yaml:1: a key has to be a word", STATUS_FORMAT},
		{"? {a: b}\n: c\n", "f.yaml:1: a key has to be a word", STATUS_FORMAT},
		{"a: 1\nb: \"\\0\"\n", "f.yaml:2: the character NUL", STATUS_FORMAT},
		{"a: 1\n---\nb: 2\n", "f.yaml:2: a second document", STATUS_FORMAT},
		{"a: [1\nb: 2\n", "f.yaml:", STATUS_FORMAT},
		{"a: \"open\n", "f.yaml:", STATUS_FORMAT},
		{"\ta: 1\n", "f.yaml:1:", STATUS_FORMAT},
		{"a: 1\nb: \xff\n", "f.yaml:2: not UTF-8 (byte 0xff)", STATUS_FORMAT},
		{"a: \xed\xa0\x80\n", "f.yaml:1: not UTF-8", STATUS_FORMAT},
		{"a: \xe2\x82", "f.yaml:1: not UTF-8", STATUS_FORMAT},
		{"a: \xc0\x80\n", "f.yaml:1: not UTF-8", STATUS_FORMAT},
		{"a: 1\n\nb: \x1b[31m\n", "f.yaml:3: control character U+001B", STATUS_FORMAT},
		{"a: \xef\xbf\xbe\n", "f.yaml:1: control characters are not", STATUS_FORMAT},
		{"\xff\xfe:", "f.yaml: the text is UTF-16; iconv", STATUS_FORMAT},
		{"a: 'x' 'y'\n", "f.yaml:1:", STATUS_FORMAT},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct error err = {0};
		enum status status = read_all(cases[i].text, strlen(cases[i].text),
		                              &yaml_limits_config, NULL, &err);

		cr_assert_eq(status, cases[i].status, "case %zu: %s", i, cases[i].text);
		cr_assert(strncmp(err.text, cases[i].error, strlen(cases[i].error)) == 0,
		          "case %zu: %s: %s", i, cases[i].text, err.text);
		cr_assert_eq(err.status, status);
	}
}

Test(yaml, a_raw_nul_is_refused)
{
	struct error err;

	cr_assert_eq(read_all("a: 1\nb: x\0y\n", 12, &yaml_limits_config, NULL, &err),
	             STATUS_FORMAT);
	cr_assert_str_eq(err.text, "f.yaml:2: control character U+0000");
}

Test(yaml, core_tags_and_byte_order_marks_are_fine)
{
	static const char *const good[] = {
		"a: !!str 1\n", "!!map {a: !!seq [!!int 1, !!float 2, !!bool yes, !!null ~]}\n",
		("\xef\xbb\xbf" "a: 1\n"), "a: 1\r\nb: 2\r\n", "---\na: 1\n...\n", "# nothing\n",
	};

	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		struct error err = {0};

		cr_assert_eq(read_all(good[i], strlen(good[i]), &yaml_limits_config, NULL, &err),
		             STATUS_OK, "%s: %s", good[i], err.text);
	}
}

/* `n` times `open`, a middle, `n` times `close`. */
static void nest(struct buf *out, const char *open, size_t n, const char *middle,
                 const char *close)
{
	for (size_t i = 0; i < n; i++)
		buf_puts(out, open);
	buf_puts(out, middle);
	for (size_t i = 0; i < n; i++)
		buf_puts(out, close);
}

Test(yaml, depth_ends_at_its_limit)
{
	static const struct {
		const char *open, *close;
	} forms[] = {{"[", "]"}, {"{a: ", "}"}, {"- ", ""}, {"? ", ""}};
	struct error err;
	struct buf text = {.max = MIB(8)};

	for (size_t i = 0; i < 3; i++) {
		for (size_t n = LIMIT_YAML_DEPTH; n <= LIMIT_YAML_DEPTH + 1; n++) {
			enum status status;

			buf_clear(&text);
			nest(&text, forms[i].open, n, "x", forms[i].close);
			status = read_all(buf_text(&text), text.len, &yaml_limits_config, NULL, &err);
			cr_assert_eq(status, n <= LIMIT_YAML_DEPTH ? STATUS_OK : STATUS_LIMIT,
			             "%s %zu", forms[i].open, n);
		}
	}
	for (size_t i = 0; i < 4; i++) {
		struct yaml_limits wide = {MIB(8), LIMIT_YAML_EVENTS, LIMIT_YAML_DEPTH};
		uint64_t start = test_cpu_ms();

		buf_clear(&text);
		nest(&text, forms[i].open, 1000000, "x", "");
		cr_assert_neq(read_all(buf_text(&text), text.len, &wide, NULL, &err), STATUS_OK);
		cr_assert_lt(test_cpu_ms() - start, 1000, "%s a million times", forms[i].open);
	}
	buf_free(&text);
}

Test(yaml, bytes_and_entries_end_at_their_limits)
{
	struct yaml_limits limits = {1000, 22, 4};
	struct error err;
	struct buf text = {.max = MIB(4)};

	buf_puts(&text, "a: ");
	while (text.len < 1000)
		buf_putc(&text, 'x');
	cr_assert_eq(read_all(buf_text(&text), 1000, &limits, NULL, &err), STATUS_OK);
	buf_putc(&text, 'x');
	cr_assert_eq(read_all(buf_text(&text), 1001, &limits, NULL, &err), STATUS_LIMIT);
	/* a list of n is n + 2 entries */
	for (size_t n = 20; n <= 21; n++) {
		buf_clear(&text);
		nest(&text, "- x\n", n, "", "");
		cr_assert_eq(read_all(buf_text(&text), text.len, &limits, NULL, &err),
		             n == 20 ? STATUS_OK : STATUS_LIMIT, "%zu", n);
	}
	buf_free(&text);
}

Test(yaml, many_keys_are_looked_up_quickly)
{
	uint64_t start;
	struct error err;
	struct buf text = {.max = LIMIT_YAML_BYTES};

	for (int i = 0; i < 45000; i++)
		buf_printf(&text, "k%d: %d\n", i, i);
	start = test_cpu_ms();
	cr_assert_eq(read_all(buf_text(&text), text.len, &yaml_limits_config, NULL, &err), STATUS_OK,
	             "%s", err.text);
	cr_assert_lt(test_cpu_ms() - start, 2000);
	buf_puts(&text, "k44999: again\n");
	cr_assert_eq(read_all(buf_text(&text), text.len, &yaml_limits_config, NULL, &err),
	             STATUS_FORMAT);
	buf_free(&text);
}

Test(yaml, expect_and_skip)
{
	static const char text[] = "a: {b: [1, {c: 2}], d: 3}\ne: x\n";
	struct yaml_reader *reader;
	struct yaml_item item;
	struct error err;

	cr_assert_eq(yaml_open(&reader, "f", text, sizeof text - 1, 7, &yaml_limits_config, &err), 0);
	cr_assert_eq(yaml_expect(reader, YAML_MAP_BEGIN, "file", &item, &err), 0);
	cr_assert_eq(yaml_next(reader, &item, &err), 0);
	cr_assert_eq(yaml_next(reader, &item, &err), 0);
	cr_assert_eq(yaml_skip(reader, &item, &err), 0);
	cr_assert_eq(yaml_next(reader, &item, &err), 0);
	cr_assert_str_eq(item.text, "e");
	cr_assert_eq(yaml_expect(reader, YAML_MAP_BEGIN, "e", &item, &err), STATUS_FORMAT);
	cr_assert_str_eq(err.text, "f:8: e: expected a mapping, found a text");
	yaml_close(reader);
}

/* Writes `text` as the value of a key and reads it back. */
static void round_trip(const char *text, size_t len, const char *expected, size_t expected_len)
{
	static const struct yaml_limits limits = {MIB(64), 100, 4};
	struct yaml_reader *reader;
	struct yaml_item item;
	struct error err;
	struct buf out = {.max = MIB(64)};

	buf_puts(&out, "a: ");
	cr_assert_eq(yaml_put_quoted(&out, text, len, 2), STATUS_OK);
	buf_puts(&out, "\nb: \"end\"\n");
	cr_assert_eq(yaml_open(&reader, "f", buf_text(&out), out.len, 1, &limits, &err), STATUS_OK,
	             "%s", err.text);
	cr_assert_eq(yaml_expect(reader, YAML_MAP_BEGIN, "f", &item, &err), 0);
	cr_assert_eq(yaml_next(reader, &item, &err), 0);
	cr_assert_eq(yaml_next(reader, &item, &err), 0, "%s in %s", err.text, buf_text(&out));
	cr_assert_eq(item.len, expected_len, "%.200s", buf_text(&out));
	cr_assert_eq(memcmp(item.text, expected, expected_len), 0, "%.200s", buf_text(&out));
	yaml_close(reader);
	buf_free(&out);
}

Test(yaml, every_character_survives_being_quoted)
{
	struct buf text = {.max = MIB(64)};

	for (uint32_t cp = 1; cp <= 0x10FFFF; cp++) {
		char bytes[UTF8_MAX];
		size_t n = utf8_encode(cp, bytes);

		if (cp >= 0xD800 && cp <= 0xDFFF)
			continue;
		buf_append(&text, bytes, n);
		if (text.len > 4000 || cp == 0x10FFFF) {
			round_trip(text.data, text.len, text.data, text.len);
			buf_clear(&text);
		}
	}
	buf_free(&text);
}

Test(yaml, line_breaks_and_blanks_survive_being_quoted)
{
	static const char *const texts[] = {
		"", " ", "\n", "\n\n", " \n ", "a\nb", "a\n  b\n\n  c \n", "\ta\n\tb", "a\r\nb\rc", "--- # r\n...\n",
		"\"", "\\", "\\\n\\", "a: b # c", "\\n", "x\\", "\xc2\xa0\n\xc2\xa0", "\xe2\x80\xa8x", "\xc2\x85x",
	};

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		round_trip(texts[i], strlen(texts[i]), texts[i], strlen(texts[i]));
}

Test(yaml, random_bytes_come_back_repaired)
{
	size_t n_rounds = getenv("SOTTO_TEST_LONG") ? 1000000 : 20000;
	uint32_t random = 12345;
	struct buf repaired = {.max = 4096};

	for (size_t round = 0; round < n_rounds; round++) {
		char bytes[64];
		size_t n = 0;

		random = random * 1664525u + 1013904223u;
		while (n < (random >> 8) % sizeof bytes) {
			random = random * 1664525u + 1013904223u;
			/* mostly lead and continuation bytes, and what quoting minds */
			bytes[n] = random >> 30 ? (char)(0x80 | (random >> 16)) : "\n \\\"a\0\t-"[random >> 16 & 7];
			n++;
		}
		buf_clear(&repaired);
		utf8_repair(&repaired, bytes, n);
		round_trip(bytes, n, buf_text(&repaired), repaired.len);
	}
	buf_free(&repaired);
}

Test(yaml, a_text_of_megabytes_is_quick)
{
	uint64_t start = test_cpu_ms();
	struct buf text = {.max = MIB(9)};

	for (int i = 0; text.len < LIMIT_MESSAGE; i++)
		buf_printf(&text, "line %d: \"quoted\" \xf0\x9f\x98\x80 \\\n  indented\n", i);
	round_trip(text.data, text.len, text.data, text.len);
	cr_assert_lt(test_cpu_ms() - start, 5000);
	buf_free(&text);
}
