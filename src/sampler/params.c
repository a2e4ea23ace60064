#include "sampler/params.h"

#include "base/option_value.h"

#define ROW(field) .offset = offsetof(struct sampler_params, field)

/* In the order of the sliders, the most used first (chain.h has the order in which
 * they act). Values outside the ranges make no sense. */
const struct option sampler_options[] = {
	{"temp", "temperature", OPTION_FLOAT, ROW(temp), .min = 0, .max = 5, .step = 0.05,
	 .def = "0.8", .arg = "T", .help = "how freely tokens are chosen; 0 = always the most probable one",
	 .flags = OPTION_LIVE | OPTION_SLIDER},
	{"top-k", NULL, OPTION_INT, ROW(top_k), .min = 0, .max = 100000, .step = 1, .def = "40",
	 .arg = "N", .help = "keep the N most probable tokens; 0 = off",
	 .flags = OPTION_LIVE | OPTION_SLIDER, .also = "-1=0"},
	{"top-p", NULL, OPTION_FLOAT, ROW(top_p), .min = 0, .max = 1, .step = 0.01, .def = "0.95",
	 .arg = "P", .help = "keep the most probable tokens that have the probability P together; 1 = off",
	 .flags = OPTION_LIVE | OPTION_SLIDER, .off = "1"},
	{"min-p", NULL, OPTION_FLOAT, ROW(min_p), .min = 0, .max = 1, .step = 0.01, .def = "0.05",
	 .arg = "P", .help = "drop tokens less probable than P times the best one; 0 = off",
	 .flags = OPTION_LIVE | OPTION_SLIDER},
	{"typical", "typical-p", OPTION_FLOAT, ROW(typical), .min = 0, .max = 1, .step = 0.01,
	 .def = "1.0", .arg = "P",
	 .help = "keep the tokens that are about as surprising as can be expected, of the probability P together; 1 = off",
	 .flags = OPTION_LIVE | OPTION_SLIDER, .off = "1"},
	{"top-nsigma", "top-n-sigma", OPTION_FLOAT, ROW(top_n_sigma), .min = -1, .max = 5, .step = 0.1,
	 .def = "-1.0", .arg = "N",
	 .help = "drop logits more than N standard deviations below the best one; -1 = off",
	 .flags = OPTION_LIVE | OPTION_SLIDER, .off = "-1"},
	{"xtc-probability", NULL, OPTION_FLOAT, ROW(xtc_probability), .min = 0, .max = 1, .step = 0.05,
	 .def = "0.0", .arg = "P",
	 .help = "XTC: how often all of the likeliest tokens but the last are left out; 0 = off",
	 .flags = OPTION_LIVE | OPTION_SLIDER},
	{"xtc-threshold", NULL, OPTION_FLOAT, ROW(xtc_threshold), .min = 0, .max = 1, .step = 0.01,
	 .def = "0.1", .arg = "P",
	 .help = "XTC: from which probability a token is among the likeliest; above 0.5 = off",
	 .flags = OPTION_LIVE | OPTION_SLIDER, .off = "1"},
	{"repeat-penalty", NULL, OPTION_FLOAT, ROW(repeat_penalty), .min = 0.5, .max = 2,
	 .step = 0.01, .def = "1.0", .arg = "X",
	 .help = "make recent tokens less probable: divide their logits by this; 1 = off",
	 .flags = OPTION_LIVE | OPTION_SLIDER, .off = "1"},
	{"repeat-last-n", NULL, OPTION_INT, ROW(repeat_last_n), .min = -1, .max = 65536, .step = 8,
	 .def = "64", .arg = "N",
	 .help = "tokens the penalties look back at; 0 = off, -1 = the whole context",
	 .flags = OPTION_LIVE | OPTION_SLIDER},
	{"presence-penalty", NULL, OPTION_FLOAT, ROW(presence_penalty), .min = -2, .max = 2,
	 .step = 0.05, .def = "0.0", .arg = "X",
	 .help = "make recent tokens less probable: subtract this from their logits; 0 = off",
	 .flags = OPTION_LIVE | OPTION_SLIDER},
	{"frequency-penalty", NULL, OPTION_FLOAT, ROW(frequency_penalty), .min = -2, .max = 2,
	 .step = 0.05, .def = "0.0", .arg = "X",
	 .help = "subtract this from a token's logit for each recent use; 0 = off",
	 .flags = OPTION_LIVE | OPTION_SLIDER},
	{"dry-multiplier", NULL, OPTION_FLOAT, ROW(dry_multiplier), .min = 0, .max = 5, .step = 0.05,
	 .def = "0.0", .arg = "X",
	 .help = "DRY: subtract this from what would continue a repetition; 0 = off, 0.8 is common",
	 .flags = OPTION_LIVE | OPTION_SLIDER},
	{"dry-base", NULL, OPTION_FLOAT, ROW(dry_base), .min = 1, .max = 8, .step = 0.05,
	 .def = "1.75", .arg = "X",
	 .help = "DRY: times this for each token that is repeated beyond dry-allowed-length",
	 .flags = OPTION_LIVE | OPTION_SLIDER, .off = "1"},
	{"dry-allowed-length", NULL, OPTION_INT, ROW(dry_allowed_length), .min = 0, .max = 1000,
	 .step = 1, .def = "2", .arg = "N",
	 .help = "DRY: repetitions of fewer tokens than this are free",
	 .flags = OPTION_LIVE | OPTION_SLIDER},
	{"dry-penalty-last-n", NULL, OPTION_INT, ROW(dry_penalty_last_n), .min = -1, .max = 65536,
	 .step = 8, .def = "64", .arg = "N",
	 .help = "DRY: tokens to look back at; 0 = off, -1 = the whole context",
	 .flags = OPTION_LIVE | OPTION_SLIDER},
	{"dynatemp-range", NULL, OPTION_FLOAT, ROW(dynatemp_range), .min = 0, .max = 5, .step = 0.05,
	 .def = "0.0", .arg = "X",
	 .help = "let the temperature move between temp - X, where the model is sure of the next token, and temp + X, "
	         "where many fit: exact where it matters, varied where it may be; 0 = off",
	 .flags = OPTION_LIVE | OPTION_SLIDER},
	{"dynatemp-exp", NULL, OPTION_FLOAT, ROW(dynatemp_exp), .min = 0, .max = 10, .step = 0.1,
	 .def = "1.0", .arg = "X",
	 .help = "how late dynatemp-range raises the temperature as the model gets less sure; 1 = evenly",
	 .flags = OPTION_LIVE | OPTION_SLIDER, .off = "1"},
	{"mirostat", NULL, OPTION_INT, ROW(mirostat), .min = 0, .max = 2, .step = 1, .def = "0",
	 .arg = "0|1|2",
	 .help = "keep the text equally surprising all along, neither repeating nor falling apart, in place of "
	         "penalties and filters: method 1 or 2; 0 = off",
	 .flags = OPTION_LIVE | OPTION_SLIDER},
	{"mirostat-ent", NULL, OPTION_FLOAT, ROW(mirostat_ent), .min = 0, .max = 10, .step = 0.1,
	 .def = "5.0", .arg = "BITS", 
	 .help = "mirostat: how surprising the text is to be (tau): 3 = plain, 8 = wild",
	 .flags = OPTION_LIVE | OPTION_SLIDER},
	{"mirostat-lr", NULL, OPTION_FLOAT, ROW(mirostat_lr), .min = 0, .max = 1, .step = 0.01,
	 .def = "0.1", .arg = "X", 
	 .help = "mirostat: how fast it corrects itself (eta)",
	 .flags = OPTION_LIVE | OPTION_SLIDER},
	{"seed", "s", OPTION_INT64, ROW(seed), .min = -1, .max = 9007199254740991.0 /* 2^53 - 1 */,
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
