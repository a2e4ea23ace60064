#include "rendering.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "jinja/builtins.h"

void rendering_begin(struct rendering *r)
{
	*r = (struct rendering){.tmpl = {.name = "t"}};
	arena_init(&r->arena, LIMIT_JINJA_MEMORY);
	r->render = (struct render){
		.tmpl = &r->tmpl,
		.limits = &jinja_limits_default,
		.arena = &r->arena,
		.filters = &jinja_filters,
		.tests = &jinja_tests,
		.line = 1,
		.fuel = LIMIT_JINJA_FUEL,
		.err = &r->err,
	};
}

void rendering_end(struct rendering *r)
{
	arena_free(&r->arena);
}

void rendering_reset(struct rendering *r)
{
	r->render.failed = r->render.raised = false;
	r->render.n_printing = 0;
	r->render.fuel = LIMIT_JINJA_FUEL;
	r->err = (struct error){0};
}

const char *shown(struct rendering *r, struct jinja_value value)
{
	static const char prefix[] = "t:1: ";
	const struct jinja_string *string;
	struct text text;

	text_init(&text, &r->arena, SIZE_MAX - 1);
	value_repr(&r->render, &text, value);
	string = text_finish(&text);
	if (!r->render.failed)
		return string ? string->data : "(no memory)";
	cr_assert_not(strncmp(r->err.text, prefix, strlen(prefix)), "%s", r->err.text);
	string = string_new(&r->arena, r->err.text + strlen(prefix),
	                    strlen(r->err.text + strlen(prefix)), 0);
	return string ? string->data : "(no memory)";
}

/* ---- literals ---- */

struct reader {
	struct rendering *r;
	const char *at;
};

static struct jinja_value read_value(struct reader *reader);

static void skip_blanks(struct reader *reader)
{
	while (*reader->at == ' ')
		reader->at++;
}

static bool take(struct reader *reader, const char *word)
{
	size_t len = strlen(word);

	skip_blanks(reader);
	if (strncmp(reader->at, word, len) != 0)
		return false;
	reader->at += len;
	return true;
}

static void need(struct reader *reader, const char *word)
{
	cr_assert(take(reader, word), "a literal lacks '%s' at: %s", word, reader->at);
}

static struct jinja_value read_string(struct reader *reader, char quote)
{
	static const char escapes[] = "nrt\\'\"", meanings[] = "\n\r\t\\'\"";
	char bytes[UTF8_MAX], digits[9] = "";
	const char *found;
	struct text text;
	size_t n;

	text_init(&text, &reader->r->arena, SIZE_MAX - 1);
	for (; *reader->at != quote; reader->at++) {
		cr_assert(*reader->at);
		if (*reader->at != '\\') {
			for (n = 1; (reader->at[n] & 0xC0) == 0x80; n++)
				;
			text_append(&text, reader->at, n, 0);
			reader->at += n - 1;
			continue;
		}
		found = strchr(escapes, *++reader->at);
		if (found) {
			text_append(&text, meanings + (found - escapes), 1, 0);
			continue;
		}
		n = *reader->at == 'x' ? 2 : *reader->at == 'u' ? 4 : 8;
		memcpy(digits, reader->at + 1, n);
		digits[n] = '\0';
		text_append(&text, bytes,
		            utf8_encode((uint32_t)strtoul(digits, NULL, 16), bytes), 0);
		reader->at += n;
	}
	reader->at++;
	return value_from_string(text_finish(&text));
}

static struct jinja_value read_items(struct reader *reader, enum list_kind kind, const char *close)
{
	struct jinja_value list = value_list(&reader->r->arena, kind);

	while (!take(reader, close)) {
		cr_assert(list_push(&reader->r->arena, list.u.list, read_value(reader)));
		if (!take(reader, ",")) {
			need(reader, close);
			/* (1) is 1 */
			if (kind == LIST_TUPLE && list.u.list->n == 1)
				return list.u.list->items[0];
			break;
		}
	}
	return list;
}

static struct jinja_value read_dict(struct reader *reader)
{
	struct jinja_value dict = value_dict(&reader->r->arena), key;

	while (!take(reader, "}")) {
		key = read_value(reader);
		need(reader, ":");
		cr_assert(dict_put(&reader->r->arena, dict.u.dict, key, read_value(reader)));
		if (!take(reader, ",")) {
			need(reader, "}");
			break;
		}
	}
	return dict;
}

static struct jinja_value read_range(struct reader *reader)
{
	struct jinja_value args = read_items(reader, LIST_LIST, ")");
	const struct jinja_value *items = args.u.list->items;

	return value_range(&reader->r->arena, items[0].u.integer, items[1].u.integer,
	                   args.u.list->n > 2 ? items[2].u.integer : 1);
}

static struct jinja_value read_number(struct reader *reader)
{
	size_t digits = strspn(reader->at, "-0123456789");
	char *end;
	struct jinja_value number;

	if (digits && !memchr(".eEi", reader->at[digits], 4)) /* -inf */
		number = value_int(strtoll(reader->at, &end, 10));
	else
		number = value_float(strtod(reader->at, &end));
	cr_assert(end != reader->at, "no literal: %s", reader->at);
	reader->at = end;
	return number;
}

static struct jinja_value read_value(struct reader *reader)
{
	static const struct {
		const char *word;
		enum list_kind kind;
	} lists[] = {{"[", LIST_LIST},           {"iter [", LIST_ITERATOR}, {"keys [", LIST_KEYS},
	             {"values [", LIST_VALUES}, {"items [", LIST_ITEMS}};

	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
		if (take(reader, lists[i].word))
			return read_items(reader, lists[i].kind, "]");
	}
	if (take(reader, "("))
		return read_items(reader, LIST_TUPLE, ")");
	if (take(reader, "{"))
		return read_dict(reader);
	if (take(reader, "range("))
		return read_range(reader);
	if (take(reader, "'"))
		return read_string(reader, '\'');
	if (take(reader, "\""))
		return read_string(reader, '"');
	if (take(reader, "True"))
		return value_bool(true);
	if (take(reader, "False"))
		return value_bool(false);
	if (take(reader, "None"))
		return value_none();
	if (take(reader, "Undefined"))
		return undefined_variable(&reader->r->arena,
		                          string_new(&reader->r->arena, "u", 1, 0));
	return read_number(reader);
}

struct jinja_value literal(struct rendering *r, const char *text)
{
	struct reader reader = {.r = r, .at = text};
	struct jinja_value value = read_value(&reader);

	skip_blanks(&reader);
	cr_assert(!*reader.at, "more than a literal: %s", text);
	return value;
}
