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
static void bind_params(struct render *render, struct binding *binding)
{
	const struct macro *macro = binding->macro;
	size_t n = binding->args->n;

	for (size_t i = 0; i < macro->n_params; i++) {
		const struct jinja_string *name = macro->params[i]->name;
		const struct jinja_value *value =
		    i < n ? &binding->args->items[i] : take_keyword(binding, name);

		if (value)
			binding->frame->slots[i] = *value;
		if (n < macro->n_params ? i >= n : true)
			binding->found_caller |= string_equals(name, "caller");
	}
	render_step(render, macro->n_params * (1 + binding->args->n_keywords));
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

static void bind_arguments(struct render *render, const struct macro *macro,
                           const struct args *args)
{
	struct binding binding = {.args = args, .macro = macro, .frame = render->frame};
	size_t i = 0;

	binding.taken = arena_array(render->arena, args->n_keywords, sizeof *binding.taken);
	if (!binding.taken) {
		render_no_memory(render);
		return;
	}
	bind_params(render, &binding);
	bind_caller(&binding);
	while (i < args->n_keywords && binding.taken[i])
		i++;
	if (i < args->n_keywords)
		render_fail(render, "macro '%s' takes no keyword argument '%s'", name_text(macro),
		            args->keywords[i].name->data);
	if (args->n > macro->n_params)
		render_fail(render, "macro '%s' takes not more than %zu argument(s)",
		            name_text(macro), macro->n_params);
}

/* In the scope of the macro, one after the other: a default may use the
 * parameters before it. */
static void set_defaults(struct render *render, const struct macro *macro)
{
	render->line = macro->function->line;
	for (size_t i = 0; i < macro->n_params; i++) {
		const struct macro_param *param = macro->params[i];
		struct jinja_value *slot = &render->frame->slots[i];

		if (value_is_missing(*slot))
			*slot = param->value ? eval_expr(render, param->value) : param->missing;
	}
}

/* ---- calls ---- */

static struct jinja_value macro_call(struct render *render, struct jinja_object *self,
                                     const struct args *args)
{
	const struct macro_object *object = (const struct macro_object *)self;
	const struct macro *macro = object->macro;
	struct capture capture;
	struct jinja_value value;

	if (!frame_push(render, macro->function, object->outer, object->outer->lookups))
		return (struct jinja_value){0};
	bind_arguments(render, macro, args);
	scope_enter(render, &macro->function->scope);
	set_defaults(render, macro);
	capture_begin(render, &capture);
	eval_body(render, &macro->body);
	value = capture_end(render, &capture);
	frame_pop(render);
	return value;
}

/* ---- the object ---- */

static const struct object_ops macro_ops = {
	.type_name = "jinja2.runtime.Macro",
	.call = macro_call,
};

static struct jinja_value macro_value(struct render *render, const struct macro *macro)
{
	struct macro_object *object = arena_alloc(render->arena, sizeof *object);

	if (!object)
		return render_no_memory(render);
	*object = (struct macro_object){
		.object.ops = &macro_ops, .macro = macro, .outer = render->frame};
	return value_object(&object->object);
}

/* ---- statements ---- */

void eval_macro(struct render *render, const struct stmt *stmt)
{
	target_assign(render, stmt->target, macro_value(render, stmt->macro));
}

void eval_call_block(struct render *render, const struct stmt *stmt)
{
	struct jinja_value caller = macro_value(render, stmt->macro);

	render->line = stmt->line;
	eval_print(render, eval_call(render, stmt->expr, &caller));
}
