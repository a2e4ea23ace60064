#include "engine/backend.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "engine/engine.h"
#include "engine/synthetic.h"

static const struct backend_ops *const backends[] = {&synthetic_backend, &engine_backend};

/* The one that takes what params->model names. */
static enum status find(const struct engine_params *params, const struct backend_ops **out,
                        struct error *err)
{
	if (!params->model || !params->model[0])
		return error_set(err, STATUS_USAGE, "no model is named: -m FILE");
	for (size_t i = 0; i < sizeof backends / sizeof backends[0]; i++)
		if (strncmp(params->model, backends[i]->prefix, strlen(backends[i]->prefix)) == 0) {
			*out = backends[i];
			return STATUS_OK;
		}
	return error_set(err, STATUS_UNSUPPORTED, "%s: no backend takes this", params->model);
}

enum status backend_check(const struct engine_params *params, struct error *err)
{
	const struct backend_ops *ops;
	enum status status = find(params, &ops, err);

	return status || !ops->check ? status : ops->check(params->model, err);
}

enum status backend_open(struct backend **out, const struct engine_params *params,
                         const struct backend_host *host, struct worker_model_info *info,
                         struct error *err)
{
	const struct backend_ops *ops;
	enum status status = find(params, &ops, err);

	*out = NULL;
	*info = (struct worker_model_info){0};
	return status ? status : ops->open(out, params, host, info, err);
}

enum status backend_run(struct backend *backend, const struct worker_turn *turn,
                        enum backend_mode mode, const struct backend_host *host,
                        struct backend_result *result, struct error *err)
{
	*result = (struct backend_result){.reason = DONE_ERROR};
	return backend->ops->run(backend, turn, mode, host, result, err);
}

enum status backend_inspect(struct backend *backend, const struct worker_turn *turn,
                            struct backend_inspection *out, struct error *err)
{
	return backend->ops->inspect(backend, turn, out, err);
}

void backend_close(struct backend *backend)
{
	if (backend)
		backend->ops->close(backend);
}

/* Where the turn that begins at `from` ends: one past its last message. */
static size_t turn_end(const struct worker_turn *turn, size_t from)
{
	size_t end = from + 1;

	while (end < turn->n_messages && turn->messages[end].role != ROLE_USER)
		end++;
	return end;
}

enum status backend_fit(const struct worker_turn *turn, const uint32_t *tokens, size_t fixed,
                        size_t room, size_t step, bool *keep, uint32_t *n_dropped,
                        struct error *err)
{
	size_t total = fixed, goal = room, first = 0, last_system = 0, end;

	*n_dropped = 0;
	for (size_t i = 0; i < turn->n_messages; i++) {
		total += tokens[i];
		keep[i] = true;
		if (turn->messages[i].role == ROLE_SYSTEM)
			last_system = i;
	}
	while (first < turn->n_messages && turn->messages[first].role == ROLE_SYSTEM)
		first++;
	if (total > room) {
		size_t over = total - room;

		over += (step - over % step) % step;
		goal = over < total ? total - over : 0;
	}
	while (total > goal && !turn->raw) {
		end = turn_end(turn, first);
		if (end >= turn->n_messages)
			break; /* only the last turn is left */
		for (; first < end; first++) {
			if (first == last_system && turn->messages[first].role == ROLE_SYSTEM)
				continue; /* it is in force */
			keep[first] = false;
			total -= tokens[first];
			*n_dropped += turn->messages[first].role != ROLE_SYSTEM;
		}
	}
	if (total > room)
		return error_set(err, STATUS_CONTEXT,
		                 "the prompt has %zu tokens, the context has room for %zu", total, room);
	return STATUS_OK;
}

uint32_t backend_dropped_next(const struct worker_turn *turn, const uint32_t *tokens, size_t room,
                              size_t step, uint32_t n_next)
{
	size_t n = turn->n_messages;
	struct worker_message *messages = alloc_array(n + 1, sizeof *messages);
	uint32_t *counts = alloc_array(n + 1, sizeof *counts), n_dropped = 0;
	bool *keep = alloc_array(n + 1, sizeof *keep);
	struct worker_turn next = *turn;

	if (messages && counts && keep) {
		memcpy(messages, turn->messages, n * sizeof *messages);
		memcpy(counts, tokens, n * sizeof *counts);
		messages[n] = (struct worker_message){.role = ROLE_USER};
		counts[n] = n_next;
		next.messages = messages;
		next.n_messages = n + 1;
		/* Where it is too long even so, all that can be is left out. */
		(void)!backend_fit(&next, counts, 0, room, step, keep, &n_dropped, NULL);
	}
	free(messages);
	free(counts);
	free(keep);
	return n_dropped;
}
