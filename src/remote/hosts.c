#include "remote/hosts.h"

#include <string.h>
#include <strings.h>

/* What is here was read from the servers' sources and interface descriptions in 2026. A hosted server gets only what it
 * documents: it may refuse the rest. Others get what their source knows; it passes over the rest. */
#define FIELD(name, in_request) {.option = name, .field = in_request}
#define FIELD_MAX(name, in_request, most) {.option = name, .field = in_request, .max = most}

#define TEMPERATURE FIELD_MAX("temp", "temperature", 2)
#define TOP_P FIELD("top-p", "top_p")
#define PENALTIES FIELD("presence-penalty", "presence_penalty"), FIELD("frequency-penalty", "frequency_penalty")
#define SEED FIELD("seed", "seed")
#define STOP FIELD_MAX("stop", "stop", 4) /* more of them are looked for here */
#define USAGE FIELD("usage", "stream_options.include_usage")
#define EFFORT                                                                                                    \
	{.option = "reasoning", .field = "reasoning_effort", .off = "\"none\""}, FIELD("effort", "reasoning_effort")
#define BIASES FIELD("logit-bias", "logit_bias")
#define CANDIDATES FIELD_MAX("candidates", "logprobs", 20)

/* Anything. */
static const struct remote_field common[] = {
	FIELD("temp", "temperature"), TOP_P, PENALTIES, SEED, FIELD("stop", "stop"), FIELD("predict", "max_tokens"), USAGE};

static const struct remote_field openai[] = {
	TEMPERATURE, TOP_P, PENALTIES, SEED, STOP, FIELD("predict", "max_completion_tokens"),
	FIELD("predict", "max_tokens"), EFFORT, BIASES, CANDIDATES, USAGE};
static const struct remote_field openrouter[] = {
	TEMPERATURE, FIELD("top-k", "top_k"), TOP_P, FIELD("min-p", "min_p"),
	FIELD("repeat-penalty", "repetition_penalty"), PENALTIES, SEED, STOP, FIELD("predict", "max_tokens"),
	FIELD("reasoning", "reasoning.enabled"), FIELD("effort", "reasoning.effort"), BIASES,
	FIELD("usage", "usage.include")};
static const struct remote_field groq[] = {
	TEMPERATURE, TOP_P, SEED, STOP, FIELD("predict", "max_completion_tokens"), EFFORT, USAGE};
static const struct remote_field mistral[] = {
	FIELD_MAX("temp", "temperature", 1.5), TOP_P, PENALTIES, FIELD("seed", "random_seed"), FIELD("stop", "stop"),
	FIELD("predict", "max_tokens"), FIELD("effort", "reasoning_effort")};
static const struct remote_field together[] = {
	TEMPERATURE, FIELD("top-k", "top_k"), TOP_P, FIELD("min-p", "min_p"),
	FIELD("repeat-penalty", "repetition_penalty"), PENALTIES, SEED, FIELD("stop", "stop"),
	FIELD("predict", "max_tokens"), FIELD("reasoning", "chat_template_kwargs.enable_thinking"),
	FIELD("chat-template-kwargs", "chat_template_kwargs.*"), BIASES, USAGE};
static const struct remote_field deepseek[] = {
	TEMPERATURE, TOP_P, PENALTIES, FIELD("stop", "stop"), FIELD("predict", "max_tokens"), CANDIDATES, USAGE};
/* Newer models take one of the first two: what they refuse is then the first that they speak of. */
static const struct remote_field anthropic[] = {
	TOP_P, FIELD_MAX("temp", "temperature", 1), FIELD("stop", "stop"), FIELD("predict", "max_tokens"), USAGE};
static const struct remote_field gemini[] = {
	TEMPERATURE, TOP_P, STOP, FIELD("predict", "max_tokens"), EFFORT, USAGE};

static const struct remote_field lm_studio[] = {
	FIELD("temp", "temperature"), FIELD("top-k", "top_k"), TOP_P, FIELD("repeat-penalty", "repeat_penalty"), PENALTIES,
	SEED, FIELD("stop", "stop"), {.option = "predict", .field = "max_tokens", .off = "-1"}, BIASES, USAGE};
static const struct remote_field tabby[] = {
	FIELD("temp", "temperature"), FIELD("top-k", "top_k"), TOP_P, FIELD("min-p", "min_p"),
	FIELD("typical", "typical_p"), FIELD("xtc-probability", "xtc_probability"), FIELD("xtc-threshold", "xtc_threshold"),
	FIELD("repeat-penalty", "repetition_penalty"), FIELD("repeat-last-n", "penalty_range"), PENALTIES,
	FIELD("dry-multiplier", "dry_multiplier"), FIELD("dry-base", "dry_base"),
	FIELD("dry-allowed-length", "dry_allowed_length"),
	{.option = "dry-penalty-last-n", .field = "dry_range", .below_is_context = true},
	FIELD("dry-sequence-breaker", "dry_sequence_breakers"), FIELD("dynatemp-exp", "temp_exponent"),
	FIELD("mirostat", "mirostat_mode"), FIELD("mirostat-ent", "mirostat_tau"), FIELD("mirostat-lr", "mirostat_eta"),
	FIELD("stop", "stop"), FIELD("predict", "max_tokens"),
	FIELD("reasoning", "chat_template_kwargs.enable_thinking"),
	FIELD("chat-template-kwargs", "chat_template_kwargs.*"), FIELD("effort", "reasoning_effort"), BIASES,
	FIELD_MAX("candidates", "logprobs", 20), FIELD("continue", "continue_final_message"), USAGE,
	{.option = "dynatemp-range", .why = "TabbyAPI wants it as two temperatures"}};
static const struct remote_field koboldcpp[] = {
	FIELD("temp", "temperature"), FIELD("top-k", "top_k"), TOP_P, FIELD("min-p", "min_p"), FIELD("typical", "typical"),
	FIELD("xtc-probability", "xtc_probability"), FIELD("xtc-threshold", "xtc_threshold"),
	FIELD("repeat-penalty", "rep_pen"),
	{.option = "repeat-last-n", .field = "rep_pen_range", .below_is_context = true},
	FIELD("presence-penalty", "presence_penalty"),
	{.option = "frequency-penalty", .why = "KoboldCpp takes it for the presence penalty"},
	FIELD("dry-multiplier", "dry_multiplier"), FIELD("dry-base", "dry_base"),
	FIELD("dry-allowed-length", "dry_allowed_length"),
	{.option = "dry-penalty-last-n", .field = "dry_penalty_last_n", .below_is_context = true},
	FIELD("dry-sequence-breaker", "dry_sequence_breakers"), FIELD("dynatemp-range", "dynatemp_range"),
	FIELD("dynatemp-exp", "dynatemp_exponent"), FIELD("mirostat", "mirostat_mode"),
	FIELD("mirostat-ent", "mirostat_tau"), FIELD("mirostat-lr", "mirostat_eta"), SEED, FIELD("stop", "stop"),
	{.option = "predict", .field = "max_tokens", .off = "4096"}, /* without a number it stops early */
	BIASES};
static const struct remote_field llamafile[] = {
	TEMPERATURE, TOP_P, FIELD("presence-penalty", "presence_penalty"),
	FIELD("frequency-penalty", "frequency_penalty"), SEED, STOP, FIELD("predict", "max_tokens"), USAGE};

#define FIELDS(table) .fields = table, .n_fields = sizeof(table) / sizeof (table)[0]

/* The last two are for all others: hosted, and nearby. */
static const struct host_kind kinds[] = {
	{.name = "api.openai.com", FIELDS(openai), .style = {.takes_all = true}},
	{.name = "openrouter.ai", FIELDS(openrouter), .style = {.takes_all = true}},
	{.name = "api.groq.com", FIELDS(groq), .style = {.takes_all = true}, .thinks_inline = true},
	{.name = "api.mistral.ai", FIELDS(mistral), .style = {.prefix = "prefix"}, .continues = true},
	{.name = "api.together.xyz", FIELDS(together), .style = {.takes_all = true}, .thinks_inline = true,
	 .more = "\"context_length_exceeded_behavior\": \"error\""},
	{.name = "api.deepseek.com", FIELDS(deepseek), .style = {.takes_all = true}},
	{.name = "api.anthropic.com", FIELDS(anthropic)},
	{.name = "generativelanguage.googleapis.com", FIELDS(gemini), .style = {.takes_all = true}},
	{.name = "LM Studio", FIELDS(lm_studio), .thinks_inline = true},
	{.name = "TabbyAPI", FIELDS(tabby), .thinks_inline = true, .continues = true, .counts = HOST_COUNTS_MESSAGES},
	{.name = "KoboldCpp", FIELDS(koboldcpp), .thinks_inline = true, .counts = HOST_COUNTS_TEXT},
	{.name = "llamafile", FIELDS(llamafile), .thinks_inline = true},
	{.name = "", FIELDS(common), .style = {.takes_all = true}, .thinks_inline = true},
	{.name = "", FIELDS(common), .thinks_inline = true},
};
enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

/* Whether a host, "api.openai.com:443", is that one or below it. */
static bool is_host(const char *host, const char *name)
{
	size_t n = strcspn(host, ":"), len = strlen(name);

	return n >= len && strncasecmp(host + n - len, name, len) == 0 && (n == len || host[n - len - 1] == '.');
}

const struct host_kind *host_kind_find(const struct remote *remote)
{
	for (size_t i = 0; i + 2 < N_KINDS; i++) {
		if (is_host(remote->host, kinds[i].name))
			return &kinds[i];
		if (remote->product && strcmp(remote->product, kinds[i].name) == 0)
			return &kinds[i];
	}
	return &kinds[remote->distance == HTTP_FAR ? N_KINDS - 2 : N_KINDS - 1];
}
