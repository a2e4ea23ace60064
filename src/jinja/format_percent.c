/* "%s has %d of %(name)s" % values */
#include <string.h>

#include "jinja/format.h"

struct percent {
	struct render *render;
	const struct jinja_string *format;
	size_t at;
	struct text text;
	struct jinja_value all;          /* what stands behind the % */
	const struct jinja_value *items; /* those not yet used */
	size_t n;
};

/* %(name): what the dict has there. */
static enum status read_key(struct percent *percent, struct jinja_value *out)
{
	struct render *render = percent->render;
	const struct jinja_string *format = percent->format, *key;
	const char *end = memchr(format->data + percent->at, ')', format->len - percent->at);
	const struct jinja_value *found;

	if (percent->all.kind == VALUE_UNDEFINED)
		return undefined_fail(render, percent->all);
	if (percent->all.kind != VALUE_DICT)
		return render_fail(render, "format requires a mapping");
	if (!end)
		return render_fail(render, "incomplete format key");
	key = string_part(render->arena, format, percent->at + 1, (size_t)(end - format->data));
	if (!key)
		return render_no_memory(render);
	percent->at = (size_t)(end - format->data) + 1;
	found = dict_find(percent->all.u.dict, value_from_string(key));
	if (!found)
		return render_fail(render, "'%s'", key->data);
	*out = *found;
	percent->n = 0;
	return render_bytes(render, key->len);
}

static enum status next_argument(struct percent *percent, struct jinja_value *out)
{
	if (!percent->n)
		return render_fail(percent->render, "not enough arguments for format string");
	percent->n--;
	*out = *percent->items++;
	return STATUS_OK;
}

/* From a '%' on. */
static enum status put_conversion(struct percent *percent)
{
	const struct jinja_string *format = percent->format;
	uint32_t source = string_source_at(format, percent->at++);
	bool keyed = percent->at < format->len && format->data[percent->at] == '(';
	struct format_spec spec;
	struct jinja_value value;
	enum status status = render_step(percent->render, 1);

	if (!status && keyed)
		status = read_key(percent, &value);
	if (status)
		return status;
	format_read_spec(format, &percent->at, &spec);
	spec.source = source;
	if (!spec.align)
		spec.align = '>';
	if (!spec.type)
		return render_fail(percent->render, "incomplete format");
	if (!keyed)
		status = next_argument(percent, &value);
	return status ? status : format_value(percent->render, value, &spec, &percent->text);
}

static enum status put_all(struct percent *percent)
{
	const struct jinja_string *format = percent->format;
	enum status status = STATUS_OK;

	while (!status && percent->at < format->len) {
		const char *found =
			memchr(format->data + percent->at, '%', format->len - percent->at);
		size_t next = found ? (size_t)(found - format->data) : format->len;

		text_append_part(&percent->text, format, percent->at, next);
		percent->at = next;
		if (!found)
			break;
		if (next + 1 < format->len && found[1] == '%') {
			text_append_part(&percent->text, format, next, next + 1);
			percent->at += 2;
			continue;
		}
		status = put_conversion(percent);
	}
	return status;
}

enum status format_percent(struct render *render, const struct jinja_string *format,
                           struct jinja_value args, struct jinja_value *out)
{
	struct percent percent = {.render = render, .format = format, .all = args,
	                          .items = &args, .n = 1};
	enum status status = render_bytes(render, format->len);

	if (args.kind == VALUE_LIST && list_is_tuple(args.u.list)) {
		percent.items = args.u.list->items;
		percent.n = args.u.list->n;
	}
	text_begin(render, &percent.text);
	if (!status)
		status = put_all(&percent);
	if (status)
		return status;
	if (percent.n && args.kind != VALUE_DICT)
		return render_fail(render,
		                   "not all arguments converted during string formatting");
	return give_text(render, &percent.text, out);
}
