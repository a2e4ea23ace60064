#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "support/server/internal.h"
#include "support/server/vocabulary.h"

static void set(struct spec *spec, const char *key, const char *value)
{
	const struct {
		const char *key;
		long *field;
	} numbers[] = {{"tokens", &spec->tokens},   {"think", &spec->think}, {"inline", &spec->n_inline},
	               {"n_ctx", &spec->n_ctx},     {"n_predict", &spec->n_predict}, {"hold", &spec->hold},
	               {"busy", &spec->busy},       {"rate", &spec->rate},   {"loading", &spec->loading},
	               {"router", &spec->router},   {"keys", &spec->keys},   {"probs", &spec->probs},
	               {"tells", &spec->tells}};
	static const char *const modes[] = {"words", "echo", "think"};

	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		if (strcmp(numbers[i].key, key) == 0) {
			*numbers[i].field = strtol(value, NULL, 10);
			return;
		}
	if (strcmp(key, "dialect") == 0) {
		snprintf(spec->dialect, sizeof spec->dialect, "%s", value);
		return;
	}
	if (strcmp(key, "model") == 0) {
		snprintf(spec->model, sizeof spec->model, "%s", value);
		return;
	}
	for (size_t i = 0; i < 3 && strcmp(key, "mode") == 0; i++)
		if (strcmp(modes[i], value) == 0) {
			spec->mode = (enum server_mode)i;
			return;
		}
	if (strcmp(key, "scenario") != 0)
		server_fatal(key);
}

void play_spec(struct spec *spec, const char *text)
{
	char copy[512], *rest = copy, *next;

	snprintf(copy, sizeof copy, "%s", text);
	while ((next = strsep(&rest, ","))) {
		char *value = strchr(next, '=');

		if (!*next)
			continue;
		if (!value)
			server_fatal(next);
		*value = '\0';
		set(spec, next, value + 1);
	}
}

PRINTF_LIKE(3, 4) static void add(struct reply *reply, size_t *cap, const char *format, ...)
{
	char *word = NULL;
	va_list args;

	va_start(args, format);
	if (!alloc_grow(&reply->words, cap, reply->n + 1, sizeof *reply->words, 1 << 24) || vasprintf(&word, format, args) < 0)
		server_fatal("a reply");
	va_end(args);
	reply->words[reply->n++] = word;
}

/* A text in its tokens, or bytes. */
static void add_text(struct reply *reply, size_t *cap, const char *text)
{
	size_t len = strlen(text), taken;

	for (size_t at = 0; at < len; at += taken) {
		(void)vocabulary_first(text + at, len - at, false, &taken);
		while (at + taken < len && ((unsigned char)text[at + taken] & 0xC0) == 0x80)
			taken++;
		add(reply, cap, "%.*s", (int)taken, text + at);
	}
}

/* Ends the answer before the word with which the first of the stop strings would be complete. */
static void stop_at(struct reply *reply, const char *text)
{
	struct buf so_far = {.max = 1 << 24};
	size_t n = reply->n_thoughts;

	for (; n < reply->n && *text; n++) {
		buf_puts(&so_far, reply->words[n]);
		if (strstr(buf_text(&so_far), text))
			break;
	}
	buf_free(&so_far);
	if (n < reply->n && *text)
		reply->stopped = text;
	while (*text && reply->n > n)
		free(reply->words[--reply->n]);
}

static void stop(struct reply *reply)
{
	if (reply->stops && reply->stops->kind == JSON_STRING)
		stop_at(reply, reply->stops->text);
	else
		for (const struct json_tree *one = reply->stops ? reply->stops->child : NULL; one; one = one->next)
			stop_at(reply, one->text ? one->text : "");
}

void play_make(struct reply *reply)
{
	const struct spec *spec = reply->spec;
	const char *word = reply->temperature > 0 ? "warm" : "cold";
	size_t cap = 0;

	for (long i = 0; reply->thinks && i < spec->think; i++)
		add(reply, &cap, i ? " thought %ld" : "thought %ld", i);
	reply->n_thoughts = reply->n;
	if (spec->mode == MODE_ECHO)
		add_text(reply, &cap, reply->last);
	for (long i = reply->n_begun; spec->mode != MODE_ECHO && i < spec->tokens; i++)
		add(reply, &cap, i || reply->is_begun ? " %s %ld" : "%s %ld", word, i);
	stop(reply);
	while (reply->limit >= 0 && reply->n > (size_t)reply->limit) {
		free(reply->words[--reply->n]);
		reply->is_cut = true;
	}
	if (reply->n_thoughts > reply->n)
		reply->n_thoughts = reply->n;
}

void play_free(struct reply *reply)
{
	for (size_t i = 0; i < reply->n; i++)
		free(reply->words[i]);
	free(reply->words);
	free(reply->kept);
	reply->kept = NULL;
	reply->words = NULL;
	reply->n = 0;
}

const char *play_last(const struct json_tree *messages, const char *role)
{
	const char *text = "";

	for (const struct json_tree *message = messages ? messages->child : NULL; message; message = message->next)
		if (strcmp(json_tree_text(message, "role", ""), role) == 0)
			text = json_tree_text(message, "content", json_tree_text(message, "content.0.text", ""));
	return text;
}

size_t play_count(const struct json_tree *messages)
{
	size_t total = 3, n; /* of the assistant's head */

	for (const struct json_tree *message = messages ? messages->child : NULL; message; message = message->next) {
		const char *text = json_tree_text(message, "content", "");

		free(vocabulary_encode(text, strlen(text), true, &n));
		total += n + 5;
	}
	return total;
}

/* The reply goes on with a text. */
static void go_on(struct reply *reply, const char *text)
{
	const char *answer = strstr(text, "</think>");

	for (const char *p = answer ? answer : text; (p = strpbrk(p, "wc")) != NULL; p++)
		reply->n_begun += strncmp(p, "warm ", 5) == 0 || strncmp(p, "cold ", 5) == 0;
	text = answer ? answer + 8 + strspn(answer + 8, "\n") : text;
	reply->is_begun = *text && text[strlen(text) - 1] != ' ' && text[strlen(text) - 1] != '\n';
	reply->thinks &= !answer && reply->n_begun == 0;
}

void play_ask(struct reply *reply, const struct spec *spec, const struct json_tree *json)
{
	const struct json_tree *messages = json_tree_find(json, "messages");
	double limit = json_tree_number(json, "max_tokens", json_tree_number(json, "max_completion_tokens",
	                                                            json_tree_number(json, "n_predict", (double)spec->n_predict)));
	const char *effort = json_tree_text(json, "reasoning_effort", "");
	bool off = !json_tree_true(json, "chat_template_kwargs.enable_thinking", true) || strcmp(effort, "none") == 0 ||
	           !json_tree_true(json, "enable_thinking", true);

	*reply = (struct reply){.spec = spec, .last = play_last(messages, "user"),
	                        .temperature = json_tree_number(json, "temperature", 0.8),
	                        .thinks = spec->mode == MODE_THINK && !off,
	                        .limit = limit >= 0 ? (long)limit : -1, .n_prompt = play_count(messages),
	                        .stops = json_tree_find(json, "stop")};
	if (strcmp(json_tree_text(messages, "-1.role", ""), "assistant") == 0)
		go_on(reply, json_tree_text(messages, "-1.content", ""));
}

/* Behind the last occurrence of a mark; NULL. */
static const char *behind_last(const char *text, const char *mark)
{
	const char *found = NULL;

	for (const char *p = text; (p = strstr(p, mark)) != NULL; p += strlen(mark))
		found = p + strlen(mark);
	return found;
}

void play_ask_raw(struct reply *reply, const struct spec *spec, const struct json_tree *json, const char *prompt)
{
	static const char user[] = "\x1d<|im_start|>user\n", assistant[] = "\x1d<|im_start|>assistant\n";
	const char *last = behind_last(prompt, user), *head = behind_last(prompt, assistant), *end;

	play_ask(reply, spec, json);
	end = last ? strstr(last, "\x1d<|im_end|>") : NULL;
	reply->kept = alloc_strndup(last ? last : prompt, end ? (size_t)(end - last) : strlen(last ? last : prompt));
	reply->last = reply->kept;
	reply->thinks = spec->mode == MODE_THINK && !(head && strstr(head, "</think>"));
	if (head && *head)
		go_on(reply, head);
	reply->in_thoughts = head && strstr(head, "<think>") && !strstr(head, "</think>");
}

unsigned play_pause(const struct reply *reply)
{
	return reply->spec->rate > 0 ? (unsigned)(1000 / reply->spec->rate) : 0;
}

bool play_gated(const struct reply *reply, size_t word)
{
	return reply->spec->hold > 0 && word == (size_t)reply->spec->hold;
}
