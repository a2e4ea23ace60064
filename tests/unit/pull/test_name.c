#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "pull/name.h"

#define HF "https://huggingface.co"
#define OLLAMA "https://registry.ollama.ai"
#define REPO "unsloth/Qwen3.5-4B-GGUF"

static void quiet(void)
{
	unsetenv("HF_ENDPOINT");
	unsetenv("MODEL_ENDPOINT");
}

TestSuite(pull_name, .init = quiet);

static const struct row {
	const char *text;
	enum pull_source source;
	const char *base, *repository, *revision, *file, *tag;
	const char *shown; /* NULL: as `text` */
} rows[] = {
	{REPO, PULL_HUB, HF, REPO, "main", NULL, NULL, NULL},
	{REPO ":Q4_K_M", PULL_HUB, HF, REPO, "main", NULL, "Q4_K_M", NULL},
	{"hf.co/" REPO ":latest", PULL_HUB, HF, REPO, "main", NULL, NULL, REPO},
	{REPO "/", PULL_HUB, HF, REPO, "main", NULL, NULL, REPO},
	{"hf.co/" REPO ":UD-Q4_K_XL", PULL_HUB, HF, REPO, "main", NULL, "UD-Q4_K_XL", REPO ":UD-Q4_K_XL"},
	{"huggingface.co/" REPO, PULL_HUB, HF, REPO, "main", NULL, NULL, REPO},
	{"HF.co/" REPO, PULL_HUB, HF, REPO, "main", NULL, NULL, REPO},
	{"https://huggingface.co/" REPO, PULL_HUB, HF, REPO, "main", NULL, NULL, REPO},
	{"https://huggingface.co/" REPO "?library=llama-cpp#x", PULL_HUB, HF, REPO, "main", NULL, NULL, REPO},
	{"https://huggingface.co/" REPO "/tree/main", PULL_HUB, HF, REPO, "main", NULL, NULL, REPO},
	{"https://huggingface.co/" REPO "/tree/main/BF16", PULL_HUB, HF, REPO, "main", NULL, NULL, REPO},
	{"https://huggingface.co/" REPO "/tree/v1:Q8_0", PULL_HUB, HF, REPO, "v1", NULL, "Q8_0", "hf.co/" REPO "/tree/v1:Q8_0"},
	{"https://huggingface.co/" REPO "/tree/refs%2Fpr%2F1", PULL_HUB, HF, REPO, "refs/pr/1", NULL, NULL,
	 "hf.co/" REPO "/tree/refs%2Fpr%2F1"},
	{"https://huggingface.co/" REPO "/blob/main/BF16/x-00001-of-00002.gguf", PULL_HUB, HF, REPO, "main",
	 "BF16/x-00001-of-00002.gguf", NULL, "hf.co/" REPO "/BF16/x-00001-of-00002.gguf"},
	{"https://hf.co/" REPO "/resolve/v2/x%20y.gguf?download=true", PULL_HUB, HF, REPO, "v2", "x y.gguf", NULL,
	 "hf.co/" REPO "/resolve/v2/x%20y.gguf"},
	{"hf.co/a.b/c", PULL_HUB, HF, "a.b/c", "main", NULL, NULL, NULL},
	{"hf.co/" REPO "/x.gguf", PULL_HUB, HF, REPO, "main", "x.gguf", NULL, NULL},
	{"llama3.2", PULL_OLLAMA, OLLAMA, "library/llama3.2", NULL, NULL, NULL, NULL},
	{"llama3.2:3b", PULL_OLLAMA, OLLAMA, "library/llama3.2", NULL, NULL, "3b", NULL},
	{"ollama:llama3.2:3b", PULL_OLLAMA, OLLAMA, "library/llama3.2", NULL, NULL, "3b", "llama3.2:3b"},
	{"ollama:w.gguf", PULL_OLLAMA, OLLAMA, "library/w.gguf", NULL, NULL, NULL, NULL},
	{"ollama:ollama:x", PULL_OLLAMA, OLLAMA, "library/ollama", NULL, NULL, "x", NULL},
	{"ollama:guide", PULL_OLLAMA, OLLAMA, "library/guide", NULL, NULL, NULL, NULL},
	{"ollama:hf.co", PULL_OLLAMA, OLLAMA, "library/hf.co", NULL, NULL, NULL, NULL},
	{"ollama:someone/model:x", PULL_OLLAMA, OLLAMA, "someone/model", NULL, NULL, "x", NULL},
	{"registry.ollama.ai/library/qwen3:4b", PULL_OLLAMA, OLLAMA, "library/qwen3", NULL, NULL, "4b", "qwen3:4b"},
	{"https://ollama.com/library/qwen3:4b", PULL_OLLAMA, OLLAMA, "library/qwen3", NULL, NULL, "4b", "qwen3:4b"},
	{"https://ollama.com/someone/model", PULL_OLLAMA, OLLAMA, "someone/model", NULL, NULL, NULL, "ollama:someone/model"},
	{"ollama:box.example:8080/a/b:c", PULL_OLLAMA, "https://box.example:8080", "a/b", NULL, NULL, "c",
	 "ollama:https://box.example:8080/a/b:c"},
	{"ollama:http://127.0.0.1:8080/library/tiny:1b", PULL_OLLAMA, "http://127.0.0.1:8080", "library/tiny", NULL, NULL,
	 "1b", NULL},
	{"https://box.example/models/x.gguf", PULL_URL, "https://box.example", "/models/x.gguf", NULL, NULL, NULL, NULL},
	{"http://box:81/x.gguf?key=1#top", PULL_URL, "http://box:81", "/x.gguf?key=1", NULL, NULL, NULL,
	 "http://box:81/x.gguf?key=1"},
};

static void expect(const char *what, const char *text, const char *found, const char *wanted)
{
	cr_expect((found && wanted) ? !strcmp(found, wanted) : found == wanted, "%s: %s is '%s', not '%s'", text, what,
	          found ? found : "NULL", wanted ? wanted : "NULL");
}

Test(pull_name, table)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct row *row = &rows[i];
		struct pull_name name;
		struct error err = {0};
		struct buf shown = {.max = 4096};

		cr_expect_eq(pull_name_parse(&name, row->text, &err), STATUS_OK, "%s: %s", row->text, err.text);
		cr_expect_eq(name.source, row->source, "%s", row->text);
		expect("base", row->text, name.base, row->base);
		expect("repository", row->text, name.repository, row->repository);
		expect("revision", row->text, name.revision, row->revision);
		expect("file", row->text, name.file, row->file);
		expect("tag", row->text, name.tag, row->tag);
		if (!err.status)
			pull_name_put(&name, &shown);
		expect("shown", row->text, buf_text(&shown), row->shown ? row->shown : row->text);
		cr_expect(pull_name_looks_so(row->text), "%s", row->text);
		buf_free(&shown);
		pull_name_free(&name);
	}
}

static const struct {
	const char *text, *words;
} wrong[] = {
	{"", "is wanted"},
	{"a b", "blanks"},
	{"a\033[1m/b", "control characters"},
	{"x.gguf", "name of a file"},
	{"owner/..", "not the name of a repository"},
	{"../owner", "not the name of a repository"},
	{"/etc/passwd", "not the name of a repository"},
	{"owner//repo", "not the name of a repository"},
	{"owner/-repo", "not the name of a repository"},
	{"owner/repo:", "not the name of a quantisation"},
	{"owner/repo:a/b", "not the name of a quantisation"},
	{"owner/repo:Q4 K", "blanks"},
	{"owner/repo/x.bin", "not the path of a GGUF file"},
	{"owner/repo/../x.gguf", "not the path of a GGUF file"},
	{"https://hf.co/owner/repo/resolve/main/..%2fx.gguf", "not the path of a GGUF file"},
	{"https://hf.co/owner/repo/resolve/main/x%1b.gguf", "not the path of a GGUF file"},
	{"https://hf.co/owner/repo/resolve/x%07/y.gguf", "not a branch"},
	{"https://hf.co/owner/repo/resolve/..%2f..%2fx/y.gguf", "not a branch"},
	{"https://hf.co/owner", "not the name of a repository"},
	{"https://box.example/x.zip", "not the address of a GGUF file"},
	{"https://user:password@box.example/x.gguf", "a password in it"},
	{"https:///x.gguf", "no host"},
	{"ollama:../x", "a namespace"},
	{"ollama:http:///library/x", "not a host"},
	{"ollama:https://:80/library/x", "not a host"},
	{"ollama:a/b/c/d", "a model"},
	{"ollama:a.b/c", "a namespace"},
	{"llama3.2:", "a tag"},
	{"-x", "a model"},
};

Test(pull_name, wrong_ones_say_what_is_wanted)
{
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		struct pull_name name;
		struct error err = {0};

		cr_expect_eq(pull_name_parse(&name, wrong[i].text, &err), STATUS_USAGE, "'%s'", wrong[i].text);
		cr_expect(strstr(err.text, wrong[i].words), "'%s': %s", wrong[i].text, err.text);
		cr_expect(!strstr(err.text, "password@"));
		cr_expect(!pull_name_looks_so(wrong[i].text), "'%s'", wrong[i].text);
		pull_name_free(&name);
	}
}

Test(pull_name, others_are_not_published_models)
{
	static const char *const texts[] = {"guide", "server:box", "server:box/x", "./x", "../a/b", "/a/b", "~/a/b", "a/b.gguf",
	                                    "b.gguf", "a/b/c.gguf", ""};

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		cr_expect(!pull_name_looks_so(texts[i]), "'%s'", texts[i]);
}

Test(pull_name, too_long)
{
	char text[4000];
	struct pull_name name;
	struct error err;

	memset(text, 'x', sizeof text);
	memcpy(text, "a/", 2);
	text[258] = '\0';
	cr_expect_eq(pull_name_parse(&name, text, &err), STATUS_USAGE);
	pull_name_free(&name);
	text[256] = '\0';
	cr_expect_eq(pull_name_parse(&name, text, &err), STATUS_OK);
	pull_name_free(&name);
	text[256] = 'x';
	text[258] = 'x';
	text[sizeof text - 1] = '\0';
	cr_expect_eq(pull_name_parse(&name, text, &err), STATUS_USAGE);
	cr_expect(strstr(err.text, "3999 bytes"), "%s", err.text);
	pull_name_free(&name);
}

Test(pull_name, another_endpoint)
{
	struct pull_name name;
	struct error err;

	setenv("HF_ENDPOINT", "http://127.0.0.1:9/", 1);
	cr_assert_eq(pull_name_parse(&name, "a/b:Q8_0", &err), STATUS_OK);
	cr_expect_str_eq(name.base, "http://127.0.0.1:9");
	pull_name_free(&name);
	cr_assert_eq(pull_name_parse(&name, "http://127.0.0.1:9/a/b/blob/main/x.gguf", &err), STATUS_OK);
	cr_expect_eq(name.source, PULL_HUB);
	cr_expect_str_eq(name.file, "x.gguf");
	pull_name_free(&name);
	setenv("MODEL_ENDPOINT", "https://mirror.example/hf", 1);
	cr_assert_eq(pull_name_parse(&name, "a/b", &err), STATUS_OK);
	cr_expect_str_eq(name.base, "https://mirror.example/hf");
	pull_name_free(&name);
	setenv("MODEL_ENDPOINT", "mirror.example", 1);
	cr_expect_eq(pull_name_parse(&name, "a/b", &err), STATUS_CONFIG);
	cr_expect(strstr(err.text, "HF_ENDPOINT"), "%s", err.text);
	pull_name_free(&name);
}
