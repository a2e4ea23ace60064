#include "talk.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "dialog/outgoing.h"
#include "engine/options.h"

struct dialog talk;
struct sampler_params talk_sampler;
struct engine_params talk_engine;
struct model_info talk_model;
struct chat_turn talk_turn;
bool talk_fails;
static struct settings *settings;
static struct io_ops io;

static ssize_t write_or_fail(int fd, const void *bytes, size_t n)
{
	if (!talk_fails)
		return io_system.write(fd, bytes, n);
	errno = ENOSPC;
	return -1;
}

void talk_begin(void)
{
	const struct option_table tables[] = {{engine_options, engine_n_options, &talk_engine},
	                                      {sampler_options, sampler_n_options, &talk_sampler}};
	struct dialog_config config = {.sampler = &talk_sampler, .engine = &talk_engine, .saves = true,
	                               .sums_up = true};
	struct opened chat;
	struct error err;

	chat_folder_make();
	io = io_system;
	io.write = write_or_fail;
	cr_assert_eq(settings_create(&settings, tables, 2, &err), STATUS_OK, "%s", err.text);
	config.settings = settings;
	talk_model = (struct model_info){.name = "model", .n_ctx = 1000, .capabilities = CAPABILITY_CONTINUE};
	dialog_init(&talk, &config);
	talk.model = &talk_model;
	cr_assert_eq(dialog_open_new(&talk, &chat, &err), STATUS_OK, "%s", err.text);
	journal_close(chat.journal);
	cr_assert_eq(journal_create_io(&chat.journal, &io, &err), STATUS_OK, "%s", err.text);
	dialog_hold(&talk, &chat);
	EXPECT_FACTS(FACT_OPTIONS);
}

void talk_end(void)
{
	chat_turn_free(&talk_turn);
	dialog_deinit(&talk);
	settings_free(settings);
	chat_folder_remove();
}

const char *talk_folder(void)
{
	static char folder[128];

	snprintf(folder, sizeof folder, "%.*s", (int)(strlen(chat_folder()) - strlen("/data/chats")), chat_folder());
	return folder;
}

void talk_say(const char *text)
{
	struct outgoing message = {.text = (char *)text, .len = strlen(text)};
	struct error err;

	cr_assert_eq(dialog_send(&talk, &message, &err), STATUS_OK, "%s", err.text);
}

void talk_ask(void)
{
	static uint64_t id;
	struct error err;

	chat_turn_free(&talk_turn);
	cr_assert_eq(dialog_build_turn(&talk, &talk_turn, &err), STATUS_OK, "%s", err.text);
	dialog_turn_runs(&talk, ++id, 0);
}

static enum turn_news tell(const struct event *event)
{
	struct error err = {.status = STATUS_OK};
	enum turn_news news = dialog_event(&talk, event, 1000000, &err);

	cr_expect_neq(news, TURN_IS_LOST);
	return news;
}

enum turn_news talk_token(const char *text)
{
	const struct event event = {.kind = EVENT_TOKEN,
	                            .u.token = {.id = 7, .bytes = text, .len = strlen(text),
	                                        .n_generated = talk.turn.n_tokens + 1}};

	return tell(&event);
}

enum turn_news talk_done(enum done_reason reason, enum status status)
{
	struct error err;
	const struct event event = {.kind = EVENT_DONE, .u.done.reason = reason, .error = &err};

	error_set(&err, status, "refused");
	return tell(&event);
}

void talk_reply(const char *text)
{
	const struct event begin = {.kind = EVENT_BEGIN, .u.begin = {.seed = 1}};

	talk_ask();
	cr_expect_eq(tell(&begin), TURN_GOES_ON);
	cr_expect_eq(talk_token(text), TURN_GOES_ON);
	cr_expect_eq(talk_done(DONE_END, STATUS_OK), TURN_HAS_ENDED);
}

static void expect_path(const struct tree *tree, const char *expected, const char *where)
{
	static const char *const names[] = {[ROLE_USER] = "you", [ROLE_ASSISTANT] = "model", [ROLE_SYSTEM] = "system"};
	uint32_t ids[100];
	size_t n = tree_path(tree, ids, 100);
	struct buf text = {.max = KIB(64)};

	for (size_t i = 0; i < n; i++)
		buf_printf(&text, "%s%s: %s", i ? "|" : "", names[tree_node(tree, ids[i])->role],
		           tree_node(tree, ids[i])->text);
	cr_expect_str_eq(buf_text(&text), expected, "%s: '%s'", where, buf_text(&text));
	buf_free(&text);
}

void talk_expect_path(const char *text)
{
	expect_path(talk.tree, text, "the path");
}

void talk_expect_saved(const char *text)
{
	struct tree *tree;
	struct error err;
	size_t n_damaged;

	cr_assert_eq(journal_load(journal_path(talk.journal), &tree, &n_damaged, NULL, &err), STATUS_OK, "%s", err.text);
	cr_expect_eq(n_damaged, 0);
	expect_path(tree, text, "the file");
	tree_free(tree);
}

void talk_expect_facts(size_t n, const enum fact_kind *kinds)
{
	struct fact fact;
	size_t i = 0;

	while (dialog_take_fact(&talk, &fact)) {
		cr_expect(i < n && fact.kind == kinds[i], "fact %zu is %d", i, (int)fact.kind);
		i++;
	}
	cr_expect_eq(i, n, "%zu facts of %zu", i, n);
}
