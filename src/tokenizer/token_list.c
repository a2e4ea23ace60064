#include <stdlib.h>

#include "base/alloc.h"
#include "tokenizer/tokenizer.h"

void token_list_free(struct token_list *list)
{
	free(list->ids);
	*list = (struct token_list){0};
}

enum status token_list_push(struct token_list *list, int32_t id)
{
	if (list->n == list->cap && !alloc_grow(&list->ids, &list->cap, list->n + 1,
	                                        sizeof *list->ids, (size_t)1 << 40))
		return STATUS_NOMEM;
	list->ids[list->n++] = id;
	return STATUS_OK;
}
