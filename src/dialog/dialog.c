#include "dialog/dialog.h"

#include <stdlib.h>

#include "chat/path.h"
#include "dialog/kept.h"

void dialog_init(struct dialog *dialog, const struct dialog_config *config)
{
	*dialog = (struct dialog){.config = *config, .store.retry_at = STORE_NEVER};
	dialog_files_init(&dialog->files);
	attached_init(&dialog->edit.aside);
}

void dialog_deinit(struct dialog *dialog)
{
	dialog_kept_save(dialog);
	journal_close(dialog->journal);
	tree_free(dialog->tree);
	dialog_template_free(&dialog->template);
	dialog_queue_clear(dialog);
	dialog_edit_end(dialog);
	dialog_files_clear(&dialog->files);
	buf_free(&dialog->summary.text);
	run_free(&dialog->turn.run);
	dialog_branch_end(dialog);
	free(dialog->turn.left_out);
	dialog_kept_hold(dialog, NULL);
	free(dialog->facts.items);
}

const char *dialog_first_system(const struct dialog *dialog)
{
	const struct dialog_config *config = &dialog->config;

	return config->system_prompt || config->is_raw || !dialog->model ? config->system_prompt : dialog->model->system;
}

const char *dialog_system_message(const struct dialog *dialog)
{
	const struct node *system = path_system(dialog->tree);

	if (tree_leaf(dialog->tree) == 0)
		return dialog_first_system(dialog);
	return system ? system->text : NULL;
}
