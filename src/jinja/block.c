/* Blocks, and `self` and `super`. Without templates to inherit from, a block is
 * drawn where it stands, and `self.name()` draws it again. */
#include "jinja/eval.h"

/* self */
struct reference {
	struct object object;
	struct value *world; /* what the blocks see */
};

/* self.name */
struct block_object {
	struct object object;
	const struct stmt *block;
	struct value *world;
};

static enum status run(struct render *render, const struct stmt *block, struct value *world)
{
	const struct function *function = block->scopes->function;
	enum status status = frame_push(render, function, NULL, world);

	if (!status)
		status = scope_enter(render, &function->scope);
	if (!status)
		status = block_specials(render, function, block);
	if (!status)
		status = eval_body(render, &block->body);
	if (!status)
		frame_pop(render);
	return status;
}

/* ---- where it stands ---- */

/* The world with the variables around the block in it. */
static struct value *share(struct render *render, const struct scopes *scopes)
{
	size_t n = render->tmpl->n_world;
	struct value *world = arena_array(render->arena, n, sizeof *world);

	for (size_t i = 0; i < n && world; i++)
		world[i] = render->frame->world[i];
	for (size_t i = 0; i < scopes->n_shared && world; i++) {
		const struct shared_name *shared = &scopes->shared[i];
		struct value value = *frame_variable(render->frame, shared->variable);

		if (!value_is_missing(value))
			world[shared->world] = value;
	}
	return world;
}

enum status eval_block(struct render *render, const struct stmt *stmt)
{
	struct value *world = render->frame->world;

	render->line = stmt->line;
	if (stmt->required)
		return render_fail(render, "Required block '%s' not found", stmt->text->data);
	if (stmt->scoped) {
		world = share(render, stmt->scopes);
		if (!world)
			return render_no_memory(render);
	}
	return run(render, stmt, world);
}

/* ---- self.name and super ---- */

static struct value no_parent(struct render *render, const struct stmt *block)
{
	return undefined_hint(render->arena, "there is no parent block called '%s'.",
	                      block->text->data);
}

static enum status block_call(struct render *render, struct object *self, const struct args *args,
                              struct value *out)
{
	const struct block_object *object = (const struct block_object *)self;
	struct capture capture;
	enum status status;

	if (args->n_keywords)
		return render_fail(render,
		                   "BlockReference.__call__() got an unexpected keyword argument "
		                   "'%s'",
		                   args->keywords[0].name->data);
	if (args->n)
		return render_fail(render,
		                   "BlockReference.__call__() takes 1 positional argument but %zu "
		                   "were given",
		                   args->n + 1);
	capture_begin(render, &capture);
	status = run(render, object->block, object->world);
	return status ? status : capture_end(render, &capture, out);
}

static enum status block_get(struct render *render, struct object *self, const struct string *name,
                             bool *found, struct value *out)
{
	const struct block_object *object = (const struct block_object *)self;

	*found = true;
	if (string_equals(name, "name"))
		*out = value_from_string(object->block->text);
	else if (string_equals(name, "super"))
		*out = no_parent(render, object->block);
	else
		*found = false;
	return render->arena->status ? render_no_memory(render) : STATUS_OK;
}

static const struct object_ops block_ops = {
	.type_name = "jinja2.runtime.BlockReference",
	.get = block_get,
	.call = block_call,
};

/* ---- self ---- */

static enum status reference_print(struct render *render, const struct object *self,
                                   struct text *out)
{
	(void)render;
	(void)self;
	text_puts(out, "<TemplateReference None>");
	return STATUS_OK;
}

static enum status reference_get(struct render *render, struct object *self,
                                 const struct string *name, bool *found, struct value *out)
{
	struct block_object *object;

	*found = false;
	for (size_t i = 0; i < render->tmpl->n_blocks; i++) {
		const struct stmt *block = render->tmpl->blocks[i];

		if (string_compare(block->text, name))
			continue;
		object = arena_alloc(render->arena, sizeof *object);
		if (!object)
			return render_no_memory(render);
		*object = (struct block_object){.object.ops = &block_ops,
		                                .block = block,
		                                .world = ((struct reference *)self)->world};
		*out = value_object(&object->object);
		*found = true;
		break;
	}
	return render_step(render, render->tmpl->n_blocks);
}

static const struct object_ops reference_ops = {
	.type_name = "jinja2.runtime.TemplateReference",
	.print = reference_print,
	.get = reference_get,
};

enum status block_specials(struct render *render, const struct function *function,
                           const struct stmt *block)
{
	struct frame *frame = render->frame;

	if (function->self != NO_SLOT) {
		struct reference *reference = arena_alloc(render->arena, sizeof *reference);

		if (!reference)
			return render_no_memory(render);
		*reference = (struct reference){.object.ops = &reference_ops,
		                                .world = frame->world};
		frame->slots[function->self] = value_object(&reference->object);
	}
	if (function->super != NO_SLOT)
		frame->slots[function->super] = no_parent(render, block);
	return render->arena->status ? render_no_memory(render) : STATUS_OK;
}
