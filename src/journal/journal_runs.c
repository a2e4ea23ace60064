/* How a reply was made (chat/run.h), in its record: a list under `runs`, which older versions ignore.
 * Each item is a mapping of scalars, since older versions refuse deeper records. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/option_value.h"
#include "base/utf8.h"
#include "journal/journal_runs.h"

/* "temp=0.3 top-k=20": all of them but the seed, or those that differ from `before`. */
static void put_params(struct buf *out, const struct sampler_params *params,
                       const struct sampler_params *before)
{
	struct buf words = {.max = KIB(64)};

	option_put_words(sampler_options, sampler_n_options, OPTION_SLIDER, params, before, &words);
	buf_append(out, buf_text(&words), words.len);
	buf_free(&words);
}

/* "12 temp=0.3; 30 top-k=5": from which token on, and what. "57 140": after how many bytes of text, "-"
 * where that is not known. */
static void put_changes(struct buf *out, const struct reply_run *run)
{
	const struct sampler_params *before = &run->begin.params;

	if (!run->n_changes)
		return;
	buf_puts(out, "    changes: \"");
	for (size_t i = 0; i < run->n_changes; i++) {
		buf_printf(out, "%s%" PRIu32 " ", i ? "; " : "", run->changes[i].at);
		put_params(out, &run->changes[i].params, before);
		before = &run->changes[i].params;
	}
	buf_puts(out, "\"\n    changes_text: \"");
	for (size_t i = 0; i < run->n_changes; i++) {
		if (run->changes[i].text == RUN_TEXT_UNKNOWN)
			buf_printf(out, "%s-", i ? " " : "");
		else
			buf_printf(out, "%s%zu", i ? " " : "", run->changes[i].text);
	}
	buf_puts(out, "\"\n");
}

static void put_text(struct buf *out, const char *key, const char *text)
{
	if (!text || !text[0])
		return;
	buf_printf(out, "    %s: ", key);
	yaml_put_quoted(out, text, strlen(text), 6);
	buf_putc(out, '\n');
}

/* "4d 7p 9pd": messages that were dropped, pinned, or both; "" says that none was. */
static void put_marks(struct buf *out, const struct run_marks *marks)
{
	if (!marks->known)
		return;
	buf_puts(out, "    marks: \"");
	for (size_t i = 0; i < marks->n; i++)
		buf_printf(out, "%s%" PRIu32 "%s%s", i ? " " : "", marks->items[i].message,
		           marks->items[i].pinned ? "p" : "", marks->items[i].dropped ? "d" : "");
	buf_puts(out, "\"\n");
}

static void put_run(struct buf *out, const struct reply_run *run)
{
	buf_printf(out, "  - from: \"%zu %zu %zu\"\n", run->from_id, run->from_text,
	           run->from_reasoning);
	if (run->has_first)
		buf_printf(out, "    first: \"%" PRId32 "\"\n", run->first);
	put_text(out, "program", run->program);
	put_text(out, "isa", run->model.isa);
	put_text(out, "file", run->model.file);
	put_text(out, "template", run->model.tmpl);
	put_text(out, "cache", run->model.cache);
	put_text(out, "server", run->model.server);
	put_text(out, "server_model", run->model.model);
	put_text(out, "dialect", run->model.dialect);
	put_text(out, "sent", run->sent);
	buf_printf(out, "    n_ctx: \"%" PRIu32 "\"\n", run->model.n_ctx);
	buf_printf(out, "    prompt: \"%" PRIu32 " %016" PRIx64 "\"\n", run->begin.n_prompt,
	           run->begin.prompt_hash);
	buf_printf(out, "    clock: \"%" PRId64 "\"\n    microseconds: \"%" PRId64 "\"\n", run->wish.clock / 1000000,
	           run->wish.clock % 1000000);
	buf_printf(out, "    reasoning: \"%d %d\"\n", (int)run->wish.mode, (int)run->wish.effort);
	buf_printf(out, "    policy: \"%d\"\n", (int)run->policy);
	if (run->n_predict >= 0)
		buf_printf(out, "    predict: \"%" PRId32 "\"\n", run->n_predict);
	if (run->weight_rate > 0)
		buf_printf(out, "    rate: \"%.17g\"\n", run->weight_rate);
	put_text(out, "options", run->options);
	put_text(out, "template_kwargs", run->template_kwargs);
	put_text(out, "samplers", run->samplers);
	put_text(out, "logit_bias", run->logit_bias);
	put_text(out, "breakers", run->dry_breakers);
	put_text(out, "stops", run->stops);
	buf_printf(out, "    seed: \"%" PRId64 "\"\n    params: \"", run->begin.seed);
	put_params(out, &run->begin.params, NULL);
	buf_puts(out, "\"\n");
	put_changes(out, run);
	put_marks(out, &run->marks);
	put_text(out, "ended", run->ended);
}

void journal_put_runs(struct buf *out, const struct node *node)
{
	bool any = false;

	for (size_t i = 0; i < node->n_runs; i++)
		any |= node->runs[i].has_begun;
	if (!any)
		return;
	buf_puts(out, "runs:\n");
	for (size_t i = node->n_runs > JOURNAL_RUNS_MAX ? node->n_runs - JOURNAL_RUNS_MAX : 0;
	     i < node->n_runs; i++)
		if (node->runs[i].has_begun)
			put_run(out, &node->runs[i]);
}

static bool read_params(struct sampler_params *params, const char *text, size_t len)
{
	return !option_take_words(sampler_options, sampler_n_options, params, text, len, NULL);
}

/* `params` comes before, as the file has them. */
static bool read_changes(struct reply_run *run, const char *text)
{
	struct sampler_params params = run->begin.params;

	while (*text) {
		char *stop;
		unsigned long at = strtoul(text, &stop, 10);
		size_t len;

		if (stop == text || *stop != ' ' || at > UINT32_MAX ||
		    (run->n_changes && run->changes[run->n_changes - 1].at >= at))
			return false;
		len = strcspn(++stop, ";");
		if (!read_params(&params, stop, len) || !run_add_change(run, (uint32_t)at, &params, RUN_TEXT_UNKNOWN))
			return false;
		text = stop + len;
		text += strspn(text, "; ");
	}
	return true;
}

/* `changes` come before. What cannot be understood is not known: it only costs a mark on the screen. */
static void read_changes_text(struct reply_run *run, const char *text)
{
	for (size_t i = 0; i < run->n_changes; i++) {
		size_t word = strcspn(text, " ");
		unsigned long long bytes;
		char *stop;

		bytes = strtoull(text, &stop, 10);
		if (word && stop == text + word && text[0] != '-' && bytes <= LIMIT_MESSAGE)
			run->changes[i].text = (size_t)bytes;
		text += word;
		text += strspn(text, " ");
	}
}

static bool read_marks(struct run_marks *marks, const char *text)
{
	run_marks_free(marks);
	for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
		struct run_mark mark = {.message = 0};
		unsigned long id;
		char *letters;

		id = strtoul(text, &letters, 10);
		text = letters + strspn(letters, "pd");
		mark.pinned = memchr(letters, 'p', (size_t)(text - letters));
		mark.dropped = memchr(letters, 'd', (size_t)(text - letters));
		if (text == letters || (*text && *text != ' ') || id < 1 || id > LIMIT_NODES)
			return false;
		mark.message = (uint32_t)id;
		if (!run_marks_add(marks, mark))
			return false;
	}
	return marks->known = true;
}

static bool read_text(char **out, const struct yaml_item *item)
{
	free(*out);
	*out = alloc_strndup(item->text, item->len);
	return *out;
}

static void read_name(char *out, size_t size, const struct yaml_item *item)
{
	snprintf(out, size, "%.*s", (int)utf8_cut(item->text, item->len, size - 1), item->text);
}

/* False: the key is no server's. */
static bool read_server(struct reply_run *run, const char *key, const struct yaml_item *item)
{
	if (strcmp(key, "server") == 0)
		read_name(run->model.server, sizeof run->model.server, item);
	else if (strcmp(key, "server_model") == 0)
		read_name(run->model.model, sizeof run->model.model, item);
	else if (strcmp(key, "dialect") == 0)
		read_name(run->model.dialect, sizeof run->model.dialect, item);
	else if (strcmp(key, "sent") == 0)
		run_set_sent(run, item->text);
	else
		return false;
	return true;
}

static bool read_field(struct reply_run *run, const char *key, const struct yaml_item *item)
{
	const char *text = item->text;
	unsigned mode, effort;
	int64_t count;

	if (read_server(run, key, item))
		return true;
	if (strcmp(key, "from") == 0)
		return sscanf(text, "%zu %zu %zu", &run->from_id, &run->from_text,
		              &run->from_reasoning) == 3;
	if (strcmp(key, "first") == 0 && number_parse_int(text, &count) && count >= 0 && count <= INT32_MAX) {
		run->first = (int32_t)count;
		run->has_first = true;
	} else if (strcmp(key, "program") == 0)
		read_name(run->program, sizeof run->program, item);
	else if (strcmp(key, "isa") == 0)
		read_name(run->model.isa, sizeof run->model.isa, item);
	else if (strcmp(key, "file") == 0)
		read_name(run->model.file, sizeof run->model.file, item);
	else if (strcmp(key, "template") == 0)
		read_name(run->model.tmpl, sizeof run->model.tmpl, item);
	else if (strcmp(key, "cache") == 0)
		read_name(run->model.cache, sizeof run->model.cache, item);
	else if (strcmp(key, "ended") == 0)
		read_name(run->ended, sizeof run->ended, item);
	else if (strcmp(key, "prompt") == 0)
		return run->has_begun = sscanf(text, "%" SCNu32 " %" SCNx64, &run->begin.n_prompt,
		                               &run->begin.prompt_hash) == 2;
	else if (strcmp(key, "n_ctx") == 0 && number_parse_int(text, &count) && count >= 0 &&
	         count <= INT32_MAX)
		run->model.n_ctx = (uint32_t)count;
	else if (strcmp(key, "predict") == 0 && number_parse_int(text, &count) && count >= 0 &&
	         count <= INT32_MAX)
		run->n_predict = (int32_t)count;
	else if (strcmp(key, "policy") == 0 && number_parse_int(text, &count) && count >= 0 &&
	         count <= CONTEXT_SUMMARY)
		run->policy = (enum context_policy)count;
	else if (strcmp(key, "clock") == 0) { /* before its microseconds, which older records do not have */
		const int64_t most = INT64_MAX / 1000000 - 1;

		if (!number_parse_int(text, &count) || count > most || count < -most)
			return false;
		run->wish.clock = count * 1000000;
	} else if (strcmp(key, "microseconds") == 0 && number_parse_int(text, &count) && count >= 0 && count < 1000000)
		run->wish.clock += count;
	else if (strcmp(key, "seed") == 0)
		return number_parse_int(text, &run->begin.seed) && run->begin.seed >= 0;
	else if (strcmp(key, "rate") == 0)
		run->weight_rate = strtod(text, NULL);
	else if (strcmp(key, "reasoning") == 0 && sscanf(text, "%u %u", &mode, &effort) == 2 &&
	         mode < REASONING_COUNT && effort <= EFFORT_HIGH) {
		run->wish.mode = (enum reasoning_mode)mode;
		run->wish.effort = (enum effort)effort;
	} else if (strcmp(key, "options") == 0)
		return read_text(&run->options, item);
	else if (strcmp(key, "template_kwargs") == 0)
		return read_text(&run->template_kwargs, item);
	else if (strcmp(key, "samplers") == 0)
		return read_text(&run->samplers, item);
	else if (strcmp(key, "logit_bias") == 0)
		return read_text(&run->logit_bias, item);
	else if (strcmp(key, "breakers") == 0)
		return read_text(&run->dry_breakers, item);
	else if (strcmp(key, "stops") == 0)
		return read_text(&run->stops, item);
	else if (strcmp(key, "params") == 0)
		return read_params(&run->begin.params, text, item->len);
	else if (strcmp(key, "changes") == 0)
		return read_changes(run, text);
	else if (strcmp(key, "changes_text") == 0)
		read_changes_text(run, text);
	else if (strcmp(key, "marks") == 0)
		return read_marks(&run->marks, text);
	return true;
}

/* What cannot be understood is skipped, and makes the run unknown. */
static bool read_run(struct yaml_reader *reader, struct reply_run *run)
{
	bool understood = true, ok;
	struct yaml_item item;
	char key[YAML_KEY_MAX];

	*run = (struct reply_run){.begin.params = sampler_params_default(), .n_predict = -1,
	                            .policy = CONTEXT_ROLL};
	while (yaml_next_scalar(reader, key, &item, &ok))
		understood &= read_field(run, key, &item);
	run->has_begun &= understood;
	return ok;
}

bool journal_read_runs(struct yaml_reader *reader, struct journal_runs *out)
{
	struct yaml_item item;

	for (;;) {
		struct reply_run run = {.has_begun = false};

		if (yaml_next(reader, &item, NULL))
			return false;
		if (item.kind == YAML_LIST_END)
			return true;
		if (item.kind != YAML_MAP_BEGIN) {
			if (yaml_skip(reader, &item, NULL))
				return false;
			continue;
		}
		if (!read_run(reader, &run)) {
			run_free(&run);
			return false;
		}
		if (alloc_grow(&out->items, &out->cap, out->n + 1, sizeof *out->items, JOURNAL_RUNS_MAX))
			out->items[out->n++] = run;
		else
			run_free(&run); /* better than no message */
	}
}

void journal_free_runs(struct journal_runs *runs)
{
	for (size_t i = 0; i < runs->n; i++)
		run_free(&runs->items[i]);
	free(runs->items);
	*runs = (struct journal_runs){.n = 0};
}
