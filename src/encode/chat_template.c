#include "encode/chat_template.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/nearest.h"
#include "base/sys.h"
#include "base/utf8.h"
#include "encode/builtin_templates.h"

#define OWN_KEY "tokenizer.chat_template"
#define VARIANTS_KEY "tokenizer.chat_templates"

enum { VARIANT_NAME_MAX = 48 };

/* A template that may be used. */
struct choice {
	char name[64];
	const char *text; /* borrowed */
	size_t len;
	const struct builtin_template *builtin; /* NULL: not a built-in one */
	const char *origin; /* named in its errors, before the line */
};

static const char *const no_stops[] = {NULL};

/* Adds a sentence to the note: its three parts. */
static void add_note(struct chat_template *tmpl, const char *a, const char *b, const char *c)
{
	size_t len = strlen(tmpl->note);

	snprintf(tmpl->note + len, sizeof tmpl->note - len, "%s%s%s%s", len ? "; " : "", a, b, c);
}

/* ---- where templates come from ---- */

static void choose_builtin(struct choice *choice, const struct builtin_template *builtin)
{
	*choice = (struct choice){.text = builtin->text, .len = strlen(builtin->text),
	                          .builtin = builtin, .origin = "chat template"};
	snprintf(choice->name, sizeof choice->name, "%s", builtin->name);
}

static bool choose_key(struct choice *choice, const struct gguf *gguf, const char *key)
{
	struct gguf_string text;

	if (gguf_get_string(gguf, key, &text, NULL) || text.len == 0)
		return false;
	choice->text = text.data;
	choice->len = text.len;
	return true;
}

static bool choose_variant(struct choice *choice, const struct gguf *gguf, const char *name)
{
	char key[sizeof OWN_KEY + 1 + VARIANT_NAME_MAX];

	if (!gguf || strlen(name) > VARIANT_NAME_MAX)
		return false;
	*choice = (struct choice){.origin = "chat template"};
	snprintf(choice->name, sizeof choice->name, "model's %s", name);
	snprintf(key, sizeof key, OWN_KEY ".%s", name);
	return choose_key(choice, gguf, key);
}

/* The name of the model's variant `index`; false if there are fewer. */
static bool variant_name(const struct gguf *gguf, size_t index, char out[VARIANT_NAME_MAX + 1])
{
	struct gguf_array names;
	struct gguf_string name;

	if (!gguf || gguf_get_array(gguf, VARIANTS_KEY, GGUF_STRING, &names, NULL) ||
	    index >= names.n)
		return false;
	name = gguf_array_string(&names, index);
	snprintf(out, VARIANT_NAME_MAX + 1, "%.*s", name.len < VARIANT_NAME_MAX ? (int)name.len : 0,
	         name.data);
	return true;
}

static bool choose_own(struct choice *choice, const struct gguf *gguf)
{
	char name[VARIANT_NAME_MAX + 1];

	*choice = (struct choice){.name = TEMPLATE_OWN, .origin = "chat template"};
	if (!gguf)
		return false;
	return choose_key(choice, gguf, OWN_KEY) || choose_variant(choice, gguf, "default") ||
	       (variant_name(gguf, 0, name) && choose_variant(choice, gguf, name));
}

static enum status no_such_template(const struct gguf *gguf, const char *name, struct error *err)
{
	char variants[8][VARIANT_NAME_MAX + 1];
	struct nearest nearest;

	nearest_init(&nearest, name, strlen(name));
	for (size_t i = 0; i < builtin_n_templates; i++)
		nearest_offer(&nearest, builtin_templates[i].name);
	for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++)
		if (variant_name(gguf, i, variants[i]))
			nearest_offer(&nearest, variants[i]);
	return error_set(err, STATUS_USAGE, "there is no chat template '%.100s'%s", name, nearest_hint(&nearest));
}

/* Reads a file to *data, which the caller frees. */
static enum status choose_file(struct choice *choice, const struct gguf *gguf, const char *path,
                               char **data, struct error *err)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
	struct error cause;
	size_t len, mark;
	enum status status = sys_read_file(path, LIMIT_JINJA_TEMPLATE, data, &len, &cause);

	if (status == STATUS_NOTFOUND && !slash && (!dot || strcmp(dot, ".jinja") != 0))
		return no_such_template(gguf, path, err);
	if (status) /* the option is wrong, not the model */
		return error_set(err, status == STATUS_NOMEM ? status : STATUS_USAGE,
		                 "chat-template: %s", cause.text);
	mark = utf8_mark_len(*data, len);
	len -= mark;
	memmove(*data, *data + mark, len);
	*choice = (struct choice){.text = *data, .len = len, .origin = path};
	snprintf(choice->name, sizeof choice->name, "%s", slash ? slash + 1 : path);
	return STATUS_OK;
}

static enum status choose_named(struct choice *choice, const struct gguf *gguf, const char *name,
                                char **data, struct error *err)
{
	const struct builtin_template *builtin = builtin_template_find(name);

	if (builtin) {
		choose_builtin(choice, builtin);
		return STATUS_OK;
	}
	if (choose_variant(choice, gguf, name))
		return STATUS_OK;
	return choose_file(choice, gguf, name, data, err);
}

enum status chat_template_read(char **text, size_t *len, const char *name,
                               const struct gguf *gguf, struct error *err)
{
	struct choice choice;
	enum status status = STATUS_OK;

	*text = NULL;
	if (name)
		status = choose_named(&choice, gguf, name, text, err);
	else if (!choose_own(&choice, gguf))
		status = error_set(err, STATUS_NOTFOUND, "%s has no chat template: the option chat-template names one",
		                   gguf_path(gguf));
	if (status)
		return status;
	*len = choice.len;
	if (!*text) /* it is borrowed, not read from a file */
		*text = alloc_strndup(choice.text, choice.len);
	return *text ? STATUS_OK : error_no_memory(err, "for the template");
}

/* ---- opening ---- */

static char *token_text(const struct tokenizer *tokenizer, int32_t id)
{
	const char *name;
	size_t len;

	if (id == TOKEN_NONE)
		return NULL;
	name = tokenizer_name(tokenizer, id, &len);
	return alloc_strndup(name, len);
}

/* Parses and probes a template, replacing one tried before. */
static enum status use(struct chat_template *tmpl, const struct choice *choice,
                       const struct tokenizer *tokenizer, struct error *err)
{
	enum status status;

	jinja_free(tmpl->jinja);
	tmpl->jinja = NULL;
	memset(tmpl->lead, 0, sizeof tmpl->lead);
	memset(tmpl->end_marker, 0, sizeof tmpl->end_marker);
	tmpl->end_id = TOKEN_NONE;
	snprintf(tmpl->name, sizeof tmpl->name, "%s", choice->name);
	tmpl->source_len = choice->len;
	tmpl->source_hash = hash_more(HASH_BEGIN, choice->text, choice->len);
	tmpl->stops = choice->builtin ? choice->builtin->stops : no_stops;
	tmpl->reasoning = reasoning_find(choice->text, choice->len);
	tmpl->knows_reasoning = tmpl->reasoning != NULL;
	if (!tmpl->reasoning && tokenizer)
		tmpl->reasoning = reasoning_default(tokenizer);
	status = jinja_parse(&tmpl->jinja, choice->origin, choice->text, choice->len,
	                     &jinja_limits_default, err);
	if (!status)
		status = chat_template_probe(tmpl, tokenizer, err);
	tmpl->knows_reasoning |= tmpl->can.reasoning;
	return status;
}

/* Uses the model's own template, or one that fits it. */
static enum status use_default(struct chat_template *tmpl, const struct gguf *gguf,
                               const struct tokenizer *tokenizer, struct error *err)
{
	const struct builtin_template *builtin = NULL;
	struct error own_error;
	struct choice choice;
	const char *name;
	bool has_own;
	enum status status;

	has_own = choose_own(&choice, gguf);
	if (has_own) {
		status = use(tmpl, &choice, tokenizer, &own_error);
		if (!status)
			return STATUS_OK;
		if (status == STATUS_NOMEM)
			return error_set(err, status, "%s", own_error.text);
	}
	if (tokenizer)
		builtin = builtin_template_detect(gguf, tokenizer);
	name = builtin ? builtin->name : "plain text";
	if (has_own) {
		error_prefix(&own_error, "%s%s", name, builtin ? " instead" : "");
		add_note(tmpl, "the model's own template cannot be used, so it gets ", own_error.text, "");
	} else {
		add_note(tmpl, "the model has no chat template, so it gets ", name,
		         builtin ? ", which fits its vocabulary" : "");
	}
	if (!builtin)
		builtin = builtin_template_find("plain");
	choose_builtin(&choice, builtin);
	return use(tmpl, &choice, tokenizer, err);
}

/* Uses what the user chose, if it can be parsed at all. */
static enum status use_named(struct chat_template *tmpl, const char *name, const struct gguf *gguf,
                             const struct tokenizer *tokenizer, struct error *err)
{
	struct error cause;
	struct choice choice;
	char *data = NULL;
	enum status status = choose_named(&choice, gguf, name, &data, err);

	if (status)
		return status;
	status = use(tmpl, &choice, tokenizer, &cause);
	free(data);
	if (!status && choice.builtin && tokenizer && builtin_template_lacks(choice.builtin, tokenizer))
		add_note(tmpl, "the model was probably not trained with this template: it has no token ",
		         builtin_template_lacks(choice.builtin, tokenizer), "");
	if (!status)
		return STATUS_OK;
	if (!tmpl->jinja || status == STATUS_NOMEM)
		return error_set(err, status == STATUS_NOMEM ? status : STATUS_USAGE,
		                 "chat-template: %s", cause.text);
	tmpl->fails = true;
	add_note(tmpl, "the template fails: ", cause.text, "");
	return STATUS_OK;
}

/* One that has the special tokens of a vocabulary and no text yet. */
static struct chat_template *create(const struct tokenizer *tokenizer)
{
	struct chat_template *tmpl = alloc_array(1, sizeof *tmpl);

	if (tmpl && tokenizer) {
		tmpl->bos = token_text(tokenizer, tokenizer_bos(tokenizer));
		tmpl->eos = token_text(tokenizer, tokenizer_eos(tokenizer));
		tmpl->unk = token_text(tokenizer, tokenizer_unk(tokenizer));
		tmpl->pad = token_text(tokenizer, tokenizer_pad(tokenizer));
	}
	return tmpl;
}

/* Hands a template over, if it can be used. */
static enum status finish(struct chat_template **out, struct chat_template *tmpl, enum status status)
{
	*out = NULL;
	if (status) {
		chat_template_close(tmpl);
		return status;
	}
	if (!tmpl->can.system && !tmpl->fails)
		add_note(tmpl, "the template does not support system messages: ",
		         "the text goes before the user's message", "");
	*out = tmpl;
	return STATUS_OK;
}

enum status chat_template_open(struct chat_template **out, const char *choice,
                               const struct gguf *gguf, const struct tokenizer *tokenizer,
                               struct error *err)
{
	struct chat_template *tmpl = create(tokenizer);

	*out = NULL;
	if (!tmpl)
		return error_no_memory(err, "for the chat template");
	tmpl->chosen = choice != NULL;
	return finish(out, tmpl, choice ? use_named(tmpl, choice, gguf, tokenizer, err)
	                                : use_default(tmpl, gguf, tokenizer, err));
}

enum status chat_template_open_text(struct chat_template **out, const char *name, const char *text, size_t len,
                                    const struct tokenizer *tokenizer, struct error *err)
{
	struct choice choice = {.text = text, .len = len, .origin = "chat template"};
	struct chat_template *tmpl = create(tokenizer);

	*out = NULL;
	if (!tmpl)
		return error_no_memory(err, "for the chat template");
	snprintf(choice.name, sizeof choice.name, "%s", name);
	return finish(out, tmpl, use(tmpl, &choice, tokenizer, err));
}

void chat_template_close(struct chat_template *tmpl)
{
	if (!tmpl)
		return;
	jinja_free(tmpl->jinja);
	free(tmpl->bos);
	free(tmpl->eos);
	free(tmpl->unk);
	free(tmpl->pad);
	free(tmpl);
}
