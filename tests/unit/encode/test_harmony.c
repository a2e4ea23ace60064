/* Headers of harmony messages, complete and cut short. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "encode/harmony.h"

Test(harmony, headers)
{
	static const struct {
		const char *text;
		size_t after; /* bytes that are not part of the header */
		enum harmony_channel channel;
		const char *recipient;
	} rows[] = {
		{"<|channel|>analysis<|message|>Hm", 2, HARMONY_ANALYSIS, ""},
		{"<|channel|>final<|message|>", 0, HARMONY_FINAL, ""},
		{"<|channel|>commentary<|message|>x", 1, HARMONY_COMMENTARY, ""},
		{"<|start|>assistant<|channel|>final<|message|><|message|>", 11, HARMONY_FINAL, ""},
		{"<|start|>assistant<|message|>x", 1, HARMONY_FINAL, ""},
		{"<|channel|>final <|constrain|>json<|message|>", 0, HARMONY_FINAL, ""},
		{"<|channel|>commentary to=functions.get_day <|constrain|>json<|message|>{}", 2,
		 HARMONY_COMMENTARY, "functions.get_day"},
		{"<|channel|>commentary to=functions.a<|constrain|>json<|message|>", 0, HARMONY_COMMENTARY,
		 "functions.a"},
		{"<|start|>assistant to=python<|channel|>analysis code<|message|>", 0, HARMONY_ANALYSIS,
		 "python"},
		{"<|channel|>analysis_2<|message|>", 0, HARMONY_ANALYSIS, ""},
		{"<|channel|><|message|>", 0, HARMONY_FINAL, ""},
		{"<|channel|>response<|message|>x", 1, HARMONY_FINAL, ""},
		/* Blanks beside markers, and other letters. */
		{"<|channel|> final<|message|> Hi", 3, HARMONY_FINAL, ""},
		{"<|channel|>final\n<|message|>", 0, HARMONY_FINAL, ""},
		{"<|channel|>\t FINAL \r\n<|message|>", 0, HARMONY_FINAL, ""},
		{"<|channel|>Analysis<|message|>", 0, HARMONY_ANALYSIS, ""},
		{"<|start|> assistant<|channel|> Commentary to=a.b <|message|>", 0, HARMONY_COMMENTARY, "a.b"},
		{"<|channel|>commentary\nto=a.b\n<|message|>", 0, HARMONY_COMMENTARY, "a.b"},
		{"<|channel|>into=b<|message|>", 0, HARMONY_FINAL, ""},
		/* The prompt ends with the role. */
		{"to=functions.x<|channel|>commentary json<|message|>{}", 2, HARMONY_COMMENTARY, "functions.x"},
		{"to=functions.x <|channel|> commentary<|message|>", 0, HARMONY_COMMENTARY, "functions.x"},
		{"to=user<|message|>Hi", 2, HARMONY_FINAL, "user"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		size_t len = strlen(rows[i].text), end = len - rows[i].after;
		struct harmony_header header;

		cr_assert_eq(harmony_match(rows[i].text, len, &header), HEADER_FOUND, "%s", rows[i].text);
		cr_expect_eq(header.len, end, "%s: %zu", rows[i].text, header.len);
		cr_expect_eq(header.channel, rows[i].channel, "%s", rows[i].text);
		cr_expect(header.recipient_len == strlen(rows[i].recipient) &&
		          (!header.recipient_len ||
		           memcmp(header.recipient, rows[i].recipient, header.recipient_len) == 0),
		          "%s", rows[i].text);
		for (size_t n = 1; n < end; n++)
			cr_expect_eq(harmony_match(rows[i].text, n, &header), HEADER_MAYBE, "%.*s", (int)n,
			             rows[i].text);
	}
}

Test(harmony, what_is_none)
{
	static const char *const texts[] = {"Yes", "<", "<|channel", "<|channe1|>", "<|message|>x", "<|end|>",
	                                    " <|channel|>final<|message|>", "to=you and me", "told"};
	static const enum header_match expected[] = {HEADER_NONE, HEADER_MAYBE, HEADER_MAYBE, HEADER_NONE,
	                                             HEADER_NONE, HEADER_NONE, HEADER_NONE,
	                                             HEADER_NONE, HEADER_NONE};
	struct harmony_header header;

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		cr_expect_eq(harmony_match(texts[i], strlen(texts[i]), &header), expected[i], "%s", texts[i]);
}

/* A header must end. */
Test(harmony, have_a_length)
{
	struct harmony_header header;
	char text[300];
	int n = snprintf(text, sizeof text, "<|channel|>%0284d", 0);

	cr_assert_eq(harmony_match(text, 255, &header), HEADER_MAYBE);
	cr_assert_eq(harmony_match(text, 256, &header), HEADER_NONE);
	cr_assert_eq(harmony_match(text, (size_t)n, &header), HEADER_NONE);
	memcpy(text + 245, "<|message|>", 11);
	cr_assert_eq(harmony_match(text, 256, &header), HEADER_FOUND);
	cr_assert_eq(header.len, 256);
}

/* A model that leaves out the last marker of a header has answered all the same. */
Test(harmony, the_text_behind_half_a_header)
{
	static const struct {
		const char *text, *rest; /* NULL: none */
		enum harmony_channel channel;
	} rows[] = {
		{"<|channel|>final\nHello you", "Hello you", HARMONY_FINAL},
		{"<|start|>assistant<|channel|> analysis Hm", "Hm", HARMONY_ANALYSIS},
		{"<|channel|>final", NULL, HARMONY_FINAL}, {"<|channel|>fi", NULL, HARMONY_FINAL},
		{"<|channel|>final <|constrain|>js", NULL, HARMONY_FINAL},
		{"<|channel|>commentary to=functions.x js", NULL, HARMONY_FINAL},
		{"to=functions.x<|channel|>final x", NULL, HARMONY_FINAL}, {"<|start|>assistant", NULL, HARMONY_FINAL},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct harmony_header header;
		bool found = harmony_match_end(rows[i].text, strlen(rows[i].text), &header);

		cr_assert_eq(found, rows[i].rest != NULL, "%s", rows[i].text);
		if (found) {
			cr_expect_str_eq(rows[i].text + header.len, rows[i].rest);
			cr_expect_eq(header.channel, rows[i].channel, "%s", rows[i].text);
		}
	}
}
