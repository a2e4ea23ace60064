#include "checkpoint/general.h"

#include <stdlib.h>
#include <string.h>

#include "checkpoint/model_id.h"

struct size {
	uint64_t all, shared, expert, n_experts;
};

/* As the reference counts: of tensors with experts one expert's weights. */
static struct size count_weights(const struct outputs *outputs)
{
	struct size size = {0};
	uint64_t sum = 0, n_tensors = 0;

	for (size_t i = 0; i < outputs->n; i++) {
		const struct output *output = &outputs->items[i];
		uint64_t n = output->ne[0] * output->ne[1] * output->ne[2] * output->ne[3];

		size.all += n;
		if (!strstr(output->name, "_exps.") || output->n_dims < 3) {
			size.shared += n;
			continue;
		}
		size.expert += n / output->ne[2];
		sum += output->ne[2];
		n_tensors++;
	}
	size.n_experts = n_tensors ? sum / n_tensors : 0;
	return size;
}

static void set(struct conversion *c, const char *key, const char *text)
{
	if (*text)
		gguf_writer_set_string(c->keys, key, text, strlen(text));
}

/* Copies one of '/' and '/' between. */
static void copy_part(char out[MODEL_ID_MAX], const char *from, size_t n)
{
	if (n >= MODEL_ID_MAX)
		n = MODEL_ID_MAX - 1;
	memcpy(out, from, n);
	out[n] = '\0';
}

/* The hub's cache: ".../models--owner--name/snapshots/HASH" is "owner/name". */
static bool hub_name(const char *path, char out[MODEL_ID_MAX])
{
	const char *end = strstr(path, "/snapshots/"), *begin = NULL, *dashes;

	for (const char *at = path; end && (at = strstr(at, "/models--")) && at < end; at++)
		begin = at + strlen("/models--");
	if (!begin || memchr(begin, '/', (size_t)(end - begin)))
		return false;
	copy_part(out, begin, (size_t)(end - begin));
	if (!(dashes = strstr(out, "--")))
		return false;
	memmove(out + (dashes - out) + 1, dashes + 2, strlen(dashes + 2) + 1);
	out[dashes - out] = '/';
	return true;
}

/* The folder's own name. */
static void folder_name(const struct conversion *c, char out[MODEL_ID_MAX])
{
	char *path = realpath(checkpoint_folder(c->from), NULL);
	const char *name = path ? strrchr(path, '/') : NULL;

	out[0] = '\0';
	if (path && !hub_name(path, out) && name)
		copy_part(out, name + 1, strlen(name + 1));
	free(path);
}

/* What is known of a name, where nothing better is known yet. */
static void fill(struct model_id *known, const struct model_id *from)
{
	char *const to[] = {known->name, known->organization, known->basename, known->finetune, known->version,
	                    known->size_label};
	const char *const with[] = {from->name, from->organization, from->basename, from->finetune, from->version,
	                            from->size_label};

	for (size_t i = 0; i < sizeof to / sizeof to[0]; i++)
		if (!*to[i])
			memcpy(to[i], with[i], MODEL_ID_MAX);
}

/* By the name that config.json has, if it is none of a file, and the folder's. */
static void read_names(const struct conversion *c, uint64_t n_params, struct model_id *out)
{
	const char *given = settings_tree_text(c->config, "_name_or_path", "");
	const char *slash = strchr(given, '/');
	char folder[MODEL_ID_MAX];
	struct model_id id;

	memset(out, 0, sizeof *out);
	if (*given && (!slash || !strchr(slash + 1, '/'))) {
		model_id_read(&id, given, n_params);
		fill(out, &id);
	}
	folder_name(c, folder);
	model_id_read(&id, folder, n_params);
	fill(out, &id);
}

void general_write(struct conversion *c)
{
	struct size size = count_weights(&c->outputs);
	char title[MODEL_ID_MAX], label[32];
	struct model_id id;

	gguf_writer_set_string(c->keys, "general.type", "model", strlen("model"));
	sampling_write(c);
	read_names(c, size.all, &id);
	model_id_title(id.name, title);
	set(c, "general.name", title);
	set(c, "general.version", id.version);
	model_id_title(id.organization, title);
	set(c, "general.organization", title);
	set(c, "general.finetune", id.finetune);
	set(c, "general.basename", id.basename);
	model_size_label(size.all, size.shared, size.expert, size.n_experts, label);
	set(c, "general.size_label", *id.size_label ? id.size_label : label);
}
