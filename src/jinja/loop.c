/* {% for %}, and the `loop` of its body. */
#include "jinja/eval.h"
#include "jinja/builtins.h"

/* The items, taken one at a time: a filter may depend on what the body has changed, so
 * nothing is taken in advance. */
struct loop {
	struct jinja_object object;
	const struct stmt *stmt;
	struct frame *frame; /* the function that the loop is in */
	struct jinja_value source;
	struct iteration it;
	struct jinja_list *rest; /* what was left when the length was asked for */
	size_t rest_at;
	struct jinja_value current, before, after;
	bool has_after, ended;
	bool has_length;
	int64_t length, index0;
};

/* ---- the items ---- */

/* A tuple of names makes tuples of what it has taken apart. */
static struct jinja_value target_value(struct render *render, const struct expr *target)
{
	struct jinja_value list;

	if (target->kind == EXPR_NAME)
		return *frame_variable(render->frame, target->op.variable);
	list = give_list(render, LIST_TUPLE);
	for (size_t i = 0; i < target->n; i++) {
		if (!list_push(render->arena, list.u.list, target_value(render, target->items[i])))
			render_no_memory(render);
	}
	return list;
}

/* Whether the loop's `if` lets the item through. */
static bool filter_item(struct render *render, const struct loop *loop, struct jinja_value *item)
{
	const struct expr *target = loop->stmt->scopes->filter_target;
	bool passes;

	target_assign(render, target, *item);
	passes = value_truth(eval_expr(render, loop->stmt->filter));
	if (passes && target->kind != EXPR_NAME)
		*item = target_value(render, target);
	return passes;
}

static bool next_filtered(struct render *render, struct loop *loop, struct jinja_value *item)
{
	struct frame *frame = render->frame;
	unsigned line = render->line;
	bool passes = false;

	render->frame = loop->frame;
	render->line = loop->stmt->filter->line;
	while (!passes && iteration_next(render, &loop->it, item))
		passes = filter_item(render, loop, item);
	render->frame = frame;
	render->line = line;
	return passes && !render->failed;
}

/* The next item from the source; false at the end or after a failure. */
static bool pull(struct render *render, struct loop *loop, struct jinja_value *item)
{
	bool more;

	if (loop->rest) {
		more = loop->rest_at < loop->rest->n;
		if (more)
			*item = loop->rest->items[loop->rest_at++];
		return more && render_step(render, 1);
	}
	if (loop->ended)
		return false;
	more = loop->stmt->filter ? next_filtered(render, loop, item)
	                          : iteration_next(render, &loop->it, item);
	loop->ended = !more;
	return more;
}

/* Looks one item ahead; false: there is none. */
static bool peek(struct render *render, struct loop *loop)
{
	if (!loop->has_after)
		loop->has_after = pull(render, loop, &loop->after);
	return loop->has_after;
}

static bool advance(struct render *render, struct loop *loop, struct jinja_value *item)
{
	if (loop->has_after)
		*item = loop->after;
	else if (!pull(render, loop, item))
		return false;
	loop->has_after = false;
	loop->index0++;
	loop->before = loop->current;
	loop->current = *item;
	return true;
}

static bool has_no_length(const struct loop *loop)
{
	return loop->stmt->filter ||
	       (loop->source.kind == VALUE_LIST && loop->source.u.list->kind == LIST_ITERATOR);
}

/* Takes all items of a source without a length, and keeps them. */
static void find_length(struct render *render, struct loop *loop)
{
	struct jinja_list *rest;
	struct jinja_value item;

	if (loop->has_length)
		return;
	loop->has_length = true;
	if (!has_no_length(loop)) {
		loop->length = (int64_t)value_length(render, loop->source);
		return;
	}
	rest = give_list(render, LIST_LIST).u.list;
	while (pull(render, loop, &item)) {
		if (!list_push(render->arena, rest, item))
			render_no_memory(render);
	}
	loop->rest = rest;
	loop->length = (int64_t)rest->n + loop->index0 + 1 + loop->has_after;
}

/* ---- running ---- */

static const struct object_ops loop_ops;

static void start(struct render *render, struct loop *loop, const struct stmt *stmt,
                  struct jinja_value source)
{
	*loop = (struct loop){
		.object.ops = &loop_ops,
		.stmt = stmt,
		.frame = render->frame,
		.source = source,
		.index0 = -1,
	};
	/* In Jinja2 the filter is a function that iterates over the source. */
	render->line = stmt->filter ? stmt->filter->line : stmt->line;
	loop->it = value_iterate(render, source);
	render->line = stmt->line;
}

static void run(struct render *render, struct loop *loop)
{
	const struct stmt *stmt = loop->stmt;
	bool whole = false, broken = false; /* whole: a body ran to its end */
	struct jinja_value item;

	if (stmt->filter)
		scope_enter(render, &stmt->scopes->filter);
	if (stmt->scopes->has_loop)
		render->frame->slots[stmt->scopes->loop] = value_object(&loop->object);
	while (!broken && advance(render, loop, &item)) {
		target_assign(render, stmt->target, item);
		scope_enter(render, &stmt->scopes->body);
		eval_body(render, &stmt->body);
		whole = whole || render->flow == FLOW_ON;
		broken = render->flow == FLOW_BREAK;
		render->flow = FLOW_ON;
		render->line = stmt->line;
	}
	scope_leave(render, &stmt->scopes->body);
	/* As in Jinja2: also if {% continue %} or {% break %} ended every iteration. */
	if (stmt->else_body.n && !whole)
		eval_scope(render, &stmt->scopes->else_body, &stmt->else_body);
}

void eval_for(struct render *render, const struct stmt *stmt)
{
	struct loop local, *loop = &local;
	struct jinja_value source;

	render->line = stmt->line;
	source = eval_expr(render, stmt->expr);
	if (stmt->scopes->has_loop)
		loop = arena_alloc(render->arena, sizeof *loop);
	if (!loop) {
		render_no_memory(render);
		return;
	}
	start(render, loop, stmt, source);
	run(render, loop);
}

/* ---- the object ---- */

static struct jinja_value no_item(const struct jinja_undefined *why)
{
	return (struct jinja_value){.kind = VALUE_UNDEFINED, .u.undefined = why};
}

static bool is_one_of(const struct jinja_string *name, const char *const *names)
{
	while (*names && !string_equals(name, *names))
		names++;
	return *names;
}

static bool loop_get(struct render *render, struct jinja_object *self,
                     const struct jinja_string *name, struct jinja_value *out)
{
	static const struct jinja_undefined no_previous = {.hint = "there is no previous item"};
	static const struct jinja_undefined no_next = {.hint = "there is no next item"};
	static const char *const not_supported[] = {"changed", "cycle", "depth", "depth0", "revindex",
	                                            "revindex0", NULL};
	struct loop *loop = (struct loop *)self;

	if (string_equals(name, "index")) {
		*out = value_int(loop->index0 + 1);
	} else if (string_equals(name, "index0")) {
		*out = value_int(loop->index0);
	} else if (string_equals(name, "first")) {
		*out = value_bool(loop->index0 == 0);
	} else if (string_equals(name, "last")) {
		*out = value_bool(!peek(render, loop));
	} else if (string_equals(name, "length")) {
		find_length(render, loop);
		*out = value_int(loop->length);
	} else if (string_equals(name, "previtem")) {
		*out = loop->index0 == 0 ? no_item(&no_previous) : loop->before;
	} else if (string_equals(name, "nextitem")) {
		*out = peek(render, loop) ? loop->after : no_item(&no_next);
	} else if (is_one_of(name, not_supported)) {
		*out = render_fail(render, "'loop.%s' is not supported", name->data);
	} else {
		return false;
	}
	return true;
}

static const struct object_ops loop_ops = {
	.type_name = "jinja2.runtime.LoopContext",
	.get = loop_get,
};
