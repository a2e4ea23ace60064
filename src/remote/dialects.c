#include <string.h>

#include "remote/dialect.h"

const struct dialect *const dialects[] = {
	&dialect_llama_server,
	&dialect_vllm,
	&dialect_sglang,
	&dialect_ollama,
	&dialect_openai,
	NULL,
};

const struct dialect *dialect_find(const char *name)
{
	for (size_t i = 0; dialects[i]; i++)
		if (strcmp(dialects[i]->name, name) == 0)
			return dialects[i];
	return NULL;
}
