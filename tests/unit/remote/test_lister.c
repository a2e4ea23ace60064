#include <criterion/criterion.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "remote/lister.h"
#include "remote/offers.h"
#include "served.h"
#include "support/server/server.h"

static struct test_server *play(const char *spec)
{
	struct test_server *server = test_server_start(&(struct server_options){.spec = spec});

	cr_assert_not_null(server);
	return server;
}

static struct remote_list *list(const char *file, const char *name)
{
	struct remote_list *out;
	struct error err;

	cr_assert_eq(remote_list_ask(&out, file, name, false, NULL, NULL, &err), STATUS_OK, "%s",
	             err.text);
	return out;
}

static const struct remote_model *find(const struct remote_list *all, const char *path)
{
	for (size_t i = 0; i < all->n; i++)
		if (strcmp(all->items[i].path, path) == 0)
			return &all->items[i];
	cr_assert_fail("%s is not listed", path);
	return NULL;
}

/* Each kind of server: what its first model is said to be. */
Test(lister, models_of_all_servers_at_once)
{
	static const struct {
		const char *spec, *title, *id;
		uint32_t n_ctx;
		enum remote_state state;
	} rows[] = {
		{"dialect=vllm,n_ctx=5000", "vLLM", "toy", 5000, REMOTE_LOADED},
		{"dialect=sglang,n_ctx=6000", "SGLang", "toy", 6000, REMOTE_LOADED},
		{"dialect=ollama,n_ctx=7000", "Ollama", "toy:latest", 7000, REMOTE_LOADED},
		{"dialect=lmstudio,n_ctx=8000", "LM Studio", "toy", 8000, REMOTE_LOADED},
		{"dialect=tabby,n_ctx=9000", "TabbyAPI", "toy", 9000, REMOTE_LOADED},
		{"dialect=kobold,n_ctx=4000", "KoboldCpp", "toy", 4000, REMOTE_LOADED},
	};
	enum { N = sizeof rows / sizeof rows[0] };
	struct test_server *servers[N];
	const char *file;
	struct remote_list *all;

	for (size_t i = 0; i < N; i++)
		servers[i] = play(rows[i].spec);
	file = served_file(
		"s0: {url: \"%s\"}\ns1: {url: \"%s\"}\ns2: {url: \"%s\"}\ns3: {url: \"%s\"}\n"
		"s4: {url: \"%s\"}\ns5: {url: \"%s\"}\n",
		test_server_url(servers[0]), test_server_url(servers[1]),
		test_server_url(servers[2]), test_server_url(servers[3]),
		test_server_url(servers[4]), test_server_url(servers[5]));
	all = list(file, NULL);
	cr_assert_eq(all->n_servers, N);
	for (size_t i = 0; i < N; i++) {
		char path[64];
		const struct remote_model *model;

		snprintf(path, sizeof path, "server:s%zu/%s", i, rows[i].id);
		model = find(all, path);
		cr_assert_str_eq(model->title, rows[i].title);
		cr_assert_eq(model->n_ctx, rows[i].n_ctx, "%s: %u", path, model->n_ctx);
		cr_assert_eq(model->state, rows[i].state, "%s", path);
		cr_assert_eq(strncmp(model->where, "127.0.0.1:", 10), 0, "%s", model->where);
	}
	cr_assert_eq(find(all, "server:s3/idle")->state, REMOTE_IDLE);
	cr_assert_str_eq(find(all, "server:s2/cloud:latest")->where, "ollama.com");
	remote_list_free(all);
	for (size_t i = 0; i < N; i++)
		test_server_stop(servers[i]);
	served_file_remove();
}

/* Only to be listed, a model is never loaded: no request is a POST. */
Test(lister, asks_for_lists_alone)
{
	static const char *const specs[] = {"dialect=llama-server,router=1", "dialect=ollama",
	                                    "dialect=vllm", "dialect=lmstudio", "dialect=openai"};

	for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
		struct test_server *server = play(specs[i]);
		const char *file = served_file("box: {url: \"%s/v1\"}\n", test_server_url(server));

		remote_list_free(list(file, "box"));
		cr_assert_gt(test_server_n_requests(server, NULL), 0);
		for (size_t n = 0; n < test_server_n_requests(server, NULL); n++)
			cr_assert_str_eq(test_server_request(server, NULL, n)->method, "GET", "%s",
			                 specs[i]);
		served_file_remove();
		test_server_stop(server);
	}
}

Test(lister, the_file_says_what_the_server_does_not)
{
	struct test_server *server = play("dialect=openai");
	const char *file = served_file("box:\n  url: %s\n  models:\n    toy: {context: 1234, "
	                               "price-in: 0.5, price-out: 2}\n"
	                               "    hidden: {context: 99}\n",
	                               test_server_url(server));
	struct remote_list *all = list(file, NULL);

	cr_assert_eq(find(all, "server:box/toy")->n_ctx, 1234);
	cr_assert_float_eq(find(all, "server:box/toy")->price_in, 0.5, 1e-9);
	cr_assert_float_eq(find(all, "server:box/toy")->price_out, 2, 1e-9);
	cr_assert_eq(find(all, "server:box/hidden")->n_ctx, 99);
	cr_assert_eq(find(all, "server:box/hidden")->state, REMOTE_UNKNOWN);
	remote_list_free(all);
	served_file_remove();
	test_server_stop(server);
}

/* What answers there instead of a server for models. */
Test(lister, says_what_to_do)
{
	static const struct {
		struct server_act act;
		const char *says;
		enum status status;
	} rows[] = {
		{{.path = "/v1/models", .type = "text/html", .body = "<html>hi</html>"},
	         "a web page",
	         STATUS_CONFIG},
		{{.path = "/v1/models", .body = "{\"name\":\"printer\"}"},
	         "JSON without a list of models",
	         STATUS_CONFIG},
		{{.path = "/v1/models", .type = "text/plain", .body = "hello"},
	         "text that is not JSON",
	         STATUS_CONFIG},
		{{.path = "/v1/models", .code = 404, .body = "{}"},
	         "has no /v1/models (404)",
	         STATUS_CONFIG},
		{{.path = "/v1/models",
	          .code = 400,
	          .type = "text/plain",
	          .body = "Client sent an HTTP request to an HTTPS server.\n"},
	         "https://",
	         STATUS_CONFIG},
		{{.path = "/v1/models",
	          .code = 401,
	          .body = "{\"error\":{\"message\":\"no key\"}}"},
	         "key",
	         STATUS_DECLINED},
		{{.path = "/v1/models", .body = "{\"object\":\"list\",\"data\":[]}"},
	         "no model",
	         STATUS_NOTFOUND},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct test_server *server = test_server_start(&(struct server_options){
			.spec = "dialect=openai", .acts = &rows[i].act, .n_acts = 1});
		const char *file = served_file("box: {url: \"%s\"}\n", test_server_url(server));
		struct remote_list *all = list(file, NULL);

		cr_assert_eq(all->n, 1);
		cr_assert_eq(all->items[0].state, REMOTE_FAILED);
		cr_assert_str_eq(all->items[0].id, "");
		cr_assert_str_eq(all->items[0].path, "server:box");
		cr_assert_eq(all->items[0].status, rows[i].status, "row %zu: %s", i,
		             all->items[0].why);
		cr_assert_not_null(strstr(all->items[0].why, rows[i].says), "row %zu: %s", i,
		                   all->items[0].why);
		cr_assert_eq(strncmp(all->items[0].why, "box: ", 5), 0, "%s", all->items[0].why);
		remote_list_free(all);
		served_file_remove();
		test_server_stop(server);
	}
}

Test(lister, a_server_that_is_not_there_does_not_hide_the_others)
{
	struct test_server *server = play("dialect=vllm"), *gone = play("dialect=vllm");
	const char *file = served_file("gone: {url: \"%s\"}\nbox: {url: \"%s\"}\n",
	                               test_server_url(gone), test_server_url(server));
	struct remote_list *all;
	struct lister lister = {.offers = false};
	struct error err;

	test_server_stop(gone);
	cr_assert_eq(lister_start(&lister, file, false, &err), STATUS_OK);
	cr_assert_eq(lister_start(&lister, file, false, &err), STATUS_BUSY);
	while (!job_is_over(&lister.job))
		(void)poll(&(struct pollfd){.fd = job_fd(&lister.job), .events = POLLIN}, 1, 1000);
	cr_assert_eq(lister_take(&lister, &all, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(all->n, 2);
	cr_assert_eq(all->items[0].state, REMOTE_FAILED);
	cr_assert_not_null(strstr(all->items[0].why, "nothing listens"), "%s", all->items[0].why);
	cr_assert_str_eq(all->items[1].path, "server:box/toy");
	remote_list_free(all);
	lister_end(&lister);
	served_file_remove();
	test_server_stop(server);
}

static bool no_more(void *ctx)
{
	(void)ctx;
	return true;
}

Test(lister, can_be_stopped)
{
	static const struct server_act act = {.path = "/v1/models", .busy = true, .body = "{}"};
	struct test_server *server = test_server_start(
		&(struct server_options){.spec = "dialect=openai", .acts = &act, .n_acts = 1});
	const char *file = served_file("box: {url: \"%s\"}\n", test_server_url(server));
	struct lister lister = {.offers = false};
	struct remote_list *all;
	struct error err;

	cr_assert_eq(remote_list_ask(&all, file, NULL, false, no_more, NULL, &err),
	             STATUS_CANCELLED);
	cr_assert_null(all);
	cr_assert_eq(lister_start(&lister, file, false, &err), STATUS_OK);
	lister_end(&lister);
	served_file_remove();
	test_server_stop(server);
}

static bool listens(uint16_t port)
{
	return port == 11434 || port == 8080 || port == 1234;
}

Test(offers, what_runs_here_and_is_not_configured)
{
	const char *file = served_file("ollama: {url: \"http://far.example:11434\"}\nmine: {url: "
	                               "\"http://localhost:8080/v1\"}\n");
	struct servers servers;
	struct remote_list all = {.n = 0};
	struct remote_list *copy;
	struct error err;

	cr_assert_eq(servers_read(&servers, file, NULL, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(offers_add(&all, &servers, "/home/u/servers.yaml", listens, &err), STATUS_OK);
	cr_assert_eq(all.n, 2);
	cr_assert_eq(all.items[0].state, REMOTE_OFFERED);
	cr_assert_str_eq(all.items[0].server, "ollama-2");
	cr_assert_str_eq(all.items[0].path, "server:ollama-2");
	cr_assert_str_eq(all.items[0].title, "Ollama");
	cr_assert_str_eq(all.items[0].id, "");
	cr_assert_not_null(strstr(all.items[0].why, "ollama-2: {url: \"http://127.0.0.1:11434\"}"),
	                   "%s", all.items[0].why);
	cr_assert_not_null(strstr(all.items[0].why, "/home/u/servers.yaml"));
	cr_assert_str_eq(all.items[1].title, "LM Studio");
	copy = malloc(sizeof *copy);
	cr_assert_not_null(copy);
	*copy = all;
	remote_list_free(copy);
	servers_free(&servers);
	served_file_remove();
}
