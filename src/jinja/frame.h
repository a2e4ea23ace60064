/* The variables of functions under way (scope.h). A frame that closures may still
 * need after its function's end lies in the arena; others are stacked, and their
 * memory is used again. */
#ifndef SOTTO_JINJA_FRAME_H
#define SOTTO_JINJA_FRAME_H

#include "jinja/render.h"
#include "jinja/scope.h"

struct frame {
	struct frame *outer; /* of the function around this one, as written */
	struct jinja_value *lookups; /* values of template->lookups */
	struct frame *caller; /* of the function that called this one */
	struct frame_chunk *chunk;
	size_t used;         /* of the chunk, before this one */
	unsigned line;       /* of the call */
	struct jinja_value slots[];
};

/* A slot without a value: reading it gives an undefined value that knows the
 * name (struct expr's constant). */
static inline bool value_is_missing(struct jinja_value value)
{
	return value.kind == VALUE_UNDEFINED && !value.u.undefined;
}

static inline struct jinja_value *frame_variable(struct frame *frame, struct variable variable)
{
	for (uint32_t up = variable.up; up; up--)
		frame = frame->outer;
	return &frame->slots[variable.slot];
}

/* Begins and ends a call: counts it, keeps the line of the caller. False, after a failure: there
 * is no frame to pop. */
bool frame_push(struct render *render, const struct function *function, struct frame *outer,
                struct jinja_value *lookups) MUST_CHECK;
void frame_pop(struct render *render);

/* Sets the initial values of a scope's variables. */
void scope_enter(struct render *render, const struct scope *scope);
/* Clears its variables: closures see none of them any more. */
void scope_leave(struct render *render, const struct scope *scope);

#endif
