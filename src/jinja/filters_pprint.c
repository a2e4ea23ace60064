/* Values for readers: JSON, and Python's pprint (width 80, dicts sorted). */
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "jinja/casing.h"
#include "jinja/filters.h"
#include "jinja/methods.h"

/* ---- tojson ---- */

static enum status json_indent(struct render *render, struct value value,
                               const struct string **out)
{
	struct value spaces;
	enum status status;

	*out = NULL;
	if (value.kind == VALUE_NONE)
		return STATUS_OK;
	if (value.kind != VALUE_STRING) {
		status = value_binary(render, OP_MUL, value_text(render->arena, " ", 1, SOURCE_TEMPLATE),
		                      value, &spaces);
		if (status)
			return status;
		value = spaces;
	}
	*out = value.u.string;
	return STATUS_OK;
}

static enum status json_separators(struct render *render, struct value value,
                                   struct json_style *style)
{
	struct value pair[2];
	enum status status;

	if (value.kind == VALUE_NONE)
		return STATUS_OK;
	status = unpack_pair(render, value, pair);
	if (status)
		return status;
	if (pair[0].kind != VALUE_STRING || pair[1].kind != VALUE_STRING)
		return render_fail(render, "separators must be str");
	style->item_separator = pair[0].u.string;
	style->key_separator = pair[1].u.string;
	return STATUS_OK;
}

enum status filter_tojson(struct render *render, struct value self, const struct bound *bound,
                          struct value *out)
{
	struct json_style style = {
		.ensure_ascii = value_truth(bound->args[0]),
		.sort_keys = value_truth(bound->args[3]),
	};
	struct text text;
	/* Python's encoder does not look at it for a string. */
	enum status status = self.kind == VALUE_STRING
	                             ? STATUS_OK
	                             : json_indent(render, bound->args[1], &style.indent);

	if (!status)
		status = json_separators(render, bound->args[2], &style);
	text_begin(render, &text);
	if (!status)
		status = json_dump(render, self, &style, &text);
	return status ? status : give_text(render, &text, out);
}

/* ---- dicts in order ---- */

/* Numbers, strings, everything else by the names of their types. */
static int key_order(struct value a, struct value b)
{
	int order;

	if (value_is_number(a) && value_is_number(b)) {
		order = value_number_order(a, b);
		return order == NUMBERS_UNORDERED ? 0 : order;
	}
	if (a.kind == VALUE_STRING && b.kind == VALUE_STRING)
		return string_compare(a.u.string, b.u.string);
	return strcmp(value_type_name(a), value_type_name(b));
}

static int entry_order(const void *a, const void *b)
{
	return key_order(((const struct dict_entry *)a)->key, ((const struct dict_entry *)b)->key);
}

static enum status sorted_copy(struct render *render, struct value value, unsigned depth,
                               struct value *out);

static enum status sorted_dict(struct render *render, const struct dict *dict, unsigned depth,
                               struct value *out)
{
	struct dict_entry *entries = arena_array(render->arena, dict->n, sizeof *entries);
	size_t n = 0;
	enum status status;

	*out = value_dict(render->arena);
	if (!entries || out->kind != VALUE_DICT)
		return render_no_memory(render);
	for (size_t i = 0; i < dict->n_entries; i++) {
		if (!dict->entries[i].gone)
			entries[n++] = dict->entries[i];
	}
	qsort(entries, n, sizeof *entries, entry_order);
	status = render_step(render, n);
	for (size_t i = 0; !status && i < n; i++) {
		struct value item;

		status = sorted_copy(render, entries[i].value, depth, &item);
		if (!status && !dict_put(render->arena, out->u.dict, entries[i].key, item))
			status = render_no_memory(render);
	}
	return status;
}

static enum status sorted_copy(struct render *render, struct value value, unsigned depth,
                               struct value *out)
{
	enum status status;

	*out = value;
	if (depth == 0)
		return render_limit(render, "lists inside lists");
	if (value.kind == VALUE_DICT)
		return sorted_dict(render, value.u.dict, depth - 1, out);
	if (value.kind != VALUE_LIST || !list_is_sequence(value.u.list) ||
	    value.u.list->kind == LIST_GROUP) /* its repr() is its own */
		return STATUS_OK;
	status = give_list(render, value.u.list->kind, out);
	for (size_t i = 0; !status && i < value.u.list->n; i++) {
		struct value item;

		status = sorted_copy(render, value.u.list->items[i], depth - 1, &item);
		if (!status)
			status = push(render, out->u.list, item);
	}
	return status;
}

/* ---- pprint ---- */

enum { WIDTH = 80 };

/* Where a value stands: columns before it, and after its end on the same line. */
struct place {
	size_t indent, allowance;
	unsigned level; /* 1: the whole */
};

/* Columns left, 0 when there are none. */
static size_t room(struct place place)
{
	size_t taken = place.indent + place.allowance;

	return taken < WIDTH ? WIDTH - taken : 0;
}

static enum status repr_of(struct render *render, struct value value, const struct string **out)
{
	struct text text;
	enum status status;

	text_begin(render, &text);
	status = value_repr(render, &text, value);
	if (status)
		return status;
	*out = text_finish(&text);
	return *out ? render_bytes(render, (*out)->len) : render_no_memory(render);
}

static void new_line(struct text *out, size_t indent)
{
	text_puts(out, "\n");
	text_fill(out, " ", 1, SOURCE_TEMPLATE, indent);
}

static enum status pretty(struct render *render, struct text *out, struct value value,
                          struct place place);

static enum status pretty_list(struct render *render, struct text *out, const struct list *list,
                               struct place place)
{
	bool tuple = list_is_tuple(list);
	const char *close = !tuple ? "]" : list->n == 1 ? ",)" : ")";
	enum status status = STATUS_OK;

	text_puts(out, tuple ? "(" : "[");
	for (size_t i = 0; !status && i < list->n; i++) {
		struct place inside = {place.indent + 1, 1, place.level + 1};

		if (i + 1 == list->n)
			inside.allowance = place.allowance + strlen(close);
		if (i > 0) {
			text_puts(out, ",");
			new_line(out, inside.indent);
		}
		status = pretty(render, out, list->items[i], inside);
	}
	text_puts(out, close);
	return status;
}

static enum status pretty_dict(struct render *render, struct text *out, const struct dict *dict,
                               struct place place)
{
	enum status status = STATUS_OK;

	text_puts(out, "{");
	for (size_t i = 0; !status && i < dict->n_entries; i++) {
		struct place inside = {place.indent + 1, 1, place.level + 1};
		const struct string *key;

		if (i + 1 == dict->n_entries)
			inside.allowance = place.allowance + 1;
		if (i > 0) {
			text_puts(out, ",");
			new_line(out, inside.indent);
		}
		status = repr_of(render, dict->entries[i].key, &key);
		if (status)
			return status;
		text_append_string(out, key);
		text_puts(out, ": ");
		inside.indent += key->n_chars + 2;
		status = pretty(render, out, dict->entries[i].value, inside);
	}
	text_puts(out, "}");
	return status;
}

/* A long string as several, broken at the ends of lines and of words. */
struct pieces {
	struct render *render;
	struct list *list; /* their reprs */
	const struct string *string;
	struct place place;
};

static enum status repr_part(struct pieces *pieces, size_t from, size_t to,
                             const struct string **out)
{
	const struct string *part = string_part(pieces->render->arena, pieces->string, from, to);

	return part ? repr_of(pieces->render, value_from_string(part), out)
	            : render_no_memory(pieces->render);
}

static enum status add_piece(struct pieces *pieces, size_t from, size_t to)
{
	const struct string *repr;
	enum status status;

	if (from == to)
		return STATUS_OK;
	status = repr_part(pieces, from, to, &repr);
	return status ? status : push(pieces->render, pieces->list, value_from_string(repr));
}

/* The end of a word and of the blanks after it. */
static size_t word_end(const struct string *string, size_t at, size_t to)
{
	bool blanks = false;

	for (size_t len; at < to; at += len) {
		bool space = char_is_space(string_char(string, at, &len));

		if (blanks && !space)
			break;
		blanks = space;
	}
	return at;
}

static enum status add_words(struct pieces *pieces, size_t from, size_t to)
{
	size_t piece = from, end;
	enum status status = STATUS_OK;

	for (size_t at = from; !status && at < to; at = end) {
		struct place place = {pieces->place.indent, 0, 0};
		const struct string *repr;

		end = word_end(pieces->string, at, to);
		if (end == pieces->string->len)
			place.allowance = pieces->place.allowance;
		status = repr_part(pieces, piece, end, &repr);
		if (!status && repr->n_chars > room(place)) {
			status = add_piece(pieces, piece, at);
			piece = at;
		}
	}
	return status ? status : add_piece(pieces, piece, to);
}

static enum status add_lines(struct pieces *pieces)
{
	size_t at = 0, from, to;
	enum status status = STATUS_OK;

	while (!status && next_line(pieces->string, &at, &from, &to)) {
		struct place place = {pieces->place.indent, 0, 0};
		const struct string *repr;

		if (at == pieces->string->len)
			place.allowance = pieces->place.allowance;
		status = repr_part(pieces, from, at, &repr);
		if (!status && repr->n_chars <= room(place))
			status = push(pieces->render, pieces->list, value_from_string(repr));
		else if (!status)
			status = add_words(pieces, from, at);
	}
	return status;
}

static enum status pretty_string(struct render *render, struct text *out,
                                 const struct string *string, struct place place)
{
	struct pieces pieces = {.render = render, .string = string, .place = place};
	bool brackets;
	struct value list;
	enum status status = give_list(render, LIST_LIST, &list);

	if (place.level == 1)
		pieces.place.indent++, pieces.place.allowance++;
	pieces.list = list.u.list;
	if (!status)
		status = add_lines(&pieces);
	if (status)
		return status;
	brackets = place.level == 1 && pieces.list->n > 1;
	if (brackets)
		text_puts(out, "(");
	for (size_t i = 0; i < pieces.list->n; i++) {
		if (i > 0)
			new_line(out, pieces.place.indent);
		text_append_string(out, pieces.list->items[i].u.string);
	}
	if (brackets)
		text_puts(out, ")");
	return STATUS_OK;
}

static enum status pretty(struct render *render, struct text *out, struct value value,
                          struct place place)
{
	const struct string *repr;
	enum status status = repr_of(render, value, &repr);

	if (status)
		return status;
	if (repr->n_chars > room(place)) {
		if (value.kind == VALUE_DICT)
			return pretty_dict(render, out, value.u.dict, place);
		if (value.kind == VALUE_STRING && value.u.string->len > 0)
			return pretty_string(render, out, value.u.string, place);
		if (value.kind == VALUE_LIST && list_is_sequence(value.u.list) &&
		    value.u.list->kind != LIST_GROUP)
			return pretty_list(render, out, value.u.list, place);
	}
	text_append_string(out, repr);
	return STATUS_OK;
}

enum status filter_pprint(struct render *render, struct value self, const struct bound *bound,
                          struct value *out)
{
	struct text text;
	struct value sorted;
	enum status status = sorted_copy(render, self, LIMIT_JINJA_NESTING, &sorted);

	(void)bound;
	text_begin(render, &text);
	if (!status)
		status = pretty(render, &text, sorted, (struct place){0, 0, 1});
	return status ? status : give_text(render, &text, out);
}
