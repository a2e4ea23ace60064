#include "net/headers.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

/* Beside those of the target: no waiting for permission to send a long body, the body's type, the key. */
enum { OWN_HEADERS = 3 };

static bool is_name(const char *name)
{
	if (!*name)
		return false;
	for (; *name; name++)
		if (*name <= ' ' || *name == 0x7f || strchr("\"(),/:;<=>?@[\\]{}", *name))
			return false;
	return true;
}

static bool is_value(const char *value)
{
	for (; *value; value++)
		if (((unsigned char)*value < 0x20 && *value != '\t') || *value == 0x7f)
			return false;
	return true;
}

static bool add(struct headers *headers, const char *name, const char *separator, const char *value)
{
	size_t size = strlen(name) + strlen(separator) + strlen(value) + 1;
	struct curl_slist *node = headers->list + headers->n;

	node->data = malloc(size);
	if (!node->data)
		return false;
	snprintf(node->data, size, "%s%s%s", name, separator, value);
	if (headers->n > 0)
		node[-1].next = node;
	headers->n++;
	return true;
}

static bool add_own(struct headers *headers, const struct http_call *call)
{
	if (call->body && (!add(headers, "Expect", ":", "") ||
	                   !add(headers, "Content-Type", ": ", "application/json")))
		return false;
	return !call->target->key || add(headers, "Authorization", ": Bearer ", secret_text(call->target->key));
}

static enum status add_all(struct headers *headers, const struct http_header *more, size_t n, struct error *err)
{
	for (size_t i = 0; i < n; i++) {
		const char *value = more[i].value;

		if (!is_name(more[i].name) || !is_value(value))
			return error_set(err, STATUS_USAGE,
			                 "header %zu has a name or a value that no header may have", i + 1);
		/* libcurl's way to write one without a value is a semicolon. */
		if (*value ? !add(headers, more[i].name, ": ", value) : !add(headers, more[i].name, ";", ""))
			return error_no_memory(err, "for a request");
	}
	return STATUS_OK;
}

enum status headers_init(struct headers *headers, const struct http_call *call, struct error *err)
{
	const struct http_target *target = call->target;
	enum status status = STATUS_OK;

	*headers = (struct headers){0};
	headers->list = alloc_array(target->n_headers + call->n_headers + OWN_HEADERS, sizeof *headers->list);
	if (!headers->list || !add_own(headers, call))
		status = error_no_memory(err, "for a request");
	if (status == STATUS_OK)
		status = add_all(headers, target->headers, target->n_headers, err);
	if (status == STATUS_OK)
		status = add_all(headers, call->headers, call->n_headers, err);
	if (status != STATUS_OK)
		headers_deinit(headers);
	return status;
}

void headers_deinit(struct headers *headers)
{
	for (size_t i = 0; i < headers->n; i++) {
		secret_wipe(headers->list[i].data, strlen(headers->list[i].data));
		free(headers->list[i].data);
	}
	free(headers->list);
	*headers = (struct headers){0};
}
