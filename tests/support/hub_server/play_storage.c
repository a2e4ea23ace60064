/* The storage: bytes by signed addresses, whole or in ranges. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "support/hub_server/internal.h"

void hub_put_signed(struct hub_server *server, struct hub_answer *out, int code, const struct hub_content *content)
{
	if (!alloc_grow(&server->uses, &server->cap_uses, server->n_signed + 1, sizeof *server->uses, 10000000))
		hub_fatal("memory");
	server->uses[server->n_signed++] = 0;
	out->code = code;
	buf_printf(&out->headers, "Location: %s/storage/%s?X-Amz-Expires=3600&X-Amz-Signature=%u\r\n", server->storage,
	           content->digest, server->n_signed);
}

static bool is_signed(struct hub_server *server, const struct hub_call *call)
{
	const char *signature = strstr(call->query, "X-Amz-Signature=");
	unsigned long number = signature ? strtoul(signature + strlen("X-Amz-Signature="), NULL, 10) : 0;

	if (number == 0 || number > server->n_signed || number <= server->n_expired)
		return false;
	return ++server->uses[number - 1] <= server->options.signature_uses || !server->options.signature_uses;
}

static void refuse(struct hub_answer *out, int code, const char *error, const char *message)
{
	out->code = code;
	buf_puts(&out->headers, "Content-Type: application/xml\r\n");
	buf_printf(&out->body, "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Error><Code>%s</Code><Message>%s</Message></Error>", error,
	           message);
}

/* "bytes=a-b" or "bytes=a-", which If-Range may void. False: it cannot be satisfied. */
static bool take_range(const struct hub_call *call, const char *etag, struct hub_answer *out)
{
	char range[100], condition[200];
	uint64_t size = out->content->size, from, last = size - 1;
	char *end;

	if (!hub_header(call->headers, "range", range, sizeof range) || strncmp(range, "bytes=", 6) != 0)
		return true;
	if (hub_header(call->headers, "if-range", condition, sizeof condition) && strcmp(condition, etag) != 0)
		return true;
	from = strtoull(range + 6, &end, 10);
	if (*end == '-' && end[1])
		last = strtoull(end + 1, NULL, 10);
	if (from >= size || last < from)
		return false;
	out->code = 206;
	out->from = from;
	out->to = last < size ? last + 1 : size;
	return true;
}

void hub_play_storage(struct hub_server *server, const struct hub_call *call, struct hub_answer *out)
{
	const char *digest = call->path + strlen("/storage/");
	enum hub_kind kind = out->fault.kind;
	char etag[120];

	out->content = server->contents;
	while (out->content && strcmp(out->content->digest, digest) != 0)
		out->content = out->content->next;
	if (!out->content || !is_signed(server, call)) {
		refuse(out, out->content ? 403 : 404, out->content ? "AccessDenied" : "NoSuchKey",
		       out->content ? "Request has expired" : "The specified key does not exist.");
		out->content = NULL;
		return;
	}
	out->to = out->content->size;
	snprintf(etag, sizeof etag, "\"%.32s\"", out->content->digest);
	if (kind != HUB_NO_RANGES && !take_range(call, etag, out)) {
		buf_printf(&out->headers, "Content-Range: bytes */%" PRIu64 "\r\n", out->content->size);
		refuse(out, 416, "InvalidRange", "The requested range is not satisfiable");
		out->content = NULL;
		return;
	}
	if (out->code == 206 && kind != HUB_WRONG_RANGE)
		buf_printf(&out->headers, "Content-Range: bytes %" PRIu64 "-%" PRIu64 "/%" PRIu64 "\r\n", out->from, out->to - 1,
		           out->content->size);
	if (out->code == 206 && kind == HUB_WRONG_RANGE)
		buf_printf(&out->headers, "Content-Range: %s\r\n", out->fault.text);
	buf_puts(&out->headers, "Content-Type: application/octet-stream\r\nAccept-Ranges: bytes\r\n");
	buf_printf(&out->headers, "ETag: %s\r\n", etag);
}
