/* A connection: requests, one after the other, each answered as it is played, with its fault. */
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <unistd.h>

#include "base/alloc.h"
#include "support/hub_server/internal.h"

enum { SLICE = 65536 };

static bool send_all(int fd, const char *bytes, size_t n)
{
	while (n) {
		ssize_t sent = send(fd, bytes, n, MSG_NOSIGNAL);

		if (sent <= 0)
			return false;
		bytes += sent;
		n -= (size_t)sent;
	}
	return true;
}

/* A request's head into `in`, NUL-terminated at its end. False: no more comes, or the server stops. */
static bool receive(const struct hub_server *server, int fd, struct buf *in)
{
	struct pollfd fds[] = {{.fd = server->stop[0], .events = POLLIN}, {.fd = fd, .events = POLLIN}};
	char bytes[4096];

	while (!strstr(buf_text(in), "\r\n\r\n")) {
		ssize_t n;

		if (poll(fds, 2, -1) < 0 || fds[0].revents)
			return false;
		n = recv(fd, bytes, sizeof bytes, 0);
		if (n <= 0 || buf_append(in, bytes, (size_t)n))
			return false;
	}
	return true;
}

/* The headers as "name: value\n", names in lower case. */
static char *take_headers(const char *text)
{
	struct buf out = {.max = KIB(256)};
	bool in_name = true;

	for (const char *p = text; *p; p++) {
		if (*p == '\r')
			continue;
		in_name = in_name ? *p != ':' : *p == '\n';
		buf_putc(&out, (char)(in_name && *p >= 'A' && *p <= 'Z' ? *p + 32 : *p));
	}
	return buf_take(&out, NULL);
}

bool hub_header(const char *headers, const char *name, char *out, size_t size)
{
	size_t n = strlen(name);

	for (const char *line = headers; *line; line += strcspn(line, "\n") + (strchr(line, '\n') != NULL))
		if (strncmp(line, name, n) == 0 && line[n] == ':') {
			line += n + 1 + strspn(line + n + 1, " ");
			snprintf(out, size, "%.*s", (int)strcspn(line, "\n"), line);
			return true;
		}
	return false;
}

bool hub_has_token(const struct hub_call *call)
{
	char value[300];

	return hub_header(call->headers, "authorization", value, sizeof value) && strcmp(value, "Bearer " HUB_TOKEN) == 0;
}

static char *decode(const char *target)
{
	size_t n = strcspn(target, "?");
	char *out = alloc_array(n + 1, 1), *to = out;
	unsigned value;

	if (!out)
		hub_fatal("memory");
	for (size_t i = 0; i < n; i++)
		if (target[i] == '%' && sscanf(target + i + 1, "%2x", &value) == 1) {
			*to++ = (char)value;
			i += 2;
		} else {
			*to++ = target[i];
		}
	return out;
}

static void put_fault_headers(struct hub_answer *out, const char *headers)
{
	for (const char *line = headers; line && *line; line += strcspn(line, "\n") + (strchr(line, '\n') != NULL))
		buf_printf(&out->headers, "%.*s\r\n", (int)strcspn(line, "\n"), line);
}

/* "ETag: x\r\n" and the like: another value, or the line taken out. */
static void change_header(struct buf *headers, const char *name, const char *value, const char *digest)
{
	char *line = strcasestr(buf_text(headers), name);
	struct buf text = {.max = KIB(4)};

	if (!line)
		return;
	buf_remove(headers, (size_t)(line - headers->data), strcspn(line, "\n") + 1);
	for (const char *p = value; *p; p++)
		if (*p == '%')
			buf_puts(&text, digest);
		else
			buf_putc(&text, *p);
	if (*value)
		buf_printf(headers, "%s: %s\r\n", name, buf_text(&text));
	buf_free(&text);
}

void hub_put_error(struct hub_answer *out, int code, const char *error_code, const char *message)
{
	out->code = code;
	buf_printf(&out->headers, "Content-Type: application/json\r\nX-Error-Code: %s\r\nX-Error-Message: %s\r\n", error_code, message);
	buf_printf(&out->body, "{\"error\":\"%s\"}", message);
}

static void redirect(struct hub_answer *out, const char *to)
{
	out->code = 302;
	out->content = NULL;
	buf_clear(&out->headers);
	buf_clear(&out->body);
	buf_printf(&out->headers, "Location: %s\r\n", to);
}

/* What the fault changes of an answer that has been played. */
static void change(struct hub_server *server, const struct hub_call *call, struct hub_answer *out)
{
	const struct hub_fault *fault = &out->fault;
	const char *digest = out->content ? out->content->digest : "";
	char text[600];

	if (fault->kind == HUB_ETAG && call->place == HUB_RESOLVE) {
		const char *linked = strstr(buf_text(&out->headers), "X-Linked-ETag: \"");

		snprintf(text, sizeof text, "%.64s", linked ? linked + strlen("X-Linked-ETag: \"") : "");
		change_header(&out->headers, "X-Linked-ETag", fault->text, text);
	} else if (fault->kind == HUB_ETAG) {
		change_header(&out->headers, "ETag", fault->text, digest);
	} else if (fault->kind == HUB_GZIP) {
		buf_puts(&out->headers, "Content-Encoding: gzip\r\n");
	} else if (fault->kind == HUB_REDIRECTS) {
		redirect(out, fault->text);
	} else if (fault->kind == HUB_LOOPS) {
		snprintf(text, sizeof text, "%s?again=%zu", call->path, server->n_requests);
		redirect(out, text);
	} else if (fault->kind == HUB_SHIFTED && out->content) {
		out->from += out->to < out->content->size;
		out->to += out->to < out->content->size;
	}
	put_fault_headers(out, fault->headers);
}

static void answer_fault(struct hub_answer *out)
{
	out->code = out->fault.code ? out->fault.code : 200;
	put_fault_headers(out, out->fault.headers);
	buf_puts(&out->body, out->fault.text && out->code != 204 ? out->fault.text : "");
}

static void choose_fault(struct hub_server *server, const struct hub_call *call, struct hub_fault *out)
{
	bool is_chosen = false;

	for (size_t i = 0; i < server->n_traps; i++) {
		struct hub_trap *trap = &server->traps[i];
		const struct hub_fault *fault = &trap->fault;
		unsigned first = fault->first ? fault->first : 1;

		if ((fault->place != HUB_ANYTHING && fault->place != call->place) || (fault->path && !strstr(call->path, fault->path)))
			continue;
		trap->count++;
		if (is_chosen || trap->count < first || (fault->n && trap->count >= first + fault->n))
			continue;
		*out = *fault;
		is_chosen = true;
	}
	if (!is_chosen)
		*out = (struct hub_fault){.kind = HUB_N_KINDS};
}

static void play(struct hub_server *server, const struct hub_call *call, struct hub_answer *out)
{
	choose_fault(server, call, &out->fault);
	out->code = 200;
	if (out->fault.kind == HUB_ANSWERS) {
		answer_fault(out);
		return;
	}
	if (call->place == HUB_BYTES)
		hub_play_storage(server, call, out);
	else if (call->place == HUB_RESOLVE || call->place == HUB_SMALL)
		hub_play_resolve(server, call, out);
	else if (call->place == HUB_MANIFEST || call->place == HUB_BLOB)
		hub_play_ollama(server, call, out);
	else if (call->place != HUB_ANYTHING)
		hub_play_api(server, call, out);
	else
		hub_put_error(out, 404, "NotFound", "Not found");
	change(server, call, out);
}

enum hub_place hub_place_of(const char *path, bool is_storage)
{
	if (is_storage)
		return strncmp(path, "/storage/", 9) == 0 ? HUB_BYTES : HUB_ANYTHING;
	if (strncmp(path, "/v2/", 4) == 0)
		return strstr(path, "/manifests/") ? HUB_MANIFEST : strstr(path, "/blobs/") ? HUB_BLOB : HUB_ANYTHING;
	if (strncmp(path, "/api/resolve-cache/models/", 26) == 0)
		return HUB_SMALL;
	if (strncmp(path, "/api/models/", 12) == 0)
		return strstr(path, "/refs") ? HUB_REFS : strstr(path, "/tree/") ? HUB_TREE : HUB_INFO;
	return strstr(path, "/resolve/") ? HUB_RESOLVE : HUB_ANYTHING;
}

/* Waits for `ms`, or to be released. False: the client has gone, or the server stops. */
static bool wait_for(struct hub_server *server, int fd, bool is_gated, int ms)
{
	struct pollfd fds[] = {{.fd = server->stop[0], .events = POLLIN},
	                       {.fd = fd, .events = POLLRDHUP},
	                       {.fd = is_gated ? server->gate[0] : -1, .events = POLLIN}};

	return poll(fds, 3, ms) >= 0 && !fds[0].revents && !fds[1].revents;
}

static bool stand_still(struct hub_server *server, int fd)
{
	bool ok;

	pthread_mutex_lock(&server->lock);
	server->n_still++;
	pthread_cond_broadcast(&server->changed);
	pthread_mutex_unlock(&server->lock);
	ok = wait_for(server, fd, true, -1);
	pthread_mutex_lock(&server->lock);
	server->n_still--;
	pthread_mutex_unlock(&server->lock);
	return ok;
}

/* A piece of the body: `at` in the file, with the byte that is wrong. */
static bool send_piece(int fd, const struct hub_answer *answer, const char *bytes, size_t n, uint64_t at)
{
	uint64_t wrong = answer->fault.at;
	char other;

	if (answer->fault.kind == HUB_CHUNKED) {
		char head[32];

		return send_all(fd, head, (size_t)snprintf(head, sizeof head, "%zx\r\n", n)) && send_all(fd, bytes, n) &&
		       send_all(fd, "\r\n", 2);
	}
	if (answer->fault.kind != HUB_WRONG_BYTE || wrong < at || wrong >= at + n)
		return send_all(fd, bytes, n);
	other = (char)(bytes[wrong - at] ^ 1);
	return send_all(fd, bytes, (size_t)(wrong - at)) && send_all(fd, &other, 1) &&
	       send_all(fd, bytes + (wrong - at) + 1, n - (size_t)(wrong - at) - 1);
}

/* What is done after `at` bytes of the body. False: the connection ends here. */
static bool act(struct hub_server *server, int fd, const struct hub_fault *fault)
{
	if (fault->kind == HUB_RESETS)
		(void)setsockopt(fd, SOL_SOCKET, SO_LINGER, &(struct linger){.l_onoff = 1}, sizeof(struct linger));
	if (fault->kind == HUB_CUTS || fault->kind == HUB_RESETS)
		return false;
	return fault->kind != HUB_STANDS_STILL || stand_still(server, fd);
}

static bool send_body(struct hub_server *server, int fd, const struct hub_answer *answer)
{
	const struct hub_fault *fault = &answer->fault;
	bool is_rated = answer->content && server->options.rate;
	uint64_t length = answer->content ? answer->to - answer->from : answer->body.len, done = 0;
	uint64_t total = fault->kind == HUB_LENGTH && fault->at < length ? fault->at : length;
	bool acts = fault->kind == HUB_CUTS || fault->kind == HUB_RESETS || fault->kind == HUB_STANDS_STILL;

	while (done < total) {
		size_t n = answer->body.len - (size_t)done;
		const char *bytes = answer->content ? hub_content_at(answer->content, answer->from + done, &n) : answer->body.data + done;

		n = n < total - done ? n : (size_t)(total - done);
		if (is_rated && n > SLICE)
			n = SLICE;
		if ((acts || fault->kind == HUB_CRAWLS) && done < fault->at && n > fault->at - done)
			n = (size_t)(fault->at - done);
		if (acts && done == fault->at && !act(server, fd, fault))
			return false;
		if (fault->kind == HUB_CRAWLS && done >= fault->at)
			n = 1;
		if (!send_piece(fd, answer, bytes, n, answer->from + done))
			return false;
		done += n;
		if (is_rated && !wait_for(server, fd, false, (int)(n * 1000 / server->options.rate)))
			return false;
	}
	if (fault->kind == HUB_CHUNKED)
		return send_all(fd, "0\r\n\r\n", 5);
	return !acts || done < fault->at || act(server, fd, fault);
}

static bool send_answer(struct hub_server *server, int fd, const struct hub_answer *answer)
{
	const char *word = answer->code == 200 ? "OK" : answer->code == 206 ? "Partial Content" : "Test";
	uint64_t length = answer->content ? answer->to - answer->from : answer->body.len;
	bool is_wrong = answer->fault.kind == HUB_LENGTH;
	struct buf head = {.max = MIB(1)};
	bool ok;

	buf_printf(&head, "HTTP/1.1 %d %s\r\n%s", answer->code, word, buf_text(&answer->headers));
	if (answer->fault.kind == HUB_CHUNKED)
		buf_puts(&head, "Transfer-Encoding: chunked\r\n\r\n");
	else
		buf_printf(&head, "Content-Length: %" PRIu64 "\r\n\r\n", is_wrong ? answer->fault.at : length);
	ok = send_all(fd, head.data, head.len);
	buf_free(&head);
	return ok && (answer->is_head || send_body(server, fd, answer)) && !is_wrong;
}

static struct hub_request *note(struct hub_server *server, const struct hub_call *call)
{
	struct hub_request *request = alloc_array(1, sizeof *request);

	if (!request || !alloc_grow(&server->requests, &server->cap_requests, server->n_requests + 1, sizeof *server->requests, 1 << 24))
		hub_fatal("memory");
	*request = (struct hub_request){.place = call->place, .method = hub_copy(call->method), .target = hub_copy(call->target),
	                                .headers = hub_copy(call->headers)};
	server->requests[server->n_requests++] = request;
	pthread_cond_broadcast(&server->changed);
	return request;
}

/* Answers a request. False: the connection ends. */
static bool answer_it(struct hub_server *server, int fd, const struct hub_call *call)
{
	struct hub_answer answer = {.headers = {.max = MIB(1)}, .body = {.max = MIB(64)},
	                            .is_head = strcmp(call->method, "HEAD") == 0};
	bool ok;

	pthread_mutex_lock(&server->lock);
	note(server, call);
	play(server, call, &answer);
	if (server->log >= 0)
		dprintf(server->log, "%s %s %s\n%s-> %d\n\n", hub_place_names[call->place], call->method, call->target, call->headers,
		        answer.code);
	pthread_mutex_unlock(&server->lock);
	ok = send_answer(server, fd, &answer);
	buf_free(&answer.headers);
	buf_free(&answer.body);
	return ok;
}

void hub_connection(struct hub_server *server, int fd, bool is_storage)
{
	struct buf in = {.max = KIB(128)};
	bool goes_on = true;

	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
	while (goes_on && receive(server, fd, &in)) {
		size_t head = (size_t)(strstr(in.data, "\r\n\r\n") - in.data) + 4, line = strcspn(in.data, "\n") + 1;
		char method[16] = "", *target = alloc_array(head + 1, 1), *headers;
		struct hub_call call;

		in.data[head - 2] = '\0';
		headers = take_headers(in.data + line);
		if (!target || !headers)
			hub_fatal("memory");
		snprintf(method, sizeof method, "%.*s", (int)strcspn(in.data, " "), in.data);
		if (in.data[strlen(method)] == ' ')
			memcpy(target, in.data + strlen(method) + 1, strcspn(in.data + strlen(method) + 1, " \r\n"));
		call = (struct hub_call){.method = method, .target = target, .headers = headers, .path = decode(target)};
		call.query = strchr(target, '?') ? strchr(target, '?') + 1 : "";
		call.place = hub_place_of(call.path, is_storage);
		goes_on = answer_it(server, fd, &call);
		buf_remove(&in, 0, head);
		free(call.path);
		free(target);
		free(headers);
	}
	buf_free(&in);
}
