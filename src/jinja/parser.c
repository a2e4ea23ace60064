/* The parser's tools: errors, names, tokens, lists. */
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

/* ---- names ---- */

const struct jinja_string *template_intern(const struct jinja_template *tmpl, const char *name,
                                           size_t len)
{
	const struct jinja_string text = {.data = name, .len = len};
	const struct jinja_value *found = dict_find(&tmpl->names, value_from_string(&text));

	return found ? found->u.string : NULL;
}

static const struct jinja_string *intern(struct parser *p, const char *text, size_t len)
{
	const struct jinja_string *string = template_intern(p->tmpl, text, len);
	struct name *name;

	if (string)
		return string;
	string = string_new(p->arena, text, len, SOURCE_TEMPLATE);
	name = arena_alloc(p->arena, sizeof *name);
	if (string && name) {
		name->string = *string;
		if (dict_put(p->arena, &p->tmpl->names, value_from_string(&name->string),
		             value_from_string(&name->string)))
			return &name->string;
	}
	parser_no_memory(p);
	return NULL;
}

void parser_begin_names(struct parser *p)
{
	p->n_lists++;
}

bool parser_is_new_name(struct parser *p, const struct jinja_string *string)
{
	struct name *name = name_of(string);
	bool is_new = name->seen_in != p->n_lists;

	name->seen_in = p->n_lists;
	return is_new;
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
	name = intern(p, p->token.text, p->token.len);
	parser_advance(p);
	return p->failed ? NULL : name;
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
