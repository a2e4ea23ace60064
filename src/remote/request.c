#include "remote/request.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/json_reader.h"
#include "base/limits.h"
#include "base/words.h"

void remote_request_init(struct remote_request *request)
{
	*request = (struct remote_request){.path = {.max = KIB(4)}, .body = {.max = LIMIT_REQUEST}};
}

void remote_request_free(struct remote_request *request)
{
	buf_free(&request->path);
	buf_free(&request->body);
	free(request->keep);
	token_list_free(&request->begun);
	remote_request_init(request);
}

enum status remote_request_write(struct remote *remote, const struct remote_ask *ask, struct remote_request *request,
                                 struct error *err)
{
	const struct buf *body = &request->body;
	enum status status = remote->dialect->write(remote, ask, request, err);

	if (status)
		return status;
	if (buf_status(body) == STATUS_LIMIT)
		return error_set(err, STATUS_LIMIT, "the conversation is too large to be sent");
	if (buf_status(body) || buf_status(&request->path))
		return error_no_memory(err, "for the request");
	if (!request->prompt_hash)
		request->prompt_hash = hash_more(HASH_BEGIN, body->data, body->len);
	return STATUS_OK;
}

/* Copies the member whose key has been read, up to the end of its value; those of the conversation are left out. */
static enum status copy_member(struct json_reader *reader, const char *key, struct json_writer *out,
                               struct error *err)
{
	bool is_conversation = words_have("messages prompt input prompt_token_ids", key, strlen(key));
	char name[128];
	size_t from, depth = reader->depth;
	struct json_item item;
	enum status status;

	strncpy(name, key, sizeof name - 1);
	name[sizeof name - 1] = '\0';
	from = reader->at;
	do
		status = json_next(reader, &item, err);
	while (!status && reader->depth > depth);
	while (from < reader->at && words_is_blank(reader->text[from]))
		from++;
	if (!status && !is_conversation)
		json_put_raw(out, name, reader->text + from, reader->at - from);
	return status;
}

enum status remote_request_print_sent(const struct remote_request *request, struct buf *out, struct error *err)
{
	struct json_writer json = {.out = out};
	struct json_reader reader;
	struct json_item item;
	enum status status;

	json_begin(&reader, NULL, buf_text(&request->body), request->body.len);
	status = json_next(&reader, &item, err);
	json_put_begin(&json, NULL, '{');
	while (!status && !(status = json_next(&reader, &item, err)) && item.kind == JSON_KEY)
		status = copy_member(&reader, item.text, &json, err);
	json_put_end(&json, '}');
	json_end(&reader);
	if (!status && buf_status(out))
		status = error_no_memory(err, "for the request");
	return status;
}
