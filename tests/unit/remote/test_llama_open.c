/* Opening a llama-server's model: what it says, what it lacks, and what loads nothing. */
#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "remote/remote.h"

#include "fake_http.h"

#define MODELS "{\"data\":[{\"id\":\"small\",\"owned_by\":\"llamacpp\",\"meta\":{\"n_vocab\":320,\"n_ctx_train\":9000,\"n_ctx\":5000}}]}"
#define PROPS(more)                                                                                                 \
	"{\"default_generation_settings\":{\"n_ctx\":4096},\"chat_template\":\"{{ messages[0].content }}\"," more       \
	"\"bos_token\":\"<s>\",\"eos_token\":\"</s>\"}"
#define SAYS(text) {.code = 200, .body = text}
#define REFUSES(number, text) {.code = number, .body = "{\"error\":{\"code\":" #number ",\"message\":\"" text "\"}}"}

static struct model_info info;
static struct error err;

static bool never(void *ctx)
{
	(void)ctx;
	return false;
}

static enum status drop(void *ctx, const struct event *event, struct error *error)
{
	(void)ctx;
	(void)event;
	(void)error;
	return STATUS_OK;
}

static enum status open_box(const struct fake_answer *answers, size_t n)
{
	static const char text[] = "box:\n  url: http://127.0.0.1:9\n  dialect: llama-server\n";
	char path[] = "/tmp/sotto-servers-XXXXXX", model[] = "server:box/small";
	const struct backend_host host = {.cancelled = never, .event = drop};
	const struct engine_params params = {.model = model, .servers = path};
	struct backend *backend = NULL;
	int fd = mkstemp(path);
	enum status status;

	cr_assert(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
	fake_http_begin(answers, n);
	info = (struct model_info){.n_ctx = 0};
	status = remote_backend.open(&backend, &params, &host, &info, &err);
	if (!status)
		remote_backend.close(backend);
	unlink(path);
	cr_assert_eq(fake_http_calls(), n, "%zu calls: %s", fake_http_calls(), status ? err.text : "");
	return status;
}
#define OPEN(answers) open_box(answers, sizeof(answers) / sizeof (answers)[0])

/* Messages are sent, and a note says why. */
static void expect_chat(const char *why)
{
	cr_expect_not(info.capabilities & CAPABILITY_IDS);
	cr_expect_not(info.capabilities & CAPABILITY_COUNTS);
	cr_assert_eq(info.n_notes, 1);
	cr_expect(strstr(info.notes[0].text, why), "%s", info.notes[0].text);
}

Test(llama_open, an_older_one_gets_messages)
{
	const struct fake_answer answers[] = {SAYS(MODELS), REFUSES(404, "File Not Found"), SAYS(MODELS)};

	cr_assert_eq(OPEN(answers), STATUS_OK, "%s", err.text);
	cr_expect_str_eq(fake_http_path(1), "/props");
	expect_chat("it is an older one");
	cr_expect_eq(info.n_ctx, 5000);
}

Test(llama_open, without_tokenize_it_gets_messages)
{
	const struct fake_answer answers[] = {SAYS(MODELS), SAYS(PROPS("")), SAYS(MODELS), REFUSES(404, "File Not Found")};

	cr_assert_eq(OPEN(answers), STATUS_OK, "%s", err.text);
	cr_expect_str_eq(fake_http_path(3), "/tokenize");
	expect_chat("404");
	cr_expect_eq(info.n_ctx, 4096);
}

Test(llama_open, whose_tokens_stand_for_nothing_gets_messages)
{
	const struct fake_answer answers[] = {
		SAYS(MODELS), SAYS(PROPS("")), SAYS(MODELS), SAYS("{\"tokens\":[2]}"), SAYS("{\"tokens\":[5,6]}"),
		SAYS("{\"tokens\":[10,2,11]}"), SAYS("{\"tokens\":[10]}"), SAYS("{\"tokens\":[11]}")};

	cr_assert_eq(OPEN(answers), STATUS_OK, "%s", err.text);
	expect_chat("does not say what tokens stand for");
}

Test(llama_open, a_sleeping_one_is_not_woken)
{
	const struct fake_answer answers[] = {SAYS(MODELS), SAYS(PROPS("\"is_sleeping\":true,"))};

	cr_assert_eq(OPEN(answers), STATUS_OK, "%s", err.text);
	cr_expect_not(info.capabilities & CAPABILITY_IDS);
	cr_expect_eq(info.n_notes, 0);
	cr_expect_eq(info.n_ctx, 4096);
}

Test(llama_open, a_router_does_not_load_its_model)
{
	const struct fake_answer answers[] = {
		SAYS("{\"data\":[{\"id\":\"small\",\"status\":{\"value\":\"unloaded\"}}]}"),
		SAYS("{\"role\":\"router\",\"default_generation_settings\":{\"n_ctx\":0}}"), REFUSES(400, "model is not loaded")};

	cr_assert_eq(OPEN(answers), STATUS_OK, "%s", err.text);
	cr_expect_str_eq(fake_http_path(2), "/props?model=small&autoload=false");
	cr_expect_eq(info.n_ctx, 0);
	cr_expect_not(info.capabilities & CAPABILITY_IDS);
}

Test(llama_open, a_wrong_key_is_found_out)
{
	const struct fake_answer answers[] = {SAYS(MODELS), REFUSES(401, "Invalid API Key")};

	cr_expect_eq(OPEN(answers), STATUS_DECLINED, "%s", err.text);
	cr_expect(strstr(err.text, "box"), "%s", err.text);
}

Test(llama_open, a_broken_line_is_no_older_one)
{
	const struct fake_answer answers[] = {SAYS(MODELS), SAYS(PROPS("")), SAYS(MODELS), {.code = 0, .trouble = HTTP_REFUSED}};

	cr_expect_eq(OPEN(answers), STATUS_IO, "%s", err.text);
}
