#include "encode/template_kwargs.h"

#include <string.h>

#include "base/json_reader.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/words.h"

/* The variables with which templates are told whether to reason. */
static const char reasoning_switches[] = "enable_thinking thinking";

/* A value of which the first item has been read. Its texts are the template's: the user gives them to it. */
static enum status read_value(struct json_reader *json, const struct json_item *first, struct arena *arena,
                              struct jinja_value *out, struct error *err)
{
	struct jinja_value key = value_none(), value;
	struct json_item item;
	enum status status;
	int64_t integer;
	double number;

	switch (first->kind) {
	case JSON_NULL: *out = value_none(); return STATUS_OK;
	case JSON_TRUE: case JSON_FALSE: *out = value_bool(first->kind == JSON_TRUE); return STATUS_OK;
	case JSON_STRING: *out = value_text(arena, first->text, first->len, SOURCE_TEMPLATE); return STATUS_OK;
	case JSON_NUMBER:
		if (number_parse_int(first->text, &integer))
			*out = value_int(integer);
		else if (!strpbrk(first->text, ".eE"))
			*out = value_long(arena, first->text, first->len);
		else if (number_parse_double(first->text, &number))
			*out = value_float(number);
		else
			return error_set(err, STATUS_FORMAT, "the number %.40s is too large", first->text);
		return STATUS_OK;
	default: break;
	}
	if (json->depth > LIMIT_CONTEXT_DEPTH)
		return error_set(err, STATUS_FORMAT, "more than %d levels", LIMIT_CONTEXT_DEPTH);
	*out = first->kind == JSON_OBJECT ? value_dict(arena) : value_list(arena, LIST_LIST);
	for (;;) {
		status = json_next(json, &item, err);
		if (status || item.kind == JSON_OBJECT_END || item.kind == JSON_ARRAY_END)
			return status;
		if (item.kind == JSON_KEY) {
			key = value_text(arena, item.text, item.len, SOURCE_TEMPLATE);
			status = json_next(json, &item, err);
		}
		if (!status)
			status = read_value(json, &item, arena, &value, err);
		if (status)
			return status;
		if (arena->status || !(first->kind == JSON_OBJECT ? dict_put(arena, out->u.dict, key, value)
		                                                  : list_push(arena, out->u.list, value)))
			return error_set(err, arena->status, "they take too much memory");
	}
}

/* What the screen shows must be what is answered. A text for enable_thinking would be true, whatever it says. */
static enum status check_variable(const char *name, size_t len, enum json_kind kind, struct error *err)
{
	if (strlen(name) != len || !len)
		return error_set(err, STATUS_FORMAT, "a name that is empty, or has a zero byte");
	if (words_have("messages add_generation_prompt", name, len))
		return error_set(err, STATUS_FORMAT, "%s is the conversation's, and cannot be set", name);
	if (words_have(reasoning_switches, name, len) && kind != JSON_TRUE && kind != JSON_FALSE)
		return error_set(err, STATUS_FORMAT, "%s: expected true or false", name);
	return STATUS_OK;
}

/* Reads the object, and sets its members where there is a context. */
static enum status read_members(struct json_reader *json, struct jinja_context *context,
                                enum reasoning_mode *mode, struct error *err)
{
	struct arena *arena = jinja_context_arena(context);
	struct json_item item;
	struct jinja_value value;
	enum status status = json_next(json, &item, err);
	struct buf name = {.max = LIMIT_MESSAGE};

	if (status || item.kind != JSON_OBJECT)
		return status ? status : error_set(err, STATUS_FORMAT, "expected an object, as in {\"enable_thinking\": false}");
	while (!(status = json_next(json, &item, err)) && item.kind == JSON_KEY) {
		buf_clear(&name);
		buf_append(&name, item.text, item.len);
		(void)((status = buf_status(&name)) || (status = json_next(json, &item, err)) ||
		       (status = check_variable(buf_text(&name), name.len, item.kind, err)) ||
		       (status = read_value(json, &item, arena, &value, err)));
		if (status)
			break;
		if (words_have(reasoning_switches, buf_text(&name), name.len))
			*mode = item.kind == JSON_TRUE ? REASONING_ON : REASONING_OFF;
		jinja_context_set(context, buf_text(&name), value);
	}
	buf_free(&name);
	if (!status)
		status = json_next(json, &item, err);
	if (!status && item.kind != JSON_END)
		status = error_set(err, STATUS_FORMAT, "text behind the object");
	return !status && arena->status ? error_set(err, arena->status, "they take too much memory") : status;
}

/* `context` NULL: they are only read. */
static enum status read_all(const char *text, struct jinja_context *context, enum reasoning_mode *mode,
                            struct error *err)
{
	struct jinja_context *own = NULL;
	struct json_reader json;
	enum status status = STATUS_OK;

	if (!context) {
		status = jinja_context_create(&own, LIMIT_JINJA_MEMORY, err);
		context = own;
	}
	if (status)
		return status;
	json_begin(&json, NULL, text, strlen(text));
	status = read_members(&json, context, mode, err);
	json_end(&json);
	jinja_context_free(own);
	return status;
}

enum status template_kwargs_check(const char *text, struct error *err)
{
	enum reasoning_mode mode = REASONING_AUTO;
	enum status status = read_all(text, NULL, &mode, err);

	if (status == STATUS_NOMEM || !status)
		return status;
	if (err)
		err->status = STATUS_USAGE;
	return STATUS_USAGE;
}

enum status template_kwargs_set(struct jinja_context *context, const char *text, struct error *err)
{
	enum reasoning_mode mode = REASONING_AUTO;
	enum status status = text && *text ? read_all(text, context, &mode, err) : STATUS_OK;

	if (status)
		error_prefix(err, "chat-template-kwargs");
	return status;
}

enum reasoning_mode template_kwargs_mode(const char *text, enum reasoning_mode mode)
{
	enum reasoning_mode said = mode;

	return text && *text && !read_all(text, NULL, &said, NULL) ? said : mode;
}
