/* The public side: templates, contexts, renderings. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/sys.h"
#include "jinja/builtins.h"
#include "jinja/eval.h"
#include "jinja/parser_internal.h"
#include "jinja/scope.h"

/* ---- templates ---- */

static enum status parse_source(struct jinja_template *tmpl, const struct buf *source,
                                const struct jinja_limits *limits, struct error *err)
{
	struct parser p = {
		.tmpl = tmpl,
		.arena = &tmpl->arena,
		.limits = limits,
		.err = err,
		.spare.name.string.data = "",
	};

	lexer_init(&p.lexer, p.arena, tmpl->name, buf_text(source), source->len, err);
	p.token.line = 1;
	parser_advance(&p);
	parse_statements(&p, NULL, &tmpl->body);
	free(p.gathered);
	return p.failed ? err->status : resolve_names(tmpl, err);
}

static enum status template_create(struct jinja_template **out, const char *name,
                                   struct error *err)
{
	struct jinja_template *tmpl = calloc(1, sizeof *tmpl);
	char *copy = NULL;

	if (tmpl) {
		arena_init(&tmpl->arena, LIMIT_JINJA_TREE);
		copy = arena_alloc(&tmpl->arena, strlen(name) + 1);
	}
	if (!copy) {
		free(tmpl);
		return error_set(err, STATUS_NOMEM, "%s: not enough memory for the template", name);
	}
	memcpy(copy, name, strlen(name) + 1);
	tmpl->name = copy;
	*out = tmpl;
	return STATUS_OK;
}

enum status jinja_parse(struct jinja_template **out, const char *name, const char *text, size_t len,
                        const struct jinja_limits *limits, struct error *err)
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

enum { PAGE_GROWTH = 4, PAGE_MIN = 64 << 10 };

struct jinja_context {
	struct arena arena;
	struct jinja_dict variables;
};

/* ---- contexts ---- */

enum status jinja_context_create(struct jinja_context **out, size_t memory, struct error *err)
{
	struct jinja_context *context = alloc_array(1, sizeof *context);

	*out = context;
	if (!context)
		return error_set(err, STATUS_NOMEM, "not enough memory for a template's variables");
	arena_init(&context->arena, memory);
	return STATUS_OK;
}

void jinja_context_free(struct jinja_context *context)
{
	if (!context)
		return;
	arena_free(&context->arena);
	free(context);
}

struct arena *jinja_context_arena(struct jinja_context *context)
{
	return &context->arena;
}

void jinja_context_set(struct jinja_context *context, const char *name, struct jinja_value value)
{
	(void)dict_put_text(&context->arena, &context->variables, name, value);
}

/* ---- names from outside the template ---- */

/* Values for the names that the template looks up: the context's, else the
 * global functions. */
static struct jinja_value *look_up_names(struct render *render)
{
	const struct jinja_template *tmpl = render->tmpl;
	struct jinja_value *lookups = arena_array(render->arena, tmpl->n_lookups, sizeof *lookups);

	for (size_t i = 0; i < tmpl->n_lookups && lookups; i++) {
		const struct jinja_string *name = tmpl->lookups[i];
		const struct jinja_value *value =
			dict_find(&render->context->variables, value_from_string(name));

		lookups[i] = value
		                 ? *value
		                 : builtin_value(render->arena, builtin_find(&jinja_globals, name),
		                                 (struct jinja_value){0});
	}
	return lookups;
}

/* ---- rendering ---- */

static void run(struct render *render)
{
	const struct function *root = render->tmpl->root;
	struct jinja_value *lookups = NULL;

	if (!render->arena->status)
		lookups = look_up_names(render);
	if (!lookups || render->arena->status)
		render_no_memory(render);
	if (!frame_push(render, root, NULL, lookups))
		return;
	scope_enter(render, &root->scope);
	eval_body(render, &render->tmpl->body);
}

static enum status give_output(struct render *render, struct jinja_output *out)
{
	const struct text *text = render->out;

	out->text = alloc_strndup(text->len ? text->data : "", text->len);
	out->spans = alloc_array(text->n_runs, sizeof *out->spans);
	if (!out->text || !out->spans)
		return error_set(render->err, STATUS_NOMEM, "not enough memory for the rendering");
	out->len = text->len;
	out->n_spans = text->n_runs;
	for (size_t i = 0; i < text->n_runs; i++)
		out->spans[i] = (struct jinja_span){text->runs[i].end, text->runs[i].source};
	return STATUS_OK;
}

/* What the page's memory may be: a text grows by doubling, and has its runs. */
static size_t page_memory(size_t max)
{
	size_t memory;

	if (mul_overflows(max, PAGE_GROWTH, &memory) ||
	    add_overflows(memory, PAGE_MIN, &memory))
		return SIZE_MAX;
	return memory;
}

enum status jinja_render(const struct jinja_template *tmpl, struct jinja_context *context,
                         const struct jinja_options *options, struct jinja_output *out,
                         struct error *err)
{
	static const struct jinja_options none;
	struct arena *arena = &context->arena, page_arena;
	struct jinja_limits limits = jinja_limits_for(arena->used);
	struct error local;
	struct text page;
	struct render render = {
		.tmpl = tmpl,
		.limits = &limits,
		.options = options ? options : &none,
		.context = context,
		.filters = &jinja_filters,
		.tests = &jinja_tests,
		.arena = arena,
		.out = &page,
		.line = 1,
		.err = err ? err : &local,
	};
	enum status status;

	*out = (struct jinja_output){0};
	if (render.options->limits)
		limits = *render.options->limits;
	render.fuel = limits.fuel;
	if (limits.deadline_ms)
		render.deadline_us = sys_now_us() + limits.deadline_ms * UINT64_C(1000);
	if (add_overflows(arena->used, limits.memory, &arena->max))
		arena->max = SIZE_MAX;
	arena_init(&page_arena, page_memory(limits.output));
	text_init(&page, &page_arena, limits.output);
	run(&render);
	status = render.failed ? render.err->status : give_output(&render, out);
	out->raised = render.raised;
	arena_free(&page_arena);
	return status;
}

void jinja_output_free(struct jinja_output *out)
{
	free(out->text);
	free(out->spans);
	*out = (struct jinja_output){0};
}
