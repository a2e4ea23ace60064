/* config.json, as families ask it. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "checkpoint/family.h"

enum { PATH_MAX_LEN = 160, NAME_MAX_LEN = 64 };

/* The next of some names with spaces between. */
static bool next_name(const char **names, char out[NAME_MAX_LEN])
{
	size_t n = strcspn(*names, " ");

	if (n == 0 || n >= NAME_MAX_LEN)
		return false;
	memcpy(out, *names, n);
	out[n] = '\0';
	*names += n + strspn(*names + n, " ");
	return true;
}

/* As config_find, but also null. */
static const struct setting *find_any(const struct conversion *c, const char *names)
{
	char name[NAME_MAX_LEN];
	const struct setting *setting = NULL;

	while (!setting && next_name(&names, name))
		setting = settings_tree_get(c->config, name);
	return setting;
}

/* Whether config.json says by null that it has none, which no default replaces. */
static bool is_null(const struct conversion *c, const char *names)
{
	const struct setting *setting = find_any(c, names);

	return setting && setting->kind == SETTING_NULL;
}

const struct setting *config_find(const struct conversion *c, const char *names)
{
	const struct setting *setting = find_any(c, names);

	return setting && setting->kind != SETTING_NULL ? setting : NULL;
}

/* A default of one of the names; noted once. */
static bool find_default(struct conversion *c, const char *names, double *out)
{
	char name[NAME_MAX_LEN], note[128];

	if (is_null(c, names))
		return false;
	while (next_name(&names, name))
		for (const struct config_default *d = c->family->defaults; d && d->name; d++)
			if (strcmp(d->name, name) == 0) {
				*out = d->number;
				snprintf(note, sizeof note, "config.json has no %s: taken as %.10g", name, d->number);
				if (!strstr(buf_text(&c->notes), note))
					conversion_note(c, "%s", note);
				return true;
			}
	return false;
}

static bool number_of(struct conversion *c, const struct setting *setting, double *out)
{
	if (setting->kind != SETTING_INT && setting->kind != SETTING_FLOAT)
		return conversion_fail(c, STATUS_FORMAT, "config.json: %s is no number", setting->path);
	*out = setting->number;
	return true;
}

/* Whole and in range. */
static uint32_t whole(struct conversion *c, const char *names, double number)
{
	const struct setting *setting = find_any(c, names);
	const char *name = setting ? setting->path : names;

	if (number >= 0 && number <= UINT32_MAX && floor(number) == number)
		return (uint32_t)number;
	conversion_fail(c, STATUS_FORMAT, "config.json: %.*s is %.10g, expected a whole number below 2^32",
	                (int)strcspn(name, " "), name, number);
	return 0;
}

uint32_t config_cut(struct conversion *c, const char *what, double number)
{
	if (number > -1 && number <= UINT32_MAX)
		return (uint32_t)number;
	conversion_fail(c, STATUS_FORMAT, "config.json gives a %s of %.10g", what, number);
	return 0;
}

bool config_number(struct conversion *c, const char *names, double *out)
{
	const struct setting *setting = config_find(c, names);

	return setting ? number_of(c, setting, out) : find_default(c, names, out);
}

bool config_u32(struct conversion *c, const char *names, uint32_t *out)
{
	double number;

	if (!config_number(c, names, &number))
		return false;
	*out = whole(c, names, number);
	return !c->err.status;
}

double config_needed(struct conversion *c, const char *names)
{
	double number = 0;

	if (!config_number(c, names, &number))
		conversion_fail(c, STATUS_FORMAT, "config.json: %.*s is %s, expected a number", (int)strcspn(names, " "), names,
		                is_null(c, names) ? "null" : "missing");
	return number;
}

uint32_t config_needed_u32(struct conversion *c, const char *names)
{
	return whole(c, names, config_needed(c, names));
}

uint32_t config_n_head_kv(struct conversion *c)
{
	uint32_t n = 0;
	double number;

	if (config_number(c, "num_key_value_heads n_kv_heads", &number))
		return whole(c, "num_key_value_heads n_kv_heads", number);
	if (config_u32(c, "num_attention_heads n_head n_heads", &n) &&
	    !strstr(buf_text(&c->notes), "no num_key_value_heads"))
		conversion_note(c, "config.json has no num_key_value_heads: taken as %" PRIu32, n);
	return n;
}

uint32_t config_n_layer(struct conversion *c)
{
	uint32_t n = 0;

	if (!config_u32(c, "n_layers num_hidden_layers n_layer num_layers", &n))
		conversion_fail(c, STATUS_FORMAT, "config.json: num_hidden_layers is missing");
	if (n >= 1 && n <= FAMILY_MAX_LAYERS)
		return n;
	conversion_fail(c, STATUS_FORMAT, "config.json: num_hidden_layers is %" PRIu32 ", expected 1 to %d", n,
	                FAMILY_MAX_LAYERS);
	return 0;
}

bool config_layer_is(const struct conversion *c, uint32_t layer, const char *type)
{
	char path[NAME_MAX_LEN];

	snprintf(path, sizeof path, "layer_types.%" PRIu32, layer);
	return strcmp(settings_tree_text(c->config, path, ""), type) == 0;
}

/* ---- positions ---- */

/* Where it stands; NULL: nowhere. An empty or null "rope_parameters" hides "rope_scaling". */
static const char *rope_base(const struct conversion *c)
{
	static const char *const names[] = {"rope_parameters", "rope_scaling"};

	for (size_t i = 0; i < 2; i++) {
		const struct setting *setting = settings_tree_get(c->config, names[i]);

		if (setting)
			return setting->kind == SETTING_OBJECT ? names[i] : NULL;
	}
	return NULL;
}

static const struct setting *rope_get(const struct conversion *c, const char *kind, const char *item)
{
	const char *base = rope_base(c);
	char path[PATH_MAX_LEN];

	if (!base)
		return NULL;
	snprintf(path, sizeof path, "%s%s%s%s%s", base, *kind ? "." : "", kind, *item ? "." : "", item);
	return settings_tree_get(c->config, path);
}

static bool is_by_kind(const struct conversion *c)
{
	return rope_get(c, "full_attention", "") || rope_get(c, "sliding_attention", "");
}

static const struct setting *unless_null(const struct setting *setting)
{
	return setting && setting->kind != SETTING_NULL ? setting : NULL;
}

/* What older files say beside it. */
static const struct setting *rope_beside(const struct conversion *c, const char *item)
{
	static const struct {
		const char *item, *names;
	} beside[] = {
		{"rope_theta", "global_rope_theta rope_global_theta rope_theta_global rope_theta rotary_emb_base"},
		{"partial_rotary_factor", "partial_rotary_factor rope_pct rope_percent"},
		{"original_max_position_embeddings", "original_max_position_embeddings"},
	};

	for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++)
		if (strcmp(beside[i].item, item) == 0)
			return config_find(c, beside[i].names);
	return strcmp(item, "rope_type") == 0 ? unless_null(rope_get(c, "", "type")) : NULL;
}

const struct setting *rope_find_common(const struct conversion *c, const char *item)
{
	const struct setting *setting = rope_get(c, "", item);

	return setting || is_by_kind(c) ? unless_null(setting) : rope_beside(c, item);
}

const struct setting *rope_find(const struct conversion *c, const char *item)
{
	return rope_get(c, "full_attention", "") ? unless_null(rope_get(c, "full_attention", item))
	                                         : rope_find_common(c, item);
}

const struct setting *rope_find_sliding_theta(const struct conversion *c)
{
	if (is_by_kind(c))
		return unless_null(rope_get(c, "sliding_attention", "rope_theta"));
	return config_find(c, "local_rope_theta rope_local_theta rope_theta_local swa_rope_theta rope_local_base_freq");
}

double rope_number_common(struct conversion *c, const char *item, double def)
{
	const struct setting *setting = rope_find_common(c, item);

	if (setting)
		number_of(c, setting, &def);
	return def;
}

double rope_number(struct conversion *c, const char *item, double def)
{
	const struct setting *setting = rope_find(c, item);

	if (setting)
		number_of(c, setting, &def);
	return def;
}

const char *rope_type(const struct conversion *c)
{
	const struct setting *setting = rope_find(c, "rope_type");

	return setting && setting->kind == SETTING_STRING ? setting->text : "";
}
