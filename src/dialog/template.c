#include "dialog/template.h"

#include <stdlib.h>

void dialog_template_free(struct dialog_template *used)
{
	for (size_t i = 0; i < used->n_stops; i++)
		free(used->stops[i]);
	free(used->stops);
	free(used->call);
	free(used->name);
	free(used->path);
	*used = (struct dialog_template){0};
}
