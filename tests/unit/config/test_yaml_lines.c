/* Files of settings as people and their editors leave them. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "config/yaml_lines.h"

static struct buf taken, problems;

static void init(void)
{
	buf_init(&taken, MIB(4));
	buf_init(&problems, MIB(4));
}

static void fini(void)
{
	buf_free(&taken);
	buf_free(&problems);
}

TestSuite(yaml_lines, .init = init, .fini = fini);

/* What is read, as "name=value;"; a name may come once, and "no" is no value. */
static enum status take(void *ctx, const char *name, size_t line, const struct yaml_item *value,
                        struct error *err)
{
	char entry[64];

	(void)ctx;
	(void)line;
	snprintf(entry, sizeof entry, ";%s=", name);
	if (strstr(buf_text(&taken), entry))
		return error_set(err, STATUS_CONFIG, "%s is given twice", name);
	if (value->kind != YAML_SCALAR || strcmp(value->text, "no") == 0)
		return error_set(err, STATUS_CONFIG, "%s: no such value", name);
	buf_printf(&taken, "%s%s=%s;", taken.len ? "" : ";", name, value->text);
	return STATUS_OK;
}

static size_t read_good(const char *text, size_t len)
{
	buf_clear(&taken);
	buf_clear(&problems);
	return yaml_read_good_lines("f.yaml", text, len, take, NULL, &problems);
}

static const char *const good[] = {
	"one: 1", "two: \"2\" # comment", "three: '3'", "# a comment", "", "four: 4 4", "five: a#b",
	"six: |", "  x", "seven: \"a", "  b\"", "eight: 8",
};
enum { N_GOOD = sizeof good / sizeof good[0] };
static const char all[] = ";one=1;two=2;three=3;four=4 4;five=a#b;six=x\n;seven=a b;eight=8;";

/* The good lines with `bad` before the one at `at`, and these line ends. */
static void put_file(struct buf *out, const char *begin, const char *bad, size_t at, const char *end)
{
	buf_clear(out);
	buf_puts(out, begin);
	for (size_t i = 0; i <= N_GOOD; i++) {
		if (bad && i == at)
			buf_printf(out, "%s%s", bad, end);
		if (i < N_GOOD)
			buf_printf(out, "%s%s", good[i], end);
	}
}

static const char *const ends[] = {"\n", "\r\n", "\r"};
static const char *const begins[] = {"", "\357\273\277"};

Test(yaml_lines, marks_and_line_ends_do_not_matter)
{
	struct error err;
	struct buf text = {.max = KIB(64)};

	for (size_t b = 0; b < 2; b++)
		for (size_t e = 0; e < 3; e++) {
			put_file(&text, begins[b], NULL, 0, ends[e]);
			cr_expect_eq(read_good(text.data, text.len), 0, "%zu %zu: %s", b, e, buf_text(&problems));
			cr_expect_str_eq(buf_text(&taken), all, "%zu %zu", b, e);
			buf_clear(&taken);
			cr_expect_eq(yaml_read_lines("f.yaml", text.data, text.len, take, NULL, &err), STATUS_OK);
			cr_expect_str_eq(buf_text(&taken), all, "%zu %zu", b, e);
		}
	buf_free(&text);
}

Test(yaml_lines, a_wrong_line_costs_no_other_wherever_it_is)
{
	/* Where the line may stand anywhere: it is not indented, so that it belongs to no other. */
	static const char *const bad[] = {
		"one", "no colon here", "a: b: c", ": x", "nine: [1, 2", "nine: {a: 1", "nine: \"open",
		"nine: 'open", "nine: [a]", "nine: {a: b}", "nine: no", "@nine: 1", "`nine`: 1", "nine: @x",
		"nine: &a 1", "nine: *a", "nine: !foo 1", "]", "}", "[nine]", "{nine: no}", "nine: #x",
		"nine: a\001b", "nine: a\377b", "one: 2", "nine: %x", "? [a, b]", "nine: \"\\q\"",
		"nine: \"\\0\"", "\"nine\" x: 1", "nine: >x",
	};
	struct buf text = {.max = KIB(64)};

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		for (size_t at = 0; at <= N_GOOD; at++)
			for (size_t which = 0; which < 6; which++) {
				char place[32];
				bool is_second = strcmp(bad[i], "one: 2") == 0 && at == 0;

				if (at == 8 || at == 10) /* within a text of several lines */
					continue;
				put_file(&text, begins[which % 2], bad[i], at, ends[which / 2]);
				cr_expect_eq(read_good(text.data, text.len), 1, "%s at %zu of kind %zu:\n%s", bad[i], at,
				             which, buf_text(&problems));
				snprintf(place, sizeof place, "f.yaml:%zu: ", is_second ? (size_t)2 : at + 1);
				cr_expect(strncmp(buf_text(&problems), place, strlen(place)) == 0, "%s at %zu: %s", bad[i],
				          at, buf_text(&problems));
				if (!is_second)
					cr_expect_str_eq(buf_text(&taken), all, "%s at %zu of kind %zu", bad[i], at, which);
			}
	buf_free(&text);
}

Test(yaml_lines, what_is_left_of_damaged_files)
{
	static const struct {
		const char *text, *taken, *problems;
	} cases[] = {
		{"", "", ""},
		{"~\n", "", ""},
		{"# only this\n", "", ""},
		{"%YAML 1.1\n---\na: 1\n...\n", ";a=1;", ""},
		{"%YAML 1.1\n---\na: 1\n@\n", ";a=1;",
		 "f.yaml:4: a text that begins with %, @ or ` needs quotes"},
		{"a: 1\n---\nb: 2\n", ";a=1;b=2;", "f.yaml:2: a second document begins here"},
		{"---\na: 1\n...\n---\nb: 2\n", ";a=1;b=2;",
		 "f.yaml:3: a second document begins here\nf.yaml:4: a second document begins here"},
		{"a: 1\n\tb: 2\nc: 3\n", ";a=1;c=3;", "f.yaml:2: a tab does not indent a line: blanks do"},
		{"\ta: 1\nc: 3\n", ";c=3;", "f.yaml:1: a tab does not indent a line: blanks do"},
		{"a:\t1\t# c\nb: 2\t\n", ";a=1;b=2;", ""},
		{"a: 1\n  b: 2\nc: 3\n", ";a=1;c=3;",
		 "f.yaml:2: a ':' is not allowed here: a text with ': ' in it needs quotes"},
		{" a: 1\nb: 2\n", ";a=1;b=2;", "f.yaml:2: this line is indented less than those before it"},
		{"a: 1\n- x\n- y\nb: 2\n", ";a=1;b=2;", "f.yaml:2: expected 'name: value', indented as the "
		 "lines before it\nf.yaml:3: expected 'name: value', indented as the lines before it"},
		{"F12: /show temperature\nF11: /system You are: brief\nF10: /show top-p\n",
		 ";F12=/show temperature;F10=/show top-p;",
		 "f.yaml:2: a ':' is not allowed here: a text with ': ' in it needs quotes"},
		/* a text in quotes may go on at the margin, also in a file that is wrong elsewhere */
		{"a: \"x\nb: y\nc: z\"\nd: 1\n@\n", ";a=x b: y c: z;d=1;",
		 "f.yaml:5: a text that begins with %, @ or ` needs quotes"},
		{"{a: 1,\nb: 2}\n", ";a=1;b=2;", ""},
		{"- a\n- b\n", "", "f.yaml:1: expected lines 'name: value'"},
		{"word\n", "", "f.yaml:1: expected lines 'name: value'"},
		{"a: 1\na: 2\na: 3\n", ";a=1;", "f.yaml:2: a is given twice\nf.yaml:3: a is given twice"},
		{"\377\376a\0:\0", "", "f.yaml: the text is UTF-16; iconv -f UTF-16 -t UTF-8 converts it"},
		{"a: #ff0000\nb: # c\nc: 1 #x\n", ";b=;c=1;", "f.yaml:1: a # begins a comment: a value that begins "
		 "with it needs quotes, as in \"#ff0000\""},
		{"a: {fg: #ff0000, bg: blue}\nb: 1\n", ";b=1;", "f.yaml:1: a # begins a comment: a value that "
		 "begins with it needs quotes, as in \"#ff0000\""},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		read_good(cases[i].text, strlen(cases[i].text));
		cr_expect_str_eq(buf_text(&taken), cases[i].taken, "%s", cases[i].text);
		cr_expect_str_eq(buf_text(&problems), cases[i].problems, "%s%s", cases[i].text, buf_text(&problems));
	}
}

Test(yaml_lines, very_many_wrong_lines_are_told_shortly)
{
	struct buf text = {.max = LIMIT_YAML_BYTES};
	size_t n = 0;

	for (int i = 0; i < 60000; i++)
		buf_printf(&text, "line %d\n", i);
	cr_assert_gt(read_good(text.data, text.len), 20);
	for (const char *at = buf_text(&problems); (at = strchr(at, '\n')); at++)
		n++;
	cr_assert_leq(n, 21);
	cr_assert_str_eq(buf_text(&taken), "");
	buf_free(&text);
}

Test(yaml_lines, the_first_error_ends_a_strict_file)
{
	struct error err;

	cr_assert_eq(yaml_read_lines("f.yaml", "a: 1\nb: no\nc: 3\n", 16, take, NULL, &err),
	             STATUS_CONFIG);
	cr_assert_str_eq(err.text, "f.yaml:2: b: no such value");
	cr_assert_str_eq(buf_text(&taken), ";a=1;");
	buf_clear(&taken);
	cr_assert_eq(yaml_read_lines("f.yaml", "a: 1\n---\nc: 3\n", 14, take, NULL, &err),
	             STATUS_FORMAT);
	cr_assert_str_eq(err.text, "f.yaml:2: a second document begins here");
}
