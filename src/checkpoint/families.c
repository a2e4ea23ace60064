#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "checkpoint/family.h"
#include "checkpoint/general.h"

/* By "architectures" of config.json. */
static const struct checkpoint_family *const families[] = {
	&checkpoint_llama, &checkpoint_mistral, &checkpoint_mixtral, &checkpoint_ministral3, &checkpoint_mistral3, &checkpoint_qwen2,
	&checkpoint_qwen3, &checkpoint_qwen3moe, &checkpoint_qwen35, &checkpoint_qwen35moe, &checkpoint_gemma2,
	&checkpoint_gemma3, &checkpoint_gemma4, &checkpoint_phi3, &checkpoint_granite, &checkpoint_granitemoe,
	&checkpoint_smollm3, &checkpoint_olmo2, &checkpoint_olmo3, &checkpoint_lfm2, &checkpoint_gpt_oss,
};
enum { N_FAMILIES = sizeof families / sizeof families[0] };

const struct checkpoint_family *checkpoint_family_find(const char *class_name, const char *model_type)
{
	for (size_t i = 0; i < N_FAMILIES; i++)
		for (const char *const *name = families[i]->classes; *name; name++)
			if (strcmp(*name, class_name) == 0 &&
			    (!families[i]->model_type || strcmp(families[i]->model_type, model_type) == 0))
				return families[i];
	return NULL;
}

enum status checkpoint_family_list(struct buf *out)
{
	for (size_t i = 0; i < N_FAMILIES; i++)
		for (const char *const *name = families[i]->classes; *name && !families[i]->model_type; name++) {
			if (i > 0 || name > families[0]->classes)
				buf_puts(out, ", ");
			buf_puts(out, *name);
		}
	return buf_status(out);
}

static void take_all(struct conversion *c)
{
	int32_t n_layer = (int32_t)config_n_layer(c);

	for (size_t i = 0; i < c->sources->n && !c->err.status; i++) {
		const struct source *source = &c->sources->items[i];

		if (source->to.layer >= n_layer)
			conversion_fail(c, STATUS_FORMAT, "tensor '%s' is of a layer that the model, of %" PRId32
			                " layers by config.json, has not", source->tensor->name, n_layer);
		else if (!c->family->take || !c->family->take(c, source))
			family_take_usual(c, source);
	}
}

/* ---- what is missing ---- */

struct output_names {
	const char **names; /* sorted */
	size_t n;
};

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool has_output(void *ctx, const char *name)
{
	const struct output_names *names = ctx;

	return bsearch(&name, names->names, names->n, sizeof names->names[0], compare_names) != NULL;
}

static void check_missing(struct conversion *c)
{
	struct output_names names = {alloc_array(c->outputs.n, sizeof names.names[0]), c->outputs.n};
	struct tensor_name missing, original;

	if (!names.names) {
		conversion_fail(c, STATUS_NOMEM, "not enough memory");
		return;
	}
	for (size_t i = 0; i < names.n; i++)
		names.names[i] = c->outputs.items[i].name;
	qsort(names.names, names.n, sizeof names.names[0], compare_names);
	for (size_t i = 1; i < names.n; i++)
		if (strcmp(names.names[i - 1], names.names[i]) == 0)
			conversion_fail(c, STATUS_FORMAT, "two tensors of the checkpoint become '%s'", names.names[i]);
	if (!names_complete(c->architecture, (int32_t)config_n_layer(c), has_output, &names, &missing)) {
		bool has_name = names_to_checkpoint(c->architecture, missing.text, 0, &original);

		conversion_fail(c, STATUS_FORMAT, "no tensor '%s' is there, and the model needs it: are files missing?",
		                has_name ? original.text : missing.text);
	}
	free(names.names);
}

bool family_write(struct conversion *c, const struct checkpoint_family *family)
{
	struct sources sources = {0};

	c->family = family;
	c->architecture = family->architecture;
	c->sources = &sources;
	gguf_writer_set_string(c->keys, "general.architecture", c->architecture, strlen(c->architecture));
	if (!c->err.status && sources_collect(&sources, c)) {
		if (family->extra)
			family->extra(c);
		take_all(c);
		if (!c->err.status)
			check_missing(c);
		if (!c->err.status) {
			general_write(c);
			family->keys(c);
			gguf_writer_set_u32(c->keys, "general.quantization_version", 2);
		}
	}
	sources_free(&sources);
	c->sources = NULL;
	return !c->err.status;
}
