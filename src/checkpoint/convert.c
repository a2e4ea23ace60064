#include "checkpoint/convert.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/text_ends.h"
#include "checkpoint/conversion.h"
#include "checkpoint/family.h"
#include "checkpoint/floats.h"
#include "checkpoint/refused.h"
#include "checkpoint/rows.h"
#include "checkpoint/types.h"
#include "checkpoint/write.h"
#include "gguf/reader.h"
#include "quantize/part_file.h"

struct convert_plan {
	struct convert_job job;
	struct checkpoint *checkpoint;
	struct settings_tree *config;
	const char *class_name; /* in "architectures"; NULL: none */
	struct floats *floats;
	struct conversion c;
	struct buf header;
	uint32_t alignment;
	uint64_t n_bytes, n_weights;
};

/* "config.json" and what is laid over it. */
static enum status read_config(struct convert_plan *plan, struct error *err)
{
	static const char *const texts[] = {"text_config", "llm_config", "language_config", "lm_config"};
	char *json;
	size_t len;
	enum status status = checkpoint_file(plan->checkpoint, "config.json", LIMIT_CHECKPOINT_CONFIG, &json, &len, err);

	if (status == STATUS_NOTFOUND)
		return error_set(err, STATUS_UNSUPPORTED, "%s: config.json is not there, which says what the model is: download the"
		                 " whole repository", checkpoint_folder(plan->checkpoint));
	if (status)
		return status;
	status = settings_tree_parse(&plan->config, "config.json", json, len, err);
	free(json);
	if (!status)
		plan->class_name = settings_tree_text(plan->config, "architectures.0", NULL);
	for (size_t i = 0; i < sizeof texts / sizeof *texts && !status; i++) {
		const struct setting *text = settings_tree_get(plan->config, texts[i]);

		if (text && text->kind == SETTING_OBJECT) {
			status = settings_tree_merge(plan->config, texts[i], err);
			break;
		}
	}
	/* Often null in text_config. */
	if (!status)
		plan->class_name = settings_tree_text(plan->config, "architectures.0", plan->class_name);
	return status;
}

static enum status unknown_family(const char *class_name, struct error *err)
{
	struct buf list = {.max = KIB(4)};

	if (!class_name)
		error_set(err, STATUS_UNSUPPORTED, "config.json names no architecture, so that nobody knows how the model computes");
	else if (checkpoint_family_list(&list))
		error_no_memory(err, NULL);
	else
		error_set(err, STATUS_UNSUPPORTED, "%.64s is not converted, which may be done by llama.cpp's convert_hf_to_gguf.py:"
		          " take a GGUF file of the model; known are %.300s", class_name, buf_text(&list));
	buf_free(&list);
	return err ? err->status : STATUS_UNSUPPORTED;
}

/* Both parts write keys of their own, which stand in the file in the other order. */
static enum status write_keys(struct conversion *c, const struct checkpoint_family *family, struct error *err)
{
	struct gguf_writer *tokenizer = gguf_writer_create();

	c->keys = tokenizer;
	if (tokenizer)
		vocabulary_write(c, family->vocabulary);
	c->keys = gguf_writer_create();
	if (tokenizer && c->keys && !c->err.status) {
		family_write(c, family);
		gguf_writer_append(c->keys, tokenizer);
	} else if (!tokenizer || !c->keys) {
		error_no_memory(&c->err, "for the metadata");
	}
	gguf_writer_free(tokenizer);
	if (c->err.status && err)
		*err = c->err;
	return c->err.status;
}

static enum status make_plan(struct convert_plan *plan, struct error *err)
{
	struct conversion *c = &plan->c;
	const struct checkpoint_family *family = NULL;
	enum status status = floats_create(&plan->floats, plan->checkpoint, plan->config, err);

	if (status)
		return status;
	if (plan->class_name)
		family = checkpoint_family_find(plan->class_name, settings_tree_text(plan->config, "model_type", ""));
	if (!family)
		return unknown_family(plan->class_name, err);
	c->floats = plan->floats;
	status = write_keys(c, family, err);
	for (size_t i = 0; i < c->outputs.n && !status; i++) {
		status = output_check(&c->outputs.items[i], err);
		plan->n_weights += output_n_elements(&c->outputs.items[i]);
	}
	if (!status)
		status = outputs_choose_types(c, plan->floats, plan->job.recipe, err);
	return status ? status : conversion_header(c, &plan->header, &plan->alignment, &plan->n_bytes, err);
}

enum status convert_plan_create(struct convert_plan **out, const struct convert_job *job, struct error *err)
{
	struct convert_plan *plan = alloc_array(1, sizeof *plan);
	enum status status;

	if (!plan)
		return error_no_memory(err, NULL);
	plan->job = *job;
	plan->header.max = LIMIT_GGUF_METADATA;
	plan->c.notes.max = MIB(1);
	status = checkpoint_open(&plan->checkpoint, job->folder, err);
	if (!status) {
		plan->c.from = plan->checkpoint;
		status = read_config(plan, err);
		plan->c.config = plan->config;
		if (!status)
			status = make_plan(plan, err);
		if (status && err && !strstr(err->text, checkpoint_folder(plan->checkpoint)))
			error_prefix(err, "%s", checkpoint_folder(plan->checkpoint));
	}
	if (status) {
		convert_plan_free(plan);
		return status;
	}
	*out = plan;
	return STATUS_OK;
}

void convert_plan_free(struct convert_plan *plan)
{
	if (!plan)
		return;
	outputs_free(&plan->c.outputs);
	gguf_writer_free(plan->c.keys);
	buf_free(&plan->c.notes);
	buf_free(&plan->header);
	floats_free(plan->floats);
	settings_tree_free(plan->config);
	checkpoint_close(plan->checkpoint);
	free(plan);
}

const char *convert_plan_notes(const struct convert_plan *plan)
{
	return buf_text(&plan->c.notes);
}

uint64_t convert_plan_bytes(const struct convert_plan *plan)
{
	return plan->n_bytes;
}

uint64_t convert_plan_weights(const struct convert_plan *plan)
{
	return plan->n_weights;
}

const char *convert_plan_architecture(const struct convert_plan *plan)
{
	return plan->c.architecture;
}

const struct output *convert_plan_output(const struct convert_plan *plan, size_t i)
{
	return i < plan->c.outputs.n ? &plan->c.outputs.items[i] : NULL;
}

/* Whatever is there already is a file of the same kind: no shard or other file of the checkpoint is lost to a slip. */
static enum status check_place(const struct convert_plan *plan, const char *path, struct error *err)
{
	struct stat st;
	enum status status = part_file_check(plan->job.io, path, plan->n_bytes, err);

	if (!status && plan->job.io->stat(path, &st) == 0 && st.st_size > 0 && gguf_check(path, NULL))
		return error_set(err, STATUS_USAGE, "%s is there already and is not a GGUF file: name another output file", path);
	return status;
}

static enum status try_file(const struct convert_plan *plan, const struct part_file *part, struct error *err)
{
	struct gguf *gguf;
	enum status status = gguf_open(&gguf, part->temp.data, err);

	if (status)
		return status;
	gguf_close(gguf);
	return plan->job.check ? plan->job.check(plan->job.ctx, part->temp.data, err) : STATUS_OK;
}

static enum status fill(const struct convert_plan *plan, struct part_file *part, struct threadpool *pool,
                        struct error *err)
{
	struct write_job w = {.c = &plan->c, .floats = plan->floats, .job = &plan->job, .pool = pool, .part = part,
	                      .alignment = plan->alignment, .n_weights = plan->n_weights};
	enum status status = part_file_write(part, plan->header.data, plan->header.len, err);

	if (!status)
		status = write_outputs(&w, err);
	return status ? status : part_file_end(part, err);
}

enum status convert_save(const struct convert_plan *plan, const char *path, struct threadpool *pool, struct error *err)
{
	struct part_file part;
	enum status status = check_place(plan, path, err);

	if (status || (status = part_file_begin(&part, plan->job.io, path, err)))
		return status;
	status = fill(plan, &part, pool, err);
	if (!status)
		status = try_file(plan, &part, err);
	if (!status)
		status = part_file_publish(&part, err);
	part_file_drop(&part);
	return status;
}

static bool has_file(const char *folder, size_t len, const char *name)
{
	char path[4096];
	int n = snprintf(path, sizeof path, "%.*s/%s", (int)len, folder, name);

	return n > 0 && (size_t)n < sizeof path && access(path, R_OK) == 0;
}

static bool has_safetensors(const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	bool found = false;

	while (dir && !found && (entry = readdir(dir)))
		found = text_has_extension(entry->d_name, ".safetensors");
	if (dir)
		closedir(dir);
	return found;
}

bool convert_is_checkpoint(const char *path)
{
	const char *slash = strrchr(path, '/');
	struct stat st;

	if (stat(path, &st) != 0)
		return false;
	if (S_ISDIR(st.st_mode))
		return has_file(path, strlen(path), "config.json") && has_safetensors(path);
	if (!S_ISREG(st.st_mode) || !text_has_extension(path, ".safetensors"))
		return false;
	return slash ? has_file(path, (size_t)(slash - path), "config.json") : has_file(".", 1, "config.json");
}
