#include "model/kinds.h"

#include <stddef.h>

#define EMBEDS "an encoder, which makes vectors of texts and cannot answer: name a chat model"
#define DRAWS "a model that makes pictures or video, which sotto does not: name a chat model"
#define SPEAKS "a part of a model that speaks or listens, which sotto does not: name a chat model"
#define DIFFUSES "a language model that writes by diffusion, not word by word, which sotto cannot run"
#define DRAFTS "a helper that guesses ahead for a larger model: name that model's own file"

static const struct {
	const char *key, *value, *what;
} rows[] = {
	{"general.type", "adapter", "a LoRA adapter, not a model: merge it into its model (llama.cpp's llama-export-lora) and use that"},
	{"general.type", "mmproj", "the part of a model that sees or hears (mmproj): name the model's own file, which sotto uses for text"},
	{"general.type", "imatrix", "an importance matrix, which only quantising uses: name the model's own file"},
	{"general.architecture", "controlvector", "a control vector, which only steers a model, and which sotto cannot use:"
	                                          " name the model's own file"},
	{"general.architecture", "clip", "the part of a model that sees or hears (mmproj): name the model's own file, which sotto uses for text"},
	{"general.architecture", "imatrix", "an importance matrix, which only quantising uses: name the model's own file"},
	{"general.architecture", "gptoss", "Ollama's own files of gpt-oss have a layout that no other program reads;"
	                                   " use ggml-org/gpt-oss-20b-GGUF from huggingface.co"},
	{"general.architecture", "bert", EMBEDS}, {"general.architecture", "modern-bert", EMBEDS},
	{"general.architecture", "nomic-bert", EMBEDS}, {"general.architecture", "nomic-bert-moe", EMBEDS},
	{"general.architecture", "neo-bert", EMBEDS}, {"general.architecture", "jina-bert-v2", EMBEDS},
	{"general.architecture", "jina-bert-v3", EMBEDS}, {"general.architecture", "eurobert", EMBEDS},
	{"general.architecture", "gemma-embedding", EMBEDS}, {"general.architecture", "llama-embed", EMBEDS},
	{"general.architecture", "t5encoder", EMBEDS},
	{"general.architecture", "t5", "a model with an encoder beside it (T5), which sotto cannot run: name a chat model"},
	{"general.architecture", "flux", DRAWS}, {"general.architecture", "sd1", DRAWS},
	{"general.architecture", "sdxl", DRAWS}, {"general.architecture", "sd3", DRAWS},
	{"general.architecture", "aura", DRAWS}, {"general.architecture", "ltxv", DRAWS},
	{"general.architecture", "hyvid", DRAWS}, {"general.architecture", "wan", DRAWS},
	{"general.architecture", "hidream", DRAWS}, {"general.architecture", "cosmos", DRAWS},
	{"general.architecture", "lumina2", DRAWS}, {"general.architecture", "qwen_image", DRAWS},
	{"general.architecture", "whisper", SPEAKS}, {"general.architecture", "wavtokenizer-dec", SPEAKS},
	{"general.architecture", "qwen3tts", SPEAKS},
	{"general.architecture", "dream", DIFFUSES}, {"general.architecture", "llada", DIFFUSES},
	{"general.architecture", "llada-moe", DIFFUSES}, {"general.architecture", "rnd1", DIFFUSES},
	{"general.architecture", "eagle3", DRAFTS}, {"general.architecture", "dflash", DRAFTS},
	{"general.architecture", "gemma4-assistant", DRAFTS},
};

const char *kind_of_other(const struct gguf *gguf)
{
	struct gguf_string value;

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (!gguf_get_string(gguf, rows[i].key, &value, NULL) && gguf_string_is(value, rows[i].value))
			return rows[i].what;
	/* Adapters of before general.type: every tensor is a pair's half. */
	if (gguf_n_tensors(gguf) > 0) {
		struct gguf_string name = gguf_tensor_at(gguf, 0)->name;

		if (name.len > 7 && (gguf_string_is((struct gguf_string){name.data + name.len - 7, 7}, ".lora_a") ||
		                     gguf_string_is((struct gguf_string){name.data + name.len - 7, 7}, ".lora_b")))
			return rows[0].what;
	}
	return NULL;
}
