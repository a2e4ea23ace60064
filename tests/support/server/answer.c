#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "support/server/internal.h"

void play_put_json(struct answer *out, int code, const char *format, ...)
{
	char text[4096];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	out->code = code;
	snprintf(out->type, sizeof out->type, "application/json; charset=utf-8");
	buf_puts(&out->body, text);
}

void play_put_piece(struct answer *out, unsigned pause, bool gated)
{
	if (!alloc_grow(&out->pieces, &out->cap_pieces, out->n_pieces + 1, sizeof *out->pieces, 1 << 24))
		server_fatal("pieces");
	out->pieces[out->n_pieces++] = (struct piece){.end = out->body.len, .pause = pause, .gated = gated};
}

void play_put_event(struct answer *out, const char *json, unsigned pause, bool gated)
{
	buf_printf(&out->body, "data: %s\n\n", json);
	play_put_piece(out, pause, gated);
}

void play_answer_free(struct answer *out)
{
	free(out->pieces);
	buf_free(&out->body);
	*out = (struct answer){0};
}
