/* New values in the text of a configuration: they replace the old ones where these stand, and get lines of
 * their own where there are none. Every other byte stays as it is. Whether a reader then finds what was
 * meant is for the caller to see: not every YAML can be changed in this way. */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "config/settings_internal.h"
#include "config/yaml.h"

/* Where the entries stand, in bytes of the text. */
struct entry_places {
	const char *text;
	size_t len;
	size_t characters, bytes; /* as counted last: libyaml counts characters */
	size_t begin;             /* of the mapping: its '{', or its first key */
	size_t end;               /* of its last value */
	bool is_map, is_flow, is_empty;
};

static bool is_break(char c)
{
	return c == '\n' || c == '\r';
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* They are asked for in about the order of the text. */
static size_t byte_of(struct entry_places *places, size_t character)
{
	if (character < places->characters)
		places->characters = 0;
	if (!places->characters)
		places->bytes = utf8_mark_len(places->text, places->len);
	while (places->characters < character && places->bytes < places->len) {
		do
			places->bytes++;
		while (places->bytes < places->len && (places->text[places->bytes] & 0xC0) == 0x80);
		places->characters++;
	}
	return places->bytes;
}

static struct settings_edit *find_edit(const struct settings *settings, const struct yaml_item *key,
                                       struct settings_edit *edits, size_t n)
{
	const struct setting *item = settings_lookup(settings, key->text, key->len);

	for (size_t i = 0; i < n; i++)
		if (edits[i].item == item)
			return &edits[i];
	return NULL;
}

/* The blank lines after a block scalar are not replaced with it. */
static void take_span(struct entry_places *places, const struct yaml_item *value,
                      struct settings_edit *edit)
{
	edit->is_there = true;
	edit->from = byte_of(places, value->from);
	edit->to = byte_of(places, value->to);
	if (edit->from < edit->to && strchr("|>", places->text[edit->from]))
		while (edit->to > edit->from && strchr(" \t\r\n", places->text[edit->to - 1]))
			edit->to--;
}

static enum status find_entries(struct entry_places *places, struct yaml_reader *reader,
                                const struct settings *settings, struct settings_edit *edits, size_t n,
                                struct error *err)
{
	struct yaml_item item;
	enum status status = yaml_next(reader, &item, err);

	if (status || item.kind != YAML_MAP_BEGIN)
		return status;
	places->is_map = places->is_empty = true;
	places->begin = byte_of(places, item.from);
	places->is_flow = places->begin < places->len && places->text[places->begin] == '{';
	while (!(status = yaml_next(reader, &item, err)) && item.kind != YAML_MAP_END) {
		struct settings_edit *edit = find_edit(settings, &item, edits, n);

		if (places->is_empty)
			places->begin = places->is_flow ? places->begin : byte_of(places, item.from);
		places->is_empty = false;
		status = yaml_next(reader, &item, err);
		if (status)
			return status;
		if (edit)
			take_span(places, &item, edit);
		places->end = byte_of(places, item.to);
		status = yaml_skip(reader, &item, err);
		if (status)
			return status;
	}
	return status;
}

static enum status find_places(struct entry_places *places, const struct settings *settings,
                               const char *name, struct settings_edit *edits, size_t n,
                               struct error *err)
{
	struct yaml_reader *reader = NULL;
	enum status status = yaml_open(&reader, name, places->text, places->len, 1, &yaml_limits_config, err);

	if (!status)
		status = find_entries(places, reader, settings, edits, n, err);
	yaml_close(reader);
	return status;
}

/* ---- new lines ---- */

/* As the text's first line ends. */
static const char *line_end(const struct entry_places *places)
{
	size_t at = 0;

	while (at < places->len && !is_break(places->text[at]))
		at++;
	if (at == places->len || places->text[at] == '\n')
		return "\n";
	return at + 1 < places->len && places->text[at + 1] == '\n' ? "\r\n" : "\r";
}

/* The beginning of the line after `at`, which may be that of a line itself. */
static size_t next_line(const struct entry_places *places, size_t at)
{
	if (at && is_break(places->text[at - 1]))
		return at;
	while (at < places->len && !is_break(places->text[at]))
		at++;
	if (at + 1 < places->len && places->text[at] == '\r' && places->text[at + 1] == '\n')
		at++;
	return at < places->len ? at + 1 : at;
}

/* Whether nothing but blank lines and comments follows. */
static bool is_rest_empty(const struct entry_places *places, size_t at)
{
	while (at < places->len) {
		while (at < places->len && (is_blank(places->text[at]) || is_break(places->text[at])))
			at++;
		if (at < places->len && places->text[at] != '#')
			return false;
		while (at < places->len && !is_break(places->text[at]))
			at++;
	}
	return true;
}

/* Where new lines go: to the end, or before what ends the document; or before the first entry. */
static size_t place_of_lines(const struct entry_places *places, bool first)
{
	size_t at = places->begin;

	if (first && places->is_map) {
		while (at && is_blank(places->text[at - 1]))
			at--;
		return at;
	}
	at = places->is_map ? next_line(places, places->end) : places->len;
	return is_rest_empty(places, at) ? places->len : at;
}

/* The blanks before the first entry: all of a mapping's have as many. */
static size_t indentation(const struct entry_places *places)
{
	size_t at = places->begin, n = 0;

	while (places->is_map && at && places->text[at - 1] == ' ') {
		at--;
		n++;
	}
	return n;
}

static void put_lines(struct buf *out, const struct entry_places *places, size_t at,
                      const struct settings_edit *edits, size_t n)
{
	const char *end = line_end(places);
	int margin = (int)indentation(places);

	if (at && !is_break(places->text[at - 1]) && at > utf8_mark_len(places->text, places->len))
		buf_puts(out, end);
	for (size_t i = 0; i < n; i++)
		buf_printf(out, "%*s%s: %s%s", margin, "", edits[i].item->option->name,
		           edits[i].value, end);
}

/* In { }: after the last entry, or after the bracket. */
static void put_members(struct buf *out, const struct entry_places *places,
                        const struct settings_edit *edits, size_t n)
{
	for (size_t i = 0; i < n; i++)
		buf_printf(out, "%s%s: %s", places->is_empty && !i ? "" : ", ",
		           edits[i].item->option->name, edits[i].value);
}

/* ---- all of it ---- */

static int by_place(const void *a, const void *b)
{
	const struct settings_edit *x = a, *y = b;

	return x->is_there != y->is_there ? y->is_there - x->is_there : (x->from > y->from) - (x->from < y->from);
}

enum status settings_edit_text(const struct settings *settings, const char *name, const char *text,
                               size_t len, bool first, struct settings_edit *edits, size_t n,
                               struct buf *out, struct error *err)
{
	struct entry_places places = {.text = text, .len = len};
	enum status status;
	size_t done = 0, at, n_there = 0;
	bool has_new;

	for (size_t i = 0; i < n; i++)
		edits[i].is_there = false;
	status = find_places(&places, settings, name, edits, n, err);
	if (status)
		return status;
	qsort(edits, n, sizeof *edits, by_place); /* those that are there come first */
	while (n_there < n && edits[n_there].is_there)
		n_there++;
	has_new = n_there < n;
	at = !places.is_flow ? place_of_lines(&places, first) : places.is_empty ? places.begin + 1 : places.end;
	for (size_t i = 0; i < n_there || has_new; i++) {
		if (has_new && (i == n_there || at < edits[i].from)) {
			buf_append(out, text + done, at - done);
			if (places.is_flow)
				put_members(out, &places, edits + n_there, n - n_there);
			else
				put_lines(out, &places, at, edits + n_there, n - n_there);
			done = at;
			has_new = false;
		}
		if (i == n_there)
			break;
		buf_append(out, text + done, edits[i].from - done);
		buf_printf(out, "%s%s", edits[i].from == edits[i].to ? " " : "", edits[i].value);
		done = edits[i].to;
	}
	buf_append(out, text + done, len - done);
	return buf_status(out) ? error_set(err, STATUS_LIMIT, "%s: larger than %zu bytes", name, out->max)
	                       : STATUS_OK;
}
