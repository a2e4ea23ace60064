/* Finding, counting and replacing parts of strings. */
#include "jinja/string_methods.h"

#include <string.h>

/* ---- finding ---- */

static enum status need_string(struct render *render, struct jinja_value value)
{
	if (value.kind == VALUE_STRING)
		return STATUS_OK;
	if (value.kind == VALUE_UNDEFINED)
		return undefined_fail(render, value);
	return render_fail(render, "the argument must be str, not %s", value_type_name(value));
}

enum status find_last(struct render *render, const struct jinja_string *string,
                      const struct jinja_string *what, size_t from, size_t to, size_t *at)
{
	size_t work = 0;

	*at = SIZE_MAX;
	if (to < from || to - from < what->len)
		return STATUS_OK;
	if (!what->len) {
		*at = to;
		return STATUS_OK;
	}
	/* Bytes compared are counted: nearly equal texts would make this quadratic. */
	for (size_t i = to - what->len + 1; i-- > from;) {
		size_t same = 0;

		while (same < what->len && string->data[i + same] == what->data[same])
			same++;
		work += same + 1;
		if (same == what->len) {
			*at = i;
			break;
		}
		if (work > 4096) {
			enum status status = render_bytes(render, work);

			if (status)
				return status;
			work = 0;
		}
	}
	return render_bytes(render, work);
}

static enum status find_first(struct render *render, const struct jinja_string *string,
                              const struct jinja_string *what, size_t from, size_t *at)
{
	*at = string_find(string, what, from);
	return render_bytes(render, (*at == SIZE_MAX ? string->len : *at) - from);
}

enum end { FIRST, LAST };

/* Characters before what is found; -1: it is not there. */
static enum status find(struct render *render, struct jinja_value self, const struct bound *bound,
                        enum end end, struct jinja_value *out)
{
	const struct jinja_string *string = self.u.string, *what = bound->args[0].u.string;
	size_t at = SIZE_MAX;
	enum status status = need_string(render, bound->args[0]);

	if (!status && end == FIRST)
		status = find_first(render, string, what, 0, &at);
	else if (!status)
		status = find_last(render, string, what, 0, string->len, &at);
	*out = value_int(at == SIZE_MAX ? -1 : (int64_t)string_char_index(string, at));
	return status;
}

METHOD(str_find)
{
	return find(render, self, bound, FIRST, out);
}

METHOD(str_rfind)
{
	return find(render, self, bound, LAST, out);
}

METHOD(str_count)
{
	const struct jinja_string *string = self.u.string, *what = bound->args[0].u.string;
	size_t from = 0, at, n = 0;
	enum status status = need_string(render, bound->args[0]);

	if (status)
		return status;
	if (!what->len)
		n = 1 + string->n_chars;
	else
		for (; !(status = find_first(render, string, what, from, &at)) &&
		       at != SIZE_MAX; n++)
			from = at + what->len;
	*out = value_int((int64_t)n);
	return status;
}

/* ---- the ends ---- */

static bool end_is(const struct jinja_string *string, const struct jinja_string *what, enum end end)
{
	size_t at = end == FIRST ? 0 : string->len - what->len;

	return what->len <= string->len && !memcmp(string->data + at, what->data, what->len);
}

/* startswith, endswith: a string or a tuple of them. */
static enum status has_end(struct render *render, struct jinja_value self,
                           const struct bound *bound, enum end end, struct jinja_value *out)
{
	const struct jinja_string *string = self.u.string;
	const struct jinja_value *items = &bound->args[0];
	size_t n = 1;
	bool is = false;
	enum status status = STATUS_OK;

	if (items->kind == VALUE_LIST && items->u.list->kind == LIST_TUPLE) {
		n = items->u.list->n;
		items = items->u.list->items;
	}
	for (size_t i = 0; i < n && !is && !status; i++) {
		status = need_string(render, items[i]);
		if (!status)
			status = render_bytes(render, items[i].u.string->len);
		if (!status)
			is = end_is(string, items[i].u.string, end);
	}
	*out = value_bool(is);
	return status;
}

METHOD(str_startswith)
{
	return has_end(render, self, bound, FIRST, out);
}

METHOD(str_endswith)
{
	return has_end(render, self, bound, LAST, out);
}

static enum status remove_end(struct render *render, struct jinja_value self,
                              const struct bound *bound, enum end end, struct jinja_value *out)
{
	const struct jinja_string *string = self.u.string, *what = bound->args[0].u.string;
	enum status status = need_string(render, bound->args[0]);

	if (status)
		return status;
	*out = self;
	if (!what->len || !end_is(string, what, end))
		return STATUS_OK;
	return give_string(render,
	                   end == FIRST
	                           ? string_part(render->arena, string, what->len, string->len)
	                           : string_part(render->arena, string, 0, string->len - what->len),
	                   out);
}

METHOD(str_removeprefix)
{
	return remove_end(render, self, bound, FIRST, out);
}

METHOD(str_removesuffix)
{
	return remove_end(render, self, bound, LAST, out);
}

/* ---- replacing ---- */

/* "" is replaced before every character and at the end. */
static enum status replace_between(struct render *render, const struct jinja_string *string,
                                   const struct jinja_string *with, uint64_t max, struct text *text)
{
	size_t at = 0, len;
	uint64_t done = 0;

	for (; done < max && !text->status; done++) {
		enum status status = render_bytes(render, with->len);

		if (status)
			return status;
		text_append_string(text, with);
		if (at == string->len)
			break;
		string_char(string, at, &len);
		text_append_part(text, string, at, at + len);
		at += len;
	}
	text_append_part(text, string, at, string->len);
	return STATUS_OK;
}

static enum status replace_found(struct render *render, const struct jinja_string *string,
                                 const struct jinja_string *what, const struct jinja_string *with,
                                 uint64_t max, struct text *text)
{
	size_t at = 0, found;
	enum status status;

	for (; max > 0 && !text->status; max--) {
		if ((status = find_first(render, string, what, at, &found)))
			return status;
		if (found == SIZE_MAX)
			break;
		text_append_part(text, string, at, found);
		text_append_string(text, with);
		if ((status = render_bytes(render, with->len)))
			return status;
		at = found + what->len;
	}
	text_append_part(text, string, at, string->len);
	return STATUS_OK;
}

METHOD(str_replace)
{
	const struct jinja_string *string = self.u.string, *what = bound->args[0].u.string,
	                    *with = bound->args[1].u.string;
	enum status status = need_string(render, bound->args[0]);
	struct text text;
	int64_t max;

	if (!status)
		status = need_string(render, bound->args[1]);
	if (!status)
		status = arg_int(render, bound->args[2], &max);
	if (status)
		return status;
	text_begin(render, &text);
	status = what->len ? replace_found(render, string, what, with, (uint64_t)max, &text)
	                   : replace_between(render, string, with, (uint64_t)max, &text);
	return status ? status : give_text(render, &text, out);
}
