/* What is not there yet, so that the rest can be built upon: each function goes when its own file comes. */
#include "pull/source.h"

static enum status look(struct pull_offer *out, const struct pull_name *name, struct web *web, struct error *err)
{
	(void)out;
	(void)name;
	(void)web;
	return error_set(err, STATUS_UNSUPPORTED, "asking is not there yet");
}

const struct pull_source_ops pull_ollama = {.title = "ollama", .look = look};
