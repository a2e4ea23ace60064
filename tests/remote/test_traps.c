/* Runs the rows of traps_*.c against the test server, through the backend as `sotto run` uses it.
 *
 * usage: test_traps [PART OF A NAME ...] */
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "config/servers.h"
#include "base/option_value.h"
#include "engine/options.h"
#include "remote/remote.h"
#include "support/folder.h"
#include "remote/traps.h"

enum { SECONDS_A_ROW = 60 };

static const struct trap *const tables[] = {traps_framing, traps_delta, traps_end, traps_error, traps_before, traps_request,
                                            traps_place};
static const struct backend_ops *const others[] = {&remote_backend, NULL};

/* What came of a row. */
struct outcome {
	const struct trap *trap;
	struct sampler_params params;
	struct buf text, reasoning, waits;
	struct model_info info;
	struct backend_result result;
	enum status status;
	struct error err;
	unsigned n_begin, n_sent;
	size_t n_candidates; /* the most of any token */
	bool failed;
};

static char running[128]; /* the row's name, for the alarm */

static void give_up(int signal)
{
	static const char words[] = "FAIL: it hangs: ";

	(void)signal;
	if (write(STDOUT_FILENO, words, sizeof words - 1) < 0 || write(STDOUT_FILENO, running, strlen(running)) < 0)
		_exit(2);
	_exit(1);
}

PRINTF_LIKE(2, 3) static void fail(struct outcome *out, const char *format, ...)
{
	va_list args;

	if (!out->failed)
		printf("FAIL: %s\n", out->trap->name);
	out->failed = true;
	printf("      ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
}

static bool never(void *ctx)
{
	(void)ctx;
	return false;
}

static void get_params(void *ctx, uint32_t n, struct sampler_params *params)
{
	const struct outcome *out = ctx;

	(void)n;
	*params = out->params;
}

static void take_token(struct outcome *out, const struct token *token)
{
	struct buf *to = token->reasoning ? &out->reasoning : &out->text;

	if (token->recants) {
		buf_append(&out->reasoning, buf_text(&out->text), out->text.len);
		buf_clear(&out->text);
	}
	if (token->n_candidates > out->n_candidates)
		out->n_candidates = token->n_candidates;
	if (token->len)
		buf_append(to, token->bytes, token->len);
}

static enum status take(void *ctx, const struct event *event, struct error *err)
{
	struct outcome *out = ctx;

	(void)err;
	switch (event->kind) {
	case EVENT_TOKEN: take_token(out, &event->u.token); break;
	case EVENT_BEGIN: out->n_begin++; break;
	case EVENT_SENT: out->n_sent++; break;
	case EVENT_WAITING: buf_printf(&out->waits, "%s\n", event->u.waiting.text); break;
	case EVENT_LEARNT: out->info = *event->u.model; break;
	default: break;
	}
	return STATUS_OK;
}

/* "top-k=0 temp=0". */
static void set_samplers(struct sampler_params *params, const char *words)
{
	struct error err;

	if (option_take_words(sampler_options, sampler_n_options, params, words, strlen(words), &err)) {
		fprintf(stderr, "%s\n", err.text);
		exit(2);
	}
}

static void ask(struct outcome *out, struct backend *backend, const struct backend_host *host)
{
	const struct trap *trap = out->trap;
	const char *say = trap->say ? trap->say : "Hello", *begun = trap->begun ? trap->begun : "";
	const struct message messages[] = {{.role = ROLE_USER, .text = say, .len = strlen(say)},
	                                   {.role = ROLE_ASSISTANT, .text = begun, .len = strlen(begun)}};
	const struct turn turn = {.messages = messages, .n_messages = trap->begun ? 2 : 1, .continued = trap->begun != NULL,
	                          .sampler = out->params, .n_predict = trap->n_predict ? trap->n_predict : -1,
	                          .n_candidates = trap->n_candidates, .reasoning.mode = trap->reasoning,
	                          .stops = &trap->stop, .n_stops = trap->stop != NULL};

	out->status = backend_run(backend, &turn, BACKEND_REPLY, host, &out->result, &out->err);
	if (out->status)
		out->result.reason = DONE_ERROR;
}

static void put_yaml(struct buf *yaml, const char *lines, const char *folder)
{
	for (; lines && *lines; lines++)
		if (*lines == '@')
			buf_puts(yaml, folder);
		else
			buf_putc(yaml, *lines);
}

static void write_servers(const struct trap *trap, const struct test_server *server, const char *folder, const char *path)
{
	const char *url = test_server_url(server), *rest = strstr(url, "://");

	struct buf yaml = {.max = KIB(64)};
	const char *dialect = trap->dialect, *at = trap->spec ? strstr(trap->spec, "dialect=") : NULL;

	if (trap->scheme)
		buf_printf(&yaml, "box:\n  url: %s%s\n", trap->scheme, rest);
	else
		buf_printf(&yaml, "box:\n  url: %s\n", url);
	if (dialect && dialect[0])
		buf_printf(&yaml, "  dialect: %s\n", dialect);
	else if (!dialect)
		buf_printf(&yaml, "  dialect: %.*s\n", at ? (int)strcspn(at + 8, ",") : 6, at ? at + 8 : "openai");
	put_yaml(&yaml, trap->yaml, folder);
	write_text(path, yaml.data);
	buf_free(&yaml);
}

static void talk(struct outcome *out, const struct test_server *server, const char *folder)
{
	const struct backend_host host = {.ctx = out, .others = others, .cancelled = never, .params = get_params, .event = take};
	struct engine_params params = engine_params_default();
	struct backend *backend = NULL;
	char path[256], model[256];

	snprintf(path, sizeof path, "%s/servers.yaml", folder);
	snprintf(model, sizeof model, "server:box%s%s", out->trap->model ? "/" : "", out->trap->model ? out->trap->model : "");
	write_servers(out->trap, server, folder, path);
	params.model = model;
	params.servers = path;
	out->params = sampler_params_default();
	set_samplers(&out->params, out->trap->samplers ? out->trap->samplers : "");
	out->status = backend_open(&backend, &params, &host, &out->info, &out->err);
	out->result.reason = DONE_ERROR;
	if (!out->status)
		ask(out, backend, &host);
	backend_close(backend);
}

static void compare(struct outcome *out, const char *what, const struct buf *is, const char *wanted)
{
	/* The splitter may leave line ends about thoughts to either side. */
	const char *text = buf_text(is);

	if (wanted && strcmp(text, wanted) != 0)
		fail(out, "%s is \"%s\", wanted \"%s\"", what, text, wanted);
}

static void check_error(struct outcome *out)
{
	const struct trap *trap = out->trap;
	size_t len = strlen(out->err.text);

	if (!out->status) {
		if (trap->want.error)
			fail(out, "there is no error, but it ended with \"%s\"", done_reason_name(out->result.reason));
		return;
	}
	if (!trap->want.error)
		fail(out, "there is an error: %s", out->err.text);
	else if (!strstr(out->err.text, trap->want.error))
		fail(out, "the error is \"%s\", wanted \"%s\"", out->err.text, trap->want.error);
	if (trap->want.status && trap->want.status != out->status)
		fail(out, "the status is %d, wanted %d: %s", (int)out->status, (int)trap->want.status, out->err.text);
	if (!len || strchr(out->err.text, '\n'))
		fail(out, "the error's form: \"%s\"", out->err.text);
	if (strstr(out->err.text, SERVER_KEY))
		fail(out, "the key is in the error: %s", out->err.text);
}

static void check_number(struct outcome *out, const char *what, uint32_t is, uint32_t wanted)
{
	if (wanted && is != wanted)
		fail(out, "%s is %u, wanted %u", what, (unsigned)is, (unsigned)wanted);
}

static unsigned count_asked(struct test_server *server)
{
	static const char *const paths[] = {"/v1/chat/completions", "/v1/completions", "/completion", "/api/chat", "/api/generate"};
	size_t n = 0;

	for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
		n += test_server_n_requests(server, paths[i]);
	return (unsigned)n;
}

static bool request_has(const struct server_request *request, const char *text)
{
	return strstr(request->headers, text) || strstr(request->body, text);
}

static void check_requests(struct outcome *out, struct test_server *server)
{
	const struct trap *trap = out->trap;
	const struct server_request *request = test_server_asked(server);
	unsigned wanted = trap->want.requests ? trap->want.requests : 1, n = count_asked(server);

	if (wanted != UINT_MAX && n != wanted)
		fail(out, "%u requests for a reply, wanted %u", n, wanted);
	for (size_t i = 0; request && i < TRAP_WORDS; i++) {
		if (trap->want.sent[i] && !request_has(request, trap->want.sent[i]))
			fail(out, "not sent: %s\n      in %s", trap->want.sent[i], request->body);
		if (trap->want.not_sent[i] && request_has(request, trap->want.not_sent[i]))
			fail(out, "sent: %s\n      in %s", trap->want.not_sent[i], request->body);
	}
}

static void check(struct outcome *out, struct test_server *server)
{
	const struct trap *trap = out->trap;
	const struct turn_stats *stats = &out->result.stats;

	compare(out, "the text", &out->text, trap->want.text);
	compare(out, "the reasoning", &out->reasoning, trap->want.reasoning);
	check_error(out);
	if (!out->status && trap->want.reason != ANY_REASON && (int)out->result.reason != trap->want.reason)
		fail(out, "it ended with \"%s\", wanted \"%s\"", done_reason_name(out->result.reason),
		     done_reason_name((enum done_reason)trap->want.reason));
	check_number(out, "n_prompt", stats->n_prompt, trap->want.n_prompt);
	check_number(out, "n_generated", stats->n_generated, trap->want.n_generated);
	check_number(out, "n_cached", stats->n_cached, trap->want.n_cached);
	if (trap->want.cost > 0 && (!stats->has_cost || fabs(stats->cost - trap->want.cost) > 1e-6))
		fail(out, "the cost is %g, wanted %g", stats->cost, trap->want.cost);
	if (trap->want.idle && !model_info_idle(&out->info, trap->want.idle))
		fail(out, "%s is not said to change nothing", trap->want.idle);
	if (trap->want.waits && !strstr(buf_text(&out->waits), trap->want.waits))
		fail(out, "waited for \"%s\", wanted \"%s\"", buf_text(&out->waits), trap->want.waits);
	if (out->n_candidates < trap->want.n_candidates)
		fail(out, "%zu candidates, wanted %zu", out->n_candidates, trap->want.n_candidates);
	if (out->n_begin > 1 || (out->n_begin == 0 && (out->text.len || out->reasoning.len)))
		fail(out, "it began %u times", out->n_begin);
	check_requests(out, server);
}

static bool is_raw(const struct trap *trap)
{
	bool raw = trap->greeting || trap->by_unix;

	for (size_t i = 0; i < TRAP_ACTS; i++)
		raw |= trap->acts[i].verbatim;
	return raw;
}

static bool run(const struct trap *trap, const char *folder)
{
	struct server_options options = {.spec = trap->spec ? trap->spec : "dialect=openai,tokens=2", .acts = trap->acts,
	                                 .greeting = trap->greeting, .raw = is_raw(trap), .tls = trap->tls,
	                                 .wrong_host = trap->wrong_host};
	struct outcome out = {.trap = trap, .text = {.max = MIB(16)}, .reasoning = {.max = MIB(16)}, .waits = {.max = MIB(1)}};
	struct test_server *server;
	char path[256];

	snprintf(path, sizeof path, "%s/ca.pem", folder);
	write_text(path, test_server_ca());
	snprintf(path, sizeof path, "%s/server.sock", folder);
	if (trap->by_unix)
		options.unix_path = path;
	while (options.n_acts < TRAP_ACTS && trap->acts[options.n_acts].body)
		options.n_acts++;
	server = test_server_start(&options);
	if (!server)
		exit(77);
	snprintf(running, sizeof running, "%s\n", trap->name);
	alarm(SECONDS_A_ROW);
	talk(&out, server, folder);
	alarm(0);
	check(&out, server);
	for (size_t i = 0; out.failed && i < out.info.n_notes; i++)
		printf("      note: %s\n", out.info.notes[i].text);
	test_server_stop(server);
	(void)unlink(path);
	buf_free(&out.text);
	buf_free(&out.reasoning);
	buf_free(&out.waits);
	return !out.failed;
}

static bool is_wanted(const struct trap *trap, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (strstr(trap->name, argv[i]))
			return true;
	return argc < 2;
}

int main(int argc, char **argv)
{
	char folder[] = "/tmp/sotto-traps-XXXXXX";
	size_t n = 0, n_failed = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGALRM, give_up);
	setenv("TRAP_KEY", SERVER_KEY, 1);
	if (!mkdtemp(folder))
		return 1;
	for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++)
		for (const struct trap *trap = tables[t]; trap->name; trap++)
			if (is_wanted(trap, argc, argv)) {
				n++;
				n_failed += !run(trap, folder);
			}
	remove_folder(folder);
	printf("%zu traps, %zu failed\n", n, n_failed);
	return n_failed || !n;
}
