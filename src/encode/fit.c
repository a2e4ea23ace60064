#include "encode/fit.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum {
	ROOM_STEPS = 4,
	HEAD_PARTS = 4, /* CONTEXT_ENDS: what part of the room the first turns may take */
};

size_t fit_room(const struct turn *turn, size_t n_ctx)
{
	size_t reserve = n_ctx / 4;

	if (turn->n_predict >= 0 && (size_t)turn->n_predict < reserve)
		reserve = (size_t)turn->n_predict;
	return turn->raw ? n_ctx : n_ctx - reserve;
}

size_t fit_step(size_t room)
{
	return room / ROOM_STEPS ? room / ROOM_STEPS : 1;
}

/* One past the last message of the turn that begins at `from`. */
static size_t turn_end(const struct turn *turn, size_t from)
{
	size_t end = from + 1;

	while (end < turn->n_messages && turn->messages[end].role != ROLE_USER)
		end++;
	return end;
}

/* Where the turn begins that ends before `end`; none begins before `first`. */
static size_t turn_start(const struct turn *turn, size_t first, size_t end)
{
	size_t start = end - 1;

	while (start > first && turn->messages[start].role != ROLE_USER)
		start--;
	return start;
}

/* A choice under way. */
struct fit {
	const struct turn *turn;
	const uint32_t *tokens;
	bool *keep;
	size_t total, goal;
	size_t last_system; /* the last system message, which still applies */
	uint32_t n_dropped;
};

static bool is_pinned(const struct turn *turn, size_t from, size_t end)
{
	while (from < end && !turn->messages[from].pinned)
		from++;
	return from < end;
}

static void drop(struct fit *fit, size_t from, size_t end)
{
	if (is_pinned(fit->turn, from, end))
		return;
	for (size_t i = from; i < end; i++) {
		bool is_system = fit->turn->messages[i].role == ROLE_SYSTEM;

		if ((is_system && i == fit->last_system) || !fit->keep[i])
			continue;
		fit->keep[i] = false;
		fit->total -= fit->tokens[i];
		fit->n_dropped += !is_system;
	}
}

/* One past the first turns that are kept at first. */
static size_t head_end(const struct fit *fit, size_t first, size_t last, size_t room)
{
	size_t end = first, sum = 0;

	if (fit->turn->policy != CONTEXT_ENDS)
		return first;
	while (end < last) {
		size_t next = turn_end(fit->turn, end);

		for (size_t i = end; i < next; i++)
			sum += fit->tokens[i];
		if (end > first && sum > room / HEAD_PARTS)
			break;
		end = next;
	}
	return end;
}

enum status fit_messages(const struct turn *turn, const uint32_t *tokens, size_t fixed,
                        size_t room, size_t step, bool *keep, uint32_t *n_dropped,
                        struct error *err)
{
	struct fit fit = {.turn = turn, .tokens = tokens, .keep = keep, .total = fixed, .goal = room};
	size_t n = turn->n_messages, first = 0, last, head;

	for (size_t i = 0; i < n; i++) {
		fit.total += tokens[i];
		keep[i] = true;
		if (turn->messages[i].role == ROLE_SYSTEM)
			fit.last_system = i;
	}
	while (first < n && turn->messages[first].role == ROLE_SYSTEM)
		first++;
	if (fit.total > room) {
		size_t over = fit.total - room;

		over += (step - over % step) % step;
		fit.goal = over < fit.total ? fit.total - over : 0;
	}
	last = first < n && !turn->raw ? turn_start(turn, first, n) : first; /* which is always kept */
	head = head_end(&fit, first, last, room);
	for (size_t from = head; from < last && fit.total > fit.goal; from = turn_end(turn, from))
		drop(&fit, from, turn_end(turn, from));
	for (size_t end = head; end > first && fit.total > fit.goal; end = turn_start(turn, first, end))
		drop(&fit, turn_start(turn, first, end), end);
	*n_dropped = fit.n_dropped;
	if (fit.total > room)
		return error_set(err, STATUS_CONTEXT,
		                 "the prompt has %zu tokens, the context has room for %zu (the option ctx-size makes it larger)", fit.total, room);
	return STATUS_OK;
}

bool *fit_left_out(const struct turn *turn, const bool *keep, size_t *n)
{
	bool *left_out = alloc_array(turn->n_messages, sizeof *left_out);

	*n = 0;
	for (size_t i = 0; left_out && i < turn->n_messages; i++)
		if (turn->messages[i].role != ROLE_SYSTEM)
			left_out[(*n)++] = !keep[i];
	return left_out;
}

enum status fit_permit(const struct turn *turn, uint32_t n_dropped, size_t total, size_t room,
                       struct error *err)
{
	if (!n_dropped || (turn->policy != CONTEXT_STOP && turn->policy != CONTEXT_SUMMARY))
		return STATUS_OK;
	return error_set(err, STATUS_CONTEXT,
	                 "the conversation has %zu tokens, the context has room for %zu, and the context "
	                 "policy '%s' leaves nothing out", total, room,
	                 turn->policy == CONTEXT_STOP ? "stop" : "summary");
}

uint32_t fit_dropped_next(const struct turn *turn, const uint32_t *tokens, size_t n_ctx)
{
	size_t n = turn->n_messages, room = fit_room(turn, n_ctx);
	struct message *messages = alloc_array(n + 1, sizeof *messages);
	uint32_t *counts = alloc_array(n + 1, sizeof *counts), n_dropped = 0;
	bool *keep = alloc_array(n + 1, sizeof *keep);
	struct turn next = *turn;
	size_t last = n; /* behind the user's last one */

	while (last && turn->messages[last - 1].role != ROLE_USER)
		last--;
	if (messages && counts && keep) {
		memcpy(messages, turn->messages, n * sizeof *messages);
		memcpy(counts, tokens, n * sizeof *counts);
		messages[n] = (struct message){.role = ROLE_USER};
		counts[n] = (uint32_t)n_ctx / 16;
		if (last && tokens[last - 1] > counts[n])
			counts[n] = tokens[last - 1];
		next.messages = messages;
		next.n_messages = n + 1;
		/* If it is still too long, as many as possible are left out. */
		(void)!fit_messages(&next, counts, 0, room, fit_step(room), keep, &n_dropped, NULL);
	}
	free(messages);
	free(counts);
	free(keep);
	return n_dropped;
}
