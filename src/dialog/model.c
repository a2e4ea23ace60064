#include "dialog/model.h"

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/server_path.h"
#include "base/utf8.h"
#include "catalog/catalog.h"
#include "chat/path.h"
#include "dialog/dialog.h"

bool dialog_is_with_guide(const struct dialog *dialog)
{
	return dialog->model && dialog->model->capabilities & CAPABILITY_HELP;
}

bool dialog_can_continue(const struct dialog *dialog)
{
	const struct model_info *model = dialog->model;

	return !model || !model->name[0] || model->capabilities & CAPABILITY_CONTINUE;
}

const char *dialog_model_label(const struct dialog *dialog, char text[MODEL_LABEL_MAX])
{
	const char *name = dialog_is_with_guide(dialog) ? CATALOG_GUIDE : dialog->model->name;
	const char *server = dialog->model->identity.server;
	size_t room = MODEL_LABEL_MAX - 1 - (server[0] ? strlen(" on ") + strlen(server) : 0);

	snprintf(text, MODEL_LABEL_MAX, "%.*s%s%s", (int)utf8_cut(name, strlen(name), room), name, server[0] ? " on " : "",
	         server);
	return text;
}

enum status dialog_chat_model(const struct dialog *dialog, struct buf *out, const char **name,
                              struct error *err)
{
	const struct node *node = path_made(dialog->tree);
	const struct model_identity *maker = node ? &node->runs[node->n_runs - 1].model : NULL;

	*name = node ? node->model : NULL;
	if (!*name)
		return error_set(err, STATUS_NOTFOUND, "which model made this chat is not recorded");
	if (!maker->server[0])
		return catalog_recall(out, maker->file, *name, err);
	buf_printf(out, SERVER_PATH "%s/%s", maker->server, maker->model);
	return buf_status(out) ? error_no_memory(err, NULL) : STATUS_OK;
}

bool dialog_choose_chat_model(const struct dialog *dialog, const char **missing, struct error *err)
{
	struct settings *settings = dialog->config.settings;
	enum status status;
	struct buf path;

	*missing = NULL;
	if (settings_is_from(settings, "model", ORIGIN_FLAG))
		return false;
	buf_init(&path, KIB(64));
	status = dialog_chat_model(dialog, &path, missing, err);
	if (!status)
		status = settings_assign(settings, "model", buf_text(&path), ORIGIN_FLAG, err);
	buf_free(&path);
	return !status;
}
