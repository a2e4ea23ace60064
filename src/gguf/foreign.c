/* Signatures: of safetensors, PyTorch, GGML's formats before GGUF (llama.cpp of 2023), Git LFS's
 * specification, archives; numbers of block types: ggml.h of llama.cpp, of ik_llama.cpp and of
 * bitnet.cpp. */
#include "gguf/foreign.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"

#define CONVERT "download a GGUF file of that model, or its safetensors files, of which `sotto convert` makes one"
#define PICKLE "a PyTorch file (pickle), which can run code and is never opened: " CONVERT
#define BEFORE "a file of llama.cpp's time before GGUF (2023): download a GGUF file of that model"
#define PACKED "an archive: unpack it first"
#define PAGE "a web page that was saved under the model's name: download the file itself, with " \
             "/resolve/ in the place of /blob/ in its address"

static const struct {
	const char *begins;
	size_t n;
	const char *what;
} files[] = {
	{"version https://git-lfs", 23, "a Git LFS pointer to the model, not the model: `git lfs pull` fetches it"},
	{"lmgg", 4, BEFORE}, {"fmgg", 4, BEFORE}, {"tjgg", 4, BEFORE},
	{"algg", 4, "a LoRA adapter of 2023, which is not a model: merge it into its model and convert that"},
	{"nsgg", 4, "a session that llama.cpp saved, which is not a model: name a model's GGUF file"},
	{"qsgg", 4, "a session that llama.cpp saved, which is not a model: name a model's GGUF file"},
	{"PK\3\4", 4, "a PyTorch file (or another zip archive), which can run code and is never opened: " CONVERT},
	{"\x80\2", 2, PICKLE}, {"\x80\3", 2, PICKLE}, {"\x80\4", 2, PICKLE}, {"\x80\5", 2, PICKLE},
	{"\x89HDF", 4, "an HDF5 file (Keras): " CONVERT},
	{"\x1f\x8b", 2, PACKED}, {"BZh", 3, PACKED}, {"\xFD" "7zXZ", 5, PACKED},
	{"7z\xBC\xAF", 4, PACKED}, {"\x28\xB5\x2F\xFD", 4, PACKED}, {"Rar!", 4, PACKED},
	{"Entry not found", 15, "what a server said in the place of the file: the file's name in the address is wrong"},
	{"Repository not found", 20, "what a server said in the place of the file: the address is wrong"},
	{"Access to model", 15, "what a server said in the place of the file: the model's page asks to accept its licence first"},
	{"Invalid username", 16, "what a server said in the place of the file: it wants a log-in"},
	{"Invalid credentials", 19, "what a server said in the place of the file: it wants a log-in"},
};

/* A length of 8 bytes, then JSON. */
static bool is_safetensors(const unsigned char *head, size_t n)
{
	uint64_t len;

	if (n < 9)
		return false;
	memcpy(&len, head, sizeof len);
	return head[8] == '{' && len >= 2 && len < 1u << 30;
}

static bool begins(const unsigned char *text, size_t n, const char *word)
{
	size_t len = strlen(word);

	for (size_t i = 0; i < len; i++)
		if (i >= n || tolower(text[i]) != word[i])
			return false;
	return true;
}

const char *foreign_file(const unsigned char *head, size_t n)
{
	size_t blanks, zeros = 0;

	if (n > FOREIGN_HEAD)
		n = FOREIGN_HEAD;
	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
		if (n >= files[i].n && memcmp(head, files[i].begins, files[i].n) == 0)
			return files[i].what;
	if (is_safetensors(head, n))
		return "a safetensors file, as laboratories publish models: `sotto convert FOLDER OUT.gguf` makes a GGUF file"
		       " of the folder that it is in";
	while (zeros < n && head[zeros] == 0)
		zeros++;
	if (n >= 16 && zeros == n)
		return "it begins with nothing but zeros: an incomplete download? Download it again";
	blanks = utf8_mark_len((const char *)head, n);
	while (blanks < n && isspace(head[blanks]))
		blanks++;
	if (begins(head + blanks, n - blanks, "<!doctype") || begins(head + blanks, n - blanks, "<html") ||
	    begins(head + blanks, n - blanks, "<head") || begins(head + blanks, n - blanks, "<?xml") ||
	    begins(head + blanks, n - blanks, "<!--"))
		return PAGE;
	if (blanks < n && head[blanks] == '{')
		return "a JSON file: a model's settings, or what a server said in its place; download the GGUF file itself";
	return NULL;
}

const char *foreign_block_type(uint32_t type)
{
	static const struct {
		uint32_t first, last;
		const char *whose;
	} types[] = {
		{5, 5, "Q4_3 of early 2023: download a newer file of the model"},
		{31, 33, "Q4_0 repacked for one kind of processor, which llama.cpp has given up: use a file in Q4_0"},
		{36, 36, "BitNet's own I2_S: use a file of the model in TQ2_0, TQ1_0 or Q2_0"},
		{37, 38, "one of bitnet.cpp's own: use a file of the model in TQ2_0, TQ1_0 or Q2_0"},
		{97, 99, "one of ik_llama.cpp's own: use a file of the model in a type of llama.cpp's, such as Q4_K_M"},
		{133, 158, "one of ik_llama.cpp's own: use a file of the model in a type of llama.cpp's, such as Q4_K_M"},
		{202, 399, "one of ik_llama.cpp's own, repacked for it: use a file of the model in a type of llama.cpp's, such as Q4_K_M"},
	};

	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
		if (type >= types[i].first && type <= types[i].last)
			return types[i].whose;
	return NULL;
}
