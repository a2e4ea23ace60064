#include "cli/type_word.h"

enum status type_word_read(const char *word, const struct recipe **recipe, struct error *err)
{
	const char *near;

	*recipe = recipe_find(word);
	if (*recipe)
		return STATUS_OK;
	near = recipe_nearest(word);
	return error_set(err, STATUS_USAGE, "there is no type '%.40s'%s%s%s", word, near ? ", did you mean '" : "; --help lists them",
	                 near ? near : "", near ? "'?" : "");
}

void type_word_put_all(struct buf *out)
{
	for (size_t i = 0; i < n_recipes; i++)
		buf_printf(out, "  %-9s %s\n", recipes[i].name, recipes[i].help);
}
