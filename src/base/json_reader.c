#include "base/json_reader.h"

#include <stdint.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"

void json_begin(struct json_reader *reader, const char *name, const char *text, size_t len)
{
	*reader = (struct json_reader){.name = name, .text = text, .len = len};
	buf_init(&reader->string, 3 * len); /* U+FFFD for an ill-formed byte takes three */
}

void json_end(struct json_reader *reader)
{
	buf_free(&reader->string);
}

static enum status fail(const struct json_reader *reader, struct error *err, const char *what)
{
	size_t line = 1, character = 1;

	for (size_t i = 0; i < reader->at; i++) {
		line += reader->text[i] == '\n';
		character += ((unsigned char)reader->text[i] & 0xc0) != 0x80;
	}
	if (!reader->name)
		return error_set(err, STATUS_FORMAT, "not JSON at character %zu: %s", character, what);
	return error_set(err, STATUS_FORMAT, "%s:%zu: not JSON: %s", reader->name, line, what);
}

static int peek(const struct json_reader *reader)
{
	return reader->at < reader->len ? (unsigned char)reader->text[reader->at] : -1;
}

static void skip_space(struct json_reader *reader)
{
	while (peek(reader) == ' ' || peek(reader) == '\t' || peek(reader) == '\n' ||
	       peek(reader) == '\r')
		reader->at++;
}

/* Four hexadecimal digits; -1: there are none. */
static int32_t take_hex(struct json_reader *reader)
{
	int32_t value = 0;

	if (reader->len - reader->at < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		unsigned digit = number_digit(reader->text[reader->at + (size_t)i]);

		if (digit > 15)
			return -1;
		value = value << 4 | (int32_t)digit;
	}
	reader->at += 4;
	return value;
}

/* The half of a pair as the three bytes that UTF-8 would have for it. */
static void put_half(struct json_reader *reader, int32_t half)
{
	buf_putc(&reader->string, (char)(0xe0 | half >> 12));
	buf_putc(&reader->string, (char)(0x80 | (half >> 6 & 0x3f)));
	buf_putc(&reader->string, (char)(0x80 | (half & 0x3f)));
}

/* Behind "\u". Halves of a pair that stand alone become U+FFFD, as elsewhere. */
static enum status take_code_point(struct json_reader *reader, struct error *err)
{
	int32_t cp = take_hex(reader);
	char bytes[UTF8_MAX];

	if (cp < 0)
		return fail(reader, err, "\\u needs four digits");
	if (cp >= 0xd800 && cp < 0xdc00 && reader->len - reader->at >= 6 &&
	    memcmp(reader->text + reader->at, "\\u", 2) == 0) {
		size_t before = reader->at;
		int32_t low;

		reader->at += 2;
		low = take_hex(reader);
		if (low >= 0xdc00 && low < 0xe000)
			cp = 0x10000 + ((cp - 0xd800) << 10) + (low - 0xdc00);
		else
			reader->at = before;
	}
	if (reader->keeps_bytes && cp >= 0xd800 && cp < 0xe000)
		put_half(reader, cp);
	else
		buf_append(&reader->string, bytes, utf8_encode((uint32_t)cp, bytes));
	return STATUS_OK;
}

static enum status take_escape(struct json_reader *reader, struct error *err)
{
	static const char letters[] = "\"\\/bfnrt", bytes[] = "\"\\/\b\f\n\r\t";
	int c = peek(reader);
	const char *found = c > 0 ? strchr(letters, c) : NULL;

	reader->at += c >= 0;
	if (c == 'u')
		return take_code_point(reader, err);
	if (!found)
		return fail(reader, err, "an unknown escape in a string");
	buf_putc(&reader->string, bytes[found - letters]);
	return STATUS_OK;
}

/* Behind the opening quote. Ill-formed bytes become U+FFFD. */
static enum status take_string(struct json_reader *reader, struct json_item *item,
                               struct error *err)
{
	buf_clear(&reader->string);
	for (;;) {
		char replaced[UTF8_MAX];
		int32_t cp;
		size_t n;

		if (reader->at == reader->len)
			return fail(reader, err, "a string without an end");
		n = utf8_decode(reader->text + reader->at, reader->len - reader->at, &cp);
		if (cp >= 0 && cp < 0x20)
			return fail(reader, err, "a control character in a string");
		if (cp >= 0 || reader->keeps_bytes)
			buf_append(&reader->string, reader->text + reader->at, cp == '"' || cp == '\\' ? 0 : n);
		else
			buf_append(&reader->string, replaced, utf8_encode(UTF8_REPLACEMENT, replaced));
		reader->at += n;
		if (cp == '"')
			break;
		if (cp == '\\' && take_escape(reader, err))
			return STATUS_FORMAT;
	}
	if (buf_status(&reader->string)) /* it has room for any string of the text */
		return error_no_memory(err, NULL);
	item->text = buf_text(&reader->string);
	item->len = reader->string.len;
	return STATUS_OK;
}

static size_t take_digits(struct json_reader *reader)
{
	size_t from = reader->at;

	while (peek(reader) >= '0' && peek(reader) <= '9')
		reader->at++;
	return reader->at - from;
}

static enum status take_number(struct json_reader *reader, struct json_item *item,
                               struct error *err)
{
	size_t from = reader->at, n;
	bool good;

	reader->at += peek(reader) == '-';
	n = take_digits(reader);
	good = n == 1 || (n && reader->text[reader->at - n] != '0');
	if (peek(reader) == '.') {
		reader->at++;
		good = take_digits(reader) && good;
	}
	if (peek(reader) == 'e' || peek(reader) == 'E') {
		reader->at++;
		reader->at += peek(reader) == '-' || peek(reader) == '+';
		good = take_digits(reader) && good;
	}
	if (!good) {
		reader->at = from;
		return fail(reader, err, "neither a value nor a number");
	}
	buf_clear(&reader->string);
	if (buf_append(&reader->string, reader->text + from, reader->at - from))
		return error_no_memory(err, NULL);
	item->kind = JSON_NUMBER;
	item->text = buf_text(&reader->string);
	item->len = reader->string.len;
	return STATUS_OK;
}

static bool take_word(struct json_reader *reader, const char *word)
{
	size_t n = strlen(word);

	if (reader->len - reader->at < n || memcmp(reader->text + reader->at, word, n) != 0)
		return false;
	reader->at += n;
	return true;
}

static enum status begin_nest(struct json_reader *reader, char open, struct error *err)
{
	if (reader->depth == JSON_DEPTH)
		return fail(reader, err, "too many levels");
	reader->open[reader->depth++] = open;
	reader->wants_value = reader->has_values = false;
	return STATUS_OK;
}

static enum status take_value(struct json_reader *reader, struct json_item *item,
                              struct error *err)
{
	int c = peek(reader);

	reader->wants_value = false;
	reader->has_values = true;
	switch (c) {
	case '{': case '[':
		reader->at++;
		item->kind = c == '{' ? JSON_OBJECT : JSON_ARRAY;
		return begin_nest(reader, (char)c, err);
	case '"':
		reader->at++;
		item->kind = JSON_STRING;
		return take_string(reader, item, err);
	default: break;
	}
	if (take_word(reader, "null"))
		item->kind = JSON_NULL;
	else if (take_word(reader, "true"))
		item->kind = JSON_TRUE;
	else if (take_word(reader, "false"))
		item->kind = JSON_FALSE;
	else
		return take_number(reader, item, err);
	return STATUS_OK;
}

static enum status take_key(struct json_reader *reader, struct json_item *item, struct error *err)
{
	enum status status;

	if (peek(reader) != '"')
		return fail(reader, err, "a key in quotes was expected");
	reader->at++;
	item->kind = JSON_KEY;
	status = take_string(reader, item, err);
	if (status)
		return status;
	skip_space(reader);
	if (peek(reader) != ':')
		return fail(reader, err, "':' was expected after a key");
	reader->at++;
	reader->wants_value = true;
	return STATUS_OK;
}

enum status json_next(struct json_reader *reader, struct json_item *item, struct error *err)
{
	char open = reader->depth ? reader->open[reader->depth - 1] : '\0';

	*item = (struct json_item){.kind = JSON_END, .text = ""};
	skip_space(reader);
	if (!open) { /* some editors put a mark there; files that are joined have several */
		reader->at += utf8_mark_len(reader->text + reader->at, reader->len - reader->at);
		skip_space(reader);
	}
	if (!open && reader->at == reader->len)
		return STATUS_OK;
	if (!open || reader->wants_value)
		return take_value(reader, item, err);
	if (peek(reader) == (open == '{' ? '}' : ']')) {
		reader->at++;
		reader->depth--;
		reader->has_values = true; /* what has ended is a value of the one around it */
		item->kind = open == '{' ? JSON_OBJECT_END : JSON_ARRAY_END;
		return STATUS_OK;
	}
	if (reader->has_values) {
		if (peek(reader) != ',')
			return fail(reader, err, open == '{' ? "',' or '}' was expected" : "',' or ']' was expected");
		reader->at++;
		skip_space(reader);
	}
	return open == '{' ? take_key(reader, item, err) : take_value(reader, item, err);
}
