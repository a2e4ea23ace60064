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
static enum status target_value(struct render *render, const struct target *target,
                                struct jinja_value *out)
{
	struct jinja_value list, item;
	enum status status;

	if (target->kind == TARGET_NAME) {
		*out = *frame_variable(render->frame, target->variable);
		return STATUS_OK;
	}
	list = value_list(render->arena, LIST_TUPLE);
	for (size_t i = 0; i < target->n; i++) {
		status = target_value(render, target->items[i], &item);
		if (status)
			return status;
		if (list.kind != VALUE_LIST || !list_push(render->arena, list.u.list, item))
			return render_no_memory(render);
	}
	*out = list;
	return STATUS_OK;
}

/* Whether the loop's `if` lets the item through. */
static enum status filter_item(struct render *render, const struct loop *loop,
                               struct jinja_value *item, bool *passes)
{
	const struct scopes *scopes = loop->stmt->scopes;
	struct jinja_value condition;
	enum status status = target_assign(render, scopes->filter_target, *item);

	if (!status)
		status = eval_expr(render, loop->stmt->filter, &condition);
	if (status)
		return status;
	*passes = value_truth(condition);
	if (!*passes || scopes->filter_target->kind == TARGET_NAME)
		return STATUS_OK;
	return target_value(render, scopes->filter_target, item);
}

static bool next_filtered(struct render *render, struct loop *loop, struct jinja_value *item)
{
	struct frame *frame = render->frame;
	unsigned line = render->line;
	bool passes = false;

	render->frame = loop->frame;
	render->line = loop->stmt->filter->line;
	while (!passes) {
		if (!iteration_next(render, &loop->it, item) ||
		    filter_item(render, loop, item, &passes))
			break;
	}
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
		return more && !render_step(render, 1);
	}
	if (loop->ended)
		return false;
	more = loop->stmt->filter ? next_filtered(render, loop, item)
	                          : iteration_next(render, &loop->it, item);
	loop->ended = !more;
	return more;
}

/* Looks one item ahead. */
static enum status peek(struct render *render, struct loop *loop)
{
	if (!loop->has_after)
		loop->has_after = pull(render, loop, &loop->after);
	return render->failed ? render->err->status : STATUS_OK;
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
static enum status find_length(struct render *render, struct loop *loop)
{
	struct jinja_value rest, item;
	size_t n;
	enum status status;

	if (loop->has_length)
		return STATUS_OK;
	if (!has_no_length(loop)) {
		status = value_length(render, loop->source, &n);
		loop->length = (int64_t)n;
		loop->has_length = !status;
		return status;
	}
	rest = value_list(render->arena, LIST_LIST);
	if (rest.kind != VALUE_LIST)
		return render_no_memory(render);
	while (pull(render, loop, &item)) {
		if (!list_push(render->arena, rest.u.list, item))
			return render_no_memory(render);
	}
	if (render->failed)
		return render->err->status;
	loop->rest = rest.u.list;
	loop->length = (int64_t)rest.u.list->n + loop->index0 + 1 + loop->has_after;
	loop->has_length = true;
	return STATUS_OK;
}

/* ---- running ---- */

static const struct object_ops loop_ops;

static enum status start(struct render *render, struct loop *loop, const struct stmt *stmt,
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
	if (value_iterate(render, source, &loop->it))
		return render->err->status;
	render->line = stmt->line;
	return STATUS_OK;
}

/* One iteration; *whole: the body ran to its end. */
static enum status iterate(struct render *render, const struct stmt *stmt, struct jinja_value item,
                           bool *whole)
{
	enum status status = target_assign(render, stmt->target, item);

	if (!status)
		status = scope_enter(render, &stmt->scopes->body);
	if (!status)
		status = eval_body(render, &stmt->body);
	if (!status && render->flow == FLOW_ON)
		*whole = true;
	return status;
}

static enum status run(struct render *render, struct loop *loop)
{
	const struct stmt *stmt = loop->stmt;
	enum status status = STATUS_OK;
	bool whole = false, broken = false;
	struct jinja_value item;

	if (stmt->filter)
		status = scope_enter(render, &stmt->scopes->filter);
	if (stmt->scopes->has_loop)
		render->frame->slots[stmt->scopes->loop] = value_object(&loop->object);
	while (!status && !broken && advance(render, loop, &item)) {
		status = iterate(render, stmt, item, &whole);
		broken = render->flow == FLOW_BREAK;
		render->flow = FLOW_ON;
		render->line = stmt->line;
	}
	if (status || render->failed)
		return render->err->status;
	scope_leave(render, &stmt->scopes->body);
	/* As in Jinja2: also if {% continue %} or {% break %} ended every iteration. */
	return stmt->else_body.n && !whole
	               ? eval_scope(render, &stmt->scopes->else_body, &stmt->else_body)
	               : STATUS_OK;
}

enum status eval_for(struct render *render, const struct stmt *stmt)
{
	struct loop local, *loop = &local;
	struct jinja_value source;
	enum status status;

	render->line = stmt->line;
	status = eval_expr(render, stmt->expr, &source);
	if (status)
		return status;
	if (stmt->scopes->has_loop)
		loop = arena_alloc(render->arena, sizeof *loop);
	if (!loop)
		return render_no_memory(render);
	status = start(render, loop, stmt, source);
	return status ? status : run(render, loop);
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

static enum status loop_get(struct render *render, struct jinja_object *self,
                            const struct jinja_string *name, bool *found, struct jinja_value *out)
{
	static const struct jinja_undefined no_previous = {.hint = "there is no previous item"};
	static const struct jinja_undefined no_next = {.hint = "there is no next item"};
	static const char *const not_supported[] = {"changed", "cycle", "depth", "depth0", "revindex",
	                                            "revindex0", NULL};
	struct loop *loop = (struct loop *)self;
	enum status status = STATUS_OK;

	*found = true;
	if (string_equals(name, "index")) {
		*out = value_int(loop->index0 + 1);
	} else if (string_equals(name, "index0")) {
		*out = value_int(loop->index0);
	} else if (string_equals(name, "first")) {
		*out = value_bool(loop->index0 == 0);
	} else if (string_equals(name, "last")) {
		status = peek(render, loop);
		*out = value_bool(!loop->has_after);
	} else if (string_equals(name, "length")) {
		status = find_length(render, loop);
		*out = value_int(loop->length);
	} else if (string_equals(name, "previtem")) {
		*out = loop->index0 == 0 ? no_item(&no_previous) : loop->before;
	} else if (string_equals(name, "nextitem")) {
		status = peek(render, loop);
		*out = loop->has_after ? loop->after : no_item(&no_next);
	} else if (is_one_of(name, not_supported)) {
		status = render_fail(render, "'loop.%s' is not supported", name->data);
	} else {
		*found = false;
	}
	return status;
}

static const struct object_ops loop_ops = {
	.type_name = "jinja2.runtime.LoopContext",
	.get = loop_get,
};
