#include "base/digest.h"

#include <openssl/evp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/library.h"

/* All that are used; the fields of struct digest have their names and types. */
#define CRYPTO_FUNCTIONS(X) \
	X(EVP_MD_CTX_new) \
	X(EVP_MD_CTX_free) \
	X(EVP_sha1) \
	X(EVP_sha256) \
	X(EVP_DigestInit_ex) \
	X(EVP_DigestUpdate) \
	X(EVP_DigestFinal_ex)

struct digest {
#define CRYPTO_FIELD(name) __typeof__(&name) name;
	CRYPTO_FUNCTIONS(CRYPTO_FIELD)
#undef CRYPTO_FIELD
	EVP_MD_CTX *ctx;
	bool has_failed;
};

/* Once loaded it stays until the program ends, as libcurl does, which may use it too. */
static void *open_library(void)
{
	static const char *const names[] = {"libcrypto.so.3", "libcrypto.so"};

	return library_open(names, sizeof names / sizeof *names);
}

static bool find_functions(void *library, struct digest *digest)
{
#define FIND(name) library_find(library, #name, &digest->name, sizeof digest->name) &&
	return CRYPTO_FUNCTIONS(FIND) true;
#undef FIND
}

static enum status load(struct digest *digest, struct error *err)
{
	void *library = open_library();
	bool is_whole = library && find_functions(library, digest);

	if (library)
		library_close(library);
	if (is_whole)
		return STATUS_OK;
	return error_set(err, STATUS_UNSUPPORTED,
	                 "checking what is fetched needs libcrypto 3, which is not there: install libssl3 (Debian, "
	                 "Ubuntu) or openssl-libs (Fedora)");
}

static enum status begin(struct digest *digest, enum digest_kind kind, uint64_t size, struct error *err)
{
	char head[32];
	int n = snprintf(head, sizeof head, "blob %llu", (unsigned long long)size);

	digest->ctx = digest->EVP_MD_CTX_new();
	if (!digest->ctx)
		return error_no_memory(err, "for a digest");
	if (!digest->EVP_DigestInit_ex(digest->ctx, kind == DIGEST_GIT ? digest->EVP_sha1() : digest->EVP_sha256(), NULL))
		return error_set(err, STATUS_UNSUPPORTED, "this libcrypto has no %s", kind == DIGEST_GIT ? "SHA-1" : "SHA-256");
	if (kind == DIGEST_GIT)
		digest_add(digest, head, (size_t)n + 1);
	return STATUS_OK;
}

bool digest_is_built(void)
{
	return true;
}

enum status digest_create(struct digest **out, enum digest_kind kind, uint64_t size, struct error *err)
{
	struct digest *digest = alloc_array(1, sizeof *digest);
	enum status status;

	*out = NULL;
	if (!digest)
		return error_no_memory(err, "for a digest");
	status = load(digest, err);
	if (status == STATUS_OK)
		status = begin(digest, kind, size, err);
	if (status == STATUS_OK)
		*out = digest;
	else
		digest_free(digest);
	return status;
}

void digest_free(struct digest *digest)
{
	if (digest && digest->ctx)
		digest->EVP_MD_CTX_free(digest->ctx);
	free(digest);
}

void digest_add(struct digest *digest, const void *bytes, size_t n)
{
	if (!digest->EVP_DigestUpdate(digest->ctx, bytes, n))
		digest->has_failed = true;
}

void digest_end(struct digest *digest, char text[DIGEST_TEXT_MAX])
{
	unsigned char bytes[EVP_MAX_MD_SIZE];
	unsigned n = 0;

	text[0] = 0;
	if (digest->has_failed || !digest->EVP_DigestFinal_ex(digest->ctx, bytes, &n))
		return;
	for (unsigned i = 0; i < n && 2 * i + 2 < DIGEST_TEXT_MAX; i++)
		snprintf(text + 2 * (size_t)i, 3, "%02x", bytes[i]);
}
