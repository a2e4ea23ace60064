#include "model/family.h"

static const struct family *const families[] = {
#define ROW(id) &family_##id,
	FAMILIES(ROW)
#undef ROW
};

const struct family *family_find(struct gguf_string name)
{
	for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
		if (gguf_string_is(name, families[i]->name))
			return families[i];
	return NULL;
}

enum status family_list(struct buf *out)
{
	for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
		buf_printf(out, "%s%s", i ? ", " : "", families[i]->name);
	return buf_status(out);
}
