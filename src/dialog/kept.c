#include "dialog/kept.h"
#include "dialog/dialog.h"
const struct kept *dialog_kept(struct dialog *dialog)
{
	if (!dialog->kept)
		dialog->kept = kept_create();
	return dialog->kept;
}
const struct kept_reply *dialog_kept_reply(struct dialog *dialog, uint32_t node)
{
	return dialog_kept(dialog) ? kept_reply(dialog->kept, node) : NULL;
}
enum status dialog_kept_branch(struct dialog *dialog, uint32_t to, uint32_t from, size_t n, struct error *err)
{
	return dialog_kept(dialog) ? kept_copy(dialog->kept, to, from, n, err) : STATUS_NOMEM;
}
enum status dialog_kept_add(struct dialog *dialog, uint32_t node, const struct token *token, struct error *err)
{
	struct token copy = *token;

	return dialog_kept(dialog) ? kept_add(dialog->kept, node, &copy, 0, err) : STATUS_NOMEM;
}
void dialog_kept_begin(struct dialog *dialog, uint32_t node, const struct turn_begin *begin)
{
	const struct kept_reply *reply = dialog_kept_reply(dialog, node);

	if (dialog->kept)
		(void)!kept_begin(dialog->kept, node, reply ? kept_n(reply) : 0, dialog->model ? dialog->model->identity.file : "", begin,
		                  NULL);
}

void dialog_kept_drop(struct dialog *dialog, uint32_t node)
{
	if (dialog->kept)
		kept_drop(dialog->kept, node);
}
