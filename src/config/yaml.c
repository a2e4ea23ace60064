#include "config/yaml.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <yaml.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/secret.h"
#include "base/utf8.h"
#include "config/yaml_breaks.h"

enum { DEPTH_MAX = 64, FOLD_MIN = 8 };

/* One open mapping or list. */
struct level {
	bool is_map;
	bool wants_value; /* of a map: its key has been read */
	size_t line;      /* where it begins */
	uint32_t serial;  /* tells the keys of one map from those of another */
};

/* A key seen, for finding it twice. */
struct seen_key {
	uint64_t hash;
	size_t at, len; /* in `key_text` */
	uint32_t serial; /* 0 = free slot */
};

struct yaml_reader {
	yaml_parser_t parser;
	yaml_event_t event; /* the current item's text lives in it */
	bool has_event, failed, ended, keys_repeat, is_secret;
	const char *name, *text;
	size_t len, first_line;
	struct yaml_limits limits;
	size_t n_events;
	struct level levels[DEPTH_MAX];
	size_t depth;
	uint32_t serial;
	struct seen_key *keys; /* open addressing, a power of two */
	size_t n_keys, cap_keys;
	struct buf key_text;
	struct yaml_breaks breaks; /* what libyaml reads of the text */
};

const struct yaml_limits yaml_limits_config = {
	LIMIT_YAML_BYTES, LIMIT_YAML_EVENTS, LIMIT_YAML_DEPTH
};

enum status yaml_fail(const struct yaml_reader *reader, size_t line, enum status status,
                      struct error *err, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	error_vset(err, status, fmt, args);
	va_end(args);
	return yaml_locate(reader, line, status, err);
}

enum status yaml_locate(const struct yaml_reader *reader, size_t line, enum status status,
                        struct error *err)
{
	if (err) {
		err->status = status;
		err->line = line;
	}
	error_prefix(err, "%s:%zu", reader->name, line);
	return status;
}

/* Whether a line ends with this byte. */
static bool ends_line(const struct yaml_reader *reader, size_t at)
{
	char c = reader->text[at];

	return c == '\n' || (c == '\r' && (at + 1 == reader->len || reader->text[at + 1] != '\n'));
}

static size_t line_at(const struct yaml_reader *reader, size_t offset)
{
	size_t line = reader->first_line;

	for (size_t i = 0; i < offset && i < reader->len; i++)
		line += ends_line(reader, i);
	return line;
}

/* libyaml would find these too, but reports only the offset, or reads the rest of the text in
 * another encoding. */
static enum status check_bytes(const struct yaml_reader *reader, struct error *err)
{
	size_t at = 0;
	int32_t cp;

	if (utf8_is_utf16(reader->text, reader->len))
		return error_set(err, STATUS_FORMAT, "%s: the text is UTF-16; iconv -f UTF-16 -t UTF-8 "
		                 "converts it", reader->name);
	while (at < reader->len) {
		size_t n = utf8_decode(reader->text + at, reader->len - at, &cp);

		if (cp < 0)
			return yaml_fail(reader, line_at(reader, at), STATUS_FORMAT, err,
			                 "not UTF-8 (byte 0x%02x)",
			                 (unsigned)(unsigned char)reader->text[at]);
		if ((cp < 0x20 && cp != '\t' && cp != '\n' && cp != '\r') || cp == 0x7F)
			return yaml_fail(reader, line_at(reader, at), STATUS_FORMAT, err,
			                 "control character U+%04X", (unsigned)cp);
		at += n;
	}
	return STATUS_OK;
}

enum status yaml_open(struct yaml_reader **out, const char *name, const char *text, size_t len,
                      size_t first_line, const struct yaml_limits *limits, struct error *err)
{
	struct yaml_reader *reader = alloc_array(1, sizeof *reader);
	const char *input;
	size_t mark = utf8_mark_len(text, len); /* libyaml would count it as a column */
	enum status status;

	if (!reader)
		return error_set(err, STATUS_NOMEM, "%s: not enough memory", name);
	reader->name = name;
	reader->text = text + mark;
	reader->len = len - mark;
	reader->first_line = first_line;
	reader->limits = *limits;
	if (reader->limits.depth > DEPTH_MAX)
		reader->limits.depth = DEPTH_MAX;
	buf_init(&reader->key_text, limits->bytes);
	if (len > limits->bytes)
		status = error_set(err, STATUS_LIMIT, "%s: larger than %zu bytes", name,
		                   limits->bytes);
	else
		status = check_bytes(reader, err);
	if (!status && (!yaml_breaks_hide(&reader->breaks, reader->text, reader->len) ||
	                !yaml_parser_initialize(&reader->parser)))
		status = error_set(err, STATUS_NOMEM, "%s: not enough memory", name);
	if (status) {
		yaml_breaks_free(&reader->breaks);
		free(reader);
		return status;
	}
	input = reader->breaks.text ? reader->breaks.text : reader->text;
	yaml_parser_set_encoding(&reader->parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&reader->parser, (const unsigned char *)input, reader->len);
	*out = reader;
	return STATUS_OK;
}

void yaml_let_keys_repeat(struct yaml_reader *reader)
{
	reader->keys_repeat = true;
}

void yaml_keep_secret(struct yaml_reader *reader)
{
	reader->is_secret = true;
}

static void forget_event(struct yaml_reader *reader)
{
	yaml_event_t *event = &reader->event;

	if (!reader->has_event)
		return;
	if (reader->is_secret && event->type == YAML_SCALAR_EVENT)
		secret_wipe(event->data.scalar.value, event->data.scalar.length);
	yaml_event_delete(event);
	reader->has_event = false;
}

/* What has been read ahead, and tokens and events that nobody has asked for. */
static void wipe_parser(yaml_parser_t *parser)
{
	secret_wipe(parser->raw_buffer.start, (size_t)(parser->raw_buffer.end - parser->raw_buffer.start));
	secret_wipe(parser->buffer.start, (size_t)(parser->buffer.end - parser->buffer.start));
	for (yaml_token_t *token = parser->tokens.head; token && token != parser->tokens.tail; token++)
		if (token->type == YAML_SCALAR_TOKEN)
			secret_wipe(token->data.scalar.value, token->data.scalar.length);
}

void yaml_close(struct yaml_reader *reader)
{
	if (!reader)
		return;
	forget_event(reader);
	if (reader->is_secret) {
		wipe_parser(&reader->parser);
		if (reader->key_text.data)
			secret_wipe(reader->key_text.data, reader->key_text.cap);
	}
	yaml_parser_delete(&reader->parser);
	yaml_breaks_free(&reader->breaks);
	buf_free(&reader->key_text);
	free(reader->keys);
	free(reader);
}

static struct seen_key *find_slot(const struct yaml_reader *reader, const struct seen_key *wanted,
                             const char *text)
{
	size_t mask = reader->cap_keys - 1, i = (size_t)wanted->hash & mask;

	for (;; i = (i + 1) & mask) {
		struct seen_key *slot = &reader->keys[i];

		if (!slot->serial)
			return slot;
		if (slot->hash == wanted->hash && slot->serial == wanted->serial &&
		    slot->len == wanted->len &&
		    memcmp(reader->key_text.data + slot->at, text, slot->len) == 0)
			return slot;
	}
}

static enum status grow_keys(struct yaml_reader *reader)
{
	struct yaml_reader grown = *reader;

	grown.cap_keys = reader->cap_keys ? reader->cap_keys * 2 : 64;
	grown.keys = alloc_array(grown.cap_keys, sizeof *grown.keys);
	if (!grown.keys)
		return STATUS_NOMEM;
	for (size_t i = 0; i < reader->cap_keys; i++) {
		const struct seen_key *key = &reader->keys[i];

		if (key->serial)
			*find_slot(&grown, key, buf_text(&reader->key_text) + key->at) = *key;
	}
	free(reader->keys);
	reader->keys = grown.keys;
	reader->cap_keys = grown.cap_keys;
	return STATUS_OK;
}

/* A key of the innermost map: remembered, and refused the second time. */
static enum status add_key(struct yaml_reader *reader, const struct yaml_item *item,
                           struct error *err)
{
	struct seen_key key = {.at = reader->key_text.len, .len = item->len,
	                  .serial = reader->levels[reader->depth - 1].serial};
	struct seen_key *slot;

	if (reader->keys_repeat)
		return STATUS_OK;
	key.hash = hash_more(HASH_BEGIN ^ key.serial, item->text, item->len);
	if (reader->n_keys * 2 >= reader->cap_keys && grow_keys(reader))
		return yaml_fail(reader, item->line, STATUS_NOMEM, err, "not enough memory");
	slot = find_slot(reader, &key, item->text);
	if (slot->serial && reader->is_secret)
		return yaml_fail(reader, item->line, STATUS_FORMAT, err, "a name is given twice");
	if (slot->serial)
		return yaml_fail(reader, item->line, STATUS_FORMAT, err,
		                 "'%.*s' is given twice",
		                 (int)(item->len < 64 ? item->len : 64), item->text);
	if (buf_append(&reader->key_text, item->text, item->len))
		return yaml_fail(reader, item->line, STATUS_NOMEM, err, "not enough memory");
	*slot = key;
	reader->n_keys++;
	return STATUS_OK;
}

static enum status check_properties(const struct yaml_reader *reader, size_t line,
                                    const yaml_char_t *anchor, const yaml_char_t *tag,
                                    struct error *err)
{
	static const char prefix[] = "tag:yaml.org,2002:";
	static const char *const core[] = {"str", "int", "float", "bool", "null", "seq", "map"};
	const char *name = (const char *)tag;

	if (anchor && reader->is_secret)
		return yaml_fail(reader, line, STATUS_FORMAT, err, "a text that begins with & needs quotes");
	if (anchor)
		return yaml_fail(reader, line, STATUS_FORMAT, err,
		                 "anchors (&%.40s) are not allowed", (const char *)anchor);
	if (!name)
		return STATUS_OK;
	if (strncmp(name, prefix, sizeof prefix - 1) == 0)
		for (size_t i = 0; i < sizeof core / sizeof core[0]; i++)
			if (strcmp(name + sizeof prefix - 1, core[i]) == 0)
				return STATUS_OK;
	if (reader->is_secret)
		return yaml_fail(reader, line, STATUS_FORMAT, err, "a text that begins with ! needs quotes");
	return yaml_fail(reader, line, STATUS_FORMAT, err, "the tag '%.60s' is not allowed", name);
}

/* Keeps the stack of open maps and lists, and whether a key or a value comes next in a map. */
static enum status account(struct yaml_reader *reader, const struct yaml_item *item,
                           struct error *err)
{
	bool begins = item->kind == YAML_MAP_BEGIN || item->kind == YAML_LIST_BEGIN;
	struct level *level = reader->depth ? &reader->levels[reader->depth - 1] : NULL;

	if (item->kind == YAML_MAP_END || item->kind == YAML_LIST_END) {
		reader->depth--;
		return STATUS_OK;
	}
	if (level && level->is_map && !level->wants_value) {
		if (begins)
			return yaml_fail(reader, item->line, STATUS_FORMAT, err,
			                 "a key has to be a word");
		level->wants_value = true;
		return add_key(reader, item, err);
	}
	if (level)
		level->wants_value = false;
	if (!begins)
		return STATUS_OK;
	if (reader->depth >= reader->limits.depth)
		return yaml_fail(reader, item->line, STATUS_LIMIT, err,
		                 "nested deeper than %zu levels", reader->limits.depth);
	reader->levels[reader->depth++] = (struct level){
		.is_map = item->kind == YAML_MAP_BEGIN, .line = item->line, .serial = ++reader->serial};
	return STATUS_OK;
}

/* Where a line begins. */
static const char *line_text(const struct yaml_reader *reader, size_t line)
{
	size_t at = 0;

	for (size_t i = reader->first_line; i < line && at < reader->len; at++)
		i += ends_line(reader, at);
	return reader->text + at;
}

/* The '#' of `key: #text`, which begins a comment though it was meant to be the value; NULL: none.
 * (`key: # text` is a comment.) */
static const char *find_comment(const struct yaml_reader *reader, size_t line)
{
	const char *at = line_text(reader, line), *end = reader->text + reader->len;

	for (; at + 2 < end && *at != '\n' && *at != '\r'; at++)
		if ((*at == ' ' || *at == '\t') && at[1] == '#')
			return strchr(" \t\r\n#", at[2]) ? NULL : at + 1;
	return NULL;
}

static enum status comment_error(const struct yaml_reader *reader, size_t line, const char *comment,
                                 struct error *err)
{
	size_t most = (size_t)(reader->text + reader->len - comment), n = 0;

	if (reader->is_secret)
		return yaml_fail(reader, line, STATUS_FORMAT, err,
		                 "a # begins a comment: a value that begins with it needs quotes");
	while (n < most && n < 40 && !strchr(" \t\r\n,}", comment[n]))
		n++;
	return yaml_fail(reader, line, STATUS_FORMAT, err,
	                 "a # begins a comment: a value that begins with it needs quotes, as in \"%.*s\"",
	                 (int)n, comment);
}

/* What is wrong, in the words of somebody who writes a file and not a parser. */
struct wording {
	const char *problem, *context; /* libyaml's; NULL: any */
	enum { AT_PROBLEM, AT_CONTEXT, AT_LEVEL } where; /* which line says most: the last, or where the thing
	                                                  * or the list or mapping around it began */
	const char *words;
};

static const char no_tabs[] = "a tab does not indent a line: blanks do";

static const struct wording *find_wording(const yaml_parser_t *parser)
{
	static const struct wording wordings[] = {
		{"did not find expected <document start>", NULL, AT_PROBLEM,
		 "this line is indented less than those before it"},
		{"mapping values are not allowed in this context", NULL, AT_PROBLEM,
		 "a ':' is not allowed here: a text with ': ' in it needs quotes"},
		{"could not find expected ':'", NULL, AT_CONTEXT, "expected 'name: value'"},
		{"did not find expected key", NULL, AT_PROBLEM,
		 "expected 'name: value', indented as the lines before it"},
		{"did not find expected node content", "while parsing a block node", AT_PROBLEM,
		 "a text that begins with ], } or , needs quotes"},
		{"did not find expected '-' indicator", NULL, AT_PROBLEM,
		 "expected '- item', indented as the items before it"},
		{"found unexpected end of stream", "while scanning a quoted scalar", AT_CONTEXT,
		 "the quotation mark that begins a text here is not closed"},
		{NULL, "while parsing a flow mapping", AT_CONTEXT,
		 "the '{' here is not closed, or a ',' is missing"},
		{NULL, "while parsing a flow sequence", AT_CONTEXT,
		 "the '[' here is not closed, or a ',' is missing"},
		{NULL, "while parsing a flow node", AT_LEVEL,
		 "the '{' or '[' here is not closed, or a ',' is missing"},
		{"found a tab character that violates indentation", NULL, AT_PROBLEM, no_tabs},
		{"found a tab character where an indentation space is expected", NULL, AT_PROBLEM, no_tabs},
	};

	for (size_t i = 0; i < sizeof wordings / sizeof wordings[0]; i++) {
		const struct wording *wording = &wordings[i];

		if ((!wording->problem || strcmp(wording->problem, parser->problem) == 0) &&
		    (!wording->context ||
		     (parser->context && strcmp(wording->context, parser->context) == 0)))
			return wording;
	}
	return NULL;
}

/* Nothing begins with this character: a tab before a text, or one that YAML keeps for itself. */
static enum status character_error(const struct yaml_reader *reader, size_t line, struct error *err)
{
	const char *at = line_text(reader, line), *end = reader->text + reader->len; /* not terminated */

	while (at < end && *at == ' ')
		at++;
	if (at < end && *at == '\t')
		return yaml_fail(reader, line, STATUS_FORMAT, err, "%s", no_tabs);
	return yaml_fail(reader, line, STATUS_FORMAT, err,
	                 "a text that begins with %%, @ or ` needs quotes");
}

static enum status parser_error(const struct yaml_reader *reader, struct error *err)
{
	const yaml_parser_t *parser = &reader->parser;
	size_t line = reader->first_line + parser->problem_mark.line;
	const struct wording *wording;
	const char *comment;

	if (parser->error == YAML_MEMORY_ERROR)
		return error_set(err, STATUS_NOMEM, "%s: not enough memory", reader->name);
	if (parser->error == YAML_READER_ERROR)
		line = line_at(reader, parser->problem_offset);
	if (strcmp(parser->problem, "found character that cannot start any token") == 0)
		return character_error(reader, line, err);
	wording = find_wording(parser);
	if (wording && wording->where == AT_CONTEXT)
		line = reader->first_line + parser->context_mark.line;
	else if (wording && wording->where == AT_LEVEL && reader->depth)
		line = reader->levels[reader->depth - 1].line;
	comment = wording && wording->where ? find_comment(reader, line) : NULL;
	if (comment)
		return comment_error(reader, line, comment, err);
	if (wording)
		return yaml_fail(reader, line, STATUS_FORMAT, err, "%s", wording->words);
	return yaml_fail(reader, line, STATUS_FORMAT, err, "%s%s%s", parser->problem,
	                 parser->context ? " " : "", parser->context ? parser->context : "");
}

/* Turns libyaml's event into an item; *skip: the event is not one for our callers. */
static enum status convert(struct yaml_reader *reader, struct yaml_item *item, bool *skip,
                           struct error *err)
{
	const yaml_event_t *event = &reader->event;
	size_t line = reader->first_line + event->start_mark.line;

	*item = (struct yaml_item){.line = line, .text = "", .from = event->start_mark.index,
	                           .to = event->end_mark.index};
	*skip = false;
	switch (event->type) {
	case YAML_SCALAR_EVENT:
		item->kind = YAML_SCALAR;
		yaml_breaks_show(&reader->breaks, (char *)event->data.scalar.value, event->data.scalar.length);
		item->text = (const char *)event->data.scalar.value;
		item->len = event->data.scalar.length;
		item->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
		if (memchr(item->text, '\0', item->len))
			return yaml_fail(reader, line, STATUS_FORMAT, err,
			                 "the character NUL is not allowed");
		return check_properties(reader, line, event->data.scalar.anchor,
		                        event->data.scalar.tag, err);
	case YAML_MAPPING_START_EVENT:
		item->kind = YAML_MAP_BEGIN;
		return check_properties(reader, line, event->data.mapping_start.anchor,
		                        event->data.mapping_start.tag, err);
	case YAML_SEQUENCE_START_EVENT:
		item->kind = YAML_LIST_BEGIN;
		return check_properties(reader, line, event->data.sequence_start.anchor,
		                        event->data.sequence_start.tag, err);
	case YAML_MAPPING_END_EVENT:
		item->kind = YAML_MAP_END;
		return STATUS_OK;
	case YAML_SEQUENCE_END_EVENT:
		item->kind = YAML_LIST_END;
		return STATUS_OK;
	case YAML_ALIAS_EVENT:
		if (reader->is_secret)
			return yaml_fail(reader, line, STATUS_FORMAT, err, "a text that begins with * needs quotes");
		return yaml_fail(reader, line, STATUS_FORMAT, err,
		                 "aliases (*%.40s) are not allowed",
		                 (const char *)event->data.alias.anchor);
	case YAML_DOCUMENT_START_EVENT:
		if (reader->ended)
			return yaml_fail(reader, line, STATUS_FORMAT, err,
			                 "a second document begins here");
		*skip = true;
		return STATUS_OK;
	case YAML_DOCUMENT_END_EVENT:
		reader->ended = true;
		*skip = true;
		return STATUS_OK;
	case YAML_STREAM_END_EVENT:
		item->kind = YAML_END;
		return STATUS_OK;
	default:
		*skip = true;
		return STATUS_OK;
	}
}

enum status yaml_next(struct yaml_reader *reader, struct yaml_item *item, struct error *err)
{
	enum status status;
	bool skip;

	if (reader->failed)
		return error_set(err, STATUS_FORMAT, "%s: read on after an error", reader->name);
	do {
		forget_event(reader);
		if (!yaml_parser_parse(&reader->parser, &reader->event)) {
			reader->failed = true;
			return parser_error(reader, err);
		}
		reader->has_event = true;
		status = convert(reader, item, &skip, err);
		if (!status && !skip && item->kind != YAML_END) {
			if (++reader->n_events > reader->limits.events)
				status = yaml_fail(reader, item->line, STATUS_LIMIT, err,
				                   "more than %zu entries", reader->limits.events);
			else
				status = account(reader, item, err);
		}
	} while (!status && skip);
	reader->failed = status != STATUS_OK;
	return status;
}

const char *yaml_kind_name(enum yaml_kind kind)
{
	switch (kind) {
	case YAML_SCALAR: return "a text";
	case YAML_MAP_BEGIN: return "a mapping";
	case YAML_LIST_BEGIN: return "a list";
	case YAML_END: return "nothing";
	default: return "an end";
	}
}

enum status yaml_expect(struct yaml_reader *reader, enum yaml_kind kind, const char *what,
                        struct yaml_item *item, struct error *err)
{
	enum status status = yaml_next(reader, item, err);

	if (status || item->kind == kind)
		return status;
	return yaml_fail(reader, item->line, STATUS_FORMAT, err, "%s: expected %s, found %s", what,
	                 yaml_kind_name(kind), yaml_kind_name(item->kind));
}

enum status yaml_read_map(struct yaml_reader *reader, const char *expected, yaml_entry_fn entry,
                          void *ctx, struct error *err)
{
	struct yaml_item item;
	enum status status = yaml_next(reader, &item, err);

	if (status || item.kind == YAML_END)
		return status;
	if (yaml_is_null(&item))
		return yaml_next(reader, &item, err); /* nothing may follow */
	if (item.kind != YAML_MAP_BEGIN)
		return yaml_fail(reader, item.line, STATUS_FORMAT, err, "%s", expected);
	status = yaml_read_entries(reader, entry, ctx, err);
	return status ? status : yaml_next(reader, &item, err);
}

enum status yaml_read_entries(struct yaml_reader *reader, yaml_entry_fn entry, void *ctx,
                              struct error *err)
{
	struct yaml_item item;
	enum status status = yaml_next(reader, &item, err);

	while (!status && item.kind != YAML_MAP_END && item.kind != YAML_LIST_END)
		(void)((status = entry(ctx, reader, &item, err)) ||
		       (status = yaml_next(reader, &item, err)));
	return status;
}

bool yaml_next_entry(struct yaml_reader *reader, char key[YAML_KEY_MAX], struct yaml_item *value, bool *ok)
{
	*ok = false;
	if (yaml_next(reader, value, NULL))
		return false;
	*ok = value->kind == YAML_MAP_END;
	if (*ok || value->len >= YAML_KEY_MAX)
		return false;
	memcpy(key, value->text, value->len + 1);
	return yaml_next(reader, value, NULL) == STATUS_OK;
}

bool yaml_next_scalar(struct yaml_reader *reader, char key[YAML_KEY_MAX], struct yaml_item *value, bool *ok)
{
	while (yaml_next_entry(reader, key, value, ok)) {
		if (value->kind == YAML_SCALAR)
			return true;
		if (yaml_skip(reader, value, NULL))
			break;
	}
	return false;
}

enum status yaml_skip(struct yaml_reader *reader, const struct yaml_item *first, struct error *err)
{
	struct yaml_item item = *first;
	size_t open = 0;

	for (;;) {
		enum status status;

		if (item.kind == YAML_MAP_BEGIN || item.kind == YAML_LIST_BEGIN)
			open++;
		else if (item.kind == YAML_MAP_END || item.kind == YAML_LIST_END)
			open--;
		if (open == 0)
			return STATUS_OK;
		status = yaml_next(reader, &item, err);
		if (status)
			return status;
	}
}

/* Where the n-th character is. */
static size_t offset_of(const struct yaml_reader *reader, size_t n)
{
	size_t at = 0;
	int32_t cp;

	for (; n && at < reader->len; n--)
		at += utf8_decode(reader->text + at, reader->len - at, &cp);
	return at;
}

const char *yaml_source(const struct yaml_reader *reader, const struct yaml_item *item, size_t *len)
{
	size_t from = offset_of(reader, item->from);

	*len = offset_of(reader, item->to) - from;
	return reader->text + from;
}

size_t yaml_depth(const struct yaml_reader *reader)
{
	return reader->depth;
}

enum status yaml_skip_to(struct yaml_reader *reader, size_t depth, struct error *err)
{
	enum status status = STATUS_OK;
	struct yaml_item item;

	while (!status && reader->depth > depth)
		status = yaml_next(reader, &item, err);
	return status;
}

bool yaml_is_null(const struct yaml_item *item)
{
	return item->kind == YAML_SCALAR && item->plain &&
	       (item->len == 0 || strcmp(item->text, "~") == 0 || strcmp(item->text, "null") == 0);
}

enum status yaml_check_comment(const struct yaml_reader *reader, const struct yaml_item *item,
                               struct error *err)
{
	const char *comment;

	if (item->kind != YAML_SCALAR || !item->plain || item->len)
		return STATUS_OK;
	comment = find_comment(reader, item->line);
	return comment ? comment_error(reader, item->line, comment, err) : STATUS_OK;
}

enum status yaml_next_value(struct yaml_reader *reader, struct yaml_item *item, struct error *err)
{
	enum status status = yaml_next(reader, item, err);

	return status ? status : yaml_check_comment(reader, item, err);
}

enum status yaml_as_config(enum status status, struct error *err)
{
	if (!status || status == STATUS_NOMEM)
		return status;
	if (err)
		err->status = STATUS_CONFIG;
	return STATUS_CONFIG;
}

/* Characters that may be in double quotes as they are: not those that a reader might refuse or
 * fold, or a terminal might act on. */
static bool is_written_plain(int32_t cp)
{
	if (cp == '"' || cp == '\\' || cp < 0x20 || (cp >= 0x7F && cp < 0xA0))
		return false;
	if (cp == 0xAD || (cp >= 0x200B && cp <= 0x200F) || (cp >= 0x2028 && cp <= 0x202E) ||
	    (cp >= 0x2060 && cp <= 0x206F) || cp == 0xFEFF || (cp >= 0xFFF0 && cp <= 0xFFFC))
		return false;
	return (cp & 0xFFFE) != 0xFFFE && !(cp >= 0xFDD0 && cp <= 0xFDEF) &&
	       !(cp >= 0xE000 && cp <= 0xF8FF) && cp < 0xE0000;
}

static void put_escape(struct buf *out, int32_t cp)
{
	static const char letters[][2] = {
		{'"', '"'}, {'\\', '\\'}, {'\t', 't'}, {'\r', 'r'}, {'\a', 'a'}, {'\b', 'b'},
		{0x1B, 'e'}, {'\f', 'f'}, {'\v', 'v'},
	};

	for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++)
		if (cp == letters[i][0]) {
			buf_putc(out, '\\');
			buf_putc(out, letters[i][1]);
			return;
		}
	if (cp < 0x100)
		buf_printf(out, "\\x%02X", (unsigned)cp);
	else if (cp < 0x10000)
		buf_printf(out, "\\u%04X", (unsigned)cp);
	else
		buf_printf(out, "\\U%08X", (unsigned)cp);
}

enum status yaml_put_quoted(struct buf *out, const char *text, size_t len, size_t indent)
{
	size_t at = 0, good = 0; /* [good, at) has yet to be written as it is */
	size_t line = 0;         /* where the scalar's present line began */

	buf_putc(out, '"');
	while (at < len) {
		int32_t cp;
		size_t n = utf8_decode(text + at, len - at, &cp);

		if (cp >= 0 && is_written_plain(cp)) {
			at += n;
			continue;
		}
		buf_append(out, text + good, at - good);
		at += n;
		good = at;
		if (cp <= 0) {
			char replacement[UTF8_MAX];

			buf_append(out, replacement, utf8_encode(UTF8_REPLACEMENT, replacement));
		} else if (cp != '\n') {
			put_escape(out, cp);
		} else {
			buf_puts(out, "\\n");
			if (at == len)
				break;
			if (at - line < FOLD_MIN) /* short lines would grow */
				continue;
			line = at;
			buf_printf(out, "\\\n%*s", (int)indent, "");
			/* Blanks at a line's beginning would be taken for indentation. */
			if (text[at] == ' ')
				buf_putc(out, '\\');
		}
	}
	buf_append(out, text + good, at - good);
	return buf_putc(out, '"');
}
