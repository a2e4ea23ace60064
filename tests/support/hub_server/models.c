/* What there is to be had for who tries sotto against the server. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sys.h"
#include "catalog/recommended_models.h"
#include "support/folder.h"
#include "support/hub_server/internal.h"
#include "support/split_model.h"

#define PUT_TEXT(server, repository, path, text) hub_server_put(server, repository, path, text, strlen(text), 0)
#define PUT_LAYER(server, model, kind, text) hub_server_put_layer(server, model, kind, text, strlen(text), 0)

static struct tiny_model tiny_of(uint64_t seed)
{
	struct tiny_model tiny = tiny_model_default();

	tiny.seed = seed;
	tiny.n_ctx = 4096;
	return tiny;
}

char *hub_tiny_model(uint64_t seed, size_t *n)
{
	const struct tiny_model tiny = tiny_of(seed);
	struct buf bytes = {.max = MIB(64)};
	struct error err;

	if (tiny_model_write(&tiny, &bytes, &err))
		hub_fatal(err.text);
	return buf_take(&bytes, n);
}

static void put_model(struct hub_server *server, const char *repository, const char *path, uint64_t seed, uint64_t size)
{
	size_t n;
	char *bytes = hub_tiny_model(seed, &n);

	hub_server_put(server, repository, path, bytes, n, size);
	free(bytes);
}

static void put_split(struct hub_server *server, const char *repository, const char *folder)
{
	const struct tiny_model tiny = tiny_of(7);
	char temp[] = "/tmp/sotto-split-XXXXXX", prefix[64], path[256];
	struct error err;

	if (!mkdtemp(temp))
		hub_fatal("no folder");
	snprintf(prefix, sizeof prefix, "%s/toy-BF16", temp);
	if (split_model_save(&tiny, prefix, 3, NULL, NULL, &err))
		hub_fatal(err.text);
	for (uint32_t part = 0; part < 3; part++) {
		const char *file = split_model_path(prefix, part, 3);
		char *bytes;
		size_t n;

		if (sys_read_file(file, MIB(64), &bytes, &n, &err))
			hub_fatal(err.text);
		snprintf(path, sizeof path, "%s%s", folder, file + strlen(temp));
		hub_server_put(server, repository, path, bytes, n, 0);
		free(bytes);
	}
	remove_folder(temp);
}

static void put_hub(struct hub_server *server)
{
	static const char *const pickles[] = {"pytorch_model.bin", "model.pt", "model.onnx"};

	PUT_TEXT(server, "tiny/toy-GGUF", ".gitattributes", "*.gguf filter=lfs diff=lfs merge=lfs -text\n");
	PUT_TEXT(server, "tiny/toy-GGUF", "README.md", "---\nlicense: apache-2.0\n---\n# A toy\n");
	put_split(server, "tiny/toy-GGUF", "BF16");
	put_model(server, "tiny/toy-GGUF", "mmproj-toy-F16.gguf", 6, 0);
	put_model(server, "tiny/toy-GGUF", "toy-Q2_K.gguf", 2, 800000);
	put_model(server, "tiny/toy-GGUF", "toy-Q4_K_M.gguf", 4, 1300000);
	put_model(server, "tiny/toy-GGUF", "toy-Q8_0.gguf", 8, 2400000);
	hub_server_describe(server, "tiny/toy-GGUF", HUB_OPEN, "apache-2.0");
	put_model(server, "tiny/gated-GGUF", "gated-Q4_K_M.gguf", 11, 0);
	hub_server_describe(server, "tiny/gated-GGUF", HUB_GATED, "gemma");
	put_model(server, "tiny/private-GGUF", "private-Q4_K_M.gguf", 12, 0);
	hub_server_describe(server, "tiny/private-GGUF", HUB_PRIVATE, NULL);
	PUT_TEXT(server, "tiny/toy", "config.json", "{\"architectures\": [\"LlamaForCausalLM\"], \"model_type\": \"llama\"}\n");
	PUT_TEXT(server, "tiny/toy", "generation_config.json", "{\"temperature\": 0.6}\n");
	hub_server_put(server, "tiny/toy", "model.safetensors", "\2\0\0\0\0\0\0\0{}", 10, 5000);
	PUT_TEXT(server, "tiny/toy", "tokenizer.json", "{}\n");
	for (size_t i = 0; i < sizeof pickles / sizeof pickles[0]; i++)
		hub_server_put(server, "tiny/pickles", pickles[i], "PK\3\4", 4, 4000);
}

static void put_ollama(struct hub_server *server)
{
	static const char *const names[] = {"library/toy:latest", "library/toy:1b"};
	size_t n;
	char *bytes = hub_tiny_model(21, &n);

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		hub_server_put_layer(server, names[i], "model", bytes, n, 600000);
		PUT_LAYER(server, names[i], "template", "{{ if .System }}<|system|>{{ .System }}{{ end }}{{ .Prompt }}");
		PUT_LAYER(server, names[i], "license", "A licence: do as you like.\n");
		PUT_LAYER(server, names[i], "system", "You are a toy.");
		PUT_LAYER(server, names[i], "params", "{\"temperature\":0.3,\"top_k\":12,\"num_ctx\":2048,\"stop\":[\"<|end|>\"]}");
	}
	hub_server_put_layer(server, "library/mlx:latest", "tensor", "\2\0\0\0\0\0\0\0{}", 10, 0);
	PUT_LAYER(server, "library/mlx:latest", "json", "{}");
	free(bytes);
}

void hub_server_put_usual(struct hub_server *server, uint64_t size)
{
	put_hub(server);
	put_ollama(server);
	for (size_t i = 0; i < n_recommended; i++) {
		put_model(server, recommended[i].repository, recommended[i].file, 100 + i, size);
		hub_server_describe(server, recommended[i].repository, HUB_OPEN, recommended[i].licence);
	}
}
