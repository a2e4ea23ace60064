#include "sampler/params.h"

#include "base/option_value.h"

#define FIELD(field) .offset = offsetof(struct sampler_params, field)
#define SLIDER(field) FIELD(field), .flags = OPTION_LIVE | OPTION_SLIDER

/* In the order of the sliders, the most used first (chain.h has the order in which
 * they act). Values outside the ranges make no sense. */
const struct option sampler_options[] = {
	{"temp", "temperature", OPTION_FLOAT, SLIDER(temp), .min = 0, .max = 5, .step = 0.05,
	 .def = "0.8", .arg = "T", .help = "how freely tokens are chosen; 0 = always the most probable one"},
	{"top-k", NULL, OPTION_INT, SLIDER(top_k), .min = 0, .max = 100000, .step = 1, .def = "40",
	 .arg = "N", .also = "-1=0", .help = "keep the N most probable tokens; 0 = off"},
	{"top-p", NULL, OPTION_FLOAT, SLIDER(top_p), .min = 0, .max = 1, .step = 0.01,
	 .def = "0.95", .arg = "P", .off = "1", .help = "keep the most probable tokens that have the probability P together; 1 = off"},
	{"min-p", NULL, OPTION_FLOAT, SLIDER(min_p), .min = 0, .max = 1, .step = 0.01,
	 .def = "0.05", .arg = "P", .help = "drop tokens less probable than P times the best one; 0 = off"},
	{"typical", "typical-p", OPTION_FLOAT, SLIDER(typical), .min = 0, .max = 1, .step = 0.01,
	 .def = "1.0", .arg = "P", .off = "1",
	 .help = "keep the tokens that are about as surprising as can be expected, of the probability P together; 1 = off"},
	{"top-nsigma", "top-n-sigma", OPTION_FLOAT, SLIDER(top_n_sigma), .min = -1, .max = 5,
	 .step = 0.1, .def = "-1.0", .arg = "N", .off = "-1",
	 .help = "drop logits more than N standard deviations below the best one; -1 = off"},
	{"xtc-probability", NULL, OPTION_FLOAT, SLIDER(xtc_probability), .min = 0, .max = 1,
	 .step = 0.05, .def = "0.0", .arg = "P",
	 .help = "XTC: how often all of the likeliest tokens but the last are left out; 0 = off"},
	{"xtc-threshold", NULL, OPTION_FLOAT, SLIDER(xtc_threshold), .min = 0, .max = 1,
	 .step = 0.01, .def = "0.1", .arg = "P", .off = "1",
	 .help = "XTC: from which probability a token is among the likeliest; above 0.5 = off"},
	{"repeat-penalty", NULL, OPTION_FLOAT, SLIDER(repeat_penalty), .min = 0.5, .max = 2,
	 .step = 0.01, .def = "1.0", .arg = "X", .off = "1",
	 .help = "make recent tokens less probable: divide their logits by this; 1 = off"},
	{"repeat-last-n", NULL, OPTION_INT, SLIDER(repeat_last_n), .min = -1, .max = 65536,
	 .step = 8, .def = "64", .arg = "N",
	 .help = "tokens the penalties look back at; 0 = off, -1 = the whole context"},
	{"presence-penalty", NULL, OPTION_FLOAT, SLIDER(presence_penalty), .min = -2, .max = 2,
	 .step = 0.05, .def = "0.0", .arg = "X",
	 .help = "make recent tokens less probable: subtract this from their logits; 0 = off"},
	{"frequency-penalty", NULL, OPTION_FLOAT, SLIDER(frequency_penalty), .min = -2, .max = 2,
	 .step = 0.05, .def = "0.0", .arg = "X",
	 .help = "subtract this from a token's logit for each recent use; 0 = off"},
	{"dry-multiplier", NULL, OPTION_FLOAT, SLIDER(dry_multiplier), .min = 0, .max = 5,
	 .step = 0.05, .def = "0.0", .arg = "X",
	 .help = "DRY: subtract this from what would continue a repetition; 0 = off, 0.8 is common"},
	{"dry-base", NULL, OPTION_FLOAT, SLIDER(dry_base), .min = 1, .max = 8, .step = 0.05,
	 .def = "1.75", .arg = "X", .off = "1",
	 .help = "DRY: times this for each token that is repeated beyond dry-allowed-length"},
	{"dry-allowed-length", NULL, OPTION_INT, SLIDER(dry_allowed_length), .min = 0, .max = 1000,
	 .step = 1, .def = "2", .arg = "N",
	 .help = "DRY: repetitions of fewer tokens than this are free"},
	{"dry-penalty-last-n", NULL, OPTION_INT, SLIDER(dry_penalty_last_n), .min = -1,
	 .max = 65536, .step = 8, .def = "64", .arg = "N",
	 .help = "DRY: tokens to look back at; 0 = off, -1 = the whole context"},
	{"dynatemp-range", NULL, OPTION_FLOAT, SLIDER(dynatemp_range), .min = 0, .max = 5,
	 .step = 0.05, .def = "0.0", .arg = "X",
	 .help = "let the temperature move between temp - X, where the model is sure of the next token, and temp + X, "
	         "where many fit: exact where it matters, varied where it may be; 0 = off"},
	{"dynatemp-exp", NULL, OPTION_FLOAT, SLIDER(dynatemp_exp), .min = 0, .max = 10, .step = 0.1,
	 .def = "1.0", .arg = "X", .off = "1",
	 .help = "how late dynatemp-range raises the temperature as the model gets less sure; 1 = evenly"},
	{"mirostat", NULL, OPTION_INT, SLIDER(mirostat), .min = 0, .max = 2, .step = 1, .def = "0",
	 .arg = "0|1|2",
	 .help = "keep the text equally surprising all along, neither repeating nor falling apart, in place of "
	         "penalties and filters: method 1 or 2; 0 = off"},
	{"mirostat-ent", NULL, OPTION_FLOAT, SLIDER(mirostat_ent), .min = 0, .max = 10, .step = 0.1,
	 .def = "5.0", .arg = "BITS",
	 .help = "mirostat: how surprising the text is to be (tau): 3 = plain, 8 = wild"},
	{"mirostat-lr", NULL, OPTION_FLOAT, SLIDER(mirostat_lr), .min = 0, .max = 1, .step = 0.01,
	 .def = "0.1", .arg = "X",
	 .help = "mirostat: how fast it corrects itself (eta)"},
	{"seed", "s", OPTION_INT64, FIELD(seed), .min = -1, .max = 9007199254740991.0 /* 2^53 - 1 */,
	 .step = 1, .def = "-1", .arg = "N",
	 .help = "seed of the random numbers, set when a reply begins; -1 = a new one each time",
	 .flags = OPTION_LIVE},
};
const size_t sampler_n_options = sizeof sampler_options / sizeof sampler_options[0];

struct sampler_params sampler_params_default(void)
{
	struct sampler_params params;

	option_set_defaults(sampler_options, sampler_n_options, &params);
	return params;
}

bool sampler_params_is_greedy(const struct sampler_params *params)
{
	return params->temp <= 0 && (params->mirostat || !(params->dynatemp_range > 0));
}

bool sampler_params_equal(const struct sampler_params *a, const struct sampler_params *b)
{
	for (size_t i = 0; i < sampler_n_options; i++) {
		const struct option *option = &sampler_options[i];

		if (option->offset != offsetof(struct sampler_params, seed) &&
		    option_number(option, a) != option_number(option, b))
			return false;
	}
	return true;
}
