/* The command line's part of the settings. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/words.h"
#include "config/settings_internal.h"

/* One word of argv taken apart. */
struct flag {
	struct setting *item;
	const char *value; /* from `--name=VALUE` or `-n5`; NULL = the next word */
	bool negated;      /* --no-name */
};

static bool is_number_start(char c)
{
	return (c >= '0' && c <= '9') || c == '-' || c == '.';
}

static int count_dashes(const char *word)
{
	return word[0] != '-' ? 0 : word[1] == '-' ? 2 : 1;
}

/* After one dash there may be any long name (-ctk), or a short one directly followed by a number
 * (-n5). */
static bool find_flag(const struct settings *settings, const char *word, struct flag *flag)
{
	const int dashes = count_dashes(word);
	size_t len = strcspn(word += dashes, "=");

	*flag = (struct flag){.value = word[len] == '=' ? word + len + 1 : NULL};
	if (!dashes || (len == 1 && dashes == 2))
		return false;
	flag->item = settings_lookup(settings, word, len);
	if (flag->item)
		return true;
	if (len > 3 && (strncmp(word, "no-", 3) == 0 || strncmp(word, "no_", 3) == 0)) {
		flag->item = settings_lookup(settings, word + 3, len - 3);
		flag->negated = true;
		return flag->item && flag->item->option->type == OPTION_BOOL;
	}
	if (dashes == 1 && len > 1 && is_number_start(word[1])) {
		flag->item = settings_lookup(settings, word, 1);
		flag->value = word + 1;
		return flag->item && flag->item->option->type != OPTION_BOOL;
	}
	return false;
}

/* Whether the next word is its value. */
static bool wants_word(const struct flag *flag)
{
	return !flag->negated && !flag->value && flag->item->option->type != OPTION_BOOL;
}

static enum status unknown_flag(const struct settings *settings, const char *word, const char *hint,
                                struct error *err)
{
	const int dashes = count_dashes(word);
	size_t len = strcspn(word + dashes, "=");
	int shown = (int)(len < 60 ? len : 60) + dashes;
	struct nearest nearest;

	nearest_init(&nearest, word + dashes, len);
	settings_offer(settings, 0, 0, &nearest);
	if (nearest_best(&nearest))
		return error_set(err, STATUS_USAGE, "there is no option '%.*s', did you mean '--%s'?", shown, word,
		                 nearest_best(&nearest));
	return error_set(err, STATUS_USAGE, "there is no option '%.*s'%s", shown, word, hint);
}

/* Adds a word to those that the flag has given so far. */
static enum status add_word(struct setting *item, const char *word, struct error *err)
{
	enum status status;
	struct buf words = {.max = LIMIT_MESSAGE};

	if (item->said[ORIGIN_FLAG])
		buf_puts(&words, item->said[ORIGIN_FLAG]);
	words_put(&words, word, strlen(word));
	status = buf_status(&words) ? error_set(err, buf_status(&words), "the value is too long")
	                            : settings_put(item, buf_text(&words), ORIGIN_FLAG, err);
	buf_free(&words);
	return status;
}

/* Notes what the flag said before. */
static enum status put_again(struct setting *item, const char *value, struct error *err)
{
	const char *said = item->said[ORIGIN_FLAG];
	char *before = said ? alloc_strndup(said, strlen(said)) : NULL;
	enum status status;

	if (said && !before)
		return error_no_memory(err, NULL);
	status = settings_put(item, value, ORIGIN_FLAG, err);
	free(item->before);
	item->before = before;
	item->n_flags++;
	return status;
}

/* Handles argv[*at], and argv[*at + 1] where that is its value. */
static enum status take_flag(struct settings *settings, int argc, char **argv, int *at,
                             const char *hint, struct error *err)
{
	const char *word = argv[*at];
	struct flag flag;
	enum status status;

	if (!find_flag(settings, word, &flag))
		return unknown_flag(settings, word, hint, err);
	if (flag.negated && flag.value)
		return error_set(err, STATUS_USAGE, "'%.60s' takes no value", word);
	if (wants_word(&flag) && *at + 1 >= argc)
		return error_set(err, STATUS_USAGE, "'%.60s' needs a value: %s", word,
		                 flag.item->option->arg ? flag.item->option->arg : "VALUE");
	if (wants_word(&flag))
		flag.value = argv[++*at];
	else if (!flag.value)
		flag.value = flag.negated ? "no" : "yes";
	status = flag.item->option->flags & OPTION_WORDS
	                 ? add_word(flag.item, flag.value, err)
	                 : put_again(flag.item, flag.value, err);
	if (status)
		error_prefix(err, "%.*s", (int)strcspn(word, "="), word);
	return status;
}

enum status settings_read_argv(struct settings *settings, int argc, char **argv, int *n_rest,
                               const char *hint, struct error *err)
{
	bool flags = true;
	int n = 0;

	for (int i = 1; i < argc; i++) {
		char *word = argv[i];

		if (flags && strcmp(word, "--") == 0) {
			flags = false;
		} else if (flags && word[0] == '-' && word[1]) {
			enum status status = take_flag(settings, argc, argv, &i, hint, err);

			if (status)
				return status;
		} else {
			argv[1 + n++] = word;
		}
	}
	*n_rest = n;
	return STATUS_OK;
}

const char *settings_flag_before(const struct settings *settings, const char *name, size_t *n)
{
	const struct setting *item = settings_lookup(settings, name, strlen(name));

	*n = item ? item->n_flags : 0;
	return item ? item->before : NULL;
}

int settings_find_word(const struct settings *settings, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		struct flag flag;

		if (argv[i][0] != '-' || !argv[i][1])
			return i;
		if (!find_flag(settings, argv[i], &flag))
			return 0;
		i += wants_word(&flag);
	}
	return 0;
}

const struct option *settings_find_waiting(const struct settings *settings, int n, char **words)
{
	const struct option *waiting = NULL;

	for (int i = 0; i < n; i++) {
		struct flag flag;
		bool is_flag = !waiting && find_flag(settings, words[i], &flag);

		waiting = is_flag && wants_word(&flag) ? flag.item->option : NULL;
	}
	return waiting;
}
