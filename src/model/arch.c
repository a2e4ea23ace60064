#include "model/arch.h"

#include <string.h>

static const struct arch *const archs[] = {
	&arch_llama,
};

const struct arch *arch_find(struct gguf_string name)
{
	for (size_t i = 0; i < sizeof archs / sizeof archs[0]; i++)
		if (name.len == strlen(archs[i]->name) &&
		    memcmp(name.data, archs[i]->name, name.len) == 0)
			return archs[i];
	return NULL;
}

enum status arch_list(struct buf *out)
{
	for (size_t i = 0; i < sizeof archs / sizeof archs[0]; i++)
		buf_printf(out, "%s%s", i ? ", " : "", archs[i]->name);
	return buf_status(out);
}
