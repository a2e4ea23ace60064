/* servers.yaml. What is read is whole and within the limits; what is wrong is told, and the first of it is the error of
 * who wants no problems. */
#include <string.h>

#include "base/data_name.h"
#include "base/limits.h"
#include "config/servers_entry.h"
#include "fuzz/fuzz.h"

static void check_text(const char *text)
{
	FUZZ_CHECK(text && strlen(text) <= 2 * LIMIT_SERVER_TEXT && !strpbrk(text, "\r\n"));
}

static void check_server(const struct server_config *server)
{
	int n_keys = (server->key != NULL) + (server->key_env != NULL) + (server->key_file != NULL) +
	             (server->key_command != NULL);

	FUZZ_CHECK(data_name_is_valid(server->name, strlen(server->name)));
	check_text(server->url);
	FUZZ_CHECK(n_keys <= 1);
	FUZZ_CHECK(!server->key_command || server->key_command[0][0]);
	FUZZ_CHECK(server->n_headers <= LIMIT_SERVER_HEADERS && server->n_models <= LIMIT_SERVER_MODELS);
	for (size_t i = 0; i < server->n_headers; i++) {
		check_text(server->headers[i].name);
		check_text(server->headers[i].value);
	}
	for (size_t i = 0; i < server->n_models; i++) {
		check_text(server->models[i].id);
		FUZZ_CHECK(server_find_model(server, server->models[i].id) == &server->models[i]);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = size > 1 ? (const char *)data + 1 : "";
	const bool is_private = size && (data[0] & 1);
	const size_t len = size > 1 ? size - 1 : 0;
	struct buf problems = {.max = MIB(1)};
	struct servers servers = {.n = 0}, strict = {.n = 0};
	struct error err = {.status = STATUS_OK};
	enum status status;

	if (servers_read_text(&servers, "/f", text, len, is_private, &problems, &err) == STATUS_OK) {
		FUZZ_CHECK(servers.n <= LIMIT_SERVERS);
		for (size_t i = 0; i < servers.n; i++)
			check_server(&servers.items[i]);
	}
	status = servers_read_text(&strict, "/f", text, len, is_private, NULL, &err);
	FUZZ_CHECK(!status || (err.status == status && err.text[0]));
	FUZZ_CHECK(status ? problems.len > 0 : problems.len == 0 && strict.n == servers.n);
	servers_free(&strict);
	servers_free(&servers);
	buf_free(&problems);
	return 0;
}
