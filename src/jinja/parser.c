/* The parser's tools: errors, names, tokens, lists. */
#include "jinja/parser_internal.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"

/* ---- errors ---- */

/* The error is recorded: stands at the end from now on. */
static void stop(struct parser *p)
{
	p->failed = true;
	p->looked = false;
	p->token.kind = p->ahead.kind = TOKEN_EOF;
}

void parser_fail(struct parser *p, unsigned line, const char *fmt, ...)
{
	va_list args;

	if (p->failed)
		return;
	va_start(args, fmt);
	error_vset(p->err, STATUS_FORMAT, fmt, args);
	va_end(args);
	error_prefix(p->err, "%s:%u", p->tmpl->name, line);
	stop(p);
}

void parser_fail_limit(struct parser *p, unsigned line, const char *text)
{
	if (p->failed)
		return;
	error_set(p->err, STATUS_LIMIT, "%s:%u: %s", p->tmpl->name, line, text);
	stop(p);
}

void parser_no_memory(struct parser *p)
{
	if (p->failed)
		return;
	lexer_no_memory(&p->lexer);
	stop(p);
}

void parser_not_supported(struct parser *p, const char *what)
{
	parser_fail(p, p->token.line, "%s is not supported", what);
}

void *parser_new(struct parser *p, void *spare, size_t size)
{
	void *node = arena_alloc(p->arena, size);

	if (node)
		return node;
	parser_no_memory(p);
	return memset(spare, 0, size);
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
	name = parser_new(p, &p->spare.name, sizeof *name);
	name->string = string ? *string : string_empty;
	if (!string || !dict_put(p->arena, &p->tmpl->names, value_from_string(&name->string),
	                         value_from_string(&name->string)))
		parser_no_memory(p);
	return &name->string;
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

/* ---- tokens ---- */

void parser_advance(struct parser *p)
{
	if (p->looked)
		p->token = p->ahead;
	else if (!p->failed && lexer_next(&p->lexer, &p->token))
		stop(p);
	p->looked = false;
}

const struct jinja_token *parser_look(struct parser *p)
{
	if (!p->looked && !p->failed) {
		p->ahead = (struct jinja_token){.line = p->token.line};
		p->looked = true;
		if (lexer_next(&p->lexer, &p->ahead))
			stop(p);
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
	bool here = parser_at(p, kind);

	if (here)
		parser_advance(p);
	return here;
}

bool parser_skip_word(struct parser *p, const char *word)
{
	bool here = parser_at_word(p, word);

	if (here)
		parser_advance(p);
	return here;
}

void parser_fail_token(struct parser *p, const char *text)
{
	bool is_name = parser_at(p, TOKEN_NAME);
	const char *word = is_name ? p->token.text : token_describe(p->token.kind);
	size_t len = is_name ? p->token.len : strlen(word);

	parser_fail(p, p->token.line, "%s '%.*s'", text,
	            len < ERROR_TEXT_MAX ? (int)len : ERROR_TEXT_MAX, word);
}

static void fail_expected(struct parser *p, const char *what)
{
	char text[ERROR_TEXT_MAX];

	if (parser_at(p, TOKEN_EOF)) {
		parser_fail(p, p->token.line, "unexpected end of template, expected '%s'.", what);
		return;
	}
	snprintf(text, sizeof text, "expected token '%s', got", what);
	parser_fail_token(p, text);
}

void parser_expect(struct parser *p, enum token_kind kind)
{
	if (!parser_skip(p, kind))
		fail_expected(p, token_describe(kind));
}

void parser_expect_word(struct parser *p, const char *word)
{
	if (!parser_skip_word(p, word))
		fail_expected(p, word);
}

const struct jinja_string *parser_expect_name(struct parser *p)
{
	const struct jinja_string *name = &p->spare.name.string;

	if (parser_at(p, TOKEN_NAME))
		name = intern(p, p->token.text, p->token.len);
	parser_expect(p, TOKEN_NAME);
	return name;
}

/* ---- lists ---- */

void parser_push(struct parser *p, const void *item)
{
	if (alloc_grow(&p->gathered, &p->cap_gathered, p->n_gathered + 1, sizeof *p->gathered,
	               LIMIT_JINJA_TREE / sizeof *p->gathered))
		p->gathered[p->n_gathered++] = item;
	else
		parser_no_memory(p);
}

void *parser_take(struct parser *p, size_t mark, size_t *n)
{
	const void **items = arena_array(p->arena, p->n_gathered - mark, sizeof *items);

	if (!items)
		parser_no_memory(p);
	*n = p->failed ? 0 : p->n_gathered - mark;
	if (*n > 0)
		memcpy(items, p->gathered + mark, *n * sizeof *items);
	p->n_gathered = mark;
	return items;
}
