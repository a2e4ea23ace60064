#include "dialog/files.h"

#include <stdlib.h>

void dialog_files_init(struct dialog_files *files)
{
	attached_init(&files->given);
	attached_init(&files->mentioned);
	attached_init(&files->aside);
}

void dialog_files_free(struct dialog_files *files)
{
	attached_free(&files->given);
	attached_free(&files->mentioned);
	attached_free(&files->aside);
	free(files->mentions);
	free(files->doubted);
	files->mentions = files->doubted = NULL;
}
