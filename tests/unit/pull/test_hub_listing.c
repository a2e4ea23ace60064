#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "pull/hub_listing.h"

#define SHA256 "0123456789abcdef0123456789ABCDEF0123456789abcdef0123456789abcdef"
#define OID "0123456789abcdef0123456789abcdef01234567"
#define FILE_OF(path, size) "{\"type\":\"file\",\"oid\":\"" OID "\",\"size\":" size ",\"path\":\"" path "\"}"

Test(hub_listing, a_tree)
{
	static const char text[] =
		"[{\"type\":\"directory\",\"oid\":\"" OID "\",\"size\":0,\"path\":\"BF16\"},"
		"{\"type\":\"file\",\"oid\":\"" OID "\",\"size\":2000,\"lfs\":{\"oid\":\"" SHA256 "\",\"size\":2000,"
		"\"pointerSize\":135},\"xetHash\":\"" SHA256 "\",\"path\":\"BF16/x y.gguf\"}," FILE_OF("README.md", "12") "]";
	struct hub_files files = {0};
	struct error err = {0};

	cr_assert_eq(hub_read_tree(&files, text, strlen(text), &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(files.n, 2);
	cr_expect_str_eq(files.files[0].path, "BF16/x y.gguf");
	cr_expect_eq(files.files[0].size, 2000);
	cr_expect_str_eq(files.files[0].digest, "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef");
	cr_expect_str_eq(files.files[1].digest, OID);
	cr_expect_eq(hub_check_files(&files, &err), STATUS_OK);
	cr_expect_eq(hub_read_tree(&files, text, strlen(text), &err), STATUS_OK, "a second page");
	cr_expect_eq(hub_check_files(&files, &err), STATUS_FORMAT);
	cr_expect(strstr(err.text, "twice"), "%s", err.text);
	hub_free_files(&files);
}

/* What a hostile, or broken, listing says, and the words that it is refused with. */
static const struct {
	const char *text, *words;
} hostile[] = {
	{"", "not JSON"},
	{"{}", "a list of files is expected"},
	{"[" FILE_OF("x", "1"), "not JSON"},
	{"[" FILE_OF("../x.gguf", "1") "]", "'../x.gguf' has a part that leads elsewhere"},
	{"[" FILE_OF("a/../../x.gguf", "1") "]", "leads elsewhere"},
	{"[" FILE_OF("a/./x.gguf", "1") "]", "leads elsewhere"},
	{"[" FILE_OF("/abs.gguf", "1") "]", "an empty part"},
	{"[" FILE_OF("a//b.gguf", "1") "]", "an empty part"},
	{"[" FILE_OF("a/", "1") "]", "an empty part"},
	{"[" FILE_OF("", "1") "]", "an empty part"},
	{"[" FILE_OF("a\\u0000b.gguf", "1") "]", "control characters"},
	{"[" FILE_OF("a\\nb.gguf", "1") "]", "control characters"},
	{"[" FILE_OF("a\\\\b.gguf", "1") "]", "a backslash"},
	{"[" FILE_OF("1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/x", "1") "]", "16 folders"},
	{"[" FILE_OF("x", "-1") "]", "a size that is not one"},
	{"[" FILE_OF("x", "1.5") "]", "a size that is not one"},
	{"[" FILE_OF("x", "\"1\"") "]", "a size that is not one"},
	{"[" FILE_OF("x", "1e400") "]", "size"},
	{"[" FILE_OF("x", "2199023255553") "]", "more than 2 TiB"},
	{"[{\"type\":\"file\",\"path\":\"x\"}]", "no size"},
	{"[{\"type\":\"file\",\"size\":1}]", "no path"},
	{"[{\"type\":\"file\",\"path\":7,\"size\":1}]", "no path"},
	{"[{\"type\":\"file\",\"path\":\"x\",\"size\":1,\"oid\":\"../../../../etc/passwd\"}]", "oid that is not git's"},
	{"[{\"type\":\"file\",\"path\":\"x\",\"size\":1,\"oid\":\"" SHA256 "\"}]", "oid that is not git's"},
	{"[{\"type\":\"file\",\"path\":\"x\",\"size\":1,\"lfs\":{\"oid\":\"" OID "\"}}]", "lfs.oid that is not a SHA-256"},
	{"[{\"type\":\"file\",\"path\":\"x\",\"size\":1,\"lfs\":{\"oid\":\"" SHA256 "0\"}}]", "lfs.oid that is not a SHA-256"},
	{"[{\"type\":\"file\",\"path\":\"x\",\"size\":1,\"lfs\":{\"oid\":\"" SHA256 "\",\"size\":2}}]", "two sizes"},
};

Test(hub_listing, hostile_ones_are_refused_with_what_is_wrong)
{
	for (size_t i = 0; i < sizeof hostile / sizeof hostile[0]; i++) {
		struct hub_files files = {0};
		struct error err = {0};

		cr_expect_eq(hub_read_tree(&files, hostile[i].text, strlen(hostile[i].text), &err), STATUS_FORMAT, "%s",
		             hostile[i].text);
		cr_expect(strstr(err.text, hostile[i].words), "%s: %s", hostile[i].text, err.text);
		hub_free_files(&files);
	}
}

Test(hub_listing, long_names)
{
	static const size_t lens[][2] = {{255, 1}, {256, 0}, {300, 0}};

	for (size_t i = 0; i < sizeof lens / sizeof lens[0]; i++) {
		char text[1000], name[400];
		struct hub_files files = {0};

		memset(name, 'x', lens[i][0]);
		name[lens[i][0]] = '\0';
		snprintf(text, sizeof text, "[{\"type\":\"file\",\"path\":\"%s\",\"size\":1}]", name);
		cr_expect_eq(!hub_read_tree(&files, text, strlen(text), NULL), lens[i][1], "%zu bytes", lens[i][0]);
		hub_free_files(&files);
	}
}

/* As long as may be, of so many parts of `part` bytes. */
static bool takes(size_t len, size_t part)
{
	char text[4000], path[2000];
	struct hub_files files = {0};
	bool is;

	for (size_t i = 0; i < len; i++)
		path[i] = i % (part + 1) == part ? '/' : 'x';
	path[len] = '\0';
	snprintf(text, sizeof text, "[{\"type\":\"file\",\"path\":\"%s\",\"size\":2199023255552}]", path);
	is = !hub_read_tree(&files, text, strlen(text), NULL);
	hub_free_files(&files);
	return is;
}

Test(hub_listing, limits_of_paths)
{
	cr_expect(takes(LIMIT_PULL_PATH, 200));
	cr_expect(!takes(LIMIT_PULL_PATH + 1, 200));
	cr_expect(takes(2 * LIMIT_PULL_DEPTH + 1, 1), "a file in 16 folders");
	cr_expect(!takes(2 * LIMIT_PULL_DEPTH + 3, 1));
}

Test(hub_listing, too_many_files)
{
	struct buf text = {.max = MIB(64)};
	struct hub_files files = {0};
	struct error err = {0};

	buf_putc(&text, '[');
	for (size_t i = 0; i <= LIMIT_PULL_FILES; i++)
		buf_printf(&text, "%s{\"type\":\"file\",\"path\":\"%zu\",\"size\":1}", i ? "," : "", i);
	buf_putc(&text, ']');
	cr_assert_eq(buf_status(&text), STATUS_OK);
	cr_expect_eq(hub_read_tree(&files, buf_text(&text), text.len, &err), STATUS_LIMIT);
	cr_expect(strstr(err.text, "more than 100000 files"), "%s", err.text);
	cr_expect_eq(files.n, LIMIT_PULL_FILES);
	cr_expect_eq(hub_check_files(&files, &err), STATUS_OK);
	hub_free_files(&files);
	buf_free(&text);
}

Test(hub_listing, refs)
{
	static const char text[] =
		"{\"tags\":[{\"name\":\"v1\",\"ref\":\"refs/tags/v1\",\"targetCommit\":\"1111111111111111111111111111111111111111\"}],"
		"\"branches\":[{\"name\":\"dev\",\"targetCommit\":\"2222222222222222222222222222222222222222\"},"
		"{\"name\":\"main\",\"targetCommit\":\"ABCDEFabcdef3333333333333333333333333333\"},"
		"{\"name\":\"bad\",\"targetCommit\":\"../..\"}]}";
	char commit[HUB_COMMIT_LEN + 1];
	struct error err;

	cr_expect_eq(hub_read_refs(commit, "main", text, strlen(text), &err), STATUS_OK);
	cr_expect_str_eq(commit, "abcdefabcdef3333333333333333333333333333");
	cr_expect_eq(hub_read_refs(commit, "v1", text, strlen(text), &err), STATUS_OK);
	cr_expect_eq(commit[0], '1');
	cr_expect_eq(hub_read_refs(commit, "bad", text, strlen(text), &err), STATUS_NOTFOUND);
	cr_expect(strstr(err.text, "there is v1, dev, main"), "%s", err.text);
	cr_expect_eq(hub_read_refs(commit, "main", "{}", 2, &err), STATUS_NOTFOUND);
	cr_expect_eq(hub_read_refs(commit, "main", "[]", 2, &err), STATUS_FORMAT);
}

Test(hub_listing, where_there_is_no_main_the_first_branch_is_taken)
{
	static const char text[] =
		"{\"branches\":[{\"name\":\"master\",\"targetCommit\":\"2222222222222222222222222222222222222222\"}]}";
	char commit[HUB_COMMIT_LEN + 1];

	cr_expect_eq(hub_read_refs(commit, "main", text, strlen(text), NULL), STATUS_OK);
	cr_expect_eq(commit[0], '2');
	cr_expect_eq(hub_read_refs(commit, "dev", text, strlen(text), NULL), STATUS_NOTFOUND);
}

Test(hub_listing, info)
{
	static const char text[] =
		"{\"sha\":\"" OID "\",\"gated\":\"manual\",\"tags\":[\"gguf\",\"license:mit\"],\"cardData\":{\"license\":\"apache-2.0\"},"
		"\"gguf\":{\"total\":4022468096,\"architecture\":\"qwen35\"},\"siblings\":[{\"rfilename\":\"x.gguf\",\"size\":7,"
		"\"blobId\":\"" OID "\",\"lfs\":{\"sha256\":\"" SHA256 "\",\"size\":7}},{\"rfilename\":\"y\",\"size\":0,\"blobId\":\"" OID "\"}]}";
	struct hub_files files = {0};
	struct hub_info info;
	struct error err = {0};

	cr_assert_eq(hub_read_info(&info, &files, text, strlen(text), &err), STATUS_OK, "%s", err.text);
	cr_expect_str_eq(info.commit, OID);
	cr_expect(info.is_gated);
	cr_expect_str_eq(info.licence, "mit", "the first that is said");
	cr_expect_eq(info.n_params, 4022468096);
	cr_assert_eq(files.n, 2);
	cr_expect_eq(strlen(files.files[0].digest), 64);
	cr_expect_eq(strlen(files.files[1].digest), 40);
	hub_free_files(&files);
	cr_expect_eq(hub_read_info(&info, NULL, text, strlen(text), &err), STATUS_OK);
	cr_expect_eq(hub_read_info(&info, NULL, "{\"gated\":false}", 15, &err), STATUS_OK);
	cr_expect(!info.is_gated && !info.commit[0]);
	cr_expect_eq(hub_read_info(&info, NULL, "[]", 2, &err), STATUS_FORMAT);
}

Test(hub_listing, next_page)
{
	static const struct {
		const char *link, *url; /* NULL: the last */
	} rows[] = {
		{"<https://h/api?cursor=a,b>; rel=\"next\"", "https://h/api?cursor=a,b"},
		{"<https://h/1>; rel=\"prev\", <https://h/2>; rel=\"next\"", "https://h/2"},
		{"<https://h/1>; REL=next", "https://h/1"},
		{"<https://h/1>; rel=\"last\"", NULL},
		{"<https://h/1", NULL},
		{"", NULL},
		{NULL, NULL},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const char *url = "";
		size_t len = 0;
		bool is = hub_next_page(rows[i].link, &url, &len);

		cr_expect_eq(is, rows[i].url != NULL, "row %zu", i);
		cr_expect(!is || (len == strlen(rows[i].url) && !strncmp(url, rows[i].url, len)), "row %zu: %.*s", i, (int)len, url);
	}
}
