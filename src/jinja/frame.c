#include "jinja/frame.h"

#include <string.h>

#include "base/alloc.h"

enum { CHUNK = 16 << 10, LOADS_A_STEP = 8 };

struct frame_chunk {
	struct frame_chunk *next;
	size_t size, used;
	_Alignas(16) char bytes[];
};

/* The chunk with room for so many bytes, after those in use. */
static struct frame_chunk *chunk_for(struct render *render, size_t size)
{
	struct frame_chunk *chunk = render->frames, *next = chunk ? chunk->next : NULL;
	size_t total;

	if (chunk && chunk->size - chunk->used >= size)
		return chunk;
	if (!next || next->size < size) {
		if (add_overflows(size > CHUNK ? size : CHUNK, sizeof *next, &total))
			return NULL;
		next = arena_alloc(render->arena, total);
		if (!next)
			return NULL;
		next->size = total - sizeof *next;
		next->next = chunk ? chunk->next : NULL;
		if (chunk)
			chunk->next = next;
	}
	next->used = 0;
	render->frames = next;
	return next;
}

static struct frame *frame_new(struct render *render, const struct function *function)
{
	struct frame_chunk *below = render->frames, *chunk;
	size_t size = sizeof(struct frame) + function->n_slots * sizeof(struct jinja_value);
	struct frame *frame;

	if (function->captured)
		return arena_alloc(render->arena, size);
	size = (size + 15) & ~(size_t)15;
	chunk = chunk_for(render, size);
	if (!chunk)
		return NULL;
	frame = (struct frame *)(void *)(chunk->bytes + chunk->used);
	memset(frame, 0, size);
	frame->chunk = below ? below : chunk;
	frame->used = below ? below->used : 0;
	chunk->used += size;
	return frame;
}

bool frame_push(struct render *render, const struct function *function, struct frame *outer,
                struct jinja_value *lookups)
{
	struct frame *frame;

	/* The template itself is the first frame and not a call. */
	if (render->depth > render->limits->call_depth)
		render_limit(render, "calls within calls");
	frame = render->failed ? NULL : frame_new(render, function);
	if (!frame) {
		render_no_memory(render);
		return false;
	}
	frame->outer = outer;
	frame->lookups = lookups;
	frame->caller = render->frame;
	frame->line = render->line;
	render->frame = frame;
	render->depth++;
	render_step(render, 1 + function->n_slots / LOADS_A_STEP);
	return true;
}

void frame_pop(struct render *render)
{
	struct frame *frame = render->frame;

	render->depth--;
	render->line = frame->line;
	render->frame = frame->caller;
	if (frame->chunk) {
		render->frames = frame->chunk;
		frame->chunk->used = frame->used;
	}
}

void scope_enter(struct render *render, const struct scope *scope)
{
	struct frame *frame = render->frame;

	for (size_t i = 0; i < scope->n; i++) {
		const struct load *load = &scope->loads[i];
		struct jinja_value *slot = &frame->slots[load->slot];

		switch (load->kind) {
		case LOAD_LOOKUP:
			*slot = frame->lookups[load->lookup];
			break;
		case LOAD_OUTER:
			*slot = *frame_variable(frame, load->outer);
			break;
		case LOAD_PARAM:
			break;
		}
	}
	render_step(render, scope->n / LOADS_A_STEP);
}

void scope_leave(struct render *render, const struct scope *scope)
{
	for (size_t i = 0; i < scope->n; i++)
		render->frame->slots[scope->loads[i].slot] = (struct jinja_value){0};
}
