#include "dialog/edit.h"

#include "dialog/dialog.h"
#include "dialog/files.h"
#include "dialog/outgoing.h"

bool dialog_is_editing(const struct dialog *dialog)
{
	return dialog->edit.message || dialog->edit.queued;
}

/* `own` are its files; empty afterwards. */
static void take_up(struct dialog *dialog, uint32_t message, size_t queued, struct attached *own)
{
	struct dialog_edit *edit = &dialog->edit;

	if (!dialog_is_editing(dialog)) {
		edit->aside = dialog->files.given;
		attached_init(&dialog->files.given);
	}
	dialog_files_give(&dialog->files, own);
	edit->message = message;
	edit->queued = queued;
}

static enum status begin(struct dialog *dialog, uint32_t message, size_t queued, const char *text,
                         const struct attachments *list, struct error *err)
{
	struct attached own;

	attached_init(&own);
	if (attached_add_all(&own, list, text, err)) {
		attached_free(&own);
		return err->status;
	}
	take_up(dialog, message, queued, &own);
	return STATUS_OK;
}

enum status dialog_edit_message(struct dialog *dialog, uint32_t message, const struct node *like,
                                struct error *err)
{
	return begin(dialog, message, 0, like->text, &like->attachments, err);
}

enum status dialog_edit_queued(struct dialog *dialog, size_t number, struct error *err)
{
	const struct outgoing *message = &dialog->queue.items[number - 1];

	return begin(dialog, 0, number, message->text, &message->files, err);
}

void dialog_edit_end(struct dialog *dialog)
{
	if (!dialog_is_editing(dialog))
		return;
	dialog_files_give(&dialog->files, &dialog->edit.aside);
	dialog->edit.queued = dialog->edit.message = 0;
}

void dialog_edit_pause(struct dialog *dialog, struct dialog_edit_paused *paused)
{
	attached_init(&paused->own);
	paused->message = dialog->edit.message;
	if (paused->message) {
		paused->own = dialog->files.given;
		attached_init(&dialog->files.given);
	}
	dialog_edit_end(dialog);
}

void dialog_edit_resume(struct dialog *dialog, struct dialog_edit_paused *paused, bool has_failed)
{
	if (paused->message && has_failed && !dialog_is_editing(dialog))
		take_up(dialog, paused->message, 0, &paused->own);
	attached_free(&paused->own);
}

void dialog_edit_to_new(struct dialog *dialog)
{
	struct attached *aside = &dialog->edit.aside;

	(void)!attached_add_all(&dialog->files.given, &aside->list, buf_text(&aside->text), NULL);
	attached_free(aside);
	dialog->edit.queued = dialog->edit.message = 0;
}
