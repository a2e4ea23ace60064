#include <criterion/criterion.h>
#include <string.h>

#include "remote/call.h"
#include "remote/probe.h"
#include "served.h"
#include "support/server/server.h"

/* Finds out what a server speaks; the name of its dialect, or NULL with an error. */
static const char *probe(struct test_server *server, struct error *err)
{
	const char *file = served_file("box: {url: \"%s/v1/\"}\n", test_server_url(server));
	const struct dialect *dialect = NULL;
	struct servers servers;
	struct remote remote;
	enum status status;

	cr_assert_eq(servers_read(&servers, file, NULL, err), STATUS_OK, "%s", err->text);
	served_file_remove();
	status = remote_connect(&remote, &servers.items[0], NULL, NULL, err);
	if (!status)
		status = remote_probe(&remote, &dialect, err);
	remote_disconnect(&remote);
	servers_free(&servers);
	return status ? NULL : dialect->name;
}

Test(probe, two_gets_at_most_and_then_none)
{
	static const char *const rows[][2] = {
		{"dialect=llama-server", "llama-server"},
		{"dialect=llama-server,router=1", "llama-server"},
		{"dialect=vllm", "vllm"},
		{"dialect=sglang", "sglang"},
		{"dialect=ollama", "ollama"},
		{"dialect=openai", "openai"},
		{"dialect=lmstudio", "openai"},
		{"dialect=tabby", "openai"},
		{"dialect=kobold", "openai"},
		{"dialect=hosted", "openai"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct test_server *server =
			test_server_start(&(struct server_options){.spec = rows[i][0]});
		struct error err;
		const char *name = probe(server, &err);
		size_t n = test_server_n_requests(server, NULL);

		cr_assert(name && strcmp(name, rows[i][1]) == 0, "%s: %s", rows[i][0],
		          name ? name : err.text);
		cr_assert_leq(n, 2, "%s: %zu requests", rows[i][0], n);
		for (size_t k = 0; k < n; k++)
			cr_assert_str_eq(test_server_request(server, NULL, k)->method, "GET");
		name = probe(server, &err);
		cr_assert(name && strcmp(name, rows[i][1]) == 0);
		cr_assert_eq(test_server_n_requests(server, NULL), n, "%s: it is known",
		             rows[i][0]);
		test_server_stop(server);
	}
}

Test(probe, a_server_that_loads_is_known_by_its_name)
{
	static const struct server_act loading = {
		.path = "/v1/models",
		.code = 503,
		.headers = "Server: llama.cpp\n",
		.body = "{\"error\":{\"message\":\"Loading model\"}}"};
	struct test_server *server = test_server_start(
		&(struct server_options){.spec = "dialect=openai", .acts = &loading, .n_acts = 1});
	struct error err;
	const char *name = probe(server, &err);

	cr_assert(name && strcmp(name, "llama-server") == 0, "%s", name ? name : err.text);
	test_server_stop(server);
}

Test(probe, a_key_is_asked_for_and_nothing_more)
{
	struct test_server *server =
		test_server_start(&(struct server_options){.spec = "dialect=vllm,keys=1"});
	struct error err;

	cr_assert_null(probe(server, &err));
	cr_assert_eq(err.status, STATUS_DECLINED);
	cr_assert_eq(test_server_n_requests(server, NULL), 1);
	test_server_stop(server);
}

/* A port of something else. */
Test(probe, what_does_not_speak_http)
{
	struct test_server *server = test_server_start(
		&(struct server_options){.raw = true, .greeting = "SSH-2.0-OpenSSH_9.2\r\n"});
	struct error err;

	cr_assert_null(probe(server, &err));
	cr_assert_not_null(strstr(err.text, "SSH"), "%s", err.text);
	cr_assert_eq(strncmp(err.text, "box: ", 5), 0, "%s", err.text);
	test_server_stop(server);
}

Test(probe, what_an_answer_is)
{
	cr_assert_str_eq(probe_describe("text/html", "hello", 5), "a web page");
	cr_assert_str_eq(probe_describe("", " \n<!doctype html>", 17), "a web page");
	cr_assert_str_eq(probe_describe("", "", 0), "an empty answer");
	cr_assert_str_eq(probe_describe("application/json", "{}", 2),
	                 "JSON without a list of models");
	cr_assert_str_eq(probe_describe("text/plain", "Ollama is running", 17),
	                 "text that is not JSON");
}
