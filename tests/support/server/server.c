#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/sys.h"
#include "support/server/internal.h"

enum { PATIENCE_S = 10 };

void server_fatal(const char *what)
{
	fprintf(stderr, "test server: %s\n", what);
	exit(2);
}

static char *copy(const char *text, size_t len)
{
	char *out = alloc_strndup(text ? text : "", len);

	if (!out)
		server_fatal("memory");
	return out;
}

static void log_request(const struct test_server *server, const struct server_request *request)
{
	struct buf text = {.max = MIB(64)};

	if (server->log < 0)
		return;
	buf_printf(&text, "%s %s\n%s\n", request->method, request->path, request->headers);
	buf_append(&text, request->body, request->body_len);
	buf_puts(&text, "\n\n");
	if (write(server->log, text.data, text.len) < 0)
		server_fatal("the log");
	buf_free(&text);
}

/* Under the lock. */
static void log_end(const struct test_server *server, const struct server_request *request)
{
	if (server->log >= 0 && request->closed)
		dprintf(server->log, "CLOSED %s\n\n", request->path);
}

static bool is_path(const char *path, const char *wanted)
{
	size_t n = strlen(wanted);

	return strncmp(path, wanted, n) == 0 && (!path[n] || path[n] == '?');
}

static bool is_for_reply(const struct test_server *server, const char *path)
{
	for (size_t i = 0; i < 3 && server->play->reply_paths[i]; i++)
		if (is_path(path, server->play->reply_paths[i]))
			return true;
	return false;
}

static bool is_for(const struct test_server *server, const struct server_request *request, const char *path)
{
	if (path)
		return is_path(request->path, path);
	return strcmp(request->method, "POST") == 0 && is_for_reply(server, request->path);
}

/* The act for a request that is in the list already, under the lock. */
static const struct server_act *choose(const struct test_server *server, const struct server_act *acts, size_t n,
                                       const struct server_request *request)
{
	const struct server_act *usual = NULL;

	for (size_t i = 0; i < n; i++) {
		unsigned count = 0;

		if (!is_for(server, request, acts[i].path))
			continue;
		for (size_t k = 0; k < server->n_requests; k++)
			count += is_for(server, server->requests[k], acts[i].path);
		if (acts[i].at == count)
			return &acts[i];
		if (!acts[i].at)
			usual = &acts[i];
	}
	return usual;
}

static const char *usual_type(const char *body)
{
	if (body[0] == '{' || body[0] == '[')
		return "application/json";
	if (body[0] == '<')
		return "text/html";
	return "text/event-stream";
}

static void act_out(const struct server_act *act, struct answer *out)
{
	size_t len = act->len ? act->len : strcmp(act->body, SERVER_NOTHING) == 0 ? 0 : strlen(act->body);

	out->code = act->code ? act->code : 200;
	snprintf(out->type, sizeof out->type, "%s", act->type ? act->type : usual_type(act->body));
	snprintf(out->headers, sizeof out->headers, "%s", act->headers ? act->headers : "");
	out->end = act->end;
	out->busy = act->busy;
	out->verbatim = act->verbatim;
	for (size_t at = 0; at < len; at += act->piece ? act->piece : len) {
		size_t n = act->piece && act->piece < len - at ? act->piece : len - at;

		buf_append(&out->body, act->body + at, n);
		play_put_piece(out, 0, false);
	}
	if (!act->piece && act->end == SERVER_ENDS)
		out->n_pieces = 0;
	if (act->end == SERVER_HOLDS)
		play_put_piece(out, 0, true);
}

static bool has_key(const struct server_request *request)
{
	return strstr(request->headers, "authorization: Bearer " SERVER_KEY "\n") ||
	       strstr(request->headers, "x-api-key: " SERVER_KEY "\n");
}

/* What no play has to care for; false: it has. */
static bool answer_at_door(struct test_server *server, const struct server_request *request, struct answer *out)
{
	bool loads;

	pthread_mutex_lock(&server->lock);
	loads = server->n_loading > 0;
	server->n_loading -= loads;
	pthread_mutex_unlock(&server->lock);
	if (loads) {
		play_put_json(out, 503, "{\"error\":{\"code\":503,\"message\":\"Loading model\",\"type\":\"unavailable_error\"}}");
		return true;
	}
	if (server->spec.keys && !has_key(request) && !is_path(request->path, "/health") &&
	    !(strcmp(server->spec.dialect, "llama-server") == 0 && is_path(request->path, "/v1/models"))) {
		play_put_json(out, 401, "{\"error\":{\"code\":401,\"message\":\"Invalid API Key\",\"type\":\"authentication_error\"}}");
		return true;
	}
	return false;
}

static void play_it(struct test_server *server, const struct server_request *request, struct answer *out)
{
	struct json_tree *json = request->body_len ? json_tree_parse(request->body, request->body_len) : NULL;
	size_t len = strcspn(request->path, "?");
	char *path = copy(request->path, len);
	const struct play_request play = {.spec = &server->spec, .method = request->method, .path = path, .json = json,
	                                  .query = request->path[len] ? request->path + len + 1 : ""};

	if (answer_at_door(server, request, out))
		;
	else if (strcmp(request->method, "POST") == 0 && !json)
		play_put_json(out, 400, "{\"error\":{\"code\":400,\"message\":\"not JSON\",\"type\":\"invalid_request_error\"}}");
	else if (!server->play->answer(&play, out))
		play_put_json(out, 404, "{\"error\":{\"code\":404,\"message\":\"File Not Found\",\"type\":\"not_found_error\"}}");
	if (is_for(server, request, NULL) && server->spec.busy)
		out->busy = true;
	json_tree_free(json);
	free(path);
}

void server_take(struct test_server *server, struct exchange *exchange, const char *method, const char *path,
                 struct buf *headers, struct buf *body)
{
	struct server_request *request = alloc_array(1, sizeof *request);
	const struct server_act *act;

	if (!request)
		server_fatal("memory");
	request->method = copy(method, strlen(method));
	request->path = copy(path, strlen(path));
	request->headers = copy(buf_text(headers), headers->len);
	request->body = copy(buf_text(body), body->len);
	request->body_len = body->len;
	*exchange = (struct exchange){.request = request};
	buf_init(&exchange->answer.body, MIB(512));
	pthread_mutex_lock(&server->lock);
	if (!alloc_grow(&server->requests, &server->cap_requests, server->n_requests + 1, sizeof *server->requests, 1 << 20))
		server_fatal("memory");
	server->requests[server->n_requests++] = request;
	log_request(server, request);
	act = choose(server, server->options.acts, server->options.n_acts, request);
	if (!act)
		act = choose(server, server->scenario_acts, server->n_scenario_acts, request);
	pthread_cond_broadcast(&server->changed);
	pthread_mutex_unlock(&server->lock);
	if (act && strcmp(act->body, SERVER_AS_USUAL) != 0)
		act_out(act, &exchange->answer);
	else
		play_it(server, request, &exchange->answer);
	if (act && strcmp(act->body, SERVER_AS_USUAL) == 0) {
		exchange->answer.busy = act->busy;
		exchange->answer.end = act->end;
	}
}

/* Waits for the gate (or a pause). False: the client has gone, or the server stops. */
static bool wait_for(struct test_server *server, struct exchange *exchange, int socket, bool gated, int ms)
{
	struct pollfd fds[] = {{.fd = server->stop[0], .events = POLLIN},
	                       {.fd = socket, .events = POLLRDHUP},
	                       {.fd = gated ? server->gate[0] : -1, .events = POLLIN}};

	if (poll(fds, 3, ms) < 0)
		return true;
	if (fds[1].revents) {
		server_finish(server, exchange, true);
		return false;
	}
	return !fds[0].revents;
}

bool server_wait_busy(struct test_server *server, struct exchange *exchange, int socket)
{
	return !exchange->answer.busy || wait_for(server, exchange, socket, true, -1);
}

long server_next(struct test_server *server, struct exchange *exchange, int socket, size_t *at)
{
	struct answer *answer = &exchange->answer;
	const struct piece *piece = &answer->pieces[exchange->next];

	*at = exchange->next ? answer->pieces[exchange->next - 1].end : 0;
	if (exchange->next < answer->n_pieces && (piece->gated || piece->pause) &&
	    !wait_for(server, exchange, socket, piece->gated, piece->gated ? -1 : (int)piece->pause))
		return -1;
	while (exchange->next < answer->n_pieces && answer->pieces[exchange->next].end == *at)
		exchange->next++;
	if (exchange->next < answer->n_pieces)
		return (long)(answer->pieces[exchange->next++].end - *at);
	if (answer->end == SERVER_RESETS)
		(void)setsockopt(socket, SOL_SOCKET, SO_LINGER, &(struct linger){.l_onoff = 1}, sizeof(struct linger));
	if (answer->end != SERVER_CUTS && answer->end != SERVER_RESETS)
		return 0;
	server_finish(server, exchange, false);
	return -1;
}

void server_finish(struct test_server *server, struct exchange *exchange, bool by_client)
{
	pthread_mutex_lock(&server->lock);
	if (!exchange->request->finished) {
		exchange->request->closed = by_client;
		log_end(server, exchange->request);
	}
	exchange->request->finished = true;
	pthread_cond_broadcast(&server->changed);
	pthread_mutex_unlock(&server->lock);
}

static void use_scenario(struct test_server *server, const char *spec)
{
	const char *name = strstr(spec, "scenario=");
	const struct scenario *scenario;
	char word[64];

	if (!name)
		return;
	snprintf(word, sizeof word, "%.*s", (int)strcspn(name + 9, ","), name + 9);
	scenario = scenario_find(word);
	if (!scenario)
		server_fatal(word);
	play_spec(&server->spec, scenario->spec);
	server->scenario_acts = scenario->acts;
	while (server->n_scenario_acts < 6 && scenario->acts[server->n_scenario_acts].body)
		server->n_scenario_acts++;
}

struct test_server *test_server_start(const struct server_options *options)
{
	struct test_server *server = alloc_array(1, sizeof *server);
	const char *spec = options->spec ? options->spec : "";
	bool ok;

	if (!server || pipe(server->gate) != 0 || pipe(server->stop) != 0)
		server_fatal("no memory, or no pipes");
	server->options = *options;
	server->spec = (struct spec){.dialect = "llama-server", .model = "toy", .tokens = 64, .think = 8, .n_ctx = 4096, .n_predict = -1,
	                             .probs = 1, .tells = 1};
	use_scenario(server, spec);
	play_spec(&server->spec, spec);
	server->play = play_find(server->spec.dialect);
	server->n_loading = server->spec.loading;
	server->log = options->log ? open(options->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
	pthread_mutex_init(&server->lock, NULL);
	pthread_cond_init(&server->changed, NULL);
	ok = options->raw ? by_socket_start(server) : by_microhttpd_start(server);
	if (options->unix_path)
		snprintf(server->url, sizeof server->url, "unix://%s", options->unix_path);
	else
		snprintf(server->url, sizeof server->url, "http%s://127.0.0.1:%u", options->tls ? "s" : "",
		         (unsigned)server->port);
	if (ok)
		return server;
	server->transport = NULL;
	test_server_stop(server);
	return NULL;
}

static void wake(int fd)
{
	if (write(fd, "x", 1) != 1)
		server_fatal("a pipe");
}

void test_server_stop(struct test_server *server)
{
	if (!server)
		return;
	wake(server->stop[1]);
	if (server->transport)
		(server->options.raw ? by_socket_stop : by_microhttpd_stop)(server);
	for (size_t i = 0; i < server->n_requests; i++) {
		struct server_request *request = server->requests[i];

		free(request->method);
		free(request->path);
		free(request->headers);
		free(request->body);
		free(request);
	}
	free(server->requests);
	for (int i = 0; i < 2; i++) {
		close(server->gate[i]);
		close(server->stop[i]);
	}
	if (server->log >= 0)
		close(server->log);
	pthread_mutex_destroy(&server->lock);
	pthread_cond_destroy(&server->changed);
	free(server);
}

uint16_t test_server_port(const struct test_server *server)
{
	return server->port;
}

const char *test_server_url(const struct test_server *server)
{
	return server->url;
}

void test_server_release(struct test_server *server)
{
	wake(server->gate[1]);
}

static struct server_request *find(struct test_server *server, const char *path, size_t index)
{
	for (size_t i = 0; i < server->n_requests; i++)
		if ((!path || is_path(server->requests[i]->path, path)) && index-- == 0)
			return server->requests[i];
	return NULL;
}

size_t test_server_n_requests(struct test_server *server, const char *path)
{
	size_t n = 0;

	pthread_mutex_lock(&server->lock);
	while (find(server, path, n))
		n++;
	pthread_mutex_unlock(&server->lock);
	return n;
}

const struct server_request *test_server_request(struct test_server *server, const char *path, size_t index)
{
	const struct server_request *request;

	pthread_mutex_lock(&server->lock);
	request = find(server, path, index);
	pthread_mutex_unlock(&server->lock);
	return request;
}

const struct server_request *test_server_asked(struct test_server *server)
{
	const struct server_request *request = NULL;

	pthread_mutex_lock(&server->lock);
	for (size_t i = 0; i < server->n_requests; i++)
		if (is_for(server, server->requests[i], NULL))
			request = server->requests[i];
	pthread_mutex_unlock(&server->lock);
	return request;
}

static struct timespec patience(void)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += PATIENCE_S;
	return until;
}

bool test_server_wait(struct test_server *server, const char *path, size_t index)
{
	struct timespec until = patience();
	bool found;

	pthread_mutex_lock(&server->lock);
	while (!find(server, path, index) && pthread_cond_timedwait(&server->changed, &server->lock, &until) == 0)
		;
	found = find(server, path, index) != NULL;
	pthread_mutex_unlock(&server->lock);
	return found;
}

bool test_server_wait_finished(struct test_server *server, const struct server_request *request)
{
	struct timespec until = patience();
	bool finished;

	pthread_mutex_lock(&server->lock);
	while (!request->finished && pthread_cond_timedwait(&server->changed, &server->lock, &until) == 0)
		;
	finished = request->finished;
	pthread_mutex_unlock(&server->lock);
	return finished;
}

const char *test_server_ca(void)
{
	return server_ca;
}
