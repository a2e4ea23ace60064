#include "prompt/fit.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

size_t fit_room(const struct turn *turn, size_t n_ctx)
{
	size_t reserve = n_ctx / 4;

	if (turn->n_predict >= 0 && (size_t)turn->n_predict < reserve)
		reserve = (size_t)turn->n_predict;
	return turn->raw ? n_ctx : n_ctx - reserve;
}

/* One past the last message of the turn that begins at `from`. */
static size_t turn_end(const struct turn *turn, size_t from)
{
	size_t end = from + 1;

	while (end < turn->n_messages && turn->messages[end].role != ROLE_USER)
		end++;
	return end;
}

enum status fit_messages(const struct turn *turn, const uint32_t *tokens, size_t fixed,
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
			break; /* this is the last turn */
		for (; first < end; first++) {
			if (first == last_system && turn->messages[first].role == ROLE_SYSTEM)
				continue; /* it still applies */
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

uint32_t fit_dropped_next(const struct turn *turn, const uint32_t *tokens, size_t room,
                          size_t step, uint32_t n_next)
{
	size_t n = turn->n_messages;
	struct message *messages = alloc_array(n + 1, sizeof *messages);
	uint32_t *counts = alloc_array(n + 1, sizeof *counts), n_dropped = 0;
	bool *keep = alloc_array(n + 1, sizeof *keep);
	struct turn next = *turn;

	if (messages && counts && keep) {
		memcpy(messages, turn->messages, n * sizeof *messages);
		memcpy(counts, tokens, n * sizeof *counts);
		messages[n] = (struct message){.role = ROLE_USER};
		counts[n] = n_next;
		next.messages = messages;
		next.n_messages = n + 1;
		/* If it is still too long, as many as possible are left out. */
		(void)!fit_messages(&next, counts, 0, room, step, keep, &n_dropped, NULL);
	}
	free(messages);
	free(counts);
	free(keep);
	return n_dropped;
}
