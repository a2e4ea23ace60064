#include "turn/engine_params.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define ROW(field) offsetof(struct engine_params, field)

static const size_t strings[] = {
	ROW(model), ROW(servers), ROW(override_kv), ROW(isa), ROW(chat_template), ROW(template_kwargs),
	ROW(dry_breakers), ROW(logit_bias), ROW(stop), ROW(samplers),
};

enum { N_STRINGS = sizeof strings / sizeof strings[0] };

static char **string_at(struct engine_params *params, size_t i)
{
	return (char **)((char *)params + strings[i]);
}

enum status engine_params_copy(struct engine_params *out, const struct engine_params *params,
                               struct error *err)
{
	bool is_complete = true;

	*out = *params;
	for (size_t i = 0; i < N_STRINGS; i++) {
		char **text = string_at(out, i);

		if (*text) {
			*text = alloc_strndup(*text, strlen(*text));
			is_complete &= *text != NULL;
		}
	}
	if (is_complete)
		return STATUS_OK;
	engine_params_free(out);
	return error_no_memory(err, NULL);
}

void engine_params_free(struct engine_params *params)
{
	for (size_t i = 0; i < N_STRINGS; i++)
		free(*string_at(params, i));
	*params = (struct engine_params){0};
}
