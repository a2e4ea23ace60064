/* Variables for the chat template that the user gives as JSON. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "chat_model.h"
#include "chat/turn.h"
#include "encode/shape.h"
#include "encode/template_kwargs.h"
#include "engine/options.h"
#include "turn/engine_params.h"

static struct error err;

Test(template_kwargs, bad_ones_are_named_with_their_place)
{
	static const struct {
		const char *json, *text; /* NULL: good */
	} rows[] = {
		{"{}", NULL},
		{" { \"a\" : [1, -2.5e3, null, {\"b\": \"\\ud83d\\ude00\"}], \"enable_thinking\": true } ", NULL},
		{"{\"bos_token\": \"\", \"tools\": [], \"reasoning_effort\": \"none\", \"thinking\": false}", NULL},
		{"{\"a\": 123456789012345678901234567890}", NULL},
		{"{\"a\": tru}", "not JSON at character 7: neither a value nor a number"},
		{"{\"\xc3\xa9\": 1,}", "not JSON at character 9: a key in quotes was expected"},
		{"{\"a\": 1", "not JSON at character 8: ',' or '}' was expected"},
		{"{a: 1}", "not JSON at character 2: a key in quotes was expected"},
		{"{'a': 1}", "not JSON at character 2: a key in quotes was expected"},
		{"{\"a\": \"b}", "not JSON at character 10: a string without an end"},
		{"{\"a\": 1} b", "not JSON at character 10: neither a value nor a number"},
		{"{} {}", "text behind the object"},
		{"[]", "expected an object, as in {\"enable_thinking\": false}"},
		{"1", "expected an object, as in {\"enable_thinking\": false}"},
		{"enable_thinking=false", "not JSON at character 1: neither a value nor a number"},
		{"{\"a\": 1e999}", "the number 1e999 is too large"},
		{"{\"\": 1}", "a name that is empty, or has a zero byte"},
		{"{\"a\\u0000b\": 1}", "a name that is empty, or has a zero byte"},
		{"{\"messages\": []}", "messages is the conversation's, and cannot be set"},
		{"{\"add_generation_prompt\": false}", "add_generation_prompt is the conversation's, and cannot be set"},
		{"{\"enable_thinking\": \"false\"}", "enable_thinking: expected true or false"},
		{"{\"thinking\": 0}", "thinking: expected true or false"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		enum status status = template_kwargs_check(rows[i].json, &err);

		cr_expect_eq(status, rows[i].text ? STATUS_USAGE : STATUS_OK, "%s: %s", rows[i].json, err.text);
		if (rows[i].text)
			cr_expect_str_eq(err.text, rows[i].text, "%s: %s", rows[i].json, err.text);
	}
}

/* Lists in lists: an error instead of a stack that is too small. */
Test(template_kwargs, depth_is_bounded)
{
	static const size_t depths[] = {60, 70, 1000, 2000, 100000};

	for (size_t i = 0; i < sizeof depths / sizeof depths[0]; i++) {
		size_t n = depths[i];
		char *json = malloc(2 * n + 8);

		memcpy(json, "{\"a\":", 5);
		memset(json + 5, '[', n);
		memset(json + 5 + n, ']', n);
		memcpy(json + 5 + 2 * n, "}", 2);
		cr_expect_eq(template_kwargs_check(json, &err), n > 63 ? STATUS_USAGE : STATUS_OK, "%zu: %s", n, err.text);
		free(json);
	}
}

#define SHOWS \
	"{% for m in messages %}{{ m.content }}{% endfor %}" \
	"|{{ enable_thinking }}|{{ thinking }}|{{ reasoning_effort }}|{{ bos_token }}|{{ x|default(none)|tojson }}"

/* They win over the options, and what the options are for follows them. */
Test(template_kwargs, are_variables_of_any_template)
{
	static const struct test_key keys[] = {{"tokenizer.chat_template", SHOWS, 0}, {NULL, NULL, 0}};
	static const struct {
		const char *kwargs;
		enum reasoning_mode mode;
		enum effort effort;
		const char *text;
		enum reasoning_mode then;
	} rows[] = {
		{NULL, REASONING_AUTO, EFFORT_AUTO, "hi||||<s>|null", REASONING_AUTO},
		{"", REASONING_ON, EFFORT_LOW, "hi|True|True|low|<s>|null", REASONING_ON},
		{"{\"x\": [1, -2.5e3, null, {\"b\": \"\xc3\xa9\"}, true]}", REASONING_OFF, EFFORT_AUTO,
		 "hi|False|False||<s>|[1, -2500.0, null, {\"b\": \"\xc3\xa9\"}, true]", REASONING_OFF},
		{"{\"enable_thinking\": false}", REASONING_ON, EFFORT_AUTO, "hi|False|False||<s>|null", REASONING_OFF},
		{"{\"thinking\": true}", REASONING_AUTO, EFFORT_AUTO, "hi|True|True||<s>|null", REASONING_ON},
		{"{\"enable_thinking\": true, \"thinking\": false}", REASONING_AUTO, EFFORT_AUTO,
		 "hi|True|False||<s>|null", REASONING_OFF},
		{"{\"reasoning_effort\": \"none\", \"bos_token\": \"\"}", REASONING_AUTO, EFFORT_HIGH,
		 "hi|||none||null", REASONING_AUTO},
		{"{\"x\": 1, \"x\": 2}", REASONING_AUTO, EFFORT_AUTO, "hi||||<s>|2", REASONING_AUTO},
	};
	struct message message = test_message(ROLE_USER, "hi");
	struct engine_params params = engine_params_default();
	struct sampler_params sampler = sampler_params_default();
	const bool keep[] = {true};
	struct test_model model = {.gguf = NULL};

	test_model_open(&model, &test_spm, keys);
	test_model_choose(&model, NULL);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct turn turn;
		struct prompt out;

		params.reasoning = (int)rows[i].mode;
		params.effort = (int)rows[i].effort;
		params.template_kwargs = (char *)rows[i].kwargs;
		turn = chat_turn_of(&params, &sampler);
		turn.messages = &message;
		turn.n_messages = 1;
		cr_expect_eq(turn.reasoning.mode, rows[i].then, "row %zu", i);
		cr_assert_eq(prompt_render(&out, model.tmpl, &turn, keep, &err), STATUS_OK, "%s", err.text);
		cr_expect_str_eq(out.text, rows[i].text, "row %zu: %s", i, out.text);
		prompt_free(&out);
	}
	test_model_close(&model);
}

/* One that always opens the reasoning is closed at once, as with --reasoning off; built-in ones, too. */
Test(template_kwargs, do_what_the_options_do)
{
	static const char *const names[] = {"qwen3", "deepseek3", "glm4.5", "gpt-oss", "granite"};
	static const struct {
		const char *kwargs;
		enum reasoning_mode mode;
		enum effort effort;
	} rows[] = {
		{"{\"enable_thinking\": false}", REASONING_OFF, EFFORT_AUTO},
		{"{\"enable_thinking\": true}", REASONING_ON, EFFORT_AUTO},
		{"{\"reasoning_effort\": \"high\"}", REASONING_AUTO, EFFORT_HIGH},
	};
	struct message message = test_message(ROLE_USER, "hi");
	const bool keep[] = {true};
	struct test_model model = {.gguf = NULL};
	size_t n_differ = 0;

	test_model_open(&model, &test_bpe, NULL);
	for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
		test_model_choose(&model, names[n]);
		for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
			struct engine_params plain = engine_params_default(), asked = plain, given = plain;
			struct sampler_params sampler = sampler_params_default();
			struct prompt texts[3];
			struct turn turns[3];

			asked.reasoning = (int)rows[i].mode;
			asked.effort = (int)rows[i].effort;
			given.template_kwargs = (char *)rows[i].kwargs;
			turns[0] = chat_turn_of(&plain, &sampler);
			turns[1] = chat_turn_of(&asked, &sampler);
			turns[2] = chat_turn_of(&given, &sampler);
			for (size_t t = 0; t < 3; t++) {
				turns[t].messages = &message;
				turns[t].n_messages = 1;
				cr_assert_eq(prompt_render(&texts[t], model.tmpl, &turns[t], keep, &err), STATUS_OK, "%s", err.text);
			}
			cr_expect_str_eq(texts[2].text, texts[1].text, "%s, %s", names[n], rows[i].kwargs);
			n_differ += strcmp(texts[0].text, texts[1].text) != 0;
			for (size_t t = 0; t < 3; t++)
				prompt_free(&texts[t]);
		}
	}
	cr_expect_geq(n_differ, 3);
	test_model_close(&model);
}
