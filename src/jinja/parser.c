/* The parser's tools: tokens, lists, errors, bodies. */
#include "jinja/parser_internal.h"

#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"

/* ---- errors ---- */

static bool record(struct parser *p, enum status status, unsigned line, const char *fmt,
                   va_list args)
{
	if (!p->failed) {
		error_vset(p->err, status, fmt, args);
		error_prefix(p->err, "%s:%u", p->tmpl->name, line);
	}
	p->failed = true;
	return false;
}

bool parser_fail(struct parser *p, unsigned line, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	record(p, STATUS_FORMAT, line, fmt, args);
	va_end(args);
	return false;
}

bool parser_fail_limit(struct parser *p, unsigned line, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	record(p, STATUS_LIMIT, line, fmt, args);
	va_end(args);
	return false;
}

bool parser_no_memory(struct parser *p)
{
	if (!p->failed)
		lexer_no_memory(&p->lexer, p->err);
	p->failed = true;
	return false;
}

void *parser_not_supported(struct parser *p, const char *what)
{
	parser_fail(p, p->token.line, "%s is not supported", what);
	return NULL;
}

bool parser_enter(struct parser *p)
{
	if (++p->depth > p->limits->parse_depth)
		parser_fail_limit(p, p->token.line, "the template is nested too deeply");
	return !p->failed;
}

void parser_leave(struct parser *p)
{
	p->depth--;
}

/* ---- tokens ---- a failed parser stands at the end */

void parser_advance(struct parser *p)
{
	if (p->looked)
		p->token = p->ahead;
	else if (!p->failed && lexer_next(&p->lexer, &p->token, p->err))
		p->failed = true;
	p->looked = false;
	if (p->failed)
		p->token.kind = TOKEN_EOF;
}

const struct jinja_token *parser_look(struct parser *p)
{
	if (!p->looked) {
		p->ahead = (struct jinja_token){.line = p->token.line};
		if (!p->failed && lexer_next(&p->lexer, &p->ahead, p->err))
			p->failed = true;
		p->looked = true;
	}
	return &p->ahead;
}

bool parser_at(const struct parser *p, enum token_kind kind)
{
	return p->token.kind == kind;
}

bool token_is_word(const struct jinja_token *token, const char *word)
{
	size_t n = strlen(word);

	return token->kind == TOKEN_NAME && token->len == n && memcmp(token->text, word, n) == 0;
}

bool parser_at_word(const struct parser *p, const char *word)
{
	return token_is_word(&p->token, word);
}

bool parser_skip(struct parser *p, enum token_kind kind)
{
	if (!parser_at(p, kind))
		return false;
	parser_advance(p);
	return !p->failed;
}

bool parser_skip_word(struct parser *p, const char *word)
{
	if (!parser_at_word(p, word))
		return false;
	parser_advance(p);
	return !p->failed;
}

const char *parser_token_text(const struct parser *p, int *n)
{
	const char *text = token_describe(p->token.kind);

	*n = (int)strlen(text);
	if (p->token.kind != TOKEN_NAME)
		return text;
	*n = p->token.len < ERROR_TEXT_MAX ? (int)p->token.len : ERROR_TEXT_MAX;
	return p->token.text;
}

static bool fail_expected(struct parser *p, const char *what)
{
	const char *text;
	int n;

	if (parser_at(p, TOKEN_EOF))
		return parser_fail(p, p->token.line, "unexpected end of template, expected '%s'.",
		                   what);
	text = parser_token_text(p, &n);
	return parser_fail(p, p->token.line, "expected token '%s', got '%.*s'", what, n, text);
}

bool parser_expect(struct parser *p, enum token_kind kind)
{
	if (!parser_at(p, kind))
		return fail_expected(p, token_describe(kind));
	parser_advance(p);
	return !p->failed;
}

bool parser_expect_word(struct parser *p, const char *word)
{
	if (!parser_at_word(p, word))
		return fail_expected(p, word);
	parser_advance(p);
	return !p->failed;
}

const struct jinja_string *parser_expect_name(struct parser *p)
{
	const struct jinja_string *name;

	if (!parser_at(p, TOKEN_NAME)) {
		fail_expected(p, token_describe(TOKEN_NAME));
		return NULL;
	}
	name = parser_intern(p, p->token.text, p->token.len);
	parser_advance(p);
	return p->failed ? NULL : name;
}

/* ---- names ---- */

const struct jinja_string *parser_intern(struct parser *p, const char *text, size_t len)
{
	struct name *name = names_intern(p->tmpl->names, p->arena, text, len);

	if (!name)
		parser_no_memory(p);
	return name ? &name->string : NULL;
}

void parser_begin_names(struct parser *p)
{
	p->n_lists++;
}

bool parser_is_new_name(struct parser *p, const struct jinja_string *string)
{
	struct name *name = names_find(p->tmpl->names, string->data, string->len);
	bool is_new = name && name->seen_in != p->n_lists;

	if (name)
		name->seen_in = p->n_lists;
	return is_new;
}

const struct jinja_string *template_intern(const struct jinja_template *tmpl, const char *name,
                                           size_t len)
{
	const struct name *found = names_find(tmpl->names, name, len);

	return found ? &found->string : NULL;
}

/* ---- lists ---- */

bool parser_push(struct parser *p, const void *item)
{
	if (p->n_gathered == p->cap_gathered &&
	    !alloc_grow(&p->gathered, &p->cap_gathered, p->n_gathered + 1, sizeof *p->gathered,
	                LIMIT_JINJA_TREE / sizeof *p->gathered))
		return parser_no_memory(p);
	p->gathered[p->n_gathered++] = item;
	return !p->failed;
}

void *parser_take(struct parser *p, size_t mark, size_t *n)
{
	const void **items = NULL;

	*n = p->n_gathered - mark;
	if (!p->failed)
		items = arena_array(p->arena, *n + (*n == 0), sizeof *items);
	if (!items) {
		parser_no_memory(p);
		return NULL;
	}
	if (*n > 0)
		memcpy(items, p->gathered + mark, *n * sizeof *items);
	p->n_gathered = mark;
	return items;
}

/* ---- bodies ---- */

static bool is_one_of(const char *const *ends, const struct jinja_token *token)
{
	for (; ends && *ends; ends++)
		if (token_is_word(token, *ends))
			return true;
	return false;
}

/* A tag is missing at the end (`tag` NULL), or one is not known here. */
static bool fail_unexpected(struct parser *p, const struct jinja_token *tag)
{
	struct buf text;

	buf_init(&text, ERROR_TEXT_MAX);
	if (tag)
		buf_printf(&text, "unknown tag '%.*s'",
		           tag->len < ERROR_TEXT_MAX / 2 ? (int)tag->len : ERROR_TEXT_MAX / 2,
		           tag->text);
	else
		buf_puts(&text, "unexpected end of the template");
	for (const char *const *end = p->ends; end && *end; end++)
		buf_printf(&text, "%s'%s'", end == p->ends ? ", expected " : " or ", *end);
	parser_fail(p, p->token.line, "%s", buf_text(&text));
	buf_free(&text);
	return false;
}

bool parser_fail_unknown_tag(struct parser *p)
{
	return fail_unexpected(p, &p->token);
}

static bool push_text(struct parser *p)
{
	struct stmt *stmt = arena_alloc(p->arena, sizeof *stmt);

	if (!stmt)
		return parser_no_memory(p);
	*stmt = (struct stmt){.kind = STMT_TEXT, .line = p->token.line};
	stmt->text = string_new(p->arena, p->token.text, p->token.len, SOURCE_TEMPLATE);
	if (!stmt->text)
		return parser_no_memory(p);
	parser_advance(p);
	return parser_push(p, stmt);
}

static bool push_print(struct parser *p)
{
	struct stmt *stmt = arena_alloc(p->arena, sizeof *stmt);

	if (!stmt)
		return parser_no_memory(p);
	parser_advance(p);
	*stmt = (struct stmt){.kind = STMT_PRINT, .line = p->token.line};
	stmt->expr = parse_tuple(p, TUPLE_FULL);
	if (!stmt->expr || !parser_expect(p, TOKEN_PRINT_END))
		return false;
	stmt->line = stmt->expr->line;
	return parser_push(p, stmt);
}

bool parse_statements(struct parser *p, const char *const *ends, struct body *out)
{
	size_t mark = p->n_gathered;

	while (!p->failed && !parser_at(p, TOKEN_EOF)) {
		if (parser_at(p, TOKEN_DATA)) {
			push_text(p);
		} else if (parser_at(p, TOKEN_PRINT_BEGIN)) {
			push_print(p);
		} else if (parser_skip(p, TOKEN_BLOCK_BEGIN)) {
			if (is_one_of(ends, &p->token))
				break;
			if (parse_statement(p))
				parser_expect(p, TOKEN_BLOCK_END);
		}
	}
	out->items = parser_take(p, mark, &out->n);
	return out->items != NULL;
}

bool parse_body(struct parser *p, const char *const *ends, struct body *out)
{
	const char *const *outer = p->ends;
	bool fine;

	parser_skip(p, TOKEN_COLON);
	if (!parser_expect(p, TOKEN_BLOCK_END))
		return false;
	p->ends = ends;
	fine = parser_enter(p) && parse_statements(p, ends, out);
	parser_leave(p);
	if (fine && parser_at(p, TOKEN_EOF))
		fine = fail_unexpected(p, NULL);
	p->ends = outer;
	return fine;
}
