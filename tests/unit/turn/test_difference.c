#include "turn/difference.h"

#include <criterion/criterion.h>

#include "base/limits.h"

Test(difference, has_words_for_each_kind)
{
	static const struct {
		struct cache_difference difference;
		const char *words;
	} rows[] = {
		{{.kind = CACHE_SAME, .was = "a", .is = "b"}, ""},
		{{.kind = CACHE_TEXT, .role = ROLE_USER, .number = 2}, "your message 2 is another one"},
		{{.kind = CACHE_TEXT, .role = ROLE_SYSTEM, .number = 1}, "the system message is another one"},
		{{.kind = CACHE_CHAT, .role = ROLE_USER, .number = 1}, "another chat was in the cache, up to your message 1"},
		{{.kind = CACHE_MARKUP, .role = ROLE_USER, .number = 1, .was = "day 1", .is = "day 2\n"},
		 "the template writes something else around your message 1: it reads \"day 2\\n\", and was \"day 1\""},
		{{.kind = CACHE_REASONING, .role = ROLE_ASSISTANT, .number = 3}, "the template does not repeat the thoughts of reply 3"},
		{{.kind = CACHE_TOKENS, .role = ROLE_ASSISTANT, .number = 1, .was = "a", .is = "a"},
		 "reply 1 is the same text in other tokens"},
		{{.kind = CACHE_LEFT_OUT, .role = ROLE_USER, .number = 1}, "your message 1 is left out, as the context is full"},
		{{.kind = CACHE_BACK, .role = ROLE_USER, .number = 1}, "your message 1 was left out, and is sent again"},
		{{.kind = CACHE_REMOVED, .role = ROLE_SYSTEM, .number = 2}, "the system message (2.) is not sent any more"},
		{{.kind = CACHE_ADDED, .role = ROLE_SYSTEM, .number = 1}, "the system message is sent now, and was not"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct buf words = {.max = KIB(4)};

		cr_assert_eq(cache_difference_put(&rows[i].difference, true, &words), STATUS_OK);
		cr_expect_str_eq(buf_text(&words), rows[i].words);
		buf_free(&words);
	}
}
