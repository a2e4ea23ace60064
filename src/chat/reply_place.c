#include "chat/reply_place.h"

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

struct reply_place reply_place(const struct node *reply, size_t n_bytes, size_t n_all)
{
	const struct reply_run *run = reply->n_runs ? &reply->runs[0] : NULL;
	const size_t text = run && !run->from_id ? run->from_text : 0;

	if (text && text <= reply->len && n_all <= reply->len - text) /* all that was thought came before that */
		return (struct reply_place){reply->reasoning_len, least(text + n_bytes, reply->len)};
	if (n_bytes <= reply->reasoning_len)
		return (struct reply_place){n_bytes, 0};
	return (struct reply_place){reply->reasoning_len, least(n_bytes - reply->reasoning_len, reply->len)};
}
