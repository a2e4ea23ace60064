#include <criterion/criterion.h>
#include <string.h>

#include "base/limits.h"
#include "cli/bench_result.h"

enum { MACS = 1000, BYTES = MIB(100) };

/* What is printed of a prompt and of generated tokens that reached so many tokens a second, on a
 * machine whose limit is 10 for both, and whose caches hold so much. */
static void put(double reached, uint64_t cache, bool json, struct buf *out)
{
	struct bench_limits limits = {.cache = cache};
	struct bench_test tests[] = {
		{.kind = BENCH_PROMPT, .n = 4, .depth = 7, .work = {.int8_macs = 4 * MACS}},
		{.kind = BENCH_GENERATE, .n = 4, .read = 10.0 * BYTES, .work = {.bytes = 4 * (uint64_t)BYTES}},
	};
	const struct bench_result result = {.limits = &limits, .tests = tests, .n_tests = 2};

	buf_init(out, KIB(8));
	cr_assert(samples_add(&limits.int8, 10 * MACS));
	cr_assert(samples_add(&limits.f32, MACS));
	cr_assert(samples_add(&limits.bf16, 0));
	for (size_t i = 0; i < 2; i++)
		cr_assert(samples_add(&tests[i].rates, reached));
	if (json)
		bench_result_json_tests(&result, &(struct json_writer){.out = out});
	else
		bench_result_rows(&result, out);
	cr_assert(!buf_status(out));
	samples_free(&limits.int8);
	samples_free(&limits.f32);
	samples_free(&limits.bf16);
	for (size_t i = 0; i < 2; i++)
		samples_free(&tests[i].rates);
}

Test(bench_result, each_row_has_a_share_or_why_it_has_none)
{
	static const struct {
		double reached;
		uint64_t cache;
		bool json;
		const char *rows[2];
	} cases[] = {
		{7.5, 0, false, {"pp4 @ d7               7.50       7.50       7.50      10.00   75.0 %  of the peak\n",
		                 "tg4                    7.50       7.50       7.50      10.00   75.0 %  of the reading\n"}},
		{7.5, BYTES + 1, false, {"      10.00   75.0 %  of the peak\n",
		                         "          -        -  the caches may hold what is read\n"}},
		{11, 0, false, {"pp4 @ d7              11.00      11.00      11.00          -        -  "
		                "the limit was measured wrong: the test was faster\n",
		                "tg4                   11.00      11.00      11.00          -        -  "
		                "the limit was measured wrong: the test was faster\n"}},
		{7.5, 0, true, {"{\"test\": \"pp4 @ d7\", \"n_prompt\": 4, \"n_gen\": 0, \"depth\": 7, ",
		                "\"samples\": [7.5]}, \"limit\": 10, \"share\": 0.75}]"}},
		{11, 0, true, {"\"samples\": [11]}, \"limit\": null, \"share\": null, \"no_limit\": "
		               "\"the limit was measured wrong: the test was faster\"},\n",
		               "\"no_limit\": \"the limit was measured wrong: the test was faster\"}]"}},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct buf out;

		put(cases[i].reached, cases[i].cache, cases[i].json, &out);
		for (size_t row = 0; row < 2; row++)
			cr_assert_not_null(strstr(buf_text(&out), cases[i].rows[row]), "case %zu, row %zu: %s", i, row,
			                   buf_text(&out));
		buf_free(&out);
	}
}
