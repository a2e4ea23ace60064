#include <math.h>

#include "compare/source.h"
#include "engine/session.h"

static enum status eval(void *ctx, const struct compared_text *text, const struct text_window *window, size_t pos,
                        size_t n, float *rows, struct error *err)
{
	struct session *session = ctx;

	return session_eval(session, text->ids + window->at + pos, n, pos, rows, err);
}

struct logits_source source_of_session(struct session *session, size_t n_vocab)
{
	return (struct logits_source){.ctx = session, .n_vocab = n_vocab, .floor = (double)-INFINITY, .eval = eval};
}
