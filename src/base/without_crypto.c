/* What base/digest.h offers in a program that was configured without libcrypto's headers. */
#include "base/digest.h"

bool digest_is_built(void)
{
	return false;
}

enum status digest_create(struct digest **out, enum digest_kind kind, uint64_t size, struct error *err)
{
	(void)kind;
	(void)size;
	*out = NULL;
	return error_set(err, STATUS_UNSUPPORTED,
	                 "this sotto was built without libcrypto, and fetches no models: install libssl-dev (Debian, "
	                 "Ubuntu) or openssl-devel (Fedora), and build it again");
}

void digest_free(struct digest *digest)
{
	(void)digest;
}

void digest_add(struct digest *digest, const void *bytes, size_t n)
{
	(void)digest;
	(void)bytes;
	(void)n;
}

void digest_end(struct digest *digest, char text[DIGEST_TEXT_MAX])
{
	(void)digest;
	text[0] = 0;
}
