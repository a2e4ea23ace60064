#include "dialog/facts.h"

#include <string.h>

#include "base/alloc.h"
#include "dialog/dialog.h"

enum { FACTS_MAX = 1000 };

void dialog_note(struct dialog *dialog, enum fact_kind kind, const struct error *why)
{
	struct facts *facts = &dialog->facts;

	if (!alloc_grow(&facts->items, &facts->cap, facts->n + 1, sizeof *facts->items, FACTS_MAX))
		return;
	facts->items[facts->n] = (struct fact){.kind = kind};
	if (why)
		facts->items[facts->n].error = *why;
	facts->n++;
}

bool dialog_take_fact(struct dialog *dialog, struct fact *out)
{
	struct facts *facts = &dialog->facts;

	if (!facts->n)
		return false;
	*out = facts->items[0];
	memmove(facts->items, facts->items + 1, --facts->n * sizeof *facts->items);
	return true;
}
