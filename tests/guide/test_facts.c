/* What the guide is taught (tools/guide/facts.yaml) is true of the program: the
 * keys, commands, options, subcommands, themes and templates that a fact names
 * are in the tables, and default values are the tables'. Subcommands and their
 * options are looked up in sotto(1), whose lists are the program's own
 * (tools/check-man.sh). That is all that a fact is held against: rows that no fact is about,
 * and what of a fact the next training or evaluation would stumble over, are listed. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/options.h"
#include "facts.h"
#include "sampler/params.h"
#include "turn/engine_params.h"
#include "ui/commands.h"
#include "ui/keymap.h"
#include "ui/params.h"

enum { NAME_MAX_LEN = 256 };

static char manual[1 << 20];
static int n_failed, n_unknown;

static void note(const struct guide_fact *fact, const char *what, const char *name)
{
	printf("facts.yaml:%zu: fact '%s': %s '%s'\n", fact->line, fact_text(fact, FACT_ID), what, name);
}

static void fail(const struct guide_fact *fact, const char *what, const char *name)
{
	note(fact, what, name);
	n_failed++;
}

static bool read_manual(void)
{
	FILE *file = fopen(TEST_SRCDIR "/man/sotto.1", "r");
	size_t n = file ? fread(manual, 1, sizeof manual - 1, file) : 0;

	if (file)
		fclose(file);
	manual[n] = '\0';
	return n > 0;
}

static const struct option *find_option(const char *name)
{
	const struct option_table tables[] = {
		{engine_options, engine_n_options, NULL},
		{sampler_options, sampler_n_options, NULL},
		{ui_options, ui_n_options, NULL},
	};

	for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++)
		for (size_t i = 0; i < tables[t].n; i++)
			if (strcmp(tables[t].rows[i].name, name) == 0)
				return &tables[t].rows[i];
	return NULL;
}

/* "--top-k" or "-m": as the manual has it. */
static bool manual_has_flag(const char *flag)
{
	char roff[NAME_MAX_LEN * 2], name[NAME_MAX_LEN * 2 + 16];
	size_t n = 0;

	for (; *flag && n + 3 < sizeof roff; flag++) {
		if (*flag == '-')
			roff[n++] = '\\';
		roff[n++] = *flag;
	}
	roff[n] = '\0';
	snprintf(name, sizeof name, "\\fB%s\\fR", roff);
	if (strstr(manual, name))
		return true;
	snprintf(name, sizeof name, ".BR %s ", roff); /* an argument of a command */
	return strstr(manual, name) != NULL;
}

static bool has_flag(const char *flag)
{
	const char *name = flag + strspn(flag, "-");

	/* --no-mouse, and --kv-cache, which the manual has as --no-kv-cache */
	if (strncmp(flag, "--no-", 5) == 0 && find_option(name + 3))
		return find_option(name + 3)->type == OPTION_BOOL;
	return manual_has_flag(flag) || (strncmp(flag, "--", 2) == 0 && find_option(name));
}

static bool has_key(const char *name)
{
	char other[KEY_TEXT_MAX];

	for (size_t i = 0; i < bindings.n; i++)
		if (strcmp(key_text(bindings.rows[i].key, other), name) == 0)
			return true;
	/* the second key of two, as "then Ctrl+E: ..." */
	for (size_t i = 0; i < bindings.n; i++)
		if (strchr(name, '+') && bindings.rows[i].help && strstr(bindings.rows[i].help, name))
			return true;
	return false;
}

static bool has_subcommand(const char *name)
{
	char heading[NAME_MAX_LEN];

	snprintf(heading, sizeof heading, "\n.SS %s\n", name);
	return strstr(manual, heading) != NULL;
}

static bool has_file(const char *folder, const char *name)
{
	char path[4096];

	snprintf(path, sizeof path, "%s/%s/%s.yaml", TEST_SRCDIR, folder, name);
	return access(path, R_OK) == 0;
}

static bool in_list(const struct texts_list *list, const char *name)
{
	for (size_t i = 0; i < list->n; i++)
		if (strcmp(list->items[i], name) == 0)
			return true;
	return false;
}

static bool is_chord(const char *word)
{
	return strncmp(word, "Ctrl+", 5) == 0 || strncmp(word, "Alt+", 4) == 0 ||
	       strncmp(word, "Shift+", 6) == 0 || (word[0] == 'F' && isdigit((unsigned char)word[1]));
}

/* F16 and F32 are types of weights. */
static bool is_function_key(const char *word)
{
	return word[0] == 'F' && strtol(word + 1, NULL, 10) <= 12;
}

/* One word of a fact's text that may be a name of the program's. */
static void check_word(const struct guide_fact *fact, const char *word)
{
	if (in_list(&fact->fields[FACT_FOREIGN], word))
		return;
	if (word[0] == '/' && islower((unsigned char)word[1]) && !strchr(word + 1, '/')) {
		if (!command_find(&commands, word + 1, strlen(word + 1)))
			fail(fact, "its text names the unknown command", word);
	} else if (word[0] == '-' && (isalpha((unsigned char)word[1]) || word[1] == '-')) {
		if (!has_flag(word))
			fail(fact, "its text names the unknown option", word);
	} else if (is_chord(word) && (word[0] != 'F' || is_function_key(word)) && !has_key(word)) {
		fail(fact, "its text names the unknown key", word);
	}
}

static void check_text(const struct guide_fact *fact)
{
	static const char blanks[] = " \n\"()", closing[] = ".,;:?!";
	char word[NAME_MAX_LEN];

	for (const char *p = fact_text(fact, FACT_TEXT); *(p += strspn(p, blanks));) {
		size_t len = strcspn(p, blanks), n = len < sizeof word ? len : sizeof word - 1;

		memcpy(word, p, n);
		while (n && strchr(closing, word[n - 1]))
			n--;
		word[n] = '\0';
		check_word(fact, word);
		p += len;
	}
}

/* Whether text holds the name, whatever the case. */
static bool holds(const char *text, const char *name, size_t len)
{
	for (; *text; text++)
		if (strncasecmp(text, name, len) == 0)
			return true;
	return len == 0;
}

/* The lexicon by which answers are judged should find its own fact right. */
static void look_at_lexicon(const struct guide_fact *fact)
{
	const struct texts_list *says = &fact->fields[FACT_SAYS];

	if (!says->n)
		note(fact, "lacks", "says");
	for (size_t i = 0; i < says->n; i++) {
		bool found = strcmp(says->items[i], "|") == 0;

		for (const char *p = says->items[i]; !found && *p;) {
			size_t len = strcspn(p, "|");
			/* "Press b" is found as " b " */
			size_t skip = *p == ' ', short_by = skip + (len > 1 && p[len - 1] == ' ');

			found = holds(fact_text(fact, FACT_TEXT), p + skip, len - short_by);
			p += len + (p[len] == '|');
		}
		if (!found)
			note(fact, "its text does not have what it `says`:", says->items[i]);
	}
}

static void check_options(const struct guide_fact *fact)
{
	const struct texts_list *list = &fact->fields[FACT_OPTIONS];

	for (size_t i = 0; i + 1 < list->n; i += 2) {
		const char *name = list->items[i], *def = list->items[i + 1];
		const struct option *option = find_option(name);
		char flag[NAME_MAX_LEN];

		snprintf(flag, sizeof flag, "--%s", name);
		if (!has_flag(flag))
			fail(fact, "unknown option", name);
		if (*def && (!option || !option->def || strcmp(option->def, def) != 0))
			fail(fact, option && option->def ? "the default of this option is another one:"
			                                 : "there is no default of", name);
		if (*def && !strstr(fact_text(fact, FACT_TEXT), def))
			fail(fact, "its text lacks the default value", def);
	}
}

/* What a fact names and the tables do not have. */
static void check_rows(const struct guide_fact *fact)
{
	static const struct { enum fact_field field; const char *what; } kinds[] = {
		{FACT_KEYS, "unknown key"}, {FACT_COMMANDS, "unknown command"},
		{FACT_SUBCOMMANDS, "unknown subcommand"}, {FACT_THEMES, "unknown theme"},
		{FACT_PROMPTS, "unknown prompt template"},
	};

	for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
		const struct texts_list *list = &fact->fields[kinds[k].field];

		for (size_t i = 0; i < list->n; i++) {
			const char *name = list->items[i];
			enum fact_field field = kinds[k].field;
			bool known = field == FACT_KEYS ? has_key(name) :
			             field == FACT_COMMANDS ? command_find(&commands, name, strlen(name)) != NULL :
			             field == FACT_SUBCOMMANDS ? has_subcommand(name) :
			             has_file(field == FACT_THEMES ? "themes" : "prompts", name);

			if (!known)
				fail(fact, kinds[k].what, name);
		}
	}
}

static const struct guide_fact *find_fact(const struct guide_facts *facts, const char *id)
{
	for (size_t i = 0; i < facts->n; i++)
		if (strcmp(fact_text(&facts->items[i], FACT_ID), id) == 0)
			return &facts->items[i];
	return NULL;
}

/* What is for training and evaluation alone. */
static void look_at_training(const struct guide_facts *facts, const struct guide_fact *fact)
{
	const struct texts_list *see = &fact->fields[FACT_SEE];
	const char *back = fact_text(fact, FACT_BACK);

	if (!*fact_text(fact, FACT_TOPIC))
		note(fact, "lacks", "topic");
	if (!fact->fields[FACT_DO].n && !fact->fields[FACT_ABOUT].n && !fact->fields[FACT_ASK].n)
		note(fact, "has no way to ask for it:", "do, about or ask");
	for (size_t i = 0; i < see->n; i++)
		if (!find_fact(facts, see->items[i]))
			note(fact, "there is no fact", see->items[i]);
	if (*back && !find_fact(facts, back))
		note(fact, "there is no fact", back);
	look_at_lexicon(fact);
}

static void check_fact(const struct guide_facts *facts, const struct guide_fact *fact)
{
	if (!*fact_text(fact, FACT_ID) || !*fact_text(fact, FACT_TEXT))
		fail(fact, "lacks", "id or text");
	if (find_fact(facts, fact_text(fact, FACT_ID)) != fact)
		fail(fact, "stands here a second time:", fact_text(fact, FACT_ID));
	look_at_training(facts, fact);
	check_text(fact);
	check_rows(fact);
	check_options(fact);
}

/* Prints a row's name unless a fact is about it. */
static void look_for(const struct guide_facts *facts, enum fact_field field, const char *kind,
                     const char *name)
{
	for (size_t i = 0; i < facts->n; i++)
		if (in_list(&facts->items[i].fields[field], name))
			return;
	printf("the guide does not know yet: %s %s\n", kind, name);
	n_unknown++;
}

static void look_for_options(const struct guide_facts *facts, const struct option *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		look_for(facts, FACT_OPTIONS, "option", rows[i].name);
}

/* The headings in the manual's part on subcommands. */
static void look_for_subcommands(const struct guide_facts *facts)
{
	const char *end = strstr(manual, "END subcommands"), *p = strstr(manual, "BEGIN subcommands");
	char name[NAME_MAX_LEN];

	while (p && end && (p = strstr(p, "\n.SS ")) && p < end) {
		p += strlen("\n.SS ");
		snprintf(name, sizeof name, "%.*s", (int)strcspn(p, "\n"), p);
		look_for(facts, FACT_SUBCOMMANDS, "subcommand", name);
	}
}

static void look_for_rows(const struct guide_facts *facts)
{
	char name[KEY_TEXT_MAX];

	for (size_t i = 0; i < bindings.n; i++)
		look_for(facts, FACT_KEYS, "key", key_text(bindings.rows[i].key, name));
	for (size_t i = 0; i < commands.n; i++)
		look_for(facts, FACT_COMMANDS, "command", commands.rows[i].name);
	look_for_options(facts, engine_options, engine_n_options);
	look_for_options(facts, sampler_options, sampler_n_options);
	look_for_options(facts, ui_options, ui_n_options);
	look_for_subcommands(facts);
}

int main(void)
{
	struct guide_facts facts;
	struct error err;

	if (!read_manual()) {
		puts("man/sotto.1 cannot be read");
		return 1;
	}
	if (facts_load(&facts, TEST_SRCDIR "/tools/guide/facts.yaml", &err)) {
		puts(err.text);
		facts_free(&facts);
		return 1;
	}
	for (size_t i = 0; i < facts.n; i++)
		check_fact(&facts, &facts.items[i]);
	look_for_rows(&facts);
	printf("%zu facts, %d faults, %d rows unknown to the guide\n", facts.n, n_failed, n_unknown);
	facts_free(&facts);
	return n_failed > 0;
}
