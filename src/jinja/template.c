/* Making and freeing templates. */
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "jinja/parser_internal.h"
#include "jinja/scope.h"

static bool parse_template(struct parser *p)
{
	p->tmpl->names = names_create(p->arena);
	if (!p->tmpl->names)
		return parser_no_memory(p);
	parser_advance(p);
	return !p->failed && parse_statements(p, NULL, &p->tmpl->body);
}

static enum status parse_source(struct jinja_template *tmpl, const struct buf *source,
                                const struct jinja_limits *limits, struct error *err)
{
	struct parser p = {.tmpl = tmpl, .arena = &tmpl->arena, .limits = limits, .err = err};
	bool fine;

	lexer_init(&p.lexer, p.arena, tmpl->name, buf_text(source), source->len);
	p.token.line = 1;
	fine = parse_template(&p);
	free(p.gathered);
	if (!fine)
		return err->status;
	return resolve_names(tmpl, err);
}

static enum status template_create(struct jinja_template **out, const char *name,
                                   struct error *err)
{
	struct jinja_template *tmpl = calloc(1, sizeof *tmpl);
	char *copy;

	if (!tmpl)
		return error_set(err, STATUS_NOMEM, "%s: not enough memory for the template", name);
	arena_init(&tmpl->arena, LIMIT_JINJA_TREE);
	copy = arena_alloc(&tmpl->arena, strlen(name) + 1);
	if (!copy) {
		free(tmpl);
		return error_set(err, STATUS_NOMEM, "%s: not enough memory for the template", name);
	}
	memcpy(copy, name, strlen(name) + 1);
	tmpl->name = copy;
	*out = tmpl;
	return STATUS_OK;
}

enum status jinja_parse(struct jinja_template **out, const char *name, const char *text,
                        size_t len, const struct jinja_limits *limits, struct error *err)
{
	struct jinja_template *tmpl = NULL;
	struct error own;
	enum status status;
	struct buf source;

	*out = NULL;
	if (!err)
		err = &own;
	if (!limits)
		limits = &jinja_limits_default;
	if (len > limits->template_bytes)
		return error_set(err, STATUS_LIMIT,
		                 "%s: the template is longer than %zu bytes", name,
		                 limits->template_bytes);
	buf_init(&source, 3 * len); /* a U+FFFD for each byte at the worst */
	status = lexer_prepare(&source, text, len);
	if (status)
		error_set(err, status, "%s: not enough memory for the template", name);
	else
		status = template_create(&tmpl, name, err);
	if (!status)
		status = parse_source(tmpl, &source, limits, err);
	buf_free(&source);
	if (status)
		jinja_free(tmpl);
	else
		*out = tmpl;
	return status;
}

void jinja_free(struct jinja_template *tmpl)
{
	if (!tmpl)
		return;
	arena_free(&tmpl->arena);
	free(tmpl);
}
