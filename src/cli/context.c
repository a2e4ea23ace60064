#include "cli/context.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/utf8.h"
#include "config/yaml.h"
#include "config/yaml_scalar.h"

/* Where a value is. */
struct value_place {
	bool is_input;     /* its texts are sources, not template */
	bool are_messages; /* below the variable `messages` */
	unsigned level;    /* below its variable: 0 is the variable itself */
};

struct context_reading {
	struct yaml_reader *yaml;
	struct context *context;
	struct arena *arena;
	struct error *err;
};

/* The number of a new source; 0 if there is no memory for it, see *status. */
static uint32_t add_source(struct context_reading *r, size_t line, enum status *status)
{
	struct context *context = r->context;

	if (!alloc_grow(&context->lines, &context->cap_sources, context->n_sources + 1,
	                sizeof *context->lines, LIMIT_CONTEXT_BYTES)) {
		*status = error_no_memory(r->err, "for the context");
		return SOURCE_TEMPLATE;
	}
	context->lines[context->n_sources++] = line;
	return (uint32_t)context->n_sources;
}

/* Its digits as they are shown: without a plus and what stands between them. */
static enum status read_long(struct context_reading *r, const struct yaml_item *item,
                             struct jinja_value *out)
{
	const char *text = item->text + (item->text[0] == '+');
	enum status status = STATUS_OK;
	struct buf digits = {.max = LIMIT_CONTEXT_BYTES};

	if (strspn(text + (*text == '-'), "0123456789_") != strlen(text + (*text == '-')) ||
	    text[*text == '-'] == '0')
		return yaml_fail(r->yaml, item->line, STATUS_FORMAT, r->err,
		                 "the number does not fit in 64 bits; decimal ones may be longer");
	for (; *text; text++)
		if (*text != '_')
			buf_putc(&digits, *text);
	if (buf_status(&digits))
		status = error_no_memory(r->err, "for the context");
	else
		*out = value_long(r->arena, buf_text(&digits), digits.len);
	buf_free(&digits);
	return status;
}

static enum status read_scalar(struct context_reading *r, const struct yaml_item *item,
                               bool is_input, struct jinja_value *out)
{
	struct yaml_scalar scalar = {.kind = SCALAR_TEXT};
	enum status status = STATUS_OK;
	uint32_t source;

	if (item->plain)
		scalar = yaml_scalar_resolve(item->text);
	switch (scalar.kind) {
	case SCALAR_NULL: *out = value_none(); break;
	case SCALAR_BOOL: *out = value_bool(scalar.boolean); break;
	case SCALAR_INT: *out = value_int(scalar.integer); break;
	case SCALAR_FLOAT: *out = value_float(scalar.number); break;
	case SCALAR_TOO_BIG:
		return read_long(r, item, out);
	case SCALAR_TEXT:
		source = is_input ? add_source(r, item->line, &status) : SOURCE_TEMPLATE;
		*out = value_text(r->arena, item->text, item->len, source);
		break;
	}
	return status;
}

static enum status read_value(struct context_reading *r, const struct yaml_item *item,
                              const struct value_place *place, struct jinja_value *out);

static enum status read_list(struct context_reading *r, const struct value_place *place,
                             struct jinja_value *out)
{
	struct value_place inner = *place;
	struct yaml_item item;
	struct jinja_value value;
	enum status status;

	inner.level++;
	*out = value_list(r->arena, LIST_LIST);
	for (;;) {
		status = yaml_next(r->yaml, &item, r->err);
		if (status || item.kind == YAML_LIST_END)
			return status;
		status = read_value(r, &item, &inner, &value);
		if (status)
			return status;
		if (r->arena->status || !list_push(r->arena, out->u.list, value))
			return error_set(r->err, r->arena->status, "the context takes too much memory");
	}
}

static bool is_input_variable(const char *name)
{
	return strcmp(name, "messages") == 0 || strcmp(name, "tools") == 0 ||
	       strcmp(name, "documents") == 0;
}

static enum status read_map(struct context_reading *r, const struct value_place *place,
                            struct jinja_value *out)
{
	struct value_place inner = *place;
	struct yaml_item item;
	struct jinja_value key, value;
	enum status status;

	inner.level++;
	*out = value_dict(r->arena);
	for (;;) {
		status = yaml_next(r->yaml, &item, r->err);
		if (status || item.kind == YAML_MAP_END)
			return status;
		/* The role of a message comes from the program, not from a person. */
		inner.is_input = place->is_input && !(place->are_messages && place->level == 1 &&
		                                      strcmp(item.text, "role") == 0);
		status = read_scalar(r, &item, inner.is_input, &key);
		if (!status)
			status = yaml_next(r->yaml, &item, r->err);
		if (!status)
			status = read_value(r, &item, &inner, &value);
		if (status)
			return status;
		if (r->arena->status || !dict_put(r->arena, out->u.dict, key, value))
			return error_set(r->err, r->arena->status, "the context takes too much memory");
	}
}

static enum status read_value(struct context_reading *r, const struct yaml_item *item,
                              const struct value_place *place, struct jinja_value *out)
{
	switch (item->kind) {
	case YAML_MAP_BEGIN: return read_map(r, place, out);
	case YAML_LIST_BEGIN: return read_list(r, place, out);
	default: return read_scalar(r, item, place->is_input, out);
	}
}

/* A variable. */
static enum status read_variable(void *ctx, struct yaml_reader *yaml, const struct yaml_item *key,
                                 struct error *err)
{
	struct context_reading *r = ctx;
	struct value_place place = {.is_input = is_input_variable(key->text),
	                      .are_messages = strcmp(key->text, "messages") == 0};
	char *name = alloc_strndup(key->text, key->len);
	struct yaml_item item;
	struct jinja_value value;
	enum status status;

	if (!name)
		return error_no_memory(err, "for the context");
	status = yaml_next(yaml, &item, err);
	if (!status)
		status = read_value(r, &item, &place, &value);
	if (!status)
		jinja_context_set(r->context->variables, name, value);
	free(name);
	return status;
}

/* The value of the four digits behind "\\u"; -1: it is none. */
static int32_t read_unit(const char *text, size_t len)
{
	int32_t unit = 0;

	if (len < 6 || text[0] != '\\' || text[1] != 'u')
		return -1;
	for (size_t i = 2; i < 6; i++) {
		unsigned digit = number_digit(text[i]);

		if (digit > 15)
			return -1;
		unit = unit * 16 + (int32_t)digit;
	}
	return unit;
}

/* JSON, which YAML otherwise includes, spells characters beyond U+FFFF as two halves: one escape of
 * YAML takes their place, U+FFFD that of a half alone. Where the text is none, `out` stays empty. */
static enum status join_halves(struct buf *out, const char *text, size_t len, struct error *err)
{
	bool quoted = false;
	size_t start = utf8_mark_len(text, len), at = 0;

	start += strspn(text + start, " \t\r\n");
	if (start >= len || text[start] != '{' || !memmem(text, len, "\\u", 2))
		return STATUS_OK;
	for (size_t n; at < len; at += n) {
		int32_t first = quoted ? read_unit(text + at, len - at) : -1, second;

		quoted ^= text[at] == '"';
		n = quoted && text[at] == '\\' && at + 1 < len ? 2 : 1;
		if ((first & ~0x7FF) != 0xD800) {
			buf_append(out, text + at, n);
			continue;
		}
		n = 6;
		second = first < 0xDC00 ? read_unit(text + at + n, len - at - n) : -1;
		if ((second & ~0x3FF) == 0xDC00) {
			buf_printf(out, "\\U%08X", 0x10000U + (((unsigned)first - 0xD800) << 10) + ((unsigned)second - 0xDC00));
			n += 6;
		} else {
			buf_puts(out, "\\uFFFD");
		}
	}
	return buf_status(out) ? error_no_memory(err, "for the context") : STATUS_OK;
}

enum status context_read(struct context *context, const char *name, const char *text, size_t len,
                         struct error *err)
{
	const struct yaml_limits limits = {LIMIT_CONTEXT_BYTES, LIMIT_CONTEXT_BYTES,
	                                   LIMIT_CONTEXT_DEPTH};
	struct context_reading r = {.context = context, .err = err};
	enum status status;
	struct buf joined = {.max = 2 * LIMIT_CONTEXT_BYTES};

	*context = (struct context){.limits = jinja_limits_for(len)};
	status = jinja_context_create(&context->variables, context->limits.memory, err);
	if (status)
		return status;
	status = join_halves(&joined, text, len, err);
	if (joined.len) {
		text = joined.data;
		len = joined.len;
	}
	r.arena = jinja_context_arena(context->variables);
	(void)(status || (status = yaml_open(&r.yaml, name, text, len, 1, &limits, err)) ||
	       (status = yaml_read_map(r.yaml, "expected a mapping of variables", read_variable, &r,
	                               err)));
	if (!status && r.arena->status)
		status = error_set(err, r.arena->status, "%s: the context takes too much memory", name);
	yaml_close(r.yaml);
	buf_free(&joined);
	return status;
}

void context_free(struct context *context)
{
	jinja_context_free(context->variables);
	free(context->lines);
	*context = (struct context){0};
}
