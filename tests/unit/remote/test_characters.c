#include <criterion/criterion.h>

#include <string.h>

#include "base/limits.h"
#include "remote/characters.h"

#define HIGH "\xed\xa0\xbd" /* of U+1F600 */
#define LOW "\xed\xb8\x80"
#define SMILE "\xf0\x9f\x98\x80"
#define NONE "\xef\xbf\xbd"

static const struct {
	const char *pieces[4], *text;
} cases[] = {
	{{"a", "b"}, "ab"},
	{{"\xf0\x9f", "\x98\x80!"}, SMILE "!"},
	{{HIGH LOW}, SMILE},
	{{"a" HIGH, LOW "b"}, "a" SMILE "b"},
	{{HIGH, "", LOW}, SMILE},
	{{HIGH, "a"}, NONE "a"},
	{{HIGH}, NONE},
	{{LOW, "a"}, NONE "a"},
	{{HIGH, HIGH LOW}, NONE SMILE},
	{{HIGH LOW HIGH, LOW}, SMILE SMILE},
	{{"\xed\x9f\xbf"}, "\xed\x9f\xbf"}, /* no half */
	{{"\xc3", HIGH LOW}, NONE SMILE},
	{{"\xed"}, NONE},
};

Test(characters, are_whole_however_they_were_cut)
{
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct characters characters = {.high = 0};
		struct buf out = {.max = KIB(1)};

		for (size_t p = 0; p < 4 && cases[i].pieces[p]; p++)
			characters_push(&characters, cases[i].pieces[p], strlen(cases[i].pieces[p]), &out);
		characters_flush(&characters, &out);
		cr_assert_str_eq(buf_text(&out), cases[i].text, "case %zu", i);
		buf_free(&out);
	}
}
