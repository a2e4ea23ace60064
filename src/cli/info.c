/* sotto info MODEL: what a GGUF file contains and how much memory it needs. Takes any
 * architecture and vocabulary-only files. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/amount.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/sanitize.h"
#include "base/server_path.h"
#include "base/sys.h"
#include "catalog/describe.h"
#include "catalog/memory.h"
#include "cli/print.h"
#include "cli/setup.h"
#include "cli/subcommands.h"
#include "config/servers.h"
#include "encode/chat_template.h"
#include "engine/engine.h"
#include "engine/options.h"
#include "kernels/kv_layer.h"
#include "model/cache.h"
#include "model/model.h"
#include "model/scratch.h"
#include "model/work.h"

enum { DEFAULT_CONTEXT = 8192, TEXT = AMOUNT_TEXT_MAX };

static void add_safe(struct buf *out, struct gguf_string text)
{
	sanitize_line(out, text.data, text.len);
}

static void show_metadata(const struct gguf *gguf, struct buf *out)
{
	const char *override;
	struct buf value = {.max = MIB(1)};

	buf_printf(out, "metadata: %zu keys\n", gguf_n_kv(gguf));
	for (size_t i = 0; i < gguf_n_kv(gguf); i++) {
		buf_clear(&value);
		buf_puts(out, "  ");
		add_safe(out, gguf_kv_key(gguf, i));
		buf_puts(out, " = ");
		if (gguf_kv_describe(gguf, i, &value))
			buf_puts(out, "?");
		else
			sanitize_line(out, buf_text(&value), value.len);
		buf_putc(out, '\n');
	}
	for (size_t i = 0; (override = gguf_override_at(gguf, i)) != NULL; i++) {
		buf_puts(out, i ? "  " : "set with --override-kv\n  ");
		sanitize_line(out, override, strlen(override));
		buf_putc(out, '\n');
	}
	buf_free(&value);
}

static void show_tensors(const struct gguf *gguf, struct buf *out)
{
	char shape[4 * TEXT], bytes[TEXT];

	buf_printf(out, "\ntensors: %zu\n", gguf_n_tensors(gguf));
	for (size_t i = 0; i < gguf_n_tensors(gguf); i++) {
		const struct gguf_tensor *tensor = gguf_tensor_at(gguf, i);
		int n = 0;

		for (uint32_t d = 0; d < tensor->n_dims; d++)
			n += snprintf(shape + n, sizeof shape - (size_t)n, "%s%" PRIu64,
			              d ? " x " : "", tensor->ne[d]);
		buf_printf(out, "  %-8s %-20s %10s  ", block_info(tensor->type)->name, shape,
		           amount_bytes(bytes, tensor->n_bytes));
		add_safe(out, tensor->name);
		buf_putc(out, '\n');
	}
}

/* The bytes of each block type, the largest first. */
static void show_types(const struct gguf *gguf, struct buf *out)
{
	uint64_t bytes[BLOCK_TYPE_MAX] = {0}, total = 0;
	size_t counts[BLOCK_TYPE_MAX] = {0};

	for (size_t i = 0; i < gguf_n_tensors(gguf); i++) {
		const struct gguf_tensor *tensor = gguf_tensor_at(gguf, i);

		bytes[tensor->type] += tensor->n_bytes;
		total += tensor->n_bytes;
		counts[tensor->type]++;
	}
	for (;;) {
		char size[TEXT];
		size_t best = 0;

		for (size_t type = 0; type < BLOCK_TYPE_MAX; type++)
			if (bytes[type] > bytes[best])
				best = type;
		if (!bytes[best])
			break;
		buf_printf(out, "  %-16s %5.1f %%  %s in %zu tensor%s%s\n",
		           block_info((uint32_t)best)->name,
		           100 * (double)bytes[best] / (double)total, amount_bytes(size, bytes[best]),
		           counts[best], counts[best] == 1 ? "" : "s",
		           block_info((uint32_t)best)->computes ? "" : " (cannot be run by this version)");
		bytes[best] = 0;
	}
}

static void show_line(struct buf *out, const char *title, const char *text)
{
	buf_printf(out, "  %-16s ", title);
	sanitize_line(out, text, strlen(text));
	buf_putc(out, '\n');
}

static void show_part(struct buf *out, const char *name, uint64_t bytes)
{
	char text[TEXT];

	buf_printf(out, "  %-16s %s\n", name, bytes ? amount_bytes(text, bytes) : "unknown");
}

/* Tensors that are not in memory: those that are looked up in the file, and those that sotto
 * does not use. */
static void show_left_out(const struct gguf *gguf, const struct model_work *work, struct buf *out)
{
	char text[TEXT], note[MODALITIES_NOTE_MAX];

	if (work->in_file)
		buf_printf(out, "  %-16s %s of embeddings, looked up there\n", "in the file",
		           amount_bytes(text, work->in_file));
	if (work->unused)
		buf_printf(out, "  %-16s %s\n", "not used", amount_bytes(text, work->unused));
	if (describe_modalities(gguf, note))
		show_line(out, "note", note);
}

/* `plan`: NULL for an architecture that cannot be run; then only the weights are known. */
static void show_memory(const struct gguf *gguf, const struct plan *plan,
                        const struct model_work *work, const struct engine_params *params,
                        struct buf *out)
{
	uint32_t n_ctx = params->n_ctx > 0 ? (uint32_t)params->n_ctx : describe_context(gguf);
	int n_threads = params->n_threads > 0 ? params->n_threads : sys_cpu_count();
	struct kv_types types = memory_kv_types(params);
	uint64_t cache = 0, scratch = 0, states = 0, total = UINT64_MAX;
	char name[TEXT];

	if (!n_ctx || (params->n_ctx <= 0 && n_ctx > DEFAULT_CONTEXT))
		n_ctx = DEFAULT_CONTEXT;
	if (plan) {
		const struct memory_need need = memory_need_of(plan, work->memory, params,
		                                               (size_t)n_threads);

		cache = cache_bytes(plan, n_ctx, types);
		states = cache_state_bytes(plan) * (2 + CACHE_CHECKPOINTS_MIN);
		scratch = scratch_bytes(plan, need.n_batch < n_ctx ? need.n_batch : n_ctx, n_ctx,
		                        need.n_threads);
		total = memory_needed(&need, n_ctx);
	}
	buf_printf(out, "\nmemory, for a context of %" PRIu32 " tokens\n", n_ctx);
	show_part(out, "weights", work->memory);
	if (work->token_memory < work->memory)
		show_part(out, "of them a token", work->token_memory);
	snprintf(name, sizeof name, "KV cache (%s%s%s)", engine_kv_types[params->kv_type_k],
	         types.k == types.v ? "" : ", ",
	         types.k == types.v ? "" : engine_kv_types[params->kv_type_v]);
	show_part(out, name, cache - states);
	if (states)
		show_part(out, "recurrent states", states);
	show_part(out, "scratch", scratch);
	if (total != UINT64_MAX)
		show_part(out, "together", total);
	show_left_out(gguf, work, out);
}

static void show_string(const struct gguf *gguf, const char *title, const char *key, struct buf *out)
{
	struct gguf_string value;

	if (gguf_get_string(gguf, key, &value, NULL))
		return;
	buf_printf(out, "  %-16s ", title);
	add_safe(out, value);
	buf_putc(out, '\n');
}

static void show_summary(const struct gguf *gguf, const struct engine_params *params,
                         struct buf *out)
{
	struct plan *plan = alloc_array(1, sizeof *plan); /* too large for a stack */
	const struct plan *known = plan && !model_check(plan, gguf, NULL) ? plan : NULL;
	struct model_work work = model_work_of(gguf, known);
	uint64_t n_params = 0;
	char text[TEXT];

	for (size_t i = 0; i < gguf_n_tensors(gguf); i++)
		n_params += gguf_tensor_n_elements(gguf_tensor_at(gguf, i));
	buf_puts(out, "\nsummary\n");
	show_string(gguf, "name", "general.name", out);
	show_string(gguf, "architecture", "general.architecture", out);
	buf_printf(out, "  %-16s %s (%" PRIu64 ")\n", "parameters", amount_count(text, n_params), n_params);
	buf_printf(out, "  %-16s %s (%" PRIu64 " bytes), GGUF version %" PRIu32, "file",
	           amount_bytes(text, gguf_file_size(gguf)), gguf_file_size(gguf), gguf_version(gguf));
	if (gguf_n_parts(gguf) > 1)
		buf_printf(out, ", in %" PRIu32 " parts", gguf_n_parts(gguf));
	buf_putc(out, '\n');
	if (gguf_n_tensors(gguf)) {
		if (known && plan_experts(known)->n)
			buf_printf(out, "  %-16s %s for each token (%u of %u experts)\n", "active",
			           amount_count(text, work.active_params),
			           plan_experts(known)->n_used, plan_experts(known)->n);
		show_types(gguf, out);
		show_memory(gguf, known, &work, params, out);
	} else {
		buf_puts(out, "  no tensors: a vocabulary only\n");
	}
	free(plan);
}

static void show_abilities(const struct chat_template *tmpl, struct buf *out)
{
	const struct chat_abilities *can = &tmpl->can;
	const struct reasoning_markers *markers = tmpl->reasoning;

	show_line(out, "system message", !can->system       ? "no: it is put before the first user message"
	                                 : can->late_system ? "yes, also later in the conversation"
	                                                    : "yes, at the start");
	show_line(out, "roles", can->same_role ? "in any order" : "user and assistant must alternate");
	if (tmpl->knows_reasoning) {
		buf_printf(out, "  %-16s %s%s%s%s%s\n", "reasoning", markers ? markers->opens[0] : "yes",
		           markers ? " ... " : "", markers ? markers->close : "",
		           can->reasoning          ? ", can be switched"
		           : can->opens_reasoning ? ", can be switched off"
		                                  : "",
		           can->effort ? ", --effort says how long" : "");
	}
	if (tmpl->end_marker[0])
		show_line(out, "ends with", tmpl->end_marker);
}

/* The chat template that would be used. */
static enum status show_template(const struct gguf *gguf, const struct engine_params *params,
                                 struct buf *out, struct error *err)
{
	struct tokenizer *tokenizer = NULL;
	struct chat_template *tmpl = NULL;
	struct error unreadable;
	char size[TEXT];
	enum status status;

	if (!gguf_has(gguf, "tokenizer.ggml.model"))
		return STATUS_OK;
	buf_puts(out, "\nchat template\n");
	if (tokenizer_open(&tokenizer, gguf, &unreadable))
		show_line(out, "vocabulary", unreadable.text);
	status = chat_template_open(&tmpl, params->chat_template, gguf, tokenizer, err);
	if (!status) {
		snprintf(size, sizeof size, "%zu", tmpl->source_len);
		show_line(out, "name", tmpl->name);
		show_line(out, "bytes", size);
		if (tmpl->note[0])
			show_line(out, "note", tmpl->note);
		show_abilities(tmpl, out);
	}
	chat_template_close(tmpl);
	tokenizer_close(tokenizer);
	return status;
}

static int show(const char *path, const struct engine_params *params)
{
	struct error err = {0};
	struct gguf *gguf;
	struct buf out = {.max = MIB(256)};
	int rc;

	if (engine_open_file(&gguf, path, params, &err))
		return cli_fail_model(&err);
	show_metadata(gguf, &out);
	show_tensors(gguf, &out);
	show_summary(gguf, params, &out);
	if (show_template(gguf, params, &out, &err))
		rc = cli_fail(&err);
	else if (gguf_was_truncated(gguf))
		rc = cli_fail_with(STATUS_FORMAT, "%s: the file was cut short while it was read",
		                   gguf_truncated_path(gguf));
	else
		rc = cli_print_buf(&out, "the description");
	buf_free(&out);
	gguf_close(gguf);
	return rc;
}

static int run(struct cli_setup *setup, void *own)
{
	const char *path = setup->engine.model;
	struct error err;

	(void)own;
	if (cli_word_paths(setup, setup->n_words, &err))
		return cli_fail(&err);
	if (setup->n_words > 1 || (!setup->n_words && !path))
		return cli_fail_with(STATUS_USAGE, "one model file is needed: sotto info MODEL");
	if (setup->n_words) {
		cli_warn_unused(setup, "model", "where a model is named without it");
		if (!server_path_is(setup->words[0]) && cli_word_model(setup, 0, &err))
			return cli_fail_model(&err);
		path = setup->words[0];
	}
	if (server_path_is(path))
		return cli_fail_with(STATUS_USAGE, "`sotto info` takes the file of a model: %s is on a server", path);
	return show(path, &setup->engine);
}

const struct cli_command cli_info = {
	.synopsis = "sotto info [OPTION]... MODEL",
	.text = "Prints the metadata, the tensors, the memory needs and the chat template of a GGUF\n"
	        "file of any architecture. --ctx-size sets the context that memory is estimated for,\n"
	        "--chat-template chooses another template.",
	.takes_words = true,
	.acts = "model override-kv ctx-size batch-size threads cache-type-k cache-type-v chat-template",
	.run = run,
};
