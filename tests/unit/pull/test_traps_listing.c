/* Listings and manifests that are wrong on purpose, or by accident: refused, or the entry left out; nothing is written
 * outside of the folders. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/limits.h"
#include "trap_bench.h"

#define OID "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define LFS(oid, size) "\"lfs\":{\"oid\":\"" oid "\",\"size\":" size ",\"pointerSize\":134}"
#define ENTRY(path, oid, size) \
	"{\"type\":\"file\",\"path\":\"" path "\",\"size\":" size ",\"oid\":\"0123456789abcdef0123456789abcdef01234567\"," LFS(oid, size) "}"
#define TREE(text_) {HUB_TREE, HUB_ANSWERS, .code = 200, .text = (text_)}
/* Where the tree cannot be had, the list of siblings is asked for. */
#define NO_INFO {HUB_INFO, HUB_ANSWERS, .code = 404, .text = "no"}
#define MANIFEST(text_) {HUB_MANIFEST, HUB_ANSWERS, .code = 200, .text = (text_)}
#define LAYERS(layers) "{\"schemaVersion\":2,\"layers\":[" layers "]}"
#define LAYER(kind, digest, size) \
	"{\"mediaType\":\"application/vnd.ollama.image." kind "\",\"digest\":\"" digest "\",\"size\":" size "}"
#define LONG50 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define LONG300 LONG50 LONG50 LONG50 LONG50 LONG50 LONG50

static const struct trap trees[] = {
	{"pages of one entry", .options = {.page = 1}},
	{"pages of two", .options = {.page = 2}},
	{"503 once", .faults = {{HUB_TREE, HUB_ANSWERS, .code = 503, .text = "", .n = 1}}},
	{"404 for the tree: the siblings are taken", .faults = {{HUB_TREE, HUB_ANSWERS, .code = 404, .text = ""}}},
	{"no such repository", "trap/none", .status = STATUS_NOTFOUND, .words = "trap/none", .stays = true},
	{"no such repository, with a key", "trap/none", .token = HUB_TOKEN, .status = STATUS_NOTFOUND, .words = "trap/none", .stays = true},
	{"no such tag", TRAP_HUB ":Q9_X", .status = STATUS_NOTFOUND, .words = "Q4_K_M", .stays = true},
	{"not JSON", .faults = {TREE("<html>"), NO_INFO}, .status = STATUS_FORMAT, .words = "trap/x-GGUF: not JSON at character"},
	{"an object", .faults = {TREE("{}"), NO_INFO}, .status = STATUS_FORMAT, .words = "a list of files is expected"},
	{"cut", .faults = {TREE("[{\"type\":\"file\",\"path\":\"x"), NO_INFO}, .status = STATUS_FORMAT, .words = "trap/x-GGUF: not JSON at character"},
	{"nothing in it", .faults = {TREE("[]"), NO_INFO}, .status = STATUS_UNSUPPORTED, .words = "GGUF"},
	{"..", .faults = {TREE("[" ENTRY("../../../../tmp/x.gguf", OID, "9") "]"), NO_INFO}, .status = STATUS_FORMAT, .words = ".."},
	{"/", .faults = {TREE("[" ENTRY("/abs.gguf", OID, "9") "]"), NO_INFO}, .status = STATUS_FORMAT, .words = "abs.gguf"},
	{"a//b", .faults = {TREE("[" ENTRY("a//x-Q4_K_M.gguf", OID, "9") "]"), NO_INFO}, .status = STATUS_FORMAT, .words = "a//x"},
	{"a/./b", .faults = {TREE("[" ENTRY("a/./x-Q4_K_M.gguf", OID, "9") "]"), NO_INFO}, .status = STATUS_FORMAT, .words = "a/./x"},
	{"NUL", .faults = {TREE("[" ENTRY("x\\u0000-Q4_K_M.gguf", OID, "9") "]"), NO_INFO}, .status = STATUS_FORMAT, .words = "has control characters"},
	{"a line break", .faults = {TREE("[" ENTRY("x\\n-Q4_K_M.gguf", OID, "9") "]"), NO_INFO}, .status = STATUS_FORMAT, .words = "has control characters"},
	{"an escape", .faults = {TREE("[" ENTRY("x\\u001b[31m-Q4_K_M.gguf", OID, "9") "]"), NO_INFO}, .status = STATUS_FORMAT,
	 .words = "has control characters"},
	{"300 bytes", .faults = {TREE("[" ENTRY(LONG300 "-Q4_K_M.gguf", OID, "9") "]"), NO_INFO}, .status = STATUS_FORMAT, .words = "aaa"},
	{"twice", .faults = {TREE("[" ENTRY("x-Q4_K_M.gguf", OID, "9") "," ENTRY("x-Q4_K_M.gguf", OID, "10") "]"), NO_INFO},
	 .status = STATUS_FORMAT, .words = "x-Q4_K_M.gguf"},
	{"an oid of other letters", .faults = {TREE("[" ENTRY("x-Q4_K_M.gguf", "../../../../../../../../../../../../../../../../../tmp/xxxxxxxxx", "9") "]"), NO_INFO},
	 .status = STATUS_FORMAT, .words = "x-Q4_K_M.gguf"},
	{"a short oid", .faults = {TREE("[" ENTRY("x-Q4_K_M.gguf", "abc", "9") "]"), NO_INFO}, .status = STATUS_FORMAT, .words = "x-Q4_K_M.gguf"},
	{"size -1", .faults = {TREE("[" ENTRY("x-Q4_K_M.gguf", OID, "-1") "]"), NO_INFO}, .status = STATUS_FORMAT, .words = "x-Q4_K_M.gguf"},
	{"size 1e30", .faults = {TREE("[" ENTRY("x-Q4_K_M.gguf", OID, "1e30") "]"), NO_INFO}, .status = STATUS_FORMAT, .words = "x-Q4_K_M.gguf"},
	{"size 0.5", .faults = {TREE("[" ENTRY("x-Q4_K_M.gguf", OID, "0.5") "]"), NO_INFO}, .status = STATUS_FORMAT, .words = "x-Q4_K_M.gguf"},
	{"a size that is a text", .faults = {TREE("[" ENTRY("x-Q4_K_M.gguf", OID, "\"9\"") "]"), NO_INFO}, .status = STATUS_FORMAT,
	 .words = "x-Q4_K_M.gguf"},
	{"3 TB", .faults = {TREE("[" ENTRY("x-Q4_K_M.gguf", OID, "3000000000000") "]"), NO_INFO}, .status = STATUS_FORMAT,
	 .words = "x-Q4_K_M.gguf"},
	{"60 GB in one file", .faults = {TREE("[" ENTRY("x-Q4_K_M.gguf", OID, "60000000000") "]"), NO_INFO}, .status = STATUS_UNSUPPORTED,
	 .words = "50 GB"},
	{"the next page is elsewhere", .faults = {{HUB_TREE, HUB_ANSWERS, .code = 200, .text = "[]", .headers =
	 "Link: <http://127.0.0.2:9/api/models/trap/x-GGUF/tree/main?cursor=1>; rel=\"next\"\n"}, NO_INFO}, .status = STATUS_FORMAT,
	 .words = "goes on at another site"},
	{"the next page is named by the second Link", .faults = {{HUB_TREE, HUB_ANSWERS, .code = 200, .text = "[]", .headers =
	 "Link: </style.css>; rel=preload\nLink: </api/models/trap/x-GGUF/tree/main?cursor=1>; rel=\"next\"\n", .n = 1}, NO_INFO}},
	{"pages without end", .faults = {{HUB_TREE, HUB_ANSWERS, .code = 200, .text = "[]", .headers =
	 "Link: </api/models/trap/x-GGUF/tree/main?cursor=1>; rel=\"next\"\n"}, NO_INFO}, .status = STATUS_LIMIT, .words = "100"},
	{"a commit that is none", .faults = {{HUB_REFS, HUB_ANSWERS, .code = 200,
	 .text = "{\"branches\":[{\"name\":\"main\",\"targetCommit\":\"../../../x\"}]}"}}, .status = STATUS_NOTFOUND, .words = "no branch or tag 'main'"},
	{"refs that are no JSON", .faults = {{HUB_REFS, HUB_ANSWERS, .code = 200, .text = "main"}}, .status = STATUS_FORMAT,
	 .words = "trap/x-GGUF: not JSON"},
	{"the listing has another size", .faults = {TREE("[" ENTRY("x-Q4_K_M.gguf", OID, "150002") "]"), NO_INFO},
	 .status = STATUS_FORMAT, .words = "150"},
};

static const struct trap manifests[] = {
	{"no such model", "ollama:none", .status = STATUS_NOTFOUND, .words = "none", .stays = true},
	{"a login is needed", TRAP_OLLAMA, .faults = {{HUB_MANIFEST, HUB_ANSWERS, .code = 401, .text = "{}", .headers =
	 "WWW-Authenticate: Bearer realm=\"https://evil.example/token\",service=\"x\",scope=\"y\"\n"}}, .status = STATUS_DECLINED,
	 .words = "login"},
	{"not JSON", TRAP_OLLAMA, .faults = {MANIFEST("<html>")}, .status = STATUS_FORMAT, .words = "127.0.0.1"},
	{"nothing in it", TRAP_OLLAMA, .faults = {MANIFEST("{}")}, .status = STATUS_FORMAT, .words = "127.0.0.1"},
	{"a digest with ..", TRAP_OLLAMA, .faults = {MANIFEST(LAYERS(LAYER("model", "sha256:../../../../../tmp/x", "9")))},
	 .status = STATUS_FORMAT, .words = "127.0.0.1"},
	{"a digest of another kind", TRAP_OLLAMA, .faults = {MANIFEST(LAYERS(LAYER("model", "md5:" OID, "9")))},
	 .status = STATUS_FORMAT, .words = "127.0.0.1"},
	{"size -1", TRAP_OLLAMA, .faults = {MANIFEST(LAYERS(LAYER("model", "sha256:" OID, "-1")))}, .status = STATUS_FORMAT,
	 .words = "127.0.0.1"},
	{"no model in it", TRAP_OLLAMA, .faults = {MANIFEST(LAYERS(LAYER("system", "sha256:" OID, "9")))}, .status = STATUS_UNSUPPORTED,
	 .words = "GGUF"},
	{"safetensors for MLX", TRAP_OLLAMA, .faults = {MANIFEST(LAYERS(LAYER("tensor", "sha256:" OID, "9")))},
	 .status = STATUS_UNSUPPORTED, .words = "GGUF"},
	{"a blob that is not there", TRAP_OLLAMA, .faults = {MANIFEST(LAYERS(LAYER("model", "sha256:" OID, "9")))},
	 .status = STATUS_NOTFOUND, .words = "127.0.0.1"},
	{"a system message of 2 GB", TRAP_OLLAMA, .faults = {MANIFEST(LAYERS(LAYER("model", "sha256:" OID, "9") ","
	 LAYER("system", "sha256:bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", "2000000000")))},
	 .status = STATUS_LIMIT, .words = "more than 1 MiB"},
};

static void try_all(const struct trap *traps, size_t n)
{
	for (size_t i = 0; i < n; i++)
		trap_try(&traps[i], 0);
}

Test(traps_listing, trees, .timeout = 600)
{
	try_all(trees, sizeof trees / sizeof trees[0]);
}

Test(traps_listing, manifests, .timeout = 600)
{
	try_all(manifests, sizeof manifests / sizeof manifests[0]);
}

/* Long answers, made here. */
static void try_long(enum hub_place place, const char *model, const char *before, const char *piece, const char *after, size_t n,
                     const char *words)
{
	struct buf text = {.max = MIB(64)};
	struct trap trap = {"a long answer", model, .status = STATUS_LIMIT, .words = words};

	buf_puts(&text, before);
	for (size_t i = 0; i < n; i++)
		buf_puts(&text, piece);
	buf_puts(&text, after);
	cr_assert_eq(buf_status(&text), STATUS_OK);
	trap.faults[0] = (struct hub_fault){place, HUB_ANSWERS, .code = 200, .text = buf_text(&text)};
	trap.faults[1] = (struct hub_fault)NO_INFO;
	trap_try(&trap, 0);
	buf_free(&text);
}

Test(traps_listing, too_many, .timeout = 600)
{
	try_long(HUB_TREE, TRAP_HUB, "[{\"type\":\"directory\",\"path\":\"a\",\"size\":0}",
	         ",{\"type\":\"file\",\"path\":\"a\",\"size\":0,\"oid\":\"0123456789abcdef0123456789abcdef01234567\"}", "]", 100001, "more than 100000 files");
	try_long(HUB_TREE, TRAP_HUB, "[\"", "0123456789012345678901234567890123456789012345678901234567890123", "\"]", 600000, "127.0.0.1");
	try_long(HUB_MANIFEST, TRAP_OLLAMA, "{\"x\":\"", "0123456789012345678901234567890123456789012345678901234567890123", "\"}", 20000, "127.0.0.1");
}

Test(traps_listing, too_deep, .timeout = 600)
{
	struct trap trap = {"too deep", .status = STATUS_FORMAT, .words = "too many levels", .faults = {TREE(NULL), NO_INFO}};
	char *text = malloc(200001);

	memset(text, '[', 200000);
	text[200000] = '\0';
	trap.faults[0].text = text;
	trap_try(&trap, 0);
	free(text);
}
