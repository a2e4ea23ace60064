#include "base/alloc.h"
#include "gguf/internal.h"

enum status gguf_open_memory(struct gguf **out, const void *data, size_t size, struct error *err)
{
	struct gguf *gguf = alloc_array(1, sizeof *gguf);
	enum status status;

	*out = NULL;
	if (!gguf)
		return error_no_memory(err, NULL);
	gguf->fd = gguf->guard = -1;
	gguf->n_parts = 1;
	gguf->data = data;
	gguf->size = size;
	status = gguf_parse(gguf, err);
	if (status)
		gguf_close(gguf);
	else
		*out = gguf;
	return status;
}
