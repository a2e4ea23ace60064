#include "remote/probe.h"

#include <pthread.h>
#include <string.h>

#include "base/hash.h"
#include "base/json_walk.h"
#include "remote/call.h"
#include "remote/list_parse.h"
#include "remote/route.h"

/* What was found out: [n_known] URLs, the oldest replaced first. A server is asked in several threads,
 * when its models are listed and when one is opened. */
enum { KNOWN_MAX = 64 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct {
	uint64_t url; /* a hash; 0: none */
	const struct dialect *dialect;
} known[KNOWN_MAX];
static size_t n_known;

static uint64_t hash_of(const struct remote *remote)
{
	uint64_t hash = hash_more(HASH_BEGIN, remote->url, strlen(remote->url));

	return hash ? hash : 1;
}

static const struct dialect *recall(uint64_t url)
{
	const struct dialect *dialect = NULL;

	pthread_mutex_lock(&mutex);
	for (size_t i = 0; i < KNOWN_MAX; i++)
		if (known[i].url == url)
			dialect = known[i].dialect;
	pthread_mutex_unlock(&mutex);
	return dialect;
}

static void remember(uint64_t url, const struct dialect *dialect)
{
	pthread_mutex_lock(&mutex);
	known[n_known % KNOWN_MAX].url = url;
	known[n_known++ % KNOWN_MAX].dialect = dialect;
	pthread_mutex_unlock(&mutex);
}

void remote_probe_forget(const struct remote *remote)
{
	uint64_t url = hash_of(remote);

	pthread_mutex_lock(&mutex);
	for (size_t i = 0; i < KNOWN_MAX; i++)
		if (known[i].url == url)
			known[i].url = 0;
	pthread_mutex_unlock(&mutex);
}

static bool has_text(const char *body, size_t len, const char *text)
{
	return len > 0 && memmem(body, len, text, strlen(text)) != NULL;
}

static bool is_json(const char *body, size_t len)
{
	return json_take(body, len, NULL, 0, NULL, NULL) == STATUS_OK;
}

const char *probe_describe(const char *type, const char *body, size_t len)
{
	size_t blanks = 0;

	while (blanks < len && memchr(" \t\r\n\f", body[blanks], 5))
		blanks++;
	if (strncmp(type, "text/html", 9) == 0 || (blanks < len && body[blanks] == '<'))
		return "a web page";
	if (blanks == len)
		return "an empty answer";
	return is_json(body, len) ? "JSON without a list of models" : "text that is not JSON";
}

enum status probe_refuse(const struct remote *remote, const struct http_answer *answer,
                         struct error *err)
{
	const char *name = remote->server->name;

	if (answer->code == 400 && has_text(buf_text(&answer->body), answer->body.len, "HTTPS"))
		return error_set(err, STATUS_CONFIG,
		                 "%s: %s speaks TLS: write https:// in its url in servers.yaml",
		                 name, remote->host);
	if (answer->code == 404 || answer->code == 405)
		return error_set(err, STATUS_CONFIG,
		                 "%s: %s answers, but has no %s (%d): check its url in "
		                 "servers.yaml, which ends "
		                 "where /v1 begins",
		                 name, remote->host, remote_route(remote->url, "/v1/models"),
		                 answer->code);
	return error_set(
		err, STATUS_CONFIG,
		"%s: at %s%s there is %s, not a server for models: check its url in servers.yaml",
		name, remote->host, remote_route(remote->url, "/v1/models"),
		probe_describe(answer->type, buf_text(&answer->body), answer->body.len));
}

static const struct dialect *most_likely(const struct probe *probe, int *how_sure)
{
	const struct dialect *best = NULL;

	*how_sure = 0;
	for (size_t i = 0; dialects[i]; i++) {
		int sure = dialects[i]->knows(probe);

		if (sure > *how_sure) {
			*how_sure = sure;
			best = dialects[i];
		}
	}
	return best;
}

/* The last one takes whatever is left. */
static const struct dialect *last_dialect(void)
{
	size_t n = 0;

	while (dialects[n + 1])
		n++;
	return dialects[n];
}

/* The second GET: only Ollama is not sure to be known by its list. */
static const struct dialect *ask_ollama(struct remote *remote, const struct dialect *dialect)
{
	static const struct json_place places[] = {{"version", JSON_PLACE_TEXT, 0, 16}};
	char version[16] = "";

	(void)!remote_call_values(remote, "/api/version", NULL, REMOTE_CALL_MS, places, 1, version, NULL, NULL);
	return version[0] ? dialect : NULL;
}

static const struct dialect *judge_probe(struct remote *remote, const struct probe *probe)
{
	const struct dialect *ollama = dialect_find("ollama");
	int how_sure;
	const struct dialect *best = most_likely(probe, &how_sure);

	if (how_sure < 2 && ollama->knows(probe) > 0) {
		const struct dialect *sure = ask_ollama(remote, ollama);

		best = sure ? sure : best == ollama ? NULL : best;
	}
	return best || !probe->is_list ? best : last_dialect();
}

/* By what the first GET was answered, whatever its code; NULL: it says nothing. */
static const struct dialect *judge(struct remote *remote, const struct http_answer *answer)
{
	bool has_body = answer->code / 100 == 2;
	struct list_answer list;
	struct probe probe = {
		.server = answer->server,
		.body = has_body ? buf_text(&answer->body) : "",
		.len = has_body ? answer->body.len : 0,
		.owner = list.owner,
		.code = answer->code,
		.port = (uint16_t)remote_port(remote->url),
	};
	const struct dialect *dialect;

	probe.is_list = list_parse(&list, probe.body, probe.len, NULL) == STATUS_OK;
	if (!probe.is_list)
		probe.owner = "";
	dialect = judge_probe(remote, &probe);
	list_answer_free(&list);
	return dialect;
}

static enum status find_out(struct remote *remote, const struct dialect **out, struct error *err)
{
	const char *path = remote_route(remote->url, "/v1/models");
	struct http_answer answer;
	enum status status =
		remote_call(remote, remote->http, path, NULL, REMOTE_CALL_MS, &answer, err);
	bool is_closed = answer.code == 401 || answer.code == 403;

	if (!status || (answer.code > 0 && !is_closed))
		*out = judge(remote, &answer);
	if (*out)
		status = STATUS_OK;
	else if (!status || answer.code == 400 || answer.code == 404 || answer.code == 405)
		status = probe_refuse(remote, &answer, err);
	http_answer_free(&answer);
	return status;
}

enum status remote_probe(struct remote *remote, const struct dialect **out, struct error *err)
{
	const char *name = remote->server->dialect;
	uint64_t url = hash_of(remote);
	enum status status;

	*out = name ? dialect_find(name) : recall(url);
	if (*out)
		return STATUS_OK;
	if (name)
		return error_set(err, STATUS_CONFIG,
		                 "%s: servers.yaml names the dialect '%.64s': expected llama-server, vllm, sglang, ollama "
		                 "or openai",
		                 remote->server->name, name);
	status = find_out(remote, out, err);
	if (!status)
		remember(url, *out);
	return status;
}
