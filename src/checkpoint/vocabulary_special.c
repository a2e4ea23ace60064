/* Which tokens begin and end a text, and whether they are added to it: what the reference (gguf-py, SpecialVocab) makes
 * of tokenizer_config.json, the post-processor of tokenizer.json, and config.json, in the order in which it writes it. */
#include "checkpoint/vocabulary_special.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"

enum role { ROLE_BOS, ROLE_EOS, ROLE_UNK, ROLE_SEP, ROLE_PAD, ROLE_CLS, ROLE_MASK, ROLE_EOT, ROLE_EOM, ROLE_COUNT };

static const struct {
	const char *name;    /* NAME_token, add_NAME_token, NAME_token_id */
	const char *id_key;  /* NULL: GGUF has no such key */
	const char *add_key;
} roles[ROLE_COUNT] = {
	[ROLE_BOS] = {"bos", "bos_token_id", "add_bos_token"},
	[ROLE_EOS] = {"eos", "eos_token_id", "add_eos_token"},
	[ROLE_UNK] = {"unk", "unknown_token_id", NULL},
	[ROLE_SEP] = {"sep", "seperator_token_id", "add_sep_token"}, /* the format spells it so */
	[ROLE_PAD] = {"pad", "padding_token_id", NULL},
	[ROLE_CLS] = {"cls", NULL, NULL},
	[ROLE_MASK] = {"mask", "mask_token_id", NULL},
	[ROLE_EOT] = {"eot", "eot_token_id", NULL},
	[ROLE_EOM] = {"eom", "eom_token_id", NULL},
};

/* A token as tokenizer_config.json names it: by a text, or by an object with "content". */
struct named {
	const char *text; /* NULL: none */
	bool is_object;   /* which equals no text, as in the reference */
};

struct special {
	struct conversion *c;
	const struct special_sources *from;
	struct named named[ROLE_COUNT];
	enum role types[ROLE_COUNT]; /* that are looked for, in this order */
	size_t n_types;
	enum role with_id[ROLE_COUNT], with_add[ROLE_COUNT]; /* in the order in which they were found */
	size_t n_with_id, n_with_add;
	uint32_t ids[ROLE_COUNT];
	bool adds[ROLE_COUNT];
};

static bool has_role(const enum role *list, size_t n, enum role role)
{
	for (size_t i = 0; i < n; i++)
		if (list[i] == role)
			return true;
	return false;
}

/* The first id counts. */
static void set_id(struct special *s, enum role role, double id)
{
	if (has_role(s->with_id, s->n_with_id, role))
		return;
	if (id < 0 || id >= (double)s->from->n_vocab) {
		conversion_note(s->c, "the id of the %s token, %.0f, is not one of 0..%zu: left out", roles[role].name, id,
		                s->from->n_vocab - 1);
		return;
	}
	s->ids[role] = (uint32_t)id;
	s->with_id[s->n_with_id++] = role;
}

/* The last value counts, in the place of the first. */
static void set_add(struct special *s, enum role role, bool adds)
{
	s->adds[role] = adds;
	if (!has_role(s->with_add, s->n_with_add, role))
		s->with_add[s->n_with_add++] = role;
}

static struct named read_name(const struct settings_tree *tree, const char *name)
{
	char path[64];
	const struct setting *setting;

	snprintf(path, sizeof path, "%s_token", name);
	setting = settings_tree_get(tree, path);
	if (setting && setting->kind == SETTING_STRING)
		return (struct named){setting->text, false};
	if (!setting || setting->kind != SETTING_OBJECT || setting->number == 0)
		return (struct named){0};
	snprintf(path, sizeof path, "%s_token.content", name);
	return (struct named){settings_tree_text(tree, path, NULL), true};
}

static bool is_set(struct named named)
{
	return named.is_object || (named.text && *named.text);
}

static bool is_text(struct named named, const char *text)
{
	return named.text && !named.is_object && strcmp(named.text, text) == 0;
}

/* The id of item `index` of a template's list, of a token or of a sequence; NULL: it has none. */
static const char *item_id(const struct settings_tree *tree, const char *list, size_t index, const char *kind)
{
	char path[160];
	const char *id;

	snprintf(path, sizeof path, "%s.%zu.%s.id", list, index, kind);
	id = settings_tree_text(tree, path, "");
	return *id ? id : NULL;
}

static size_t n_items(const struct settings_tree *tree, const char *list)
{
	return setting_n_items(settings_tree_get(tree, list));
}

static void take_first(struct special *s, const char *first)
{
	struct named *bos = &s->named[ROLE_BOS], *cls = &s->named[ROLE_CLS];

	if (!s->from->config) {
		*bos = (struct named){first, false};
	} else if (!is_text(*bos, first) && !is_text(*cls, first)) {
		if (!is_set(*bos))
			*bos = (struct named){first, false};
		if (!is_set(*cls))
			*cls = (struct named){first, false};
	}
	set_add(s, ROLE_BOS, is_text(*bos, first) || is_text(*cls, first));
}

/* What ends a text becomes EOS; what was EOS before ends a turn. */
static void take_last(struct special *s, const char *last)
{
	struct named *eos = &s->named[ROLE_EOS];

	if (s->from->config && !is_text(*eos, last)) {
		enum role role = has_role(s->types, s->n_types, ROLE_EOT) ? ROLE_EOM : ROLE_EOT;

		if (!has_role(s->types, s->n_types, role)) {
			s->types[s->n_types++] = role;
			s->named[role] = *eos;
		}
	}
	*eos = (struct named){last, false};
	set_add(s, ROLE_EOS, true);
}

/* Whether a separator stands between two texts: A, one or two tokens, B. */
static void take_pair(struct special *s, const struct settings_tree *tree, const char *list, const char *first,
                      const char *last)
{
	size_t from = 0, to = n_items(tree, list);
	const char *id, *a, *b;
	struct named *sep = &s->named[ROLE_SEP], *eos = &s->named[ROLE_EOS];
	bool adds = false;

	if (to && first && (id = item_id(tree, list, 0, "SpecialToken")) && strcmp(id, first) == 0)
		from++;
	if (to && last && (id = item_id(tree, list, to - 1, "SpecialToken")) && strcmp(id, last) == 0)
		to--;
	if (to < from + 3)
		return;
	a = item_id(tree, list, from, "Sequence");
	b = item_id(tree, list, to - 1, "Sequence");
	if (!a || !b || strcmp(a, "A") != 0 || strcmp(b, "B") != 0)
		return;
	id = item_id(tree, list, from + 1, "SpecialToken");
	if (id && (is_text(*sep, id) || is_text(*eos, id)) && !last)
		adds = true;
	id = to - from == 4 ? item_id(tree, list, from + 2, "SpecialToken") : NULL;
	if (id && (is_text(*sep, id) || is_text(*eos, id)))
		adds = true;
	set_add(s, ROLE_SEP, adds);
	if (adds && !is_set(*sep) && s->from->config)
		*sep = *eos;
}

/* ["</s>", 2]: a token that the post-processor names where tokenizer_config.json names none. */
static void name_by_pair(struct special *s, const struct settings_tree *tree, const char *prefix, enum role role,
                         enum role other)
{
	char path[64];
	const char *text;

	if (is_set(s->named[role]) || !s->from->config)
		return;
	snprintf(path, sizeof path, "%s%s.0", prefix, roles[role].name);
	text = settings_tree_text(tree, path, NULL);
	s->named[role] = text ? (struct named){text, false} : s->named[other];
}

static void take_roberta(struct special *s, const struct settings_tree *tree, const char *prefix)
{
	set_add(s, ROLE_BOS, true);
	set_add(s, ROLE_EOS, true);
	set_add(s, ROLE_SEP, true);
	name_by_pair(s, tree, prefix, ROLE_CLS, ROLE_BOS);
	name_by_pair(s, tree, prefix, ROLE_SEP, ROLE_EOS);
}

/* `prefix`: of the processor's paths, "" or "processors.0." */
static void take_processor(struct special *s, const struct settings_tree *tree, const char *prefix)
{
	char path[64];
	const char *first = NULL, *last = NULL, *type;
	size_t n;

	snprintf(path, sizeof path, "%stype", prefix);
	type = settings_tree_text(tree, path, "");
	if (strcmp(type, "RobertaProcessing") == 0)
		take_roberta(s, tree, prefix);
	if (strcmp(type, "TemplateProcessing") != 0)
		return;
	snprintf(path, sizeof path, "%ssingle", prefix);
	n = n_items(tree, path);
	if (n > 1 && (first = item_id(tree, path, 0, "SpecialToken")))
		take_first(s, first);
	if (n > 1 && (last = item_id(tree, path, n - 1, "SpecialToken")))
		take_last(s, last);
	snprintf(path, sizeof path, "%spair", prefix);
	take_pair(s, tree, path, first, last);
}

static void take_post_processor(struct special *s)
{
	const struct settings_tree *tree = s->from->post_processor;
	size_t n = n_items(tree, "processors");

	if (!settings_tree_get(tree, "processors"))
		take_processor(s, tree, "");
	for (size_t i = 0; i < n; i++) {
		char prefix[48];

		snprintf(prefix, sizeof prefix, "processors.%zu.", i);
		take_processor(s, tree, prefix);
	}
}

static void take_tokenizer(struct special *s)
{
	if (!is_set(s->named[ROLE_BOS]) && is_set(s->named[ROLE_CLS]))
		s->named[ROLE_BOS] = s->named[ROLE_CLS];
	if (!is_set(s->named[ROLE_EOS]) && is_set(s->named[ROLE_SEP]))
		s->named[ROLE_EOS] = s->named[ROLE_SEP];
	if (s->from->post_processor)
		take_post_processor(s);
}

/* The id that tokenizer.json gives an added token of this text. */
static void look_up(struct special *s, enum role role)
{
	const struct vocabulary *v = s->from->tokenizer;
	const char *text = s->named[role].text;
	size_t len = text ? strlen(text) : 0;

	for (size_t i = 0; text && v && i < v->n_added; i++) {
		if (v->added[i].len == len && memcmp(buf_text(&v->text) + v->added[i].start, text, len) == 0) {
			set_id(s, role, v->added[i].id);
			return;
		}
	}
}

static void take_config(struct special *s)
{
	for (size_t i = 0; i < s->n_types; i++) {
		enum role role = s->types[i];
		char path[64];
		const struct setting *adds;

		snprintf(path, sizeof path, "add_%s_token", roles[role].name);
		adds = settings_tree_get(s->from->config, path);
		if (adds && adds->kind == SETTING_BOOL)
			set_add(s, role, adds->number != 0);
		look_up(s, role);
	}
}

static const struct setting *model_setting(const struct special *s, const char *name)
{
	const struct setting *setting = settings_tree_get(s->from->model, name);
	char path[80];

	if (setting && setting->kind != SETTING_NULL)
		return setting;
	snprintf(path, sizeof path, "text_config.%s", name);
	return settings_tree_get(s->from->model, path);
}

static void take_model_config(struct special *s)
{
	for (size_t i = 0; i < s->n_types; i++) {
		enum role role = s->types[i];
		char name[64];
		const struct setting *id;

		snprintf(name, sizeof name, "%s_token_id", roles[role].name);
		id = model_setting(s, name);
		if (id && id->kind == SETTING_INT)
			set_id(s, role, id->number);
	}
}

/* Several tokens end a turn, and nothing else says which of them is EOS: the first. The reference takes none, and an
 * engine then guesses. */
static void take_list(struct special *s)
{
	const struct setting *list = model_setting(s, "eos_token_id"), *id;

	if (!list || list->kind != SETTING_ARRAY || has_role(s->with_id, s->n_with_id, ROLE_EOS))
		return;
	id = settings_tree_get(s->from->model, "eos_token_id.0");
	id = id ? id : settings_tree_get(s->from->model, "text_config.eos_token_id.0");
	if (id && id->kind == SETTING_INT)
		set_id(s, ROLE_EOS, id->number);
}

void special_read(struct special_found *found, struct conversion *c, const struct special_sources *from)
{
	struct special s = {.c = c, .from = from};

	for (s.n_types = 0; s.n_types <= ROLE_MASK; s.n_types++) {
		s.types[s.n_types] = (enum role)s.n_types;
		if (from->config)
			s.named[s.n_types] = read_name(from->config, roles[s.n_types].name);
	}
	if (from->tokenizer)
		take_tokenizer(&s);
	if (from->config)
		take_config(&s);
	if (from->model) {
		take_model_config(&s);
		take_list(&s);
	}
	*found = (struct special_found){0};
	for (size_t i = 0; i < s.n_with_id; i++)
		if (roles[s.with_id[i]].id_key)
			found->ids[found->n_ids++] = (struct special_id){roles[s.with_id[i]].id_key, s.ids[s.with_id[i]]};
	for (size_t i = 0; i < s.n_with_add; i++)
		if (roles[s.with_add[i]].add_key)
			found->adds[found->n_adds++] = (struct special_add){roles[s.with_add[i]].add_key, s.adds[s.with_add[i]]};
}
