#include "sampler/order.h"

#include <string.h>

#include "sampler/filters.h"

enum { NAME_MAX_LEN = 31 };

/* Names besides the filters' own, and other names that llama.cpp takes. */
static const struct {
	const char *name, *step; /* `step`: another name of the same */
} names[] = {
	{"penalties", NULL}, {"dry", NULL}, {"temperature", NULL}, /* in the order of the steps */
	{"temp", "temperature"}, {"typ", "typp"}, {"typical", "typp"}, {"nucleus", "topp"},
};
enum { N_NAMES = sizeof names / sizeof names[0] };

struct sampler_order sampler_order_default(void)
{
	struct sampler_order order = {.steps = {STEP_PENALTIES, STEP_DRY}, .n = 2};

	for (size_t f = 0; f < sampler_n_filters; f++)
		order.steps[order.n++] = STEP_FILTER + (unsigned)f;
	order.steps[order.n++] = STEP_TEMPERATURE;
	return order;
}

/* Without '-', '_' and blanks, in small letters; cut. */
static void simplify(const char *text, size_t len, char out[NAME_MAX_LEN + 1])
{
	size_t n = 0;

	for (size_t i = 0; i < len && n < NAME_MAX_LEN; i++) {
		char c = text[i];

		if (c != '-' && c != '_' && c != ' ')
			out[n++] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
	}
	out[n] = '\0';
}

static bool find_step(const char *name, unsigned *step)
{
	char other[NAME_MAX_LEN + 1];

	for (size_t i = 0; i < N_NAMES; i++)
		if (strcmp(names[i].name, name) == 0) {
			if (names[i].step)
				return find_step(names[i].step, step);
			*step = STEP_PENALTIES + (unsigned)i;
			return true;
		}
	for (size_t f = 0; f < sampler_n_filters; f++) {
		simplify(sampler_filters[f].step, strlen(sampler_filters[f].step), other);
		if (strcmp(other, name) == 0) {
			*step = STEP_FILTER + (unsigned)f;
			return true;
		}
	}
	return false;
}

enum status sampler_order_parse(struct sampler_order *out, const char *text, struct error *err)
{
	*out = (struct sampler_order){.n = 0};
	while (*text) {
		size_t len = strcspn(text, ";");
		char name[NAME_MAX_LEN + 1];

		simplify(text, len, name);
		if (name[0] && out->n == SAMPLER_STEPS_MAX)
			return error_set(err, STATUS_USAGE, "more than %d samplers", SAMPLER_STEPS_MAX);
		if (name[0] && !find_step(name, &out->steps[out->n++]))
			return error_set(err, STATUS_USAGE, "unknown sampler '%.*s'; known: penalties;dry;"
			                 "top_n_sigma;top_k;typ_p;top_p;min_p;xtc;temperature",
			                 len < 60 ? (int)len : 60, text);
		text += len + (text[len] == ';');
	}
	return STATUS_OK;
}

bool sampler_order_has(const struct sampler_order *order, enum sampler_step step)
{
	for (size_t i = 0; i < order->n; i++)
		if (order->steps[i] == step)
			return true;
	return false;
}
