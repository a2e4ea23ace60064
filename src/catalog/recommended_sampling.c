#include "catalog/recommended_sampling.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "gguf/reader.h"
#include "sampler/params.h"

static const struct {
	const char *key, *option;
} rows[RECOMMENDED_MAX] = {
	{"general.sampling.temp", "temp"},
	{"general.sampling.top_k", "top-k"},
	{"general.sampling.top_p", "top-p"},
	{"general.sampling.min_p", "min-p"},
	{"general.sampling.penalty_repeat", "repeat-penalty"},
	{"general.sampling.penalty_last_n", "repeat-last-n"},
	{"general.sampling.xtc_probability", "xtc-probability"},
	{"general.sampling.xtc_threshold", "xtc-threshold"},
	{"general.sampling.mirostat", "mirostat"},
	{"general.sampling.mirostat_tau", "mirostat-ent"},
	{"general.sampling.mirostat_eta", "mirostat-lr"},
};

static const struct option *option_named(const char *name)
{
	const struct option *option = sampler_options;

	while (strcmp(option->name, name) != 0)
		option++;
	return option;
}

/* Reads a number of any type. */
static bool read_number(const struct gguf *gguf, const char *key, double *out)
{
	int32_t integer;
	float real;

	if (gguf_get_i32(gguf, key, &integer, NULL) == STATUS_OK)
		*out = integer;
	else if (gguf_get_f32(gguf, key, &real, NULL) == STATUS_OK)
		*out = real;
	else
		return false;
	return !isnan(*out);
}

size_t recommended_sampling_read(const struct gguf *gguf, struct option_text out[RECOMMENDED_MAX])
{
	size_t n = 0;

	for (size_t i = 0; i < RECOMMENDED_MAX; i++) {
		const struct option *option = option_named(rows[i].option);
		double value;

		if (!read_number(gguf, rows[i].key, &value))
			continue;
		value = fmin(fmax(value, option->min), option->max);
		out[n].name = option->name;
		snprintf(out[n].value, sizeof out[n].value, option->type == OPTION_INT ? "%.0f" : "%.6g",
		         value);
		n++;
	}
	return n;
}
