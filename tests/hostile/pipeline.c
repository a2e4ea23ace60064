#include "hostile/pipeline.h"

#include <stdlib.h>
#include <string.h>

#include "gguf/reader.h"

enum status pipeline_run(const void *data, size_t size, enum stage last, enum stage *refused,
                         struct error *err)
{
	unsigned char *exact = malloc(size ? size : 1);
	struct gguf *gguf = NULL;
	enum status status;

	if (!exact)
		abort();
	if (size)
		memcpy(exact, data, size);
	*refused = STAGE_GGUF;
	status = gguf_open_memory(&gguf, exact, size, err);
	(void)last;
	if (!status)
		*refused = STAGE_DONE;
	gguf_close(gguf);
	free(exact);
	return status;
}
