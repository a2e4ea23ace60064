#include "dialog/dialog.h"

void dialog_init(struct dialog *dialog)
{
	*dialog = (struct dialog){.store.retry_at = STORE_NEVER};
	dialog_files_init(&dialog->files);
}

void dialog_deinit(struct dialog *dialog)
{
	journal_close(dialog->journal);
	tree_free(dialog->tree);
	dialog_template_free(&dialog->template);
	dialog_queue_clear(&dialog->queue);
	dialog_files_free(&dialog->files);
	buf_free(&dialog->summary.text);
	run_free(&dialog->turn.run);
}
