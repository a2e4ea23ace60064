#include "catalog/beside.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/sys.h"
#include "base/utf8.h"
#include "catalog/beside_internal.h"
#include "catalog/ollama_manifest.h"

void beside_free(struct beside *beside)
{
	for (size_t i = 0; i < beside->n_stops; i++)
		free(beside->stops[i]);
	free(beside->stops);
	free(beside->name);
	free(beside->manifest);
	free(beside->other);
	free(beside->system);
	free(beside->problem);
	*beside = (struct beside){0};
}

/* ---- which manifest it is ---- */

/* The layers that decide what is used: those of two manifests are compared by their digests. */
static const char *const said[] = {"params", "system", "template", "messages", "adapter"};
enum { N_SAID = sizeof said / sizeof said[0], SAID_LEN = N_SAID * OLLAMA_DIGEST_LEN };

/* The digests, 0 for what is not there. */
static void put_said(const struct ollama_manifest *manifest, char out[SAID_LEN])
{
	memset(out, '0', SAID_LEN);
	for (size_t i = 0; i < N_SAID; i++) {
		const struct ollama_layer *layer = ollama_manifest_find(manifest, said[i]);

		if (layer)
			memcpy(out + i * OLLAMA_DIGEST_LEN, layer->digest, OLLAMA_DIGEST_LEN);
	}
}

/* A manifest that names a file. */
struct name {
	char *path; /* owned */
	char said[SAID_LEN];
};

struct naming {
	const char *digest;
	struct name *items; /* [n], owned; by their paths */
	size_t n, cap;
};

static enum status visit(void *ctx, const char *path, const struct ollama_manifest *manifest, struct error *err)
{
	struct naming *naming = ctx;
	const struct ollama_layer *model = manifest ? ollama_manifest_find(manifest, "model") : NULL;
	struct name *name;

	if (!model || strcmp(model->digest, naming->digest) != 0)
		return STATUS_OK;
	if (!alloc_grow(&naming->items, &naming->cap, naming->n + 1, sizeof *naming->items, LIMIT_CATALOG_ENTRIES))
		return error_no_memory(err, NULL);
	name = &naming->items[naming->n];
	name->path = alloc_strndup(path, strlen(path));
	if (!name->path)
		return error_no_memory(err, NULL);
	put_said(manifest, name->said);
	naming->n++;
	return STATUS_OK;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct name *)a)->path, ((const struct name *)b)->path);
}

/* Of a file in blobs/, also behind links. */
static enum status find_naming(struct naming *naming, const char *path, struct error *err)
{
	struct buf root = {.max = PATH_MAX};
	char *real = NULL;
	enum status status = STATUS_OK;

	*naming = (struct naming){0};
	if (ollama_is_blob(path, &root, &naming->digest) ||
	    ((real = realpath(path, NULL)) && ollama_is_blob(real, &root, &naming->digest)))
		status = ollama_each_manifest(buf_text(&root), visit, naming, err);
	free(real);
	buf_free(&root);
	naming->digest = NULL;
	if (naming->n)
		qsort(naming->items, naming->n, sizeof *naming->items, compare_names);
	return status == STATUS_NOMEM ? status : STATUS_OK;
}

/* The first that says something else than the first of all; NULL: none does. */
static const char *find_other(const struct naming *naming)
{
	for (size_t i = 1; i < naming->n; i++)
		if (memcmp(naming->items[i].said, naming->items[0].said, SAID_LEN) != 0)
			return naming->items[i].path;
	return NULL;
}

static void naming_free(struct naming *naming)
{
	for (size_t i = 0; i < naming->n; i++)
		free(naming->items[i].path);
	free(naming->items);
}

bool beside_is_clear(const char *blob)
{
	struct naming naming;
	bool is_clear = !find_naming(&naming, blob, NULL) && !find_other(&naming);

	naming_free(&naming);
	return is_clear;
}

/* ---- what it says ---- */

/* "the stop strings: ...": only the first is kept. */
static void note_problem(struct beside *beside, const char *what, const struct error *err)
{
	if (!beside->problem && asprintf(&beside->problem, "%s: %s", what, err->text) < 0)
		beside->problem = NULL;
}

static enum status read_layer(char **text, size_t *len, const char *root, const struct ollama_layer *layer,
                              struct error *err)
{
	struct buf path = {.max = PATH_MAX};
	enum status status = ollama_blob_path(&path, root, layer->digest);

	if (!status)
		status = sys_read_file(buf_text(&path), LIMIT_OLLAMA_TEXT, text, len, err);
	buf_free(&path);
	return status;
}

static enum status take_params(struct beside *beside, const char *text, size_t len, struct error *err)
{
	return beside_read_params(beside, text, len, err);
}

static enum status take_system(struct beside *beside, const char *text, size_t len, struct error *err)
{
	while (len > 0 && strchr(" \t\r\n", text[len - 1]))
		len--;
	if (len == 0)
		return STATUS_OK;
	if (memchr(text, '\0', len) || !utf8_valid(text, len))
		return error_set(err, STATUS_FORMAT, "it is not UTF-8");
	beside->system = alloc_strndup(text, len);
	return beside->system ? STATUS_OK : error_no_memory(err, NULL);
}

static enum status take_layer(struct beside *beside, const char *root, const struct ollama_layer *layer,
                              const char *what,
                              enum status (*take)(struct beside *beside, const char *text, size_t len,
                                                  struct error *err),
                              struct error *err)
{
	char *text;
	size_t len;
	enum status status;

	if (!layer)
		return STATUS_OK;
	status = read_layer(&text, &len, root, layer, err);
	if (!status) {
		status = take(beside, text, len, err);
		free(text);
	}
	if (status && status != STATUS_NOMEM)
		note_problem(beside, what, err);
	return status == STATUS_NOMEM ? status : STATUS_OK;
}

static enum status read_manifest(struct beside *out, const char *root, const struct ollama_manifest *manifest,
                                 struct error *err)
{
	enum status status = take_layer(out, root, ollama_manifest_find(manifest, "params"), "the parameters",
	                                take_params, err);

	if (!status)
		status = take_layer(out, root, ollama_manifest_find(manifest, "system"), "the system message",
		                    take_system, err);
	out->has_template = ollama_manifest_find(manifest, "template") || ollama_manifest_find(manifest, "prompt");
	out->has_messages = ollama_manifest_find(manifest, "messages");
	out->has_adapter = ollama_manifest_find(manifest, "adapter");
	out->has_projector = ollama_manifest_find(manifest, "projector");
	return status;
}

static enum status take_label(char **out, const char *manifest, struct error *err)
{
	struct buf label = {.max = PATH_MAX};

	ollama_put_label(&label, manifest);
	*out = buf_status(&label) ? NULL : alloc_strndup(buf_text(&label), label.len);
	buf_free(&label);
	return *out ? STATUS_OK : error_no_memory(err, NULL);
}

static enum status read_named(struct beside *out, const char *path, struct error *err)
{
	struct buf root = {.max = PATH_MAX};
	struct ollama_manifest manifest;
	enum status status = take_label(&out->name, path, err);

	if (!status && !(out->manifest = alloc_strndup(path, strlen(path))))
		status = error_no_memory(err, NULL);
	if (!status && ollama_is_manifest(path, &root)) {
		status = ollama_manifest_read(&manifest, path, err);
		if (!status)
			status = read_manifest(out, buf_text(&root), &manifest, err);
		ollama_manifest_free(&manifest);
	}
	buf_free(&root);
	return status == STATUS_NOMEM ? status : STATUS_OK;
}

enum status beside_read(struct beside *out, const char *path, struct error *err)
{
	struct buf root = {.max = PATH_MAX};
	struct naming naming = {0};
	enum status status = STATUS_OK;

	*out = (struct beside){0};
	if (ollama_is_manifest(path, &root))
		status = read_named(out, path, err);
	else if (!(status = find_naming(&naming, path, err)) && naming.n)
		status = read_named(out, naming.items[0].path, err);
	if (!status && find_other(&naming))
		status = take_label(&out->other, find_other(&naming), err);
	naming_free(&naming);
	buf_free(&root);
	return status;
}

enum status beside_model_path(struct buf *out, const char *path, struct error *err)
{
	struct buf root = {.max = PATH_MAX};
	struct ollama_manifest manifest = {0};
	const struct ollama_layer *model;
	struct stat st;
	enum status status = STATUS_OK;

	buf_clear(out);
	if (!ollama_is_manifest(path, &root) || stat(path, &st) != 0 || !S_ISREG(st.st_mode)) {
		buf_puts(out, path);
	} else if (!(status = ollama_manifest_read(&manifest, path, err))) {
		model = ollama_manifest_find(&manifest, "model");
		if (model)
			(void)ollama_blob_path(out, buf_text(&root), model->digest);
		else
			status = error_set(err, STATUS_NOTFOUND, "%s: this model of ollama's has no GGUF file", path);
	}
	if (!status && buf_status(out))
		status = error_set(err, STATUS_LIMIT, "the path of the model is too long");
	ollama_manifest_free(&manifest);
	buf_free(&root);
	return status;
}

enum status beside_put_licence(struct buf *out, const char *path, struct error *err)
{
	struct buf root = {.max = PATH_MAX};
	struct ollama_manifest manifest = {0};
	enum status status = STATUS_OK;
	bool is_any = false;
	char *text;
	size_t len;

	if (ollama_is_manifest(path, &root))
		status = ollama_manifest_read(&manifest, path, err);
	for (size_t i = 0; i < manifest.n && !status; i++) {
		if (!ollama_layer_is(&manifest.layers[i], "license"))
			continue;
		status = read_layer(&text, &len, buf_text(&root), &manifest.layers[i], err);
		if (status)
			break;
		buf_puts(out, is_any ? "\n\n" : "");
		buf_append(out, text, len);
		free(text);
		is_any = true;
	}
	ollama_manifest_free(&manifest);
	buf_free(&root);
	return status || is_any ? status : error_set(err, STATUS_NOTFOUND, "it says nothing of a licence");
}

/* ---- what users are told ---- */

static void note_unused(const struct beside *beside, struct model_info *info)
{
	bool is_more = beside->has_adapter || beside->has_messages || beside->has_projector;

	if (beside->has_template && strcmp(info->template_name, TEMPLATE_OWN) == 0)
		model_info_note(info, NOTE_PLAIN, "What ollama has as the chat template of %s is in another language "
		                "(Go's) and not used: the template in the model's file is.", beside->name);
	else if (beside->has_template)
		model_info_note(info, NOTE_PLAIN, "What ollama has as the chat template of %s is in another language "
		                "(Go's) and not used: '%s' is.", beside->name, info->template_name);
	if (is_more)
		model_info_note(info, beside->has_adapter ? NOTE_WARNING : NOTE_PLAIN,
		                "%s comes with %s%s%s%s%s, which sotto does not use.", beside->name,
		                beside->has_adapter ? "an adapter of its weights" : "",
		                beside->has_adapter && (beside->has_messages || beside->has_projector) ? ", " : "",
		                beside->has_messages ? "messages that chats begin with" : "",
		                beside->has_messages && beside->has_projector ? ", " : "",
		                beside->has_projector ? "a part for images" : "");
}

static void put_used(const struct beside *beside, struct buf *out)
{
	for (size_t i = 0; i < beside->n_sampling; i++)
		buf_printf(out, "%s%s %s", out->len ? ", " : "", beside->sampling[i].name, beside->sampling[i].value);
	if (beside->n_ctx)
		buf_printf(out, "%sa context of %u", out->len ? ", " : "", beside->n_ctx);
	if (beside->n_stops)
		buf_printf(out, "%s%zu stop string%s", out->len ? ", " : "", beside->n_stops,
		           beside->n_stops == 1 ? "" : "s");
}

static void note_system(const struct beside *beside, struct model_info *info)
{
	if (!beside->system)
		return;
	if (strlen(beside->system) < sizeof info->system)
		model_info_note(info, NOTE_PLAIN, "%s comes with a system message, which is used in new chats where you give no "
		                "other one (/system shows it, /system none leaves it out).", beside->name);
	else
		model_info_note(info, NOTE_WARNING, "%s comes with a system message of more than %d bytes, which is left out.",
		                beside->name, MODEL_SYSTEM_MAX - 1);
}

void beside_note(const struct beside *beside, struct model_info *info)
{
	struct buf used = {.max = KIB(1)};

	if (!beside->name)
		return;
	put_used(beside, &used);
	if (used.len)
		model_info_note(info, NOTE_PLAIN, "%s recommends %s, where you have set nothing else.", beside->name,
		                buf_text(&used));
	buf_free(&used);
	if (beside->other)
		model_info_note(info, NOTE_PLAIN, "%s shares its file with %s, which recommends something else: a name "
		                "chooses, not the file's path.", beside->name, beside->other);
	if (beside->problem)
		model_info_note(info, NOTE_WARNING, "Not all that ollama has beside %s could be read: %s", beside->name,
		                beside->problem);
	note_system(beside, info);
	note_unused(beside, info);
}
