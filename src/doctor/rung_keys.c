/* The rung about the plan that was made of the file's keys: the rungs above it check the engine against the plan. */
#include <math.h>
#include <stddef.h>

#include "doctor/rung.h"

/* "ARCH.name"; false where the file has no such number. */
static bool get_number(const struct patient *p, const char *name, double *out)
{
	struct gguf_string arch;
	char key[GGUF_ARCH_KEY_MAX];
	uint32_t number;
	float real;

	if (gguf_get_string(p->gguf, "general.architecture", &arch, NULL))
		return false;
	gguf_arch_key(arch, name, key);
	if (!gguf_get_u32(p->gguf, key, &number, NULL)) {
		*out = (double)number;
		return true;
	}
	if (gguf_get_f32(p->gguf, key, &real, NULL))
		return false;
	*out = (double)real;
	return true;
}

static bool is_same(double a, double b)
{
	return fabs(a - b) <= 1e-6 * fabs(b);
}

/* `cause` and the numbers of the plan and the file. */
static void tell(const struct patient *p, const char *cause, const char *key, double plan, double file,
                 struct diagnosis *out)
{
	diagnose_number(out, plan, "number that is computed with");
	diagnose_finding(out, cause, "It is computed with %.9g; the key '%s' of the file says %.9g.", plan, key, file);
	diagnose_show(out, "sotto info %s", p->params.model);
}

static void check_epsilon(const struct patient *p, struct diagnosis *out)
{
	static const char rms[] = "attention.layer_norm_rms_epsilon", layer[] = "attention.layer_norm_epsilon";
	double of_rms = 0, of_layer = 0, eps = (double)p->plan->norm_eps;
	bool has_rms = get_number(p, rms, &of_rms), has_layer = get_number(p, layer, &of_layer);

	if ((has_rms || has_layer) && !(has_rms && is_same(eps, of_rms)) && !(has_layer && is_same(eps, of_layer)))
		tell(p, "The epsilon of the norms is wrong.", has_rms ? rms : layer, eps, has_rms ? of_rms : of_layer, out);
}

/* One of the rope sets has the file's base, unless the user wants another. */
static void check_base(const struct patient *p, struct diagnosis *out)
{
	double base;
	bool is_there = false;

	if (!p->plan->n_ropes || p->params.rope_freq_base > 0 || !get_number(p, "rope.freq_base", &base))
		return;
	for (size_t i = 0; i < p->plan->n_ropes; i++)
		is_there |= is_same((double)p->plan->ropes[i].base, base);
	if (!is_there)
		tell(p, "The base of the rotation is wrong.", "rope.freq_base", (double)p->plan->ropes[0].base, base, out);
}

/* A number for all layers; some layers may have another one for reasons of their family, but not all of them. */
static void check_layers(const struct patient *p, const char *key, size_t offset, const char *cause, struct diagnosis *out)
{
	double file, found = 0;
	bool is_there = false;

	if (!get_number(p, key, &file) || !(file > 0))
		return;
	for (size_t i = 0; i < p->plan->n_layer; i++) {
		const struct layer_plan *l = &p->plan->layers[i];
		double plan = (double)*(const uint32_t *)(const void *)((const char *)l + offset);

		/* Chunks are of a length that the family says. */
		if (!(plan > 0) || l->latent.key || l->by_chunks)
			continue;
		found = plan;
		is_there |= is_same(plan, file);
	}
	if (found > 0 && !is_there)
		tell(p, cause, key, found, file, out);
}

enum status check_keys(struct patient *p, struct diagnosis *out, struct error *err)
{
	static const struct { const char *key; size_t offset; const char *cause; } numbers[] = {
		{"attention.sliding_window", offsetof(struct layer_plan, window), "The window of attention is off by one or more."},
		{"attention.head_count", offsetof(struct layer_plan, n_head), "The number of heads is wrong."},
		{"attention.head_count_kv", offsetof(struct layer_plan, n_head_kv), "The mapping of heads is wrong."},
		{"expert_used_count", offsetof(struct layer_plan, experts.n_used), "The number of experts is wrong."},
	};

	(void)err;
	diagnose_fine(out, "%s", "");
	check_epsilon(p, out);
	if (out->verdict == VERDICT_FINE)
		check_base(p, out);
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0] && out->verdict == VERDICT_FINE; i++)
		check_layers(p, numbers[i].key, numbers[i].offset, numbers[i].cause, out);
	return STATUS_OK;
}
