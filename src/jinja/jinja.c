/* The public side of rendering: contexts, limits, output. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/sys.h"
#include "jinja/builtins.h"
#include "jinja/eval.h"

enum { VARIABLES_MIN = 16, PAGE_GROWTH = 4, PAGE_MIN = 64 << 10 };

struct variable_entry {
	const char *name;
	size_t len;
	struct jinja_value value;
};

struct jinja_context {
	struct arena arena;
	struct variable_entry *items;
	size_t n, cap;
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

static const struct variable_entry *find_variable(const struct jinja_context *context,
                                                  const char *name, size_t len)
{
	for (size_t i = 0; i < context->n; i++) {
		if (context->items[i].len == len && !memcmp(context->items[i].name, name, len))
			return &context->items[i];
	}
	return NULL;
}

static bool reserve_variable(struct jinja_context *context)
{
	size_t size = sizeof *context->items, cap = context->cap * 2;
	struct variable_entry *grown;

	if (context->n < context->cap)
		return true;
	if (!cap)
		cap = VARIABLES_MIN;
	grown = arena_grow(&context->arena, context->items, context->cap * size, cap * size);
	if (!grown)
		return false;
	context->items = grown;
	context->cap = cap;
	return true;
}

void jinja_context_set(struct jinja_context *context, const char *name, struct jinja_value value)
{
	size_t len = strlen(name);
	struct variable_entry *entry =
		(struct variable_entry *)find_variable(context, name, len);
	char *copy;

	if (entry) {
		entry->value = value;
		return;
	}
	copy = arena_alloc(&context->arena, len + 1);
	if (!copy || !reserve_variable(context))
		return;
	memcpy(copy, name, len + 1);
	context->items[context->n++] =
		(struct variable_entry){.name = copy, .len = len, .value = value};
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
		const struct variable_entry *entry =
			find_variable(render->context, name->data, name->len);
		const struct builtin *row;

		if (entry) {
			lookups[i] = entry->value;
			continue;
		}
		row = builtin_find(&jinja_globals, name);
		if (row)
			lookups[i] = builtin_value(render->arena, row, (struct jinja_value){0});
	}
	return lookups;
}

/* ---- rendering ---- */

static enum status run(struct render *render)
{
	const struct function *root = render->tmpl->root;
	struct jinja_value *lookups = NULL;
	enum status status = STATUS_OK;

	if (!render->arena->status)
		lookups = look_up_names(render);
	if (!lookups || render->arena->status)
		return render_no_memory(render);
	status = frame_push(render, root, NULL, lookups);
	if (!status)
		status = scope_enter(render, &root->scope);
	if (!status)
		status = eval_body(render, &render->tmpl->body);
	return status;
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
	status = run(&render);
	if (!status)
		status = give_output(&render, out);
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
