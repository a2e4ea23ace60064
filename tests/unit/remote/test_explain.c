#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "remote/lister.h"
#include "served.h"
#include "support/server/server.h"

/* What is said of a server that plays the specification; the caller frees it. */
static enum status explain(const char *spec, const struct server_act *act, const char *yaml,
                           const char *name, struct buf *out)
{
	struct test_server *server = test_server_start(
		&(struct server_options){.spec = spec, .acts = act, .n_acts = act ? 1 : 0});
	const char *file = served_file("box:\n  url: %s\n%s", test_server_url(server), yaml);
	struct error err;
	enum status status;

	*out = (struct buf){.max = KIB(64)};
	status = remote_explain(file, name, out, NULL, NULL, &err);
	if (getenv("EXPLAIN_SHOW"))
		fprintf(stderr, "---- %s\n%s", spec, buf_text(out));
	served_file_remove();
	test_server_stop(server);
	return status;
}

Test(explain, each_dialect)
{
	static const struct {
		const char *spec, *says[8];
	} rows[] = {
		{"dialect=ollama,mode=think,n_ctx=4096",
	         {"box is 127.0.0.1:", "on this machine", "without a key",
	          "Its dialect is ollama, that of Ollama, which was found out",
	          "toy:latest, loaded, context of 4096 tokens", "It is sent messages",
	          "Tokens are estimated, and shown with ~", "because this kind of server has no such setting:"}},
		{"dialect=vllm",
	         {"Its dialect is vllm", "toy, loaded, context of 4096 tokens",
	          "Thinking can be switched"}},
		{"dialect=sglang",
	         {"Its dialect is sglang", "A reply that was cut can be continued"}},
		{"dialect=lmstudio",
	         {"Its dialect is openai", "idle, not loaded, context of 8192 tokens"}},
		{"dialect=hosted",
	         {"Its dialect is openai", "$0.40 in and $1.20 out for a million tokens"}},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct buf out;

		cr_assert_eq(explain(rows[i].spec, NULL, "", "box", &out), STATUS_OK, "%s: %s",
		             rows[i].spec, buf_text(&out));
		for (size_t k = 0; k < 8 && rows[i].says[k]; k++)
			cr_assert_not_null(strstr(buf_text(&out), rows[i].says[k]),
			                   "%s: '%s' is not in:\n%s", rows[i].spec, rows[i].says[k],
			                   buf_text(&out));
		buf_free(&out);
	}
}

Test(explain, nothing_of_a_model_that_would_have_to_be_loaded)
{
	struct buf out;

	cr_assert_eq(explain("dialect=llama-server,router=1", NULL, "", "box/beta", &out), STATUS_OK, "%s", buf_text(&out));
	cr_assert_not_null(strstr(buf_text(&out), "It is not loaded: what it can do is known once it is"), "%s",
	                   buf_text(&out));
	cr_assert_null(strstr(buf_text(&out), "It is sent messages"), "%s", buf_text(&out));
	buf_free(&out);
	cr_assert_eq(explain("dialect=llama-server,router=1", NULL, "", "box/alpha", &out), STATUS_OK, "%s", buf_text(&out));
	cr_assert_not_null(strstr(buf_text(&out), "token by token"), "%s", buf_text(&out));
	buf_free(&out);
}

/* The list ends at its limit, and is not said to be all that there is. */
Test(explain, more_models_than_are_listed)
{
	for (int more = 0; more < 2; more++) {
		struct server_act act = {.path = "/v1/models"};
		struct buf list = {.max = MIB(1)}, out;

		buf_puts(&list, "{\"object\":\"list\",\"data\":[{\"id\":\"m\"}");
		for (size_t i = 1; i < LIMIT_LISTED_MODELS + (size_t)more; i++)
			buf_printf(&list, ",{\"id\":\"m%zu\"}", i);
		buf_puts(&list, "]}");
		act.body = buf_text(&list);
		cr_assert_eq(explain("dialect=openai", &act, "", "box/m", &out), STATUS_OK, "%s", buf_text(&out));
		cr_assert_not_null(strstr(buf_text(&out), more ? "It has more than 10000 models:" : "It has 10000 models:"),
		                   "%.300s", buf_text(&out));
		buf_free(&list);
		buf_free(&out);
	}
}

Test(explain, what_is_wrong_is_the_last_line)
{
	static const struct server_act page = {
		.path = "/v1/models", .type = "text/html", .body = "<html></html>"};
	struct buf out;

	cr_assert_eq(explain("dialect=openai", &page, "", "box", &out), STATUS_CONFIG);
	cr_assert_not_null(strstr(buf_text(&out), "there is a web page"), "%s", buf_text(&out));
	cr_assert_eq(out.data[out.len - 1], '\n');
	buf_free(&out);
	cr_assert_eq(explain("dialect=vllm", NULL, "", "box/nope", &out), STATUS_NOTFOUND);
	cr_assert_not_null(strstr(buf_text(&out), "there is no model 'nope'; it has: toy"), "%s",
	                   buf_text(&out));
	buf_free(&out);
	cr_assert_eq(explain("dialect=vllm", NULL, "", "bax", &out), STATUS_NOTFOUND);
	cr_assert_not_null(strstr(buf_text(&out), "box"), "%s", buf_text(&out));
	buf_free(&out);
	cr_assert_eq(explain("dialect=openai,keys=1", NULL, "", "box", &out), STATUS_DECLINED);
	cr_assert_not_null(strstr(buf_text(&out), "key"), "%s", buf_text(&out));
	buf_free(&out);
}

Test(explain, what_a_server_says_makes_no_line_of_its_own)
{
	static const struct server_act props = {
		.path = "/props",
		.body = "{\"default_generation_settings\":{\"n_ctx\":4096},\"chat_template\":"
		        "\"{{ raise_exception('bad\\n\\nIt is here.\\n') }}\"}"};
	struct buf out;

	cr_assert_eq(explain("dialect=llama-server", &props, "", "box", &out), STATUS_OK, "%s", buf_text(&out));
	cr_assert_not_null(strstr(buf_text(&out), "(bad  It is here. )"), "%s", buf_text(&out));
	buf_free(&out);
}
