#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "remote/fields.h"

static const struct remote_field rows[] = {
	{.option = "temp", .field = "temperature", .max = 2},
	{.option = "top-k", .field = "top_k", .off = "-1"},
	{.option = "top-p", .field = "top_p"},
	{.option = "repeat-last-n", .field = "repeat_last_n", .below_is_context = true},
	{.option = "min-p", .why = "it cannot"},
	{.option = "seed", .field = "seed"},
	{.option = "predict", .field = "max_completion_tokens"},
	{.option = "predict", .field = "max_tokens"},
	{.option = "stop", .field = "stop", .max = 2},
	{.option = "logit-bias", .field = "logit_bias"},
	{.option = "reasoning", .field = "chat_template_kwargs.enable_thinking"},
	{.option = "effort", .field = "chat_template_kwargs.reasoning_effort"},
	{.option = "chat-template-kwargs", .field = "chat_template_kwargs.*"},
};

/* All that is written for a turn. */
static char *write_all(const struct remote *remote, const struct turn *turn, struct sampler_params params)
{
	const struct remote_ask ask = {.turn = turn, .params = params, .seed = 77};
	struct buf out = {.max = KIB(16)};
	struct json_writer json = {.out = &out};
	struct error err = {.text = ""};

	json_put_begin(&json, NULL, '{');
	cr_assert_eq(fields_write(&json, remote, NULL, &ask, &err), STATUS_OK, "%s", err.text);
	json_put_end(&json, '}');
	return buf_take(&out, NULL);
}

static void assert_written(const struct remote *remote, const struct turn *turn, struct sampler_params params,
                           const char *expected)
{
	char *text = write_all(remote, turn, params);

	cr_assert_str_eq(text, expected);
	free(text);
}

static struct remote with(const struct remote_field *fields, size_t n)
{
	return (struct remote){.fields = fields, .n_fields = n, .info = {.n_ctx = 4096}};
}
#define WITH(table) with(table, sizeof(table) / sizeof (table)[0])

Test(fields, are_sent_also_when_off)
{
	const struct remote remote = WITH(rows);
	struct sampler_params params = sampler_params_default();
	const struct turn turn = {.n_predict = -1};

	assert_written(&remote, &turn, params,
	               "{\"temperature\": 0.8, \"top_k\": 40, \"top_p\": 0.95, \"repeat_last_n\": 64, \"seed\": 77}");
	params.temp = 3;
	params.top_k = 0;
	params.top_p = 1;
	params.repeat_last_n = -1;
	assert_written(&remote, &turn, params,
	               "{\"temperature\": 2, \"top_k\": -1, \"top_p\": 1, \"repeat_last_n\": 4096, \"seed\": 77}");
}

Test(fields, say_what_the_turn_asks_for)
{
	static const char *const stops[] = {"User:", "", "\n\n", "third"};
	const struct remote remote = WITH(rows);
	struct turn turn = {.n_predict = 5, .stops = stops, .n_stops = 4, .logit_bias = "15043-inf 7+1.5",
	                    .reasoning = {.mode = REASONING_OFF, .effort = EFFORT_HIGH,
	                                  .template_kwargs = " {\"a\": [1], \"b\": {}} "}};
	char *text = write_all(&remote, &turn, sampler_params_default());

	cr_assert(strstr(text, "\"seed\": 77, \"max_completion_tokens\": 5, \"stop\": [\"User:\", \"\\n\\n\"], "
	                       "\"logit_bias\": {\"15043\": -100, \"7\": 1.5}, \"chat_template_kwargs\": "
	                       "{\"enable_thinking\": false, \"reasoning_effort\": \"high\", \"a\": [1], \"b\": {}}}"),
	          "%s", text);
	free(text);
}

Test(fields, are_words_too)
{
	static const struct remote_field words[] = {{.option = "samplers", .field = "samplers"},
	                                            {.option = "dry-sequence-breaker", .field = "dry_sequence_breakers"},
	                                            {.option = "logit-bias", .field = "logit_bias", .takes_texts = true}};
	const struct remote remote = WITH(words);
	struct turn turn = {.n_predict = -1};

	assert_written(&remote, &turn, sampler_params_default(),
	               "{\"samplers\": [\"penalties\", \"dry\", \"top_n_sigma\", \"top_k\", \"typ_p\", \"top_p\", \"min_p\", "
	               "\"xtc\", \"temperature\"], \"dry_sequence_breakers\": [\"\\n\", \":\", \"\\\"\", \"*\"]}");
	turn = (struct turn){.samplers = "Top-K; temperature", .dry_breakers = "none", .logit_bias = "'a b'-inf x-1+2"};
	assert_written(&remote, &turn, sampler_params_default(),
	               "{\"samplers\": [\"top_k\", \"temperature\"], \"dry_sequence_breakers\": [\"\\u001f\"], "
	               "\"logit_bias\": {\"a b\": false, \"x-1\": 2}}");
}

Test(fields, refuse_words_that_make_no_sense)
{
	static const char *const wrong[] = {"Hello", "Hello+1", "1+inf", "+1", "1--1", "'open"};
	const struct remote remote = WITH(rows);
	struct buf out = {.max = KIB(4)};

	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		const struct turn turn = {.logit_bias = wrong[i]};
		const struct remote_ask ask = {.turn = &turn};
		struct json_writer json = {.out = &out};

		cr_assert_eq(fields_write(&json, &remote, NULL, &ask, NULL), STATUS_USAGE, "%s", wrong[i]);
	}
	buf_free(&out);
}

Test(fields, say_effort_and_reasoning_in_one)
{
	static const struct remote_field both[] = {{.option = "reasoning", .field = "think"}, {.option = "effort", .field = "think"}};
	static const struct remote_field text[] = {{.option = "reasoning", .field = "reasoning_effort", .off = "\"none\""},
	                                           {.option = "effort", .field = "reasoning_effort"}};
	static const struct {
		enum reasoning_mode mode;
		enum effort effort;
		const char *both, *text;
	} cases[] = {
		{REASONING_AUTO, EFFORT_AUTO, "{}", "{}"},
		{REASONING_ON, EFFORT_AUTO, "{\"think\": true}", "{}"},
		{REASONING_OFF, EFFORT_AUTO, "{\"think\": false}", "{\"reasoning_effort\": \"none\"}"},
		{REASONING_OFF, EFFORT_LOW, "{\"think\": false}", "{\"reasoning_effort\": \"none\"}"},
		{REASONING_ON, EFFORT_LOW, "{\"think\": \"low\"}", "{\"reasoning_effort\": \"low\"}"},
		{REASONING_AUTO, EFFORT_LOW, "{\"think\": \"low\"}", "{\"reasoning_effort\": \"low\"}"},
	};
	const struct remote remote = WITH(both), other = WITH(text);

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct turn turn = {.reasoning = {.mode = cases[i].mode, .effort = cases[i].effort}};

		assert_written(&remote, &turn, sampler_params_default(), cases[i].both);
		assert_written(&other, &turn, sampler_params_default(), cases[i].text);
	}
}

Test(fields, that_are_refused_are_not_sent_again)
{
	struct remote remote = WITH(rows);
	const struct turn turn = {.n_predict = 5};
	struct model_info info = {.n_idle = 0};

	remote.info.capabilities = CAPABILITY_LOGITS;
	cr_assert_not(fields_drop(&remote, "messages"));
	cr_assert(fields_drop(&remote, "temperature"));
	cr_assert_not(fields_drop(&remote, "temperature"), "it is not sent any more");
	cr_assert(fields_drop(&remote, "max_completion_tokens"), "there is another name for it");
	assert_written(&remote, &turn, sampler_params_default(),
	               "{\"top_k\": 40, \"top_p\": 0.95, \"repeat_last_n\": 64, \"seed\": 77, \"max_tokens\": 5}");
	fields_list_idle(&remote, &info);
	cr_assert_str_eq(model_info_idle(&info, "temp"), "refused by this model");
	cr_assert_str_eq(model_info_idle(&info, "min-p"), "it cannot");
	cr_assert_str_eq(model_info_idle(&info, "typical"), "this kind of server has no such setting");
	cr_assert_str_eq(model_info_idle(&info, "samplers"), "this kind of server has no such setting");
	cr_assert_null(model_info_idle(&info, "top-k"));
	cr_assert_null(model_info_idle(&info, "seed"));
}

Test(fields, of_an_object_may_be_refused_together)
{
	struct remote remote = WITH(rows);
	const struct turn turn = {.reasoning = {.mode = REASONING_ON}};

	cr_assert(fields_drop(&remote, "chat_template_kwargs"));
	cr_assert_null(fields_find(&remote, "reasoning"));
	assert_written(&remote, &turn, sampler_params_default(),
	               "{\"temperature\": 0.8, \"top_k\": 40, \"top_p\": 0.95, \"repeat_last_n\": 64, \"seed\": 77, "
	               "\"max_completion_tokens\": 0}");
}

Test(fields, are_found_in_what_a_server_says)
{
	const struct remote remote = WITH(rows);

	cr_assert_str_eq(fields_named_in(&remote, "Unsupported parameter: 'temperature'"), "temperature");
	cr_assert_str_eq(fields_named_in(&remote, "Field 'top_k': must be at least 1"), "top_k");
	cr_assert_str_eq(fields_named_in(&remote, "property top_k is unsupported"), "top_k");
	cr_assert_str_eq(fields_named_in(&remote, "'stop' is not supported"), "stop");
	cr_assert_str_eq(fields_named_in(&remote, "The model does not support topK"), "top_k");
	cr_assert_str_eq(fields_named_in(&remote, "Unsupported parameter: stop"), "stop");
	cr_assert_null(fields_named_in(&remote, "I had to stop and seed the temperature"));
	cr_assert_null(fields_named_in(&remote, "my_top_k is bad"));
	cr_assert_null(fields_named_in(&remote, ""));
}
