/* Macros and the bodies of {% call %}, which are macros without a name. */
#include "jinja/eval.h"

struct macro_object {
	struct jinja_object object;
	const struct macro *macro;
	struct frame *outer; /* what it sees around it, as it is when it is called */
};

/* The arguments of a call on their way to the parameters of a macro. */
struct binding {
	const struct args *args;
	const struct macro *macro;
	struct frame *frame;
	bool *taken; /* which keywords a parameter has */
	bool found_caller;
};

/* ---- arguments ---- */

static const char *name_text(const struct macro *macro)
{
	return macro->name ? macro->name->data : "call";
}

static bool same_name(const struct jinja_string *a, const struct jinja_string *b)
{
	return a == b || (a->len == b->len && !string_compare(a, b));
}

/* The keyword argument of that name, taken away. */
static const struct jinja_value *take_keyword(struct binding *binding,
                                              const struct jinja_string *name)
{
	for (size_t i = 0; i < binding->args->n_keywords; i++) {
		if (binding->taken[i] || !same_name(binding->args->keywords[i].name, name))
			continue;
		binding->taken[i] = true;
		return &binding->args->keywords[i].value;
	}
	return NULL;
}

/* Parameters stay without a value (value_is_missing) where nothing is given. */
static enum status bind_params(struct render *render, struct binding *binding)
{
	const struct macro *macro = binding->macro;
	size_t n = binding->args->n;

	for (size_t i = 0; i < macro->n_params; i++) {
		const struct jinja_string *name = macro->params[i].name;
		const struct jinja_value *value =
		    i < n ? &binding->args->items[i] : take_keyword(binding, name);

		if (value)
			binding->frame->slots[i] = *value;
		if (n < macro->n_params ? i >= n : true)
			binding->found_caller |= string_equals(name, "caller");
	}
	return render_step(render, macro->n_params * (1 + binding->args->n_keywords));
}

static void bind_caller(struct binding *binding)
{
	static const struct jinja_undefined no_caller = {.hint = "No caller defined"};
	static const struct jinja_string name = {.data = "caller", .len = 6, .n_chars = 6};
	const struct function *function = binding->macro->function;
	const struct jinja_value *value;

	if (function->caller == NO_SLOT || binding->found_caller)
		return;
	value = take_keyword(binding, &name);
	binding->frame->slots[function->caller] =
		value && value->kind != VALUE_NONE
			? *value
			: (struct jinja_value){.kind = VALUE_UNDEFINED, .u.undefined = &no_caller};
}

static enum status bind_arguments(struct render *render, const struct macro *macro,
                                  const struct args *args)
{
	struct binding binding = {.args = args, .macro = macro, .frame = render->frame};
	enum status status;
	size_t i = 0;

	binding.taken = arena_array(render->arena, args->n_keywords, sizeof *binding.taken);
	if (!binding.taken)
		return render_no_memory(render);
	status = bind_params(render, &binding);
	if (status)
		return status;
	bind_caller(&binding);
	while (i < args->n_keywords && binding.taken[i])
		i++;
	if (i < args->n_keywords)
		return render_fail(render, "macro '%s' takes no keyword argument '%s'",
		                   name_text(macro), args->keywords[i].name->data);
	if (args->n > macro->n_params)
		return render_fail(render, "macro '%s' takes not more than %zu argument(s)",
		                   name_text(macro), macro->n_params);
	return STATUS_OK;
}

/* In the scope of the macro, one after the other: a default may use the
 * parameters before it. */
static enum status set_defaults(struct render *render, const struct macro *macro)
{
	render->line = macro->function->line;
	for (size_t i = 0; i < macro->n_params; i++) {
		struct jinja_value *slot = &render->frame->slots[i];
		enum status status;

		if (!value_is_missing(*slot))
			continue;
		if (!macro->params[i].value) {
			*slot = macro->params[i].missing;
			continue;
		}
		status = eval_expr(render, macro->params[i].value, slot);
		if (status)
			return status;
	}
	return STATUS_OK;
}

/* ---- calls ---- */

static enum status macro_call(struct render *render, struct jinja_object *self,
                              const struct args *args, struct jinja_value *out)
{
	const struct macro_object *object = (const struct macro_object *)self;
	const struct macro *macro = object->macro;
	struct capture capture;
	enum status status = frame_push(render, macro->function, object->outer,
	                                object->outer->lookups);

	if (!status)
		status = bind_arguments(render, macro, args);
	if (!status)
		status = scope_enter(render, &macro->function->scope);
	if (!status)
		status = set_defaults(render, macro);
	if (status)
		return status;
	capture_begin(render, &capture);
	status = eval_body(render, &macro->body);
	if (!status)
		status = capture_end(render, &capture, out);
	if (!status)
		frame_pop(render);
	return status;
}

/* ---- the object ---- */

static const struct object_ops macro_ops = {
	.type_name = "jinja2.runtime.Macro",
	.call = macro_call,
};

static enum status macro_value(struct render *render, const struct macro *macro,
                               struct jinja_value *out)
{
	struct macro_object *object = arena_alloc(render->arena, sizeof *object);

	if (!object)
		return render_no_memory(render);
	*object = (struct macro_object){
		.object.ops = &macro_ops, .macro = macro, .outer = render->frame};
	*out = value_object(&object->object);
	return STATUS_OK;
}

/* ---- statements ---- */

enum status eval_macro(struct render *render, const struct stmt *stmt)
{
	const struct scopes *scopes = stmt->scopes;
	struct jinja_value macro;
	enum status status = macro_value(render, stmt->macro, &macro);

	if (status)
		return status;
	*frame_variable(render->frame, scopes->name) = macro;
	if (scopes->export)
		render->frame->lookups[scopes->export - 1] = macro;
	return STATUS_OK;
}

enum status eval_call_block(struct render *render, const struct stmt *stmt)
{
	struct jinja_value caller, value;
	enum status status = macro_value(render, stmt->macro, &caller);

	render->line = stmt->line;
	if (!status)
		status = eval_call(render, stmt->expr, &caller, &value);
	return status ? status : eval_print(render, value);
}
