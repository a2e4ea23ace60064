#include "pull/name.h"

#include <stdlib.h>

void pull_name_free(struct pull_name *name)
{
	free(name->base);
	free(name->repository);
	free(name->revision);
	free(name->file);
	free(name->tag);
	*name = (struct pull_name){0};
}
