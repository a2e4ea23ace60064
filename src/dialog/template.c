#include "dialog/template.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "chat/path.h"
#include "dialog/dialog.h"
#include "dialog/facts.h"

/* ---- options and stop strings ---- */

void dialog_template_free(struct dialog_template *used)
{
	stops_free(&used->stops);
	free(used->call);
	free(used->name);
	free(used->path);
	*used = (struct dialog_template){0};
}

void dialog_template_forget(struct dialog *dialog)
{
	dialog_template_free(&dialog->template);
	if (prompt_apply_options(NULL, dialog->config.settings, NULL) == STATUS_OK)
		dialog_note(dialog, FACT_OPTIONS, NULL);
}

static struct file_stamp stamp_of(const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return (struct file_stamp){.size = -1};
	return (struct file_stamp){st.st_mtim.tv_sec, st.st_mtim.tv_nsec, st.st_size,
	                           (uint64_t)st.st_ino};
}

static bool same_stamp(const struct file_stamp *a, const struct file_stamp *b)
{
	return a->seconds == b->seconds && a->nanoseconds == b->nanoseconds && a->size == b->size &&
	       a->inode == b->inode;
}

static enum status adopt(struct dialog *dialog, const struct prompt_template *tmpl, const char *call,
                         struct error *err)
{
	struct dialog_template *used = &dialog->template;
	enum status status;

	dialog_template_forget(dialog);
	used->call = alloc_strndup(call, strlen(call));
	used->name = alloc_strndup(tmpl->name, strlen(tmpl->name));
	used->path = alloc_strndup(tmpl->path, strlen(tmpl->path));
	status = stops_add(&used->stops, (const char *const *)tmpl->stops, tmpl->n_stops, err);
	if (!used->call || !used->name || !used->path)
		status = error_no_memory(err, "for the template");
	if (!status)
		status = prompt_apply_options(tmpl, dialog->config.settings, err);
	if (status) {
		dialog_template_forget(dialog);
		return status;
	}
	used->stamp = stamp_of(used->path);
	dialog_note(dialog, FACT_OPTIONS, NULL);
	return STATUS_OK;
}

static enum status put_call(struct buf *call, const struct prompt_template *tmpl,
                            const struct prompt_values *values, struct error *err)
{
	if (prompt_format_call(call, tmpl->name, values))
		return error_set(err, STATUS_LIMIT, "the values of the template are too long");
	return STATUS_OK;
}

enum status dialog_template_adopt(struct dialog *dialog, const struct prompt_template *tmpl,
                                  const struct prompt_values *values, struct error *err)
{
	struct buf call;
	enum status status;

	buf_init(&call, LIMIT_MESSAGE);
	status = put_call(&call, tmpl, values, err);
	if (!status)
		status = adopt(dialog, tmpl, buf_text(&call), err);
	buf_free(&call);
	return status;
}

void dialog_template_check(struct dialog *dialog)
{
	struct dialog_template *used = &dialog->template;
	struct file_stamp now;

	if (!used->call || used->told_changed)
		return;
	now = stamp_of(used->path);
	if (same_stamp(&now, &used->stamp))
		return;
	used->told_changed = true;
	dialog_note(dialog, now.size < 0 ? FACT_TEMPLATE_GONE : FACT_TEMPLATE_CHANGED, NULL);
}

/* ---- the system message, and what a chat opens with ---- */

bool dialog_is_fresh(const struct dialog *dialog)
{
	const struct node *leaf = tree_node(dialog->tree, tree_leaf(dialog->tree));

	if (!leaf || leaf->id == dialog->opening_leaf)
		return true;
	return leaf->role == ROLE_SYSTEM && !path_has_talk_before(dialog->tree, leaf);
}

/* The parent of the new system message. A template under which nothing has been said yet is
 * replaced, unless that would bring back what it replaced itself. */
static uint32_t parent_for(const struct dialog *dialog, bool whole)
{
	const struct node *leaf = tree_node(dialog->tree, tree_leaf(dialog->tree));

	if (dialog_is_fresh(dialog))
		return 0;
	if (leaf->role == ROLE_SYSTEM && leaf->origin && (whole || !leaf->whole))
		return leaf->parent;
	return leaf->id;
}

static enum status add_system(struct dialog *dialog, const char *text, const char *origin, bool whole,
                              struct error *err)
{
	bool fresh = dialog_is_fresh(dialog);
	struct node *node;
	uint32_t id;
	enum status status = tree_add(dialog->tree, parent_for(dialog, whole), ROLE_SYSTEM, text,
	                              strlen(text), &id, err);

	if (status)
		return status;
	node = tree_node(dialog->tree, id);
	node->whole = whole && !fresh; /* nothing comes before it */
	if (origin && tree_set_origin(node, origin))
		return error_no_memory(err, "for the template");
	return STATUS_OK;
}

static enum status add_opening(struct dialog *dialog, const struct prompt_rendered *rendered,
                               struct error *err)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; i < rendered->n_messages && !status; i++) {
		const struct prompt_opening *message = &rendered->messages[i];

		status = tree_add(dialog->tree, tree_leaf(dialog->tree), message->role, message->text,
		                  strlen(message->text), NULL, err);
	}
	dialog->opening_leaf = tree_leaf(dialog->tree);
	return status;
}

enum status dialog_template_use(struct dialog *dialog, const struct prompt_template *tmpl,
                                const struct prompt_values *values, const char *model, bool whole,
                                struct error *err)
{
	bool fresh = dialog_is_fresh(dialog);
	struct prompt_rendered rendered;
	struct buf call;
	enum status status = prompt_template_render(&rendered, tmpl, values, model, err);

	if (status)
		return status;
	buf_init(&call, LIMIT_MESSAGE);
	status = put_call(&call, tmpl, values, err);
	if (!status)
		status = add_system(dialog, rendered.system ? rendered.system : "", buf_text(&call), whole, err);
	if (!status && fresh)
		status = add_opening(dialog, &rendered, err);
	if (!status)
		status = adopt(dialog, tmpl, buf_text(&call), err);
	buf_free(&call);
	prompt_rendered_free(&rendered);
	return status;
}

/* The path's last system message that is not from a template. */
static const char *plain_system(const struct dialog *dialog)
{
	const struct node *node = tree_node(dialog->tree, tree_leaf(dialog->tree));

	for (; node; node = tree_node(dialog->tree, node->parent))
		if (node->role == ROLE_SYSTEM && !node->origin && !node->sums_up)
			return node->text;
	return "";
}

enum status dialog_template_leave(struct dialog *dialog, struct error *err)
{
	enum status status = STATUS_OK;

	if (dialog_is_fresh(dialog)) {
		tree_set_leaf(dialog->tree, 0);
		dialog->opening_leaf = 0;
	} else {
		status = add_system(dialog, plain_system(dialog), NULL, true, err);
		if (!status)
			dialog_store_message(dialog, tree_leaf(dialog->tree));
	}
	if (!status)
		dialog_template_forget(dialog);
	return status;
}

enum status dialog_set_system(struct dialog *dialog, const char *text, bool clears, struct error *err)
{
	uint32_t id;

	if (tree_add(dialog->tree, tree_leaf(dialog->tree), ROLE_SYSTEM, text, strlen(text), &id, err))
		return err->status;
	tree_node(dialog->tree, id)->whole = clears;
	dialog_store_message(dialog, id);
	dialog_template_forget(dialog);
	return STATUS_OK;
}

/* ---- that of the chat ---- */

bool dialog_template_is(const struct dialog *dialog, const char *name, const struct prompt_values *values)
{
	const struct node *system = path_system(dialog->tree);

	return system && system->origin && prompt_is_call(system->origin, name, values);
}

static enum status restore(struct dialog *dialog, const char *call, struct error *err)
{
	const struct prompt_template *tmpl;
	struct prompt_library *library;
	struct prompt_values values = {0};
	enum status status = prompt_library_open_call(&library, dialog->config.prompt_dir, call, &values, &tmpl, err);

	if (!status)
		status = adopt(dialog, tmpl, call, err);
	prompt_library_close(library);
	prompt_values_free(&values);
	return status;
}

void dialog_template_restore(struct dialog *dialog)
{
	const struct node *system = path_system(dialog->tree);
	struct error err;

	dialog_template_forget(dialog);
	if (system && system->origin && restore(dialog, system->origin, &err))
		dialog_note(dialog, FACT_TEMPLATE_LOST, &err);
}
