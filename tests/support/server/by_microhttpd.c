/* HTTP and TLS by libmicrohttpd, a thread a connection. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <netinet/in.h>

#include <microhttpd.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "support/server/internal.h"

/* A request under way. */
struct taken {
	struct test_server *server;
	char *uri;
	struct buf body;
	struct exchange exchange;
	int socket;
	size_t at, left;   /* of the piece that is being sent */
	bool is_whole;     /* the request has been read */
};

static void *begin(void *ctx, const char *uri, struct MHD_Connection *connection)
{
	struct taken *taken = alloc_array(1, sizeof *taken);

	(void)connection;
	if (!taken)
		server_fatal("memory");
	taken->server = ctx;
	taken->uri = alloc_strndup(uri, strlen(uri));
	buf_init(&taken->body, MIB(128));
	return taken;
}

static enum MHD_Result add_header(void *ctx, enum MHD_ValueKind kind, const char *key, const char *value)
{
	struct buf *out = ctx;

	(void)kind;
	for (; *key; key++)
		buf_putc(out, (char)(*key >= 'A' && *key <= 'Z' ? *key + 32 : *key));
	buf_printf(out, ": %s\n", value ? value : "");
	return MHD_YES;
}

static ssize_t read_body(void *ctx, uint64_t pos, char *out, size_t max)
{
	struct taken *taken = ctx;
	size_t n;

	(void)pos;
	if (!taken->left) {
		long len = server_next(taken->server, &taken->exchange, taken->socket, &taken->at);

		if (len <= 0)
			return len == 0 ? MHD_CONTENT_READER_END_OF_STREAM : MHD_CONTENT_READER_END_WITH_ERROR;
		taken->left = (size_t)len;
	}
	n = taken->left < max ? taken->left : max;
	memcpy(out, taken->exchange.answer.body.data + taken->at, n);
	taken->at += n;
	taken->left -= n;
	return (ssize_t)n;
}

static void add_headers(struct MHD_Response *response, const struct answer *answer)
{
	char copy[sizeof answer->headers], *rest = copy, *line;

	if (answer->type[0])
		MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, answer->type);
	memcpy(copy, answer->headers, sizeof copy);
	while ((line = strsep(&rest, "\n"))) {
		char *colon = strstr(line, ": ");

		if (!colon)
			continue;
		*colon = '\0';
		MHD_add_response_header(response, line, colon + 2);
	}
}

static enum MHD_Result respond(struct taken *taken, struct MHD_Connection *connection)
{
	struct answer *answer = &taken->exchange.answer;
	struct MHD_Response *response;
	enum MHD_Result result;

	if (!server_wait_busy(taken->server, &taken->exchange, taken->socket))
		return MHD_NO;
	if (answer->n_pieces || answer->end != SERVER_ENDS)
		response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 16384, read_body, taken, NULL);
	else
		response = MHD_create_response_from_buffer(answer->body.len, answer->body.data ? answer->body.data : (char *)"",
		                                           MHD_RESPMEM_PERSISTENT);
	if (!response)
		server_fatal("a response");
	add_headers(response, answer);
	result = MHD_queue_response(connection, (unsigned)answer->code, response);
	MHD_destroy_response(response);
	return result;
}

static enum MHD_Result take(void *ctx, struct MHD_Connection *connection, const char *url, const char *method,
                            const char *version, const char *upload, size_t *upload_len, void **per_request)
{
	struct taken *taken = *per_request;
	const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
	struct buf headers = {.max = MIB(1)};

	(void)ctx;
	(void)url;
	(void)version;
	if (!taken->is_whole) { /* the head alone */
		taken->is_whole = true;
		return MHD_YES;
	}
	if (*upload_len) {
		buf_append(&taken->body, upload, *upload_len);
		*upload_len = 0;
		return MHD_YES;
	}
	taken->socket = info ? info->connect_fd : -1;
	MHD_get_connection_values(connection, MHD_HEADER_KIND, add_header, &headers);
	server_take(taken->server, &taken->exchange, method, taken->uri, &headers, &taken->body);
	buf_free(&headers);
	return respond(taken, connection);
}

static void completed(void *ctx, struct MHD_Connection *connection, void **per_request,
                      enum MHD_RequestTerminationCode code)
{
	struct taken *taken = *per_request;

	(void)ctx;
	(void)connection;
	if (!taken)
		return;
	if (taken->exchange.request)
		server_finish(taken->server, &taken->exchange, code != MHD_REQUEST_TERMINATED_COMPLETED_OK);
	play_answer_free(&taken->exchange.answer);
	buf_free(&taken->body);
	free(taken->uri);
	free(taken);
	*per_request = NULL;
}

static void say_nothing(void *ctx, const char *format, va_list args)
{
	(void)ctx;
	(void)format;
	(void)args;
}

bool by_microhttpd_start(struct test_server *server)
{
	const struct server_options *options = &server->options;
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(options->port),
	                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	const struct MHD_OptionItem tls[] = {
		{MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)(uintptr_t)server_key_pem},
		{MHD_OPTION_HTTPS_MEM_CERT, 0,
		 (void *)(uintptr_t)(options->wrong_host ? server_other_certificate : server_certificate)},
		{MHD_OPTION_END, 0, NULL}};
	const struct MHD_OptionItem none[] = {{MHD_OPTION_END, 0, NULL}};
	unsigned flags = MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL | MHD_USE_ERROR_LOG;
	struct MHD_Daemon *daemon = MHD_start_daemon(
		flags | (options->tls ? MHD_USE_TLS : 0), options->port, NULL, NULL, take, server,
		MHD_OPTION_EXTERNAL_LOGGER, say_nothing, NULL, MHD_OPTION_URI_LOG_CALLBACK, begin, server,
		MHD_OPTION_NOTIFY_COMPLETED, completed, server, MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_ARRAY,
		options->tls ? tls : none, MHD_OPTION_END);
	const union MHD_DaemonInfo *info;

	if (!daemon)
		server_fatal("libmicrohttpd does not start");
	info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
	server->port = info ? info->port : 0;
	server->transport = daemon;
	return true;
}

void by_microhttpd_stop(struct test_server *server)
{
	MHD_stop_daemon(server->transport);
}
