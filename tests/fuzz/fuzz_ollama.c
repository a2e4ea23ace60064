/* Manifests and parameters of ollama's models, any bytes: what is taken of them has its form and its limits. */
#include <string.h>

#include "base/limits.h"
#include "base/number.h"
#include "catalog/beside_internal.h"
#include "catalog/ollama_manifest.h"
#include "fuzz/fuzz.h"
#include "sampler/params.h"

static void read_manifest(const char *bytes, size_t size)
{
	struct ollama_manifest manifest;
	enum status status = ollama_manifest_parse(&manifest, bytes, size, NULL);

	FUZZ_CHECK(manifest.n <= LIMIT_OLLAMA_LAYERS && (status || manifest.n > 0));
	for (size_t i = 0; i < manifest.n && !status; i++) {
		const struct ollama_layer *layer = &manifest.layers[i];

		FUZZ_CHECK(strspn(layer->digest, "0123456789abcdef") == OLLAMA_DIGEST_LEN && !layer->digest[OLLAMA_DIGEST_LEN]);
		FUZZ_CHECK(layer->size <= LIMIT_OLLAMA_FILE);
		FUZZ_CHECK(layer->kind && layer->kind[0] && strlen(layer->kind) <= LIMIT_OLLAMA_KIND);
		FUZZ_CHECK(ollama_manifest_names(&manifest, layer->digest));
	}
	ollama_manifest_free(&manifest);
}

static void read_params(const char *bytes, size_t size)
{
	struct beside beside = {.n_ctx = 0};
	double value;

	(void)!beside_read_params(&beside, bytes, size, NULL);
	FUZZ_CHECK(beside.n_sampling <= RECOMMENDED_MAX && beside.n_stops <= LIMIT_OLLAMA_STOPS);
	for (size_t i = 0; i < beside.n_sampling; i++) {
		const struct option *option = option_find(sampler_options, sampler_n_options, beside.sampling[i].name);

		FUZZ_CHECK(option && number_parse_double(beside.sampling[i].value, &value));
		FUZZ_CHECK(value >= option->min - 1e-6 && value <= option->max + 1e-6);
	}
	for (size_t i = 0; i < beside.n_stops; i++)
		FUZZ_CHECK(beside.stops[i][0]);
	beside_free(&beside);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	read_manifest((const char *)data, size);
	read_params((const char *)data, size);
	return 0;
}
