/* What the files of the evaluator share. */
#ifndef SOTTO_JINJA_EVAL_H
#define SOTTO_JINJA_EVAL_H

#include "base/limits.h"
#include "jinja/frame.h"
#include "jinja/object.h"

/* One step; cheaper than render_step, which every few thousand of them looks
 * at the clock. */
static inline enum status eval_step(struct render *render)
{
	if (render->fuel % JINJA_STEPS_A_LOOK == 0)
		return render_step(render, 1);
	render->fuel--;
	return STATUS_OK;
}

/* Around whatever may recurse. */
static inline enum status eval_descend(struct render *render)
{
	if (render->nested >= LIMIT_JINJA_EVAL_DEPTH)
		return render_limit(render, "constructs inside one another");
	render->nested++;
	return eval_step(render);
}

/* Output that goes into a value instead of the page. */
struct capture {
	struct text text, *outer;
};

/* ---- eval.c ---- */
/* EXPR_CALL; `caller` is what {% call %} hands on, or NULL. */
enum status eval_call(struct render *render, const struct expr *expr,
                      const struct jinja_value *caller, struct jinja_value *out) MUST_CHECK;

/* ---- eval_stmt.c ---- */
void capture_begin(struct render *render, struct capture *capture);
/* Back to the output before. */
enum status capture_end(struct render *render, struct capture *capture,
                        struct jinja_value *out) MUST_CHECK;
enum status eval_print(struct render *render, struct jinja_value value) MUST_CHECK;
/* Sets variables; unpacks tuples. */
enum status target_assign(struct render *render, const struct target *target,
                          struct jinja_value value) MUST_CHECK;

/* A body in a scope of its own. */
enum status eval_scope(struct render *render, const struct scope *scope,
                       const struct body *body) MUST_CHECK;

/* ---- loop.c ---- */
enum status eval_for(struct render *render, const struct stmt *stmt) MUST_CHECK;

/* ---- macro.c ---- */
enum status eval_macro(struct render *render, const struct stmt *stmt) MUST_CHECK;
enum status eval_call_block(struct render *render, const struct stmt *stmt) MUST_CHECK;

#endif
