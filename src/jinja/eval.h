/* What the files of the evaluator share. */
#ifndef SOTTO_JINJA_EVAL_H
#define SOTTO_JINJA_EVAL_H

#include "base/limits.h"
#include "jinja/frame.h"
#include "jinja/object.h"

/* One step; cheaper than render_step, which every few thousand of them looks
 * at the clock. */
static inline void eval_step(struct render *render)
{
	if (render->fuel % JINJA_STEPS_A_LOOK == 0)
		render_step(render, 1);
	else
		render->fuel--;
}

/* Around whatever may recurse, which ends with nested--. False after a failure: there is nothing
 * to do. */
static inline bool eval_descend(struct render *render)
{
	if (render->nested++ >= LIMIT_JINJA_EVAL_DEPTH)
		render_limit(render, "constructs inside one another");
	eval_step(render);
	return !render->failed;
}

/* Output that goes into a value instead of the page. */
struct capture {
	struct text text, *outer;
};

/* ---- eval.c ---- */
/* EXPR_CALL; `caller` is what {% call %} hands on, or NULL. */
struct jinja_value eval_call(struct render *render, const struct expr *expr,
                             const struct jinja_value *caller);

/* ---- eval_stmt.c ---- */
void capture_begin(struct render *render, struct capture *capture);
/* Back to the output before. */
struct jinja_value capture_end(struct render *render, struct capture *capture);
void eval_print(struct render *render, struct jinja_value value);
/* Sets variables; unpacks tuples. */
void target_assign(struct render *render, const struct expr *target, struct jinja_value value);

/* A body in a scope of its own. */
void eval_scope(struct render *render, const struct scope *scope, const struct body *body);

/* ---- loop.c ---- */
void eval_for(struct render *render, const struct stmt *stmt);

/* ---- macro.c ---- */
void eval_macro(struct render *render, const struct stmt *stmt);
void eval_call_block(struct render *render, const struct stmt *stmt);

#endif
