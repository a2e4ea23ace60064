#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/io.h"
#include "pull/hub_cache.h"
#include "pull/hub_key.h"
#include "support/folder.h"

static char *folder;

static void begin(void)
{
	static const char *const variables[] = {
		"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HF_TOKEN_PATH", "HF_HOME", "XDG_CACHE_HOME", "HF_HUB_CACHE",
		"HUGGINGFACE_HUB_CACHE", "LLAMA_CACHE", "HF_HUB_DISABLE_IMPLICIT_TOKEN",
	};

	for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++)
		unsetenv(variables[i]);
	folder = strdup("/tmp/sotto-pull-XXXXXX");
	cr_assert(folder && mkdtemp(folder));
	setenv("HOME", folder, 1);
}

static void end(void)
{
	remove_folder(folder);
	free(folder);
}

TestSuite(hub_key, .init = begin, .fini = end);

static void write_token(const char *below, const char *text)
{
	char path[1000];
	struct buf folder_path = {.max = 1000};

	snprintf(path, sizeof path, "%s/%s", folder, below);
	buf_append(&folder_path, path, (size_t)(strrchr(path, '/') - path));
	cr_assert_eq(io_make_dirs(&io_system, buf_text(&folder_path)), 0);
	buf_free(&folder_path);
	write_text(path, text);
}

static void expect_key(const char *wanted)
{
	struct secret *key;
	struct error err = {0};

	cr_assert_eq(hub_key(&key, &err), STATUS_OK, "%s", err.text);
	cr_expect(wanted ? key && !strcmp(secret_text(key), wanted) : !key, "%s", wanted ? wanted : "none");
	secret_free(key);
}

Test(hub_key, from_everywhere)
{
	expect_key(NULL);
	write_token(".cache/huggingface/token", "hf_home\n");
	expect_key("hf_home");
	write_token("elsewhere/token", " hf_elsewhere \r\n");
	setenv("HF_HOME", "$HOME/elsewhere", 1);
	expect_key("hf_elsewhere");
	write_token("third", "hf_third");
	setenv("HF_TOKEN_PATH", "~/third", 1);
	expect_key("hf_third");
	setenv("HUGGING_FACE_HUB_TOKEN", "hf_old", 1);
	expect_key("hf_old");
	setenv("HF_TOKEN", "hf_new", 1);
	expect_key("hf_new");
	setenv("HF_HUB_DISABLE_IMPLICIT_TOKEN", "1", 1);
	expect_key(NULL);
}

Test(hub_key, a_wrong_one_is_not_quoted)
{
	struct secret *key;
	struct error err;

	setenv("HF_TOKEN", "hf_CANARY\nX-Header: 1", 1);
	cr_expect_eq(hub_key(&key, &err), STATUS_CONFIG);
	cr_expect(strstr(err.text, "HF_TOKEN is not a token"), "%s", err.text);
	cr_expect(!strstr(err.text, "CANARY"), "%s", err.text);
	cr_expect_null(key);
}

static void expect_cache(const char *below)
{
	struct buf path = {.max = 2000};
	char wanted[1000];

	snprintf(wanted, sizeof wanted, "%s%s", below[0] == '/' ? "" : folder, below);
	cr_expect_eq(hub_cache_folder(&path, NULL), STATUS_OK);
	cr_expect_str_eq(buf_text(&path), below[0] == '/' ? below : wanted);
	buf_free(&path);
}

Test(hub_key, folders)
{
	struct buf wanted = {.max = 2000};

	buf_printf(&wanted, "%s/.cache/huggingface/hub", folder);
	expect_cache(buf_text(&wanted));
	setenv("XDG_CACHE_HOME", "/xdg", 1);
	expect_cache("/xdg/huggingface/hub");
	setenv("HF_HOME", "/home/${NONE}/$", 1);
	expect_cache("/home/${NONE}/$/hub");
	setenv("HUGGINGFACE_HUB_CACHE", "/old", 1);
	expect_cache("/old");
	setenv("NAME", "new", 1);
	setenv("HF_HUB_CACHE", "/${NAME}/$NAME.d", 1);
	expect_cache("/new/new.d");
	setenv("LLAMA_CACHE", "/llama", 1);
	expect_cache("/llama");
	buf_free(&wanted);
}
