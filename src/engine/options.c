#include "engine/options.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/limits.h"
#include "base/option_value.h"
#include "base/words.h"
#include "encode/reasoning.h"
#include "encode/template_kwargs.h"
#include "engine/biases.h"
#include "gguf/reader.h"
#include "kernels/isa.h"
#include "sampler/order.h"
#include "turn/turn.h"

#define ROW(field) .offset = offsetof(struct engine_params, field)

/* The names of enum packing (model/packing.h). */
static const char *const packings[] = {"auto", "all", "dense", "none", NULL};
/* The names of enum rope_scaling (model/plan.h). */
static const char *const scalings[] = {"auto", "none", "linear", "yarn", NULL};
const char *const engine_kv_types[] = {[KV_F16] = "f16", [KV_F32] = "f32",
                                       [KV_Q8_0] = "q8_0", NULL};
static const char *const context_policies[] = {
	[CONTEXT_ROLL] = "roll", [CONTEXT_ENDS] = "ends", [CONTEXT_SUMMARY] = "summary",
	[CONTEXT_STOP] = "stop", NULL};

/* One that this machine lacks has a name, too. */
static enum status check_isa(const char *value, struct error *err)
{
	const struct isa *isa;
	enum status status = isa_find(&isa, value, err);

	return status == STATUS_USAGE ? status : STATUS_OK;
}

/* Texts, of which one may not be closed. */
static enum status check_words(const char *value, struct error *err)
{
	size_t len = strlen(value);
	enum status status;
	struct buf word = {.max = LIMIT_MESSAGE};
	bool found;

	do
		status = words_next(&value, &len, &word, &found, err);
	while (!status && found);
	buf_free(&word);
	return status;
}

static enum status check_samplers(const char *value, struct error *err)
{
	struct sampler_order order;

	return sampler_order_parse(&order, value, err);
}

const struct option engine_options[] = {
	{"model", "m", OPTION_STRING, ROW(model), .arg = "FILE|server:NAME",
	 .help = "the model: a GGUF file, or server:NAME or server:NAME/MODEL, one that a server in servers.yaml runs; "
	         "default: as --start-with says in the chat, elsewhere guide, the built-in one",
	 .flags = OPTION_MODEL | OPTION_PATH},
	{"servers", NULL, OPTION_STRING, ROW(servers), .arg = "FILE",
	 .help = "read this instead of the user's servers.yaml", .flags = OPTION_MODEL | OPTION_PATH},
	{"ctx-size", "c", OPTION_INT, ROW(n_ctx), .min = 0, .max = 1 << 24, .step = 256, .def = "0",
	 .arg = "N",
	 .help = "context in tokens; 0 = the smallest of the trained length, 8192 and what fits",
	 .flags = OPTION_MODEL},
	{"batch-size", "b", OPTION_INT, ROW(n_batch), .min = 0, .max = 4096, .step = 16,
	 .def = "0", .arg = "N", .help = "prompt tokens evaluated at once; 0 = 256, 512 with experts",
	 .flags = OPTION_MODEL},
	{"threads", "t", OPTION_INT, ROW(n_threads), .min = 0, .max = 512, .step = 1, .def = "0",
	 .arg = "N", .help = "threads that compute; 0 = one for each physical core",
	 .flags = OPTION_MODEL, .also = "-1=0"},
	{"isa", NULL, OPTION_STRING, ROW(isa), .arg = "NAME",
	 .help = "instruction set to compute with, for comparison; auto = the best available",
	 .flags = OPTION_MODEL, .check = check_isa},
	{"repack", NULL, OPTION_ENUM, ROW(packing), .def = "auto", .values = packings,
	 .arg = "auto|all|dense|none",
	 .help = "which weights to repack in memory: all, all but experts, none; the rest is read from the "
	         "file, at half the speed or less; auto = as many as fit",
	 .flags = OPTION_MODEL},
	{"mlock", NULL, OPTION_BOOL, ROW(mlock), .def = "no",
	 .help = "lock the weights in memory, so that they are never swapped out",
	 .flags = OPTION_MODEL},
	{"override-kv", NULL, OPTION_STRING, ROW(override_kv), .arg = "KEY=TYPE:VALUE",
	 .help = "set a key in the place of what the model's file says, of the type int, float, bool or str; "
	         "may be given several times",
	 .flags = OPTION_MODEL | OPTION_WORDS | OPTION_RECORDED, .check = gguf_override_check},
	{"rope-scaling", NULL, OPTION_ENUM, ROW(rope_scaling), .def = "auto", .values = scalings,
	 .arg = "auto|none|linear|yarn",
	 .help = "how positions are stretched for contexts longer than the model was trained with; auto = as its file says",
	 .flags = OPTION_MODEL | OPTION_RECORDED},
	{"rope-scale", NULL, OPTION_FLOAT, ROW(rope_scale), .min = 0, .max = 1e6, .def = "0", .arg = "N",
	 .help = "stretch positions N times, for a context N times as long; 0 = as the file says",
	 .flags = OPTION_MODEL | OPTION_RECORDED},
	{"rope-freq-scale", NULL, OPTION_FLOAT, ROW(rope_freq_scale), .min = 0, .max = 1e6, .def = "0",
	 .arg = "X", .help = "the same as --rope-scale 1/X", .flags = OPTION_MODEL | OPTION_RECORDED},
	{"rope-freq-base", NULL, OPTION_FLOAT, ROW(rope_freq_base), .min = 0, .max = 1e15, .def = "0",
	 .arg = "X", .help = "base of the frequencies that rotate positions; 0 = as the file says",
	 .flags = OPTION_MODEL | OPTION_RECORDED},
	{"yarn-orig-ctx", NULL, OPTION_INT, ROW(yarn_orig_ctx), .min = 0, .max = 1 << 28, .def = "0",
	 .arg = "N", .help = "YaRN: context that the model was trained with; 0 = as the file says",
	 .flags = OPTION_MODEL | OPTION_RECORDED},
	{"yarn-ext-factor", NULL, OPTION_FLOAT, ROW(yarn_ext_factor), .min = -1, .max = 1, .def = "-1",
	 .arg = "X", .help = "YaRN: how much fast pairs keep their frequency, 0 to 1; -1 = as the file says",
	 .flags = OPTION_MODEL | OPTION_RECORDED},
	{"yarn-attn-factor", NULL, OPTION_FLOAT, ROW(yarn_attn_factor), .min = -1, .max = 100, .def = "-1",
	 .arg = "X", .help = "YaRN: factor on what is rotated, where yarn-ext-factor is 0; -1 = as the file says",
	 .flags = OPTION_MODEL | OPTION_RECORDED},
	{"yarn-beta-fast", NULL, OPTION_FLOAT, ROW(yarn_beta_fast), .min = -1, .max = 1e6, .def = "-1",
	 .arg = "X", .help = "YaRN: pairs that turn more often are fast; -1 = as the file says",
	 .flags = OPTION_MODEL | OPTION_RECORDED},
	{"yarn-beta-slow", NULL, OPTION_FLOAT, ROW(yarn_beta_slow), .min = -1, .max = 1e6, .def = "-1",
	 .arg = "X", .help = "YaRN: pairs that turn less often are slow; -1 = as the file says",
	 .flags = OPTION_MODEL | OPTION_RECORDED},
	{"predict", "n n-predict", OPTION_INT, ROW(n_predict), .min = -1, .max = 1 << 24,
	 .step = 16, .def = "-1", .arg = "N",
	 .help = "maximum tokens in a reply; -1 = until it ends or the context is full",
	 .flags = OPTION_LIVE, .also = "-2=-1"},
	{"stop", "reverse-prompt", OPTION_STRING, ROW(stop), .arg = "TEXT",
	 .help = "text that ends a reply, and is not shown; may be given several times; \\n is a line feed",
	 .flags = OPTION_LIVE | OPTION_WORDS},
	{"context-policy", NULL, OPTION_ENUM, ROW(context_policy), .def = "roll",
	 .values = context_policies, .arg = "roll|ends|summary|stop",
	 .help = "what to do when the context is full: roll leaves out the oldest messages, ends those after the "
	         "first ones, summary has the model sum up the oldest ones in the chat, stop refuses the message",
	 .flags = OPTION_LIVE},
	{"cache-type-k", "ctk", OPTION_ENUM, ROW(kv_type_k), .def = "f16", .values = engine_kv_types,
	 .arg = "f16|f32|q8_0",
	 .help = "type of cached keys; q8_0 takes about half the memory of f16, and is a little less precise",
	 .flags = OPTION_MODEL},
	{"cache-type-v", "ctv", OPTION_ENUM, ROW(kv_type_v), .def = "f16", .values = engine_kv_types,
	 .arg = "f16|f32|q8_0",
	 .help = "type of cached values; q8_0 takes about half the memory of f16", .flags = OPTION_MODEL},
	{"kv-cache", NULL, OPTION_BOOL, ROW(kv_cache), .def = "yes",
	 .help = "keep the keys and values of earlier tokens; no = compute everything again, for comparison",
	 .no_help = "keep no keys and values: compute everything again for each token, for comparison",
	 .flags = OPTION_MODEL},
	{"chat-template", "chat-template-file", OPTION_STRING, ROW(chat_template), .arg = "FILE|NAME",
	 .help = "chat template: a Jinja file, one of the model's own, or a built-in one",
	 .flags = OPTION_MODEL | OPTION_PATH},
	{"chat-template-kwargs", NULL, OPTION_STRING, ROW(template_kwargs), .arg = "JSON",
	 .help = "more variables for the chat template, a JSON object such as {\"enable_thinking\": false}",
	 .flags = OPTION_LIVE, .check = template_kwargs_check},
	{"dry-sequence-breaker", NULL, OPTION_STRING, ROW(dry_breakers), .arg = "TEXT",
	 .help = "text at which a repetition ends for DRY, in the place of line feed, colon, quotation mark "
	         "and asterisk; may be given several times; none = nothing ends it",
	 .flags = OPTION_LIVE | OPTION_WORDS, .check = check_words},
	{"samplers", NULL, OPTION_STRING, ROW(samplers), .arg = "NAME;NAME...",
	 .help = "which samplers act, in this order; default: penalties;dry;top_n_sigma;top_k;typ_p;top_p;"
	         "min_p;xtc;temperature",
	 .flags = OPTION_LIVE, .check = check_samplers},
	{"logit-bias", "l", OPTION_STRING, ROW(logit_bias), .arg = "TEXT+N|ID-N",
	 .help = "make a word or a token's id more probable (+N) or less (-N, -inf: never); may be given "
	         "several times",
	 .flags = OPTION_LIVE | OPTION_WORDS, .check = biases_check},
	{"reasoning", "rea", OPTION_ENUM, ROW(reasoning), .def = "auto", .values = reasoning_modes,
	 .arg = "auto|on|off", .help = "whether a model that can think before it answers should do so",
	 .flags = OPTION_LIVE},
	{"effort", "reasoning-effort", OPTION_ENUM, ROW(effort), .def = "auto", .values = reasoning_efforts,
	 .arg = "auto|low|medium|high",
	 .help = "how long to think, for models that can be told (gpt-oss); auto = the model's default",
	 .flags = OPTION_LIVE},
};
const size_t engine_n_options = sizeof engine_options / sizeof engine_options[0];

struct engine_params engine_params_default(void)
{
	struct engine_params params = {0};

	option_set_defaults(engine_options, engine_n_options, &params);
	return params;
}

char *engine_params_recorded(const struct engine_params *params, char *out, size_t size)
{
	const struct engine_params usual = engine_params_default();
	struct buf words = {.max = LIMIT_MESSAGE};

	if (option_put_words(engine_options, engine_n_options, OPTION_RECORDED, params, &usual, &words))
		out[0] = '\0';
	else if (words.len < size)
		snprintf(out, size, "%s", words.len ? buf_text(&words) : "none");
	else
		snprintf(out, size, "#%016" PRIx64, hash_more(HASH_BEGIN, words.data, words.len));
	buf_free(&words);
	return out;
}

enum status engine_params_take_recorded(struct engine_params *params, const char *text,
                                        bool (*is_kept)(const void *ctx, const char *name), const void *ctx,
                                        struct error *err)
{
	struct engine_params recorded = engine_params_default();
	enum status status = STATUS_OK;
	struct option_value value;
	struct buf words = {.max = LIMIT_MESSAGE};

	if (!text || text[0] == '#')
		return STATUS_OK;
	status = option_take_words(engine_options, engine_n_options, &recorded, text, strlen(text), err);
	for (size_t i = 0; i < engine_n_options && !status; i++) {
		const struct option *row = &engine_options[i];

		if (!(row->flags & OPTION_RECORDED) || is_kept(ctx, row->name))
			continue;
		buf_clear(&words);
		option_print(row, &recorded, &words);
		status = option_parse(row, words.len ? buf_text(&words) : NULL, &value, err);
		if (!status)
			status = option_store(row, params, &value, err);
	}
	buf_free(&words);
	engine_params_free(&recorded);
	return status;
}
