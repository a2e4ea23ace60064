/* Chat templates: those in tokenizer_config.json, else chat_template.jinja with additional_chat_templates beside it,
 * else chat_template.json, as the reference takes them. */
#include "checkpoint/vocabulary_template.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "gguf/types.h"

#define KEY "tokenizer.chat_template"

enum { TEMPLATES_MAX = 64, NAME_MAX_LEN = 100 };

struct named_template {
	char name[NAME_MAX_LEN + 1];
	char *text; /* owned */
	size_t len;
};

struct templates {
	struct conversion *c;
	struct named_template items[TEMPLATES_MAX];
	size_t n;
	bool is_list; /* several, with names; else items[0] alone, without */
};

/* Keys have letters and digits; all else becomes '_', a byte of UTF-8 that begins a character as well. */
static void set_name(struct named_template *item, const char *name, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len && n < NAME_MAX_LEN; i++) {
		char c = name[i];
		bool is_plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');

		if (((unsigned char)c & 0xc0) != 0x80)
			item->name[n++] = is_plain ? c : '_';
	}
	item->name[n] = '\0';
}

static void add(struct templates *t, const char *name, const char *text, size_t len)
{
	struct named_template *item = &t->items[t->n];

	if (len == 0) /* says nothing: as if there were none */
		return;
	if (t->n == TEMPLATES_MAX) {
		conversion_note(t->c, "more than %d chat templates: the others are left out", TEMPLATES_MAX);
		return;
	}
	if (len > LIMIT_JINJA_TEMPLATE) {
		conversion_note(t->c, "the chat template '%.60s' has %zu bytes, more than %zu: left out", name, len,
		                LIMIT_JINJA_TEMPLATE);
		return;
	}
	*item = (struct named_template){.text = alloc_strndup(text, len), .len = len};
	set_name(item, name, strlen(name));
	if (item->text)
		t->n++;
	else
		conversion_fail(t->c, STATUS_NOMEM, "not enough memory for the chat template");
}

/* Lines end in one newline, as Python reads a file. */
static size_t unify_lines(char *text, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		if (text[i] == '\r' && i + 1 < len && text[i + 1] == '\n')
			continue;
		text[n++] = text[i];
		if (text[i] == '\r')
			text[n - 1] = '\n';
	}
	return n;
}

static void add_file(struct templates *t, const char *file, const char *name)
{
	struct error err = {0};
	char *text = NULL;
	size_t len = 0;
	enum status status = checkpoint_file(t->c->from, file, LIMIT_JINJA_TEMPLATE, &text, &len, &err);

	if (!status)
		add(t, name, text, unify_lines(text, len));
	else if (status != STATUS_NOTFOUND)
		conversion_fail(t->c, status, "%s", err.text);
	free(text);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_jinja(const char *name)
{
	size_t len = strlen(name);

	return len > 6 && strcmp(name + len - 6, ".jinja") == 0 && *name != '.';
}

/* additional_chat_templates/NAME.jinja, by name. */
static void add_folder(struct templates *t)
{
	static const char folder[] = "additional_chat_templates";
	char path[4096], *names[TEMPLATES_MAX];
	size_t n = 0;
	DIR *dir;

	snprintf(path, sizeof path, "%s/%s", checkpoint_folder(t->c->from), folder);
	dir = opendir(path);
	for (struct dirent *entry; dir && n < TEMPLATES_MAX && (entry = readdir(dir));)
		if (is_jinja(entry->d_name) && (names[n] = alloc_strndup(entry->d_name, strlen(entry->d_name))))
			n++;
	if (dir)
		closedir(dir);
	qsort(names, n, sizeof names[0], compare_names);
	if (n)
		t->is_list = true;
	for (size_t i = 0; i < n; i++) {
		snprintf(path, sizeof path, "%s/%s", folder, names[i]);
		names[i][strlen(names[i]) - strlen(".jinja")] = '\0';
		add_file(t, path, names[i]);
		free(names[i]);
	}
}

/* What a JSON file has: a text, or a list of {"name", "template"}. */
static void add_setting(struct templates *t, const struct settings_tree *tree)
{
	const struct setting *setting = settings_tree_get(tree, "chat_template");

	if (setting && setting->kind == SETTING_STRING) {
		add(t, "default", setting->text, setting->len);
		return;
	}
	if (setting && setting->kind != SETTING_ARRAY && setting->kind != SETTING_NULL)
		conversion_note(t->c, "chat_template is neither a text nor a list: left out");
	if (!setting || setting->kind != SETTING_ARRAY)
		return;
	t->is_list = true;
	for (size_t i = 0; i < setting_n_items(setting); i++) {
		char path[64];
		const char *name;
		const struct setting *text;

		snprintf(path, sizeof path, "chat_template.%zu.name", i);
		name = settings_tree_text(tree, path, "");
		snprintf(path, sizeof path, "chat_template.%zu.template", i);
		text = settings_tree_get(tree, path);
		if (*name && text && text->kind == SETTING_STRING)
			add(t, name, text->text, text->len);
	}
}

static void add_json_file(struct templates *t)
{
	struct settings_tree *tree = NULL;
	struct error err = {0};
	char *text = NULL;
	size_t len = 0;
	enum status status = checkpoint_file(t->c->from, "chat_template.json", 2 * LIMIT_JINJA_TEMPLATE, &text, &len, &err);

	if (!status)
		status = settings_tree_parse(&tree, "chat_template.json", text, len, &err);
	if (!status)
		add_setting(t, tree);
	else if (status != STATUS_NOTFOUND)
		conversion_fail(t->c, status, "%s", err.text);
	settings_tree_free(tree);
	free(text);
}

/* transformers takes the file where both are there, the reference the setting. */
static void warn_of_file(struct templates *t)
{
	char *text = NULL;
	size_t len = 0;

	if (t->is_list || t->n == 0 ||
	    checkpoint_file(t->c->from, "chat_template.jinja", LIMIT_JINJA_TEMPLATE, &text, &len, NULL))
		return;
	len = unify_lines(text, len);
	if (len != t->items[0].len || memcmp(text, t->items[0].text, len) != 0)
		conversion_note(t->c, "chat_template.jinja differs from the chat template in tokenizer_config.json, which is taken");
	free(text);
}

static void write_names(struct templates *t)
{
	struct buf list = {.max = LIMIT_JINJA_TEMPLATE};
	uint32_t type = GGUF_STRING;
	uint64_t n = 0;

	buf_append(&list, &type, sizeof type);
	buf_append(&list, &n, sizeof n);
	for (size_t i = 0; i < t->n; i++) {
		uint64_t len = strlen(t->items[i].name);
		bool is_again = false;

		for (size_t j = 0; j < i; j++)
			is_again |= strcmp(t->items[j].name, t->items[i].name) == 0;
		if (is_again || len == 0 || strcmp(t->items[i].name, "default") == 0)
			continue;
		n++;
		buf_append(&list, &len, sizeof len);
		buf_append(&list, t->items[i].name, len);
	}
	if (n && !buf_status(&list)) {
		memcpy(list.data + sizeof type, &n, sizeof n);
		gguf_writer_set_raw(t->c->keys, KEY "s", GGUF_ARRAY, list.data, list.len);
	}
	buf_free(&list);
}

static void write_all(struct templates *t)
{
	const struct named_template *main = NULL;

	for (size_t i = 0; i < t->n; i++) {
		char key[sizeof KEY + NAME_MAX_LEN + 2];

		if (strcmp(t->items[i].name, "default") == 0) {
			main = &t->items[i];
		} else if (*t->items[i].name) {
			snprintf(key, sizeof key, KEY ".%s", t->items[i].name);
			gguf_writer_set_string(t->c->keys, key, t->items[i].text, t->items[i].len);
		}
	}
	write_names(t);
	if (main)
		gguf_writer_set_string(t->c->keys, KEY, main->text, main->len);
}

void template_write(struct conversion *c, const struct settings_tree *config)
{
	struct templates t = {.c = c};

	if (settings_tree_get(config, "chat_template")) {
		add_setting(&t, config);
		warn_of_file(&t);
	} else {
		add_file(&t, "chat_template.jinja", "default");
		if (t.n)
			add_folder(&t);
		else
			add_json_file(&t);
	}
	write_all(&t);
	for (size_t i = 0; i < t.n; i++)
		free(t.items[i].text);
}
