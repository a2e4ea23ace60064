/* Sampling parameters: data only, and the one table that describes them to
 * the configuration, the command line, /set and the sliders.
 * Names and default values are llama.cpp's. */
#ifndef SOTTO_SAMPLER_PARAMS_H
#define SOTTO_SAMPLER_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/option.h"

struct sampler_params {
	float temp;              /* 0 = greedy */
	int32_t top_k;           /* 0 = off */
	float top_p;             /* 1 = off */
	float min_p;             /* 0 = off */
	float typical;           /* 1 = off */
	float top_n_sigma;       /* 0 and less = off */
	float xtc_probability;   /* 0 = off */
	float xtc_threshold;     /* more than 0.5 = off */
	float repeat_penalty;    /* 1 = off */
	int32_t repeat_last_n;   /* tokens looked back at; 0 = off, -1 = whole context */
	float presence_penalty;  /* 0 = off */
	float frequency_penalty; /* 0 = off */
	float dry_multiplier;    /* 0 = off */
	float dry_base;          /* at least 1 */
	int32_t dry_allowed_length; /* tokens that may be repeated as they like */
	int32_t dry_penalty_last_n; /* tokens looked back at; 0 = off, -1 = whole context */
	float dynatemp_range;    /* 0 = off */
	float dynatemp_exp;      /* how the temperature rises with the entropy */
	int32_t mirostat;        /* version: 0 = off, 1, 2 */
	float mirostat_lr;       /* learning rate, eta */
	float mirostat_ent;      /* surprise aimed at in bits, tau */
	int64_t seed;            /* -1 = a new one each turn */
};

extern const struct option sampler_options[];
extern const size_t sampler_n_options;

/* The defaults of the table. */
struct sampler_params sampler_params_default(void);
/* Whether they are the same, seeds aside. */
bool sampler_params_equal(const struct sampler_params *a, const struct sampler_params *b);
/* Whether the most probable token is always taken: temperature 0, and no range around it. */
bool sampler_params_is_greedy(const struct sampler_params *params);

#endif
