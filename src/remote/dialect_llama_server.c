/* llama-server of llama.cpp, as of August 2026 (tools/server/README.md there), and older ones as far as they go. */
#include <string.h>

#include "remote/list.h"
#include "remote/llama_server.h"

/* The last three are not sent where the template is rendered here: there they have told it. */
static const struct remote_field fields[] = {
	{.option = "temp", .field = "temperature"},
	{.option = "top-k", .field = "top_k"},
	{.option = "top-p", .field = "top_p"},
	{.option = "min-p", .field = "min_p"},
	{.option = "typical", .field = "typical_p"},
	{.option = "top-nsigma", .field = "top_n_sigma"},
	{.option = "xtc-probability", .field = "xtc_probability"},
	{.option = "xtc-threshold", .field = "xtc_threshold"},
	{.option = "repeat-penalty", .field = "repeat_penalty"},
	{.option = "repeat-last-n", .field = "repeat_last_n", .below_is_context = true}, /* it refuses -1 */
	{.option = "presence-penalty", .field = "presence_penalty"},
	{.option = "frequency-penalty", .field = "frequency_penalty"},
	{.option = "dry-multiplier", .field = "dry_multiplier"},
	{.option = "dry-base", .field = "dry_base"},
	{.option = "dry-allowed-length", .field = "dry_allowed_length"},
	{.option = "dry-penalty-last-n", .field = "dry_penalty_last_n", .below_is_context = true},
	{.option = "dry-sequence-breaker", .field = "dry_sequence_breakers"},
	{.option = "dynatemp-range", .field = "dynatemp_range"},
	{.option = "dynatemp-exp", .field = "dynatemp_exponent"},
	{.option = "mirostat", .field = "mirostat"},
	{.option = "mirostat-ent", .field = "mirostat_tau"},
	{.option = "mirostat-lr", .field = "mirostat_eta"},
	{.option = "samplers", .field = "samplers"},
	{.option = "seed", .field = "seed"},
	{.option = "predict", .field = "n_predict", .off = "-1"},
	{.option = "stop", .field = "stop"},
	{.option = "logit-bias", .field = "logit_bias", .takes_texts = true},
	{.option = "reasoning", .field = "chat_template_kwargs.enable_thinking"},
	{.option = "effort", .field = "chat_template_kwargs.reasoning_effort"},
	{.option = "chat-template-kwargs", .field = "chat_template_kwargs.*"},
};

static int knows(const struct probe *probe)
{
	if (probe->code == 200 && strstr(probe->body, "\"llamacpp\""))
		return 2;
	return strcasestr(probe->server, "llama.cpp") ? 2 : 0;
}

const struct dialect dialect_llama_server = {
	.name = "llama-server",
	.title = "llama-server (llama.cpp)",
	.warms = true,
	.fields = fields,
	.n_fields = sizeof fields / sizeof *fields,
	.knows = knows,
	.list = remote_list_loaded,
	.open = llama_open,
	.close = llama_close,
	.write = llama_write,
	.read = llama_read,
	.inspect = llama_inspect,
	.answer_now = llama_answer_now,
};
