/* What a file's header says about it. */
#include "catalog/catalog_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/sys.h"
#include "catalog/describe.h"
#include "catalog/memory.h"
#include "catalog/speed.h"
#include "gguf/reader.h"
#include "gguf/split_name.h"
#include "model/model.h"
#include "model/work.h"
#include "tokenizer/tokenizer.h"

enum { NAME_MAX_BYTES = 200 };

void catalog_entry_deinit(struct catalog_entry *entry)
{
	free(entry->path);
	free(entry->name);
	free(entry->why);
}

/* Projectors, adapters, importance matrices and vocabularies. */
static bool is_no_model(const struct gguf *gguf)
{
	struct gguf_string type;

	if (gguf_get_string(gguf, "general.type", &type, NULL))
		type = (struct gguf_string){"", 0};
	return gguf_n_tensors(gguf) == 0 || gguf_string_is(type, "mmproj") ||
	       gguf_string_is(type, "adapter") || gguf_string_is(type, "imatrix") ||
	       gguf_string_is(describe_architecture(gguf), "clip") ||
	       strstr(split_name_file(gguf_path(gguf)), "mmproj");
}

/* What every file has: name, architecture, type and sizes. */
static bool describe(struct catalog_entry *entry, const struct gguf *gguf, const char *label)
{
	struct gguf_string name = describe_name(gguf), arch = describe_architecture(gguf);

	if (label)
		name = (struct gguf_string){label, strlen(label)};
	free(entry->name);
	entry->name = alloc_strndup(name.data, name.len < NAME_MAX_BYTES ? name.len : NAME_MAX_BYTES);
	snprintf(entry->architecture, sizeof entry->architecture, "%.*s",
	         arch.len < sizeof entry->architecture ? (int)arch.len : 0, arch.data);
	snprintf(entry->type, sizeof entry->type, "%s", describe_type(gguf));
	entry->n_ctx_train = describe_context(gguf);
	for (size_t i = 0; i < gguf_n_tensors(gguf); i++)
		entry->n_params += gguf_tensor_n_elements(gguf_tensor_at(gguf, i));
	return entry->name != NULL;
}

static void judge_memory(struct catalog_entry *entry, const struct gguf *gguf,
                         const struct plan *plan, const struct engine_params *params)
{
	int n_threads = params->n_threads > 0 ? params->n_threads : sys_cpu_count();
	struct model_work work = model_work_of(gguf, plan);
	struct memory_need need = memory_need_of(plan, work.memory, params, (size_t)n_threads);
	uint64_t limit = memory_limit(memory_available(&need, false));
	size_t wanted = memory_wanted_ctx(&need, params), n_ctx = memory_fitting_ctx(&need, params, limit);

	if (memory_needed(&need, n_ctx) > limit) {
		entry->state = MODEL_TOO_LARGE;
		n_ctx = wanted;
	} else {
		entry->state = n_ctx < wanted ? MODEL_TIGHT : MODEL_FITS;
	}
	entry->n_ctx = (uint32_t)n_ctx;
	entry->memory = memory_needed(&need, n_ctx);
	entry->n_active = work.active_params;
	entry->has_experts = plan_experts(plan)->n > 0;
	if (entry->state != MODEL_TOO_LARGE) /* then the disk sets the speed */
		entry->token_bytes = work.token_memory +
		                     cache_token_bytes(plan, SPEED_CONTEXT, need.kv_types);
}

/* Records an error's text, without the path in front, which is shown anyway. */
static bool set_why(struct catalog_entry *entry, enum catalog_state state, const struct error *err)
{
	const char *text = err->text;
	size_t len = strlen(entry->path);

	if (strncmp(text, entry->path, len) == 0 && strncmp(text + len, ": ", 2) == 0)
		text += len + 2;
	entry->state = state;
	entry->why = alloc_strndup(text, strlen(text));
	return entry->why != NULL;
}

static bool judge(struct catalog_entry *entry, const struct gguf *gguf,
                  const struct engine_params *params)
{
	struct plan *plan = alloc_array(1, sizeof *plan); /* too large for a stack */
	struct error err;
	bool ok = plan != NULL;

	if (ok && (model_check(plan, gguf, &err) || tokenizer_check(gguf, &err)))
		ok = set_why(entry, err.status == STATUS_UNSUPPORTED ? MODEL_UNSUPPORTED : MODEL_DAMAGED,
		             &err);
	else if (ok)
		judge_memory(entry, gguf, plan, params);
	free(plan);
	return ok;
}

enum status catalog_read(struct catalog_entry *entry, const struct found_file *file,
                         const struct engine_params *params, bool *keep, struct error *err)
{
	const char *path = file->path, *name = file->label ? file->label : split_name_file(path);
	struct gguf *gguf = NULL;
	struct error open_error;
	bool ok;

	*entry = (struct catalog_entry){.file_bytes = file->n_bytes, .used = file->used,
	                                .n_parts = file->n_parts,
	                                .is_guide = file->is_guide};
	entry->path = alloc_strndup(path, strlen(path));
	entry->name = alloc_strndup(name, strlen(name));
	ok = entry->path && entry->name;
	if (ok && gguf_open(&gguf, path, &open_error)) {
		*keep = file->is_named || file->label;
		ok = set_why(entry, MODEL_DAMAGED, &open_error);
		if (open_error.status == STATUS_NOMEM || open_error.status == STATUS_LIMIT ||
		    open_error.status == STATUS_UNSUPPORTED)
			entry->state = MODEL_UNSUPPORTED; /* the file is not at fault */
	} else if (ok) {
		*keep = !is_no_model(gguf);
		entry->n_parts = gguf_n_parts(gguf);
		entry->file_bytes = gguf_file_size(gguf);
		ok = !*keep || (describe(entry, gguf, file->label) && judge(entry, gguf, params));
	}
	gguf_close(gguf);
	return ok ? STATUS_OK : error_no_memory(err, NULL);
}
