#include "checkpoint/general.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "checkpoint/model_card.h"
#include "checkpoint/model_id.h"

#define README_MAX MIB(4)

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

/* What is known of a name, where nothing better is known yet; names as titles. */
static void fill(struct model_id *known, const struct model_id *from)
{
	char *const to[] = {known->name, known->organization, known->basename, known->finetune, known->version,
	                    known->size_label};
	const char *const with[] = {from->name, from->organization, from->basename, from->finetune, from->version,
	                            from->size_label};

	for (size_t i = 0; i < sizeof to / sizeof to[0]; i++)
		if (!*to[i] && i < 2)
			model_id_title(with[i], to[i]);
		else if (!*to[i])
			memcpy(to[i], with[i], MODEL_ID_MAX);
}

/* By the name that config.json has, if it is none of a file, and the folder's. */
static void read_names(const struct conversion *c, uint64_t n_params, struct model_id *out)
{
	const char *given = settings_tree_text(c->config, "_name_or_path", "");
	const char *slash = strchr(given, '/');
	char folder[MODEL_ID_MAX];
	struct model_id id;

	if (*given && (!slash || !strchr(slash + 1, '/'))) {
		model_id_read(&id, given, n_params);
		fill(out, &id);
	}
	folder_name(c, folder);
	model_id_read(&id, folder, n_params);
	fill(out, &id);
}

/* ---- what README.md says ---- */

static struct model_card *read_card(const struct conversion *c)
{
	struct model_card *card;
	char *text;
	size_t len;

	if (checkpoint_file(c->from, "README.md", README_MAX, &text, &len, NULL))
		return NULL;
	card = model_card_parse(text, len);
	free(text);
	return card;
}

/* The first that the card has of some names with spaces between; "". */
static const char *card_text(const struct model_card *card, const char *names)
{
	char name[64];

	while (*names) {
		size_t n = strcspn(names, " ");
		const char *text;

		memcpy(name, names, n);
		name[n] = '\0';
		if ((text = model_card_at(card, name, 0)))
			return text;
		names += n + strspn(names + n, " ");
	}
	return "";
}

/* Known better than from a name. */
static void fill_from_card(struct model_id *known, const struct model_card *card)
{
	static const char *const names[] = {"name model_name", "organization model_organization",
	                                    "basename model_basename model_type", "finetune model_finetune",
	                                    "version model_version", "size_label model_size_label"};
	char *const to[] = {known->name, known->organization, known->basename, known->finetune, known->version,
	                    known->size_label};

	for (size_t i = 0; i < sizeof to / sizeof to[0]; i++)
		snprintf(to[i], MODEL_ID_MAX, "%.255s", card_text(card, names[i]));
}

static void set_licence(struct conversion *c, const struct model_card *card)
{
	struct buf all = {.max = KIB(4)};

	for (size_t i = 0; i < model_card_n(card, "license"); i++)
		buf_printf(&all, "%s%s", i ? "," : "", model_card_at(card, "license", i));
	if (!buf_status(&all))
		set(c, "general.license", buf_text(&all));
	buf_free(&all);
	set(c, "general.license.name", card_text(card, "license_name"));
	set(c, "general.license.link", card_text(card, "license_link"));
}

static void set_part(struct conversion *c, const char *kind, size_t i, const char *part, const char *text)
{
	char key[96];

	snprintf(key, sizeof key, "general.%s.%zu.%s", kind, i, part);
	set(c, key, text);
}

/* "owner/name", or an address. */
static void set_origin(struct conversion *c, const char *kind, size_t i, const char *text, uint64_t n_params)
{
	static const char hub[] = "huggingface.co/";
	bool is_address = strncmp(text, "http://", 7) == 0 || strncmp(text, "https://", 8) == 0 ||
	                  strncmp(text, "ssh://", 6) == 0;
	const char *id = is_address ? strstr(text, hub) : text, *slash;
	char title[MODEL_ID_MAX], address[2 * MODEL_ID_MAX + 32];
	struct model_id parts = {0};

	if (id && is_address) {
		id += strlen(hub);
		slash = strchr(id, '/');
		if (!slash || !slash[1] || strchr(slash + 1, '/'))
			id = NULL;
	}
	if (id)
		model_id_read(&parts, id, n_params);
	model_id_title(parts.name, title);
	set_part(c, kind, i, "name", title);
	set_part(c, kind, i, "version", parts.version);
	model_id_title(parts.organization, title);
	set_part(c, kind, i, "organization", title);
	snprintf(address, sizeof address, "https://huggingface.co/%s/%s", parts.organization, parts.name);
	if (is_address)
		set_part(c, kind, i, "repo_url", text);
	else if (*parts.organization && *parts.name)
		set_part(c, kind, i, "repo_url", address);
}

static void set_origins(struct conversion *c, const struct model_card *card, const char *kind,
                        const char *const names[3], uint64_t n_params)
{
	char key[64];
	size_t which = 0, n;

	while (which < 2 && !model_card_n(card, names[which]))
		which++;
	if (!(n = model_card_n(card, names[which])))
		return;
	snprintf(key, sizeof key, "general.%s.count", kind);
	gguf_writer_set_u32(c->keys, key, (uint32_t)n);
	for (size_t i = 0; i < n; i++)
		set_origin(c, kind, i, model_card_at(card, names[which], i), n_params);
}

/* The texts of two keys in one list. */
static void set_list(struct conversion *c, const struct model_card *card, const char *key, const char *first,
                     const char *second)
{
	size_t n_first = model_card_n(card, first), n = n_first + model_card_n(card, second);
	const char **texts = alloc_array(n, sizeof texts[0]);
	size_t *lens = alloc_array(n, sizeof lens[0]);

	for (size_t i = 0; texts && lens && i < n; i++) {
		texts[i] = i < n_first ? model_card_at(card, first, i) : model_card_at(card, second, i - n_first);
		lens[i] = strlen(texts[i]);
	}
	if (texts && lens && n)
		gguf_writer_set_strings(c->keys, key, texts, lens, n);
	free(texts);
	free(lens);
}

static void set_card(struct conversion *c, const struct model_card *card, uint64_t n_params)
{
	static const char *const models[] = {"base_model", "base_models", "base_model_sources"};
	static const char *const datasets[] = {"datasets", "dataset", "dataset_sources"};

	set_licence(c, card);
	set(c, "general.source.url", card_text(card, "url model_url"));
	set(c, "general.source.doi", card_text(card, "doi model_doi"));
	set(c, "general.source.uuid", card_text(card, "uuid model_uuid"));
	set(c, "general.source.repo_url", card_text(card, "repo_url model_repo_url"));
	set_origins(c, card, "base_model", models, n_params);
	set_origins(c, card, "dataset", datasets, n_params);
	set_list(c, card, "general.tags", "tags", "pipeline_tag");
	set_list(c, card, "general.languages", "languages", "language");
}

void general_write(struct conversion *c)
{
	struct size size = count_weights(&c->outputs);
	struct model_card *card = read_card(c);
	struct model_id id;
	char label[32];

	gguf_writer_set_string(c->keys, "general.type", "model", strlen("model"));
	sampling_write(c);
	fill_from_card(&id, card);
	read_names(c, size.all, &id);
	set(c, "general.name", id.name);
	set(c, "general.author", card_text(card, "author model_author model_creator"));
	set(c, "general.version", id.version);
	set(c, "general.organization", id.organization);
	set(c, "general.finetune", id.finetune);
	set(c, "general.basename", id.basename);
	set(c, "general.description", card_text(card, "description model_description"));
	model_size_label(size.all, size.shared, size.expert, size.n_experts, label);
	set(c, "general.size_label", *id.size_label ? id.size_label : label);
	set_card(c, card, size.all);
	model_card_free(card);
}
