#include "model/kinds.h"

#include <stddef.h>

#include "base/words.h"

#define EMBEDS "an encoder, which makes vectors of texts and cannot answer: name a chat model"
#define DRAWS "a model that makes pictures or video, which sotto does not: name a chat model"
#define SPEAKS "a part of a model that speaks or listens, which sotto does not: name a chat model"
#define DIFFUSES "a language model that writes by diffusion, not word by word, which sotto cannot run"
#define DRAFTS "a helper that guesses ahead for a larger model: name that model's own file"

static const struct {
	const char *key, *values, *what; /* values: separated by blanks */
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
	{"general.architecture", "bert modern-bert nomic-bert nomic-bert-moe neo-bert jina-bert-v2 "
	 "jina-bert-v3 eurobert gemma-embedding llama-embed t5encoder", EMBEDS},
	{"general.architecture", "t5", "a model with an encoder beside it (T5), which sotto cannot run: name a chat model"},
	{"general.architecture", "flux sd1 sdxl sd3 aura ltxv hyvid wan hidream cosmos lumina2 "
	 "qwen_image", DRAWS},
	{"general.architecture", "whisper wavtokenizer-dec qwen3tts", SPEAKS},
	{"general.architecture", "dream llada llada-moe rnd1", DIFFUSES},
	{"general.architecture", "eagle3 dflash gemma4-assistant", DRAFTS},
};

const char *kind_of_other(const struct gguf *gguf)
{
	struct gguf_string value;

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (!gguf_get_string(gguf, rows[i].key, &value, NULL) &&
		    words_have(rows[i].values, value.data, value.len))
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
