#include "jinja/lexer.h"

#include <string.h>

#include "base/utf8.h"
#include "jinja/casing.h"

/* ---- errors ---- */

void lexer_fail(struct lexer *lexer, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	lexer->status = error_vset(lexer->err, STATUS_FORMAT, fmt, args);
	va_end(args);
	error_prefix(lexer->err, "%s:%u", lexer->name, lexer->line);
}

void lexer_no_memory(struct lexer *lexer)
{
	if (lexer->arena->status == STATUS_LIMIT)
		lexer->status = error_set(lexer->err, STATUS_LIMIT,
		                          "%s:%u: the template takes too much memory",
		                          lexer->name, lexer->line);
	else
		lexer->status = error_set(lexer->err, STATUS_NOMEM,
		                          "%s: not enough memory for the template", lexer->name);
}

/* ---- the source ---- */

enum status lexer_prepare(struct buf *out, const char *text, size_t len)
{
	enum status status = utf8_repair_source(out, text, len);
	size_t n = 0;

	if (status || out->len == 0)
		return status;
	for (size_t i = 0; i < out->len; i++) {
		if (out->data[i] == '\r') {
			out->data[n++] = '\n';
			i += i + 1 < out->len && out->data[i + 1] == '\n';
		} else {
			out->data[n++] = out->data[i];
		}
	}
	if (out->data[n - 1] == '\n')
		n--;
	buf_remove(out, n, out->len - n);
	return STATUS_OK;
}

void lexer_init(struct lexer *lexer, struct arena *arena, const char *name, const char *source,
                size_t len, struct error *err)
{
	*lexer = (struct lexer){
		.name = name,
		.arena = arena,
		.source = source,
		.len = len,
		.line = 1,
		.where = IN_TEXT,
		.err = err,
	};
}

/* ---- moving about ---- */

bool lexer_looking_at(const struct lexer *lexer, size_t at, const char *word)
{
	size_t n = strlen(word);

	return at <= lexer->len && lexer->len - at >= n && memcmp(lexer->source + at, word, n) == 0;
}

void lexer_go_to(struct lexer *lexer, size_t at)
{
	while (lexer->at < at)
		lexer->line += lexer->source[lexer->at++] == '\n';
}

uint32_t lexer_char(const struct lexer *lexer, size_t at, size_t *size)
{
	int32_t c;

	*size = utf8_decode(lexer->source + at, lexer->len - at, &c);
	return c < 0 ? UTF8_REPLACEMENT : (uint32_t)c;
}

size_t lexer_skip_space(const struct lexer *lexer, size_t at)
{
	size_t size;

	while (at < lexer->len && char_is_space(lexer_char(lexer, at, &size)))
		at += size;
	return at;
}

/* Where the character before `at` begins, if that is whitespace; else `at`. */
static size_t space_before(const struct lexer *lexer, size_t from, size_t at)
{
	size_t start = at, size;

	if (at == from)
		return at;
	do
		start--;
	while (start > from && (lexer->source[start] & 0xC0) == 0x80);
	return char_is_space(lexer_char(lexer, start, &size)) ? start : at;
}

/* ---- text, and what begins in it ---- */

/* The whitespace that a tag's sign takes off the text [from, to) before it. */
static size_t strip_end(const struct lexer *lexer, size_t from, size_t to)
{
	size_t start;

	while ((start = space_before(lexer, from, to)) < to)
		to = start;
	return to;
}

/* Without a sign: spaces are removed if the tag's line begins with nothing else. */
static size_t strip_indent(const struct lexer *lexer, size_t from, size_t to)
{
	size_t at = to, start;

	while (at > from && lexer->source[at - 1] != '\n') {
		start = space_before(lexer, from, at);
		if (start == at)
			return to;
		at = start;
	}
	return at == 0 || lexer->source[at - 1] == '\n' ? at : to;
}

/* Where the text ends before a tag with this sign ('-', '+' or another character). */
static size_t text_end(const struct lexer *lexer, size_t from, size_t tag, char sign, bool print)
{
	if (sign == '-')
		return strip_end(lexer, from, tag);
	return sign == '+' || print ? tag : strip_indent(lexer, from, tag);
}

static void give_text(const struct lexer *lexer, struct jinja_token *token, size_t from, size_t to)
{
	token->kind = TOKEN_DATA;
	token->line = lexer->line;
	token->text = lexer->source + from;
	token->len = to - from;
}

/* The next {{, {% or {#; the source's end. */
static size_t find_tag(const struct lexer *lexer, size_t at)
{
	for (; at + 1 < lexer->len; at++) {
		const char *brace = memchr(lexer->source + at, '{', lexer->len - 1 - at);

		if (!brace)
			break;
		at = (size_t)(brace - lexer->source);
		if (brace[1] == '{' || brace[1] == '%' || brace[1] == '#')
			return at;
	}
	return lexer->len;
}

static char sign_at(const struct lexer *lexer, size_t at)
{
	char c = at < lexer->len ? lexer->source[at] : '\0';

	return c == '-' || c == '+' ? c : '\0';
}

size_t lexer_end_tag(const struct lexer *lexer, size_t at, const char *end, bool plus, bool trim)
{
	char sign = sign_at(lexer, at);

	if (!lexer_looking_at(lexer, at + (sign != '\0'), end) || (sign == '+' && !plus))
		return 0;
	at += (sign != '\0') + strlen(end);
	if (sign == '-')
		return lexer_skip_space(lexer, at);
	return at + (sign == '\0' && trim && lexer_looking_at(lexer, at, "\n"));
}

/* Past the comment; 0: it does not end. */
static size_t comment_end(const struct lexer *lexer, size_t from)
{
	for (size_t at = from; at < lexer->len; at++) {
		const char *hash = memchr(lexer->source + at, '#', lexer->len - at);

		if (!hash)
			break;
		at = (size_t)(hash - lexer->source);
		if (lexer_looking_at(lexer, at, "#}"))
			return lexer_end_tag(lexer, at - (at > from && sign_at(lexer, at - 1)), "#}", true,
			               true);
	}
	return 0;
}

/* Past the word raw or endraw of a tag that begins at `at`; 0: it is another tag. */
static size_t raw_word(const struct lexer *lexer, size_t at, const char *word)
{
	if (!lexer_looking_at(lexer, at, "{%"))
		return 0;
	at += 2;
	at = lexer_skip_space(lexer, at + (sign_at(lexer, at) != '\0'));
	return lexer_looking_at(lexer, at, word) ? lexer_skip_space(lexer, at + strlen(word)) : 0;
}

/* Past the {% endraw %}, and where it begins; 0: there is none. */
static size_t find_endraw(const struct lexer *lexer, size_t at, size_t *tag)
{
	for (at = find_tag(lexer, at); at < lexer->len; at = find_tag(lexer, at + 1)) {
		size_t end = raw_word(lexer, at, "endraw");

		if (end)
			end = lexer_end_tag(lexer, end, "%}", true, true);
		*tag = at;
		if (end)
			return end;
	}
	return 0;
}

/* The text between {% raw %} and its end; false: it is no token. */
static bool lex_raw(struct lexer *lexer, size_t from, struct jinja_token *token)
{
	size_t tag, after, end;

	lexer_go_to(lexer, from);
	if (from == lexer->len)
		return false; /* as in Jinja2 */
	after = find_endraw(lexer, from, &tag);
	if (!after) {
		lexer_fail(lexer, "Missing end of raw directive");
		return false;
	}
	end = text_end(lexer, from, tag, sign_at(lexer, tag + 2), false);
	if (end > from)
		give_text(lexer, token, from, end);
	lexer_go_to(lexer, after);
	return end > from;
}

static void skip_comment(struct lexer *lexer, size_t from)
{
	size_t after = from == lexer->len ? from : comment_end(lexer, from); /* as in Jinja2 */

	if (after)
		lexer_go_to(lexer, after);
	else
		lexer_fail(lexer, "Missing end of comment tag");
}

/* The tag that begins here; false: it is no token. */
static bool lex_tag(struct lexer *lexer, struct jinja_token *token)
{
	char kind = lexer->source[lexer->at + 1];
	size_t inside = lexer->at + 2 + (sign_at(lexer, lexer->at + 2) != '\0'), raw;

	if (kind == '#') {
		skip_comment(lexer, inside);
		return false;
	}
	raw = raw_word(lexer, lexer->at, "raw");
	if (raw)
		raw = lexer_end_tag(lexer, raw, "%}", false, false);
	if (raw)
		return lex_raw(lexer, raw, token);
	token->kind = kind == '{' ? TOKEN_PRINT_BEGIN : TOKEN_BLOCK_BEGIN;
	token->line = lexer->line;
	lexer->where = kind == '{' ? IN_PRINT : IN_BLOCK;
	lexer_go_to(lexer, inside);
	return true;
}

static void lex_text(struct lexer *lexer, struct jinja_token *token)
{
	bool given = false;

	while (!lexer->status && !given && lexer->at < lexer->len) {
		size_t from = lexer->at, tag = find_tag(lexer, from), to = tag;

		if (tag < lexer->len)
			to = text_end(lexer, from, tag, sign_at(lexer, tag + 2),
			              lexer->source[tag + 1] == '{');
		given = to > from;
		if (given)
			give_text(lexer, token, from, to);
		lexer_go_to(lexer, tag);
		if (!given && tag < lexer->len)
			given = lex_tag(lexer, token);
	}
}

/* ---- the entry ---- */

enum status lexer_next(struct lexer *lexer, struct jinja_token *token)
{
	*token = (struct jinja_token){.kind = TOKEN_EOF, .line = token->line};
	if (lexer->where == IN_TEXT)
		lex_text(lexer, token);
	else
		lexer_inside(lexer, token);
	return lexer->status;
}
