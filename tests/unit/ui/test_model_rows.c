/* What F6 shows of files and servers, and in which order. */
#include <criterion/criterion.h>
#include <string.h>

#include "ui/model_rows.h"

#define T(text) ((char[]){text}) /* the fields are not const */

static struct catalog_entry entries[] = {
	{.path = T("/m/good.gguf"), .name = T("good"), .state = MODEL_FITS, .n_ctx_train = 4096, .file_bytes = 1 << 20},
	{.path = T("/m/bad.gguf"), .name = T("bad"), .state = MODEL_DAMAGED, .why = T("not a GGUF file")},
	{.path = T("/g/guide.gguf"), .name = T("guide"), .state = MODEL_FITS, .is_guide = true},
};
static const struct catalog catalog = {.entries = entries, .n = 3, .available = (uint64_t)8 << 30, .weight_rate = 20e9};

static struct remote_model models[] = {
	{.server = T("down"), .id = T(""), .path = T("server:down"), .where = T("10.0.0.3:1"), .why = T("down: nothing listens"),
	 .price_in = -1, .price_out = -1, .state = REMOTE_FAILED},
	{.server = T("box"), .id = T("/models/qwen.gguf"), .path = T("server:box//models/qwen.gguf"), .where = T("10.0.0.3:8080"),
	 .title = "llama-server", .type = T("Q4_K_M"), .n_ctx = 8192, .price_in = -1, .price_out = -1,
	 .state = REMOTE_LOADED, .is_unverified = true},
	{.server = T("ollama"), .id = T(""), .path = T("server:ollama"), .where = T("127.0.0.1:11434"), .title = "Ollama",
	 .price_in = -1, .price_out = -1, .state = REMOTE_OFFERED},
	{.server = T("cloud"), .id = T("big"), .path = T("server:cloud/big"), .where = T("example.com"), .price_in = 0.4,
	 .price_out = 1.2, .state = REMOTE_UNKNOWN},
};
static const struct remote_list remote = {.items = models, .n = 4, .n_servers = 3};

/* The rows' texts, joined; those of published models are one word. */
static void expect_order(const struct model_rows *rows, const char *order)
{
	struct buf text = {.max = 4096};

	for (size_t i = 0; i < rows->n; i++)
		if (!model_rows_is_published(rows->items[i].value))
			buf_printf(&text, "%s%s", i ? ", " : "", rows->items[i].text);
		else if (!i || !model_rows_is_published(rows->items[i - 1].value))
			buf_puts(&text, ", published");
	cr_expect_str_eq(buf_text(&text), order);
	buf_free(&text);
}

Test(model_rows, files_come_first_and_what_cannot_be_used_last)
{
	struct model_rows rows;

	cr_assert(model_rows_make(&rows, &catalog, &remote, NULL, NULL, false));
	expect_order(&rows, "good, qwen.gguf on box, big on cloud, Ollama on this machine, down, published, bad, guide");
	cr_expect_str_eq(rows.items[1].value, "server:box//models/qwen.gguf");
	cr_expect_str_eq(rows.items[1].columns[0], "8192");
	cr_expect_str_eq(rows.items[1].columns[4], "loaded");
	cr_expect_str_eq(rows.items[1].note, "on box (10.0.0.3:8080), llama-server \302\267 context of 8192 tokens \302\267 "
	                 "its certificate is not verified "
	                 "\302\267 server:box//models/qwen.gguf");
	cr_expect_str_eq(rows.items[2].note, "on cloud (example.com) \302\267 $0.4 in, $1.2 out for a million tokens "
	                 "\302\267 server:cloud/big");
	cr_expect_str_eq(rows.items[3].columns[4], "offered");
	cr_expect_str_eq(rows.items[3].note, "a server runs on this machine: something listens at 127.0.0.1:11434, as "
	                 "Ollama does; Enter writes it into servers.yaml as ollama, and uses it");
	cr_expect(rows.items[4].is_broken);
	cr_expect_str_eq(rows.items[4].note, "down: nothing listens");
	model_rows_free(&rows);
}

/* In lines each row has its columns. */
Test(model_rows, what_is_printed_says_a_context_once)
{
	struct model_rows rows;

	cr_assert(model_rows_make(&rows, &catalog, &remote, NULL, NULL, true));
	cr_expect_str_eq(rows.items[1].columns[0], "8192");
	cr_expect_str_eq(rows.items[1].note, "on box (10.0.0.3:8080), llama-server \302\267 its certificate is not verified "
	                 "\302\267 server:box//models/qwen.gguf");
	model_rows_free(&rows);
}

Test(model_rows, the_servers_model_in_use_comes_first)
{
	struct model_info model = {.identity = {.server = "cloud", .model = "big"}};
	struct model_rows rows;

	cr_assert(model_rows_make(&rows, &catalog, &remote, &model, NULL, false));
	expect_order(&rows, "big on cloud, good, qwen.gguf on box, Ollama on this machine, down, published, bad, guide");
	cr_expect_str_eq(rows.items[0].columns[4], "in use");
	model_rows_free(&rows);
}

Test(model_rows, either_may_be_unknown_yet)
{
	struct model_rows rows;

	cr_assert(model_rows_make(&rows, NULL, &remote, NULL, NULL, false));
	cr_expect_eq(rows.n, remote.n);
	model_rows_free(&rows);
	cr_assert(model_rows_make(&rows, &catalog, NULL, NULL, NULL, false));
	expect_order(&rows, "good, published, bad, guide");
	model_rows_free(&rows);
	cr_assert(model_rows_make(&rows, NULL, NULL, NULL, NULL, false));
	cr_expect_eq(rows.n, 0);
	model_rows_free(&rows);
}

static size_t first_published(const struct model_rows *rows)
{
	size_t i = 0;

	while (i < rows->n && !model_rows_is_published(rows->items[i].value))
		i++;
	cr_assert_lt(i, rows->n);
	return i;
}

/* The one that suits the machine is their first. */
Test(model_rows, published_models_can_be_fetched)
{
	struct model_rows rows;
	const struct list_item *item;

	cr_assert(model_rows_make(&rows, &catalog, NULL, NULL, NULL, false));
	item = &rows.items[first_published(&rows)];
	cr_expect_str_eq(item->text, "Qwen3.5 4B");
	cr_expect_str_eq(item->value, MODEL_ROWS_PUBLISHED "unsloth/Qwen3.5-4B-GGUF:Q4_K_M");
	cr_expect_str_eq(item->columns[1], "Q4_K_M");
	cr_expect_str_eq(item->columns[2], "2.55 GiB");
	cr_expect_str_eq(item->columns[4], "to fetch");
	cr_expect_not_null(strstr(item->note, "not on this machine: choose it, and it is fetched (2.74 GB) \302\267 the one that suits this machine"));
	cr_expect_not_null(strstr(item->note, "of 8.00 GiB free \302\267 Apache-2.0 \302\267 sotto pull unsloth/Qwen"));
	model_rows_free(&rows);
	cr_assert(model_rows_make(&rows, &catalog, NULL, NULL, "unsloth/Qwen3.5-4B-GGUF:Q4_K_M", false));
	item = &rows.items[first_published(&rows)];
	cr_expect_str_eq(item->columns[4], "on its way");
	cr_expect_not_null(strstr(item->note, "choose it, and see how far it is"));
	model_rows_free(&rows);
}

Test(model_rows, what_is_here_is_not_offered)
{
	struct catalog_entry here = {.path = T("/hub/blobs/qwen3.5-4b-q4_k_m.gguf"), .name = T("Qwen"), .state = MODEL_FITS};
	struct catalog with = {.entries = &here, .n = 1, .available = (uint64_t)8 << 30, .weight_rate = 20e9};
	struct model_rows rows;

	cr_assert(model_rows_make(&rows, &with, NULL, NULL, NULL, false));
	for (size_t i = 0; i < rows.n; i++)
		cr_expect_null(strstr(rows.items[i].value, "Qwen3.5-4B"), "%s", rows.items[i].value);
	cr_expect_gt(rows.n, 1);
	model_rows_free(&rows);
}
