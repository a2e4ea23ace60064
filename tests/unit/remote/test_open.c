#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "remote/dialect.h"
#include "remote/remote.h"

#include "fake_http.h"

/* A file of servers, whose path the caller unlinks and frees. */
static char *write_servers(const char *text)
{
	char *path = strdup("/tmp/sotto-servers-XXXXXX");
	int fd = mkstemp(path);

	cr_assert(fd >= 0);
	cr_assert_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	return path;
}

static bool never(void *ctx)
{
	(void)ctx;
	return false;
}

static enum status drop(void *ctx, const struct event *event, struct error *err)
{
	(void)ctx;
	(void)event;
	(void)err;
	return STATUS_OK;
}

/* The last text of what was waited for, [200]. */
static enum status keep_waiting(void *ctx, const struct event *event, struct error *err)
{
	(void)err;
	if (event->kind == EVENT_WAITING)
		snprintf(ctx, 200, "%s", event->u.waiting.text);
	return STATUS_OK;
}

static enum status open_with(const char *servers, char *model, const struct fake_answer *answers, size_t n,
                             int32_t n_ctx, struct model_info *info, struct error *err)
{
	const struct backend_host host = {.cancelled = never, .event = drop};
	char *path = write_servers(servers);
	const struct engine_params params = {.model = model, .servers = path, .n_ctx = n_ctx};
	struct backend *backend = NULL;
	enum status status;

	fake_http_begin(answers, n);
	status = remote_backend.open(&backend, &params, &host, info, err);
	if (!status)
		remote_backend.close(backend);
	cr_assert_eq(fake_http_calls(), n, "%s", status ? err->text : "");
	unlink(path);
	free(path);
	return status;
}

#define LIST "{\"data\":[{\"id\":\"a\",\"max_model_len\":8192},{\"id\":\"vendor/b\"}]}"
#define BOX "box:\n  url: http://127.0.0.1:9\n  dialect: openai\n"

#define FILES "{\"data\":[{\"id\":\"/models/a.gguf\"}]}"

static const struct fake_answer list = {.code = 200, .body = LIST};

Test(open, takes_the_first_model_or_the_one_that_is_named)
{
	char first[] = "server:box", second[] = "server:box/vendor/b";
	struct model_info info = {.n_ctx = 0};
	struct error err;

	cr_assert_eq(open_with(BOX, first, &list, 1, 0, &info, &err), STATUS_OK, "%s", err.text);
	cr_assert_str_eq(info.name, "a");
	cr_assert_eq(info.n_ctx, 8192);
	cr_assert_str_eq(info.identity.server, "box");
	cr_assert_str_eq(info.identity.model, "a");
	cr_assert_str_eq(info.identity.dialect, "openai");
	cr_assert_eq(strlen(info.identity.file), 16);
	cr_assert_neq(info.n_idle, 0);
	cr_assert_eq(open_with(BOX, second, &list, 1, 0, &info, &err), STATUS_OK, "%s", err.text);
	cr_assert_str_eq(info.name, "vendor/b");
	cr_assert_eq(info.n_ctx, 0);
}

Test(open, takes_a_file_by_the_name_that_is_shown)
{
	static const struct fake_answer files = {.code = 200, .body = FILES};
	char model[] = "server:box/a.gguf";
	struct model_info info = {.n_ctx = 0};
	struct error err;

	cr_assert_eq(open_with(BOX, model, &files, 1, 0, &info, &err), STATUS_OK, "%s", err.text);
	cr_assert_str_eq(info.identity.model, "/models/a.gguf");
}

Test(open, takes_a_smaller_context_where_one_is_wanted)
{
	char model[] = "server:box";
	struct model_info info = {.n_ctx = 0};
	struct error err;

	cr_assert_eq(open_with(BOX, model, &list, 1, 2048, &info, &err), STATUS_OK);
	cr_assert_eq(info.n_ctx, 2048);
	cr_assert_eq(open_with(BOX, model, &list, 1, 100000, &info, &err), STATUS_OK);
	cr_assert_eq(info.n_ctx, 8192);
	cr_assert_eq(open_with(BOX "  models:\n    a: {context: 4096}\n", model, &list, 1, 0, &info, &err), STATUS_OK);
	cr_assert_eq(info.n_ctx, 4096);
}

Test(open, says_what_it_waits_for)
{
	static const struct fake_answer late = {.code = 200, .body = LIST, .waits_ms = 3000};
	char waited[200] = "", model[] = "server:box";
	const struct backend_host host = {.ctx = waited, .cancelled = never, .event = keep_waiting};
	char *path = write_servers(BOX);
	const struct engine_params params = {.model = model, .servers = path};
	struct backend *backend = NULL;
	struct model_info info = {.n_ctx = 0};
	struct error err;

	fake_http_begin(&late, 1);
	cr_assert_eq(remote_backend.open(&backend, &params, &host, &info, &err), STATUS_OK, "%s", err.text);
	remote_backend.close(backend);
	cr_assert_str_eq(waited, "waiting for box: no answer yet (3 s)");
	unlink(path);
	free(path);
}

Test(open, says_what_is_wrong)
{
	static const struct {
		const char *servers, *model;
		struct fake_answer answer;
		size_t n;
		enum status status;
		const char *text;
	} cases[] = {
		{BOX, "server:box/c", {.code = 200, .body = LIST}, 1, STATUS_NOTFOUND,
		 "box: there is no model 'c'; it has: a, vendor/b"},
		{BOX, "server:box/c", {.code = 200, .body = FILES}, 1, STATUS_NOTFOUND,
		 "box: there is no model 'c'; it has: a.gguf"},
		{BOX, "server:box", {.code = 404, .body = "{\"error\":{\"message\":\"File Not Found\"}}"}, 1, STATUS_CONFIG,
		 "box: http://127.0.0.1:9 answers, but has no list of models there (404): check its url in servers.yaml, which ends "
		 "where /v1 begins"},
		{BOX, "server:box", {.code = 0, .trouble = HTTP_REFUSED}, 1, STATUS_IO, "box: the line is bad"},
		{BOX, "server:box", {.code = 401, .body = "{}"}, 1, STATUS_DECLINED,
		 "box: the server wants a key (401): give it one by key-env or key-command in servers.yaml"},
		{BOX, "server:bix", {.code = 0}, 0, STATUS_NOTFOUND, NULL},
		{"box:\n  url: http://127.0.0.1:9\n  dialect: nonsense\n", "server:box", {.code = 0}, 0, STATUS_CONFIG,
		 "box: servers.yaml names the dialect 'nonsense': expected llama-server, vllm, sglang, ollama or openai"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct model_info info = {.n_ctx = 0};
		struct error err;
		char *model = strdup(cases[i].model);

		cr_assert_eq(open_with(cases[i].servers, model, &cases[i].answer, cases[i].n, 0, &info, &err), cases[i].status,
		             "%s", err.text);
		if (cases[i].text)
			cr_assert_str_eq(err.text, cases[i].text);
		free(model);
	}
}

Test(open, does_not_mind_that_another_server_is_wrong)
{
	char model[] = "server:box", wrong[] = "server:other";
	struct model_info info = {.n_ctx = 0};
	struct error err;

	cr_assert_eq(open_with(BOX "other:\n  url: gopher://x\n", model, &list, 1, 0, &info, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(open_with(BOX "other:\n  url: gopher://x\n", wrong, NULL, 0, 0, &info, &err), STATUS_CONFIG, "%s", err.text);
}

Test(open, checks_without_asking)
{
	char model[] = "server:box/anything", none[] = "server:none";
	char *path = write_servers(BOX);
	struct engine_params params = {.model = model, .servers = path};

	fake_http_begin(NULL, 0);
	cr_assert_eq(remote_backend.check(&params, NULL), STATUS_OK);
	params.model = none;
	cr_assert_eq(remote_backend.check(&params, NULL), STATUS_NOTFOUND);
	cr_assert_eq(fake_http_calls(), 0);
	unlink(path);
	free(path);
}
