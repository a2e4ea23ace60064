#include <criterion/criterion.h>

#include "pull/fetch_head.h"
#include "pull/spans.h"

static struct spans make(uint64_t size)
{
	struct spans spans = {0};

	cr_assert_eq(spans_init(&spans, size, NULL), STATUS_OK);
	return spans;
}

static void expect_span(const struct span *span, uint64_t from, uint64_t to)
{
	cr_assert_not_null(span);
	cr_expect_eq(span->at, from);
	cr_expect_eq(span->to, to);
}

Test(spans, are_taken_in_their_order)
{
	struct spans spans = make(100);
	struct span *a = spans_take(&spans, 30, 1, 1), *b = spans_take(&spans, 30, 1, 1), *c;

	expect_span(a, 0, 30);
	expect_span(b, 30, 60);
	b->at = 60;
	spans_give_back(&spans, b);
	cr_expect_eq(spans_front(&spans), 0);
	cr_expect_eq(spans_done(&spans), 30);
	a->at = 10;
	cr_expect_eq(spans_front(&spans), 10);
	spans_give_back(&spans, a);
	expect_span(a = spans_take(&spans, 100, 100, 1), 10, 30);
	expect_span(c = spans_take(&spans, 100, 100, 1), 60, 100);
	cr_expect_null(spans_take(&spans, 100, 1, 1));
	a->at = 30;
	spans_give_back(&spans, a);
	cr_expect_eq(spans_front(&spans), 60);
	cr_expect_not(spans_are_whole(&spans));
	c->at = 100;
	spans_give_back(&spans, c);
	cr_expect(spans_are_whole(&spans));
	cr_expect_null(spans.first->next, "all is one");
	spans_free(&spans);
}

Test(spans, get_smaller_at_the_end)
{
	struct spans spans = make(1000);
	uint64_t last = 1000;
	const struct span *span;

	while ((span = spans_take(&spans, 200, 10, 4))) {
		cr_expect_leq(span->to - span->at, last);
		cr_expect_leq(span->to - span->at, 200);
		last = span->to - span->at;
	}
	cr_expect_leq(last, 10);
	spans_free(&spans);
}

Test(spans, are_what_was_there)
{
	struct spans spans = make(100);

	cr_expect(spans_add(&spans, 0, 10));
	cr_expect(spans_add(&spans, 20, 30));
	cr_expect_not(spans_add(&spans, 25, 40));
	cr_expect_not(spans_add(&spans, 40, 40));
	cr_expect_not(spans_add(&spans, 90, 101));
	cr_expect(spans_add(&spans, 30, 31));
	cr_expect_eq(spans_done(&spans), 21);
	cr_expect_eq(spans_front(&spans), 10);
	expect_span(spans_take(&spans, 100, 100, 1), 10, 20);
	expect_span(spans_take(&spans, 100, 100, 1), 31, 100);
	spans_free(&spans);
}

static struct fetch_head read_head(const char *text)
{
	struct http_answer answer = {.head = {.max = 4096}};
	struct fetch_head head;

	buf_puts(&answer.head, text);
	fetch_head_read(&head, &answer);
	buf_free(&answer.head);
	return head;
}

Test(fetch_head, is_read)
{
	static const char *const wrong[] = {
		"", "content-range: bytes 5-8/*\n", "content-range: bytes */100\n", "content-range: bytes 8-5/100\n",
		"content-range: bytes 5-100/100\n", "content-range: items 5-8/100\n", "content-range: bytes 5-8/100x\n",
		"content-range: bytes 5-8/99999999999999999999\n", "content-range: bytes -8/100\n", "x-content-range: bytes 5-8/100\n",
		"content-range: bytes 5-18446744073709551615/18446744073709551615\n",
	};
	struct fetch_head head = read_head("content-length: 4\ncontent-range: bytes 5-8/100\netag: \"x\"\n");

	cr_expect(head.has_range && head.from == 5 && head.to == 9 && head.size == 100);
	cr_expect(head.has_length && head.length == 4);
	cr_expect_str_eq(head.version, "\"x\"");
	cr_expect_not(head.is_encoded);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		cr_expect_not(read_head(wrong[i]).has_range, "%s", wrong[i]);
	cr_expect(read_head("content-encoding: gzip\n").is_encoded);
	cr_expect_not(read_head("content-encoding: identity\n").is_encoded);
}

Test(fetch_head, knows_one_version_from_another)
{
	static const struct {
		const char *head, *version;
		bool is_strong;
	} rows[] = {
		{"etag: \"x\"\nlast-modified: Mon, 01 Jan 2024 00:00:00 GMT\n", "\"x\"", true},
		{"etag: \"a,b; c\"\n", "\"a,b; c\"", true},
		{"etag: \"\"\n", "\"\"", true},
		{"etag: W/\"x\"\n", "W/\"x\"", false},
		{"etag: x\n", "x", false},
		{"etag: \"x\n", "\"x", false},
		{"etag: \"\n", "\"", false},
		{"etag: \"x\", \"y\"\n", "\"x\", \"y\"", false},
		{"etag: \"x\1y\"\n", "", false},
		{"etag: \"x\xff\"\n", "", false},
		{"last-modified: Mon, 01 Jan 2024 00:00:00 GMT\n", "Mon, 01 Jan 2024 00:00:00 GMT", false},
		{"etag: \"x\1y\"\nlast-modified: yesterday\n", "yesterday", false},
		{"last-modified: \33[31m\n", "", false},
		{"", "", false},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct fetch_head head = read_head(rows[i].head);

		cr_expect_str_eq(head.version, rows[i].version, "%s", rows[i].head);
		cr_expect_eq(fetch_head_is_strong(head.version), rows[i].is_strong, "%s", rows[i].head);
	}
}
