/* Headers of harmony messages, complete and cut short. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "prompt/harmony.h"

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
		{"<|channel|>analysis_2<|message|>", 0, HARMONY_COMMENTARY, ""},
		{"<|channel|><|message|>", 0, HARMONY_COMMENTARY, ""},
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
	                                    " <|channel|>final<|message|>"};
	static const enum header_match expected[] = {HEADER_NONE, HEADER_MAYBE, HEADER_MAYBE, HEADER_NONE,
	                                             HEADER_NONE, HEADER_NONE, HEADER_NONE};
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
