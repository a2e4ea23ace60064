#include "jinja/render.h"

#include <stdarg.h>

#include "base/limits.h"
#include "base/sys.h"

enum { BYTES_A_STEP = 32 };
/* What a byte of the texts that are given adds to the limits. */
enum { STEPS_A_BYTE = 16, MEMORY_A_BYTE = 16, OUTPUT_A_BYTE = 4, BYTES_A_MS = 32768 };

const struct jinja_limits jinja_limits_default = {
	.template_bytes = LIMIT_JINJA_TEMPLATE,
	.parse_depth = LIMIT_JINJA_PARSE_DEPTH,
	.call_depth = LIMIT_JINJA_CALL_DEPTH,
	.fuel = LIMIT_JINJA_FUEL,
	.memory = LIMIT_JINJA_MEMORY,
	.output = LIMIT_JINJA_OUTPUT,
	.deadline_ms = LIMIT_JINJA_DEADLINE_MS,
};

struct jinja_limits jinja_limits_for(size_t given)
{
	struct jinja_limits limits = jinja_limits_default;

	limits.fuel += (uint64_t)given * STEPS_A_BYTE;
	limits.memory += given * MEMORY_A_BYTE;
	if (limits.output < given * OUTPUT_A_BYTE)
		limits.output = given * OUTPUT_A_BYTE;
	limits.deadline_ms += (unsigned)(given / BYTES_A_MS);
	return limits;
}

/* The first failure stays. */
struct jinja_value render_fail(struct render *render, const char *fmt, ...)
{
	va_list args;

	if (!render->failed) {
		render->failed = true;
		va_start(args, fmt);
		error_vset(render->err, STATUS_FORMAT, fmt, args);
		va_end(args);
		error_prefix(render->err, "%s:%u", render->tmpl->name, render->line);
	}
	return (struct jinja_value){0};
}

struct jinja_value render_limit(struct render *render, const char *what)
{
	if (!render->failed) {
		render_fail(render, "the template takes too much: %s", what);
		render->err->status = STATUS_LIMIT;
	}
	return (struct jinja_value){0};
}

struct jinja_value render_overflow(struct render *render)
{
	return render_fail(render, "integer overflow: the result does not fit in 64 bits");
}

struct jinja_value render_raise(struct render *render, const struct jinja_string *message)
{
	if (!render->failed) {
		render->failed = render->raised = true;
		error_set(render->err, STATUS_FORMAT, "%.*s",
		          (int)(message->len < ERROR_TEXT_MAX ? message->len : ERROR_TEXT_MAX),
		          message->data);
	}
	return (struct jinja_value){0};
}

struct jinja_value render_no_memory(struct render *render)
{
	if (render->arena->status == STATUS_LIMIT)
		return render_limit(render, "memory");
	if (!render->failed) {
		render_fail(render, "not enough memory for the template");
		render->err->status = STATUS_NOMEM;
	}
	return (struct jinja_value){0};
}

bool render_step(struct render *render, uint64_t n)
{
	uint64_t before = render->fuel;

	if (render->failed)
		return false;
	render->fuel -= n < before ? n : before;
	if (n > before)
		render_limit(render, "steps");
	else if (render->deadline_us &&
	         before / JINJA_STEPS_A_LOOK != render->fuel / JINJA_STEPS_A_LOOK &&
	         sys_now_us() > render->deadline_us)
		render_limit(render, "time");
	return !render->failed;
}

bool render_bytes(struct render *render, size_t n)
{
	return render_step(render, 1 + n / BYTES_A_STEP);
}
