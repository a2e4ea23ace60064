/* Faults planted in the engine and in files, each of which the doctor must name with its first finding; prints a table.
 * Faults of the engine are in functions that the linker lets this program replace (faults.c). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "doctor/doctor.h"
#include "engine/options.h"
#include "faults.h"
#include "gguf/reader.h"
#include "support/family_model.h"
#include "support/logits.h"
#include "support/save_gguf.h"
#include "support/tiny_model.h"

static char path[64];
static int failures;

/* ---- what the doctor says ---- */

static void take_first(void *ctx, const struct diagnosis *said)
{
	struct diagnosis *first = ctx;

	if (said->verdict == VERDICT_FINDING && first->verdict != VERDICT_FINDING)
		*first = *said;
}

static struct diagnosis first_finding(void)
{
	struct diagnosis first = {.verdict = VERDICT_FINE};
	struct engine_params params = engine_params_default();
	const struct doctor doctor = {.params = &params, .tell = take_first, .ctx = &first};
	struct error err;
	size_t n;

	params.model = path;
	params.n_threads = 1;
	must(doctor_examine(&doctor, &n, &err), &err);
	return first;
}

/* `cause`: how the first sentence begins; NULL: there must be no finding. */
static void expect(const char *fault, const char *model, const char *cause)
{
	struct diagnosis first = first_finding();
	bool ok = cause ? first.verdict == VERDICT_FINDING && strncmp(first.cause, cause, strlen(cause)) == 0 &&
	                          first.show[0]
	                : first.verdict == VERDICT_FINE;

	printf("%s %-28s %-12s %s\n", ok ? "ok  " : "FAIL", fault, model,
	       first.verdict == VERDICT_FINDING ? first.cause : "nothing found");
	if (!ok)
		printf("     expected: %s\n     %s\n", cause ? cause : "nothing", first.text);
	failures += !ok;
}

/* ---- of the engine ---- */

static void save_family(const char *family, enum block_type type)
{
	struct family_model made = family_model_of(family);
	struct error err;

	made.type = type;
	must(family_model_save(&made, path, &err), &err);
}

static const struct {
	enum fault fault;
	const char *name, *family;
	enum block_type type;
	const char *cause;
} engine_faults[] = {
	{POSITION_ZERO, "position stuck at 0", "llama-rope3", BLOCK_F32, "The position is stuck at 0"},
	{POSITION_ZERO, "position stuck at 0", "qwen3", BLOCK_F16, "The position is stuck at 0"},
	{POSITION_ZERO, "position stuck at 0", "gemma3", BLOCK_F32, "The position is stuck at 0"},
	{POSITION_ZERO, "position stuck at 0", "deepseek3", BLOCK_F32, "The position is stuck at 0"},
	{POSITION_CACHE, "position from the cache", "llama-rope3", BLOCK_F32, "The position is taken from the cache's length"},
	{POSITION_CACHE_END, "position from the cache", "qwen3", BLOCK_F32, "The position is taken from the cache's length"},
	{OTHER_LAYERS_CACHE, "cache of another layer", "llama-rope3", BLOCK_F32, "The cache of another layer is read"},
	{OTHER_LAYERS_CACHE, "cache of another layer", "qwen3moe", BLOCK_F32, "The cache of another layer is read"},
	{PAIRING_SWAPPED, "pairing swapped", "llama-rope3", BLOCK_F32, "The pairing of the rotation is swapped"},
	{PAIRING_SWAPPED, "pairing swapped", "phi2", BLOCK_F32, "The pairing of the rotation is swapped"},
	{BASE_WRONG, "base wrong", "smollm3", BLOCK_F32, "The base of the rotation is wrong"},
	{BASE_WRONG, "base wrong", "qwen3", BLOCK_F32, "The base of the rotation is wrong"},
	{BASE_WRONG, "base wrong", "gemma3", BLOCK_F32, "The base of the rotation is wrong"},
	{HEADS_ROTATED, "head mapping rotated", "llama-rope3", BLOCK_F32, "The mapping of heads is rotated"},
	{HEADS_ROTATED, "head mapping rotated", "qwen3moe", BLOCK_F32, "The mapping of heads is rotated"},
	{WINDOW_LONGER, "window off by one", "gemma2", BLOCK_F32, "The window of attention is off by one"},
	{WINDOW_SHORTER, "window off by one", "gemma3", BLOCK_F32, "The window of attention is off by one"},
	{WINDOW_LONGER, "window off by one", "gpt-oss", BLOCK_F32, "The window of attention is off by one"},
	{PLAN_WINDOW, "window off by one, read", "gemma2", BLOCK_F32, "The window of attention is off by one"},
	{PLAN_EPSILON, "norm epsilon wrong, read", "llama-rope3", BLOCK_F32, "The epsilon of the norms is wrong"},
	{PLAN_BASE, "base wrong, read", "qwen3", BLOCK_F32, "The base of the rotation is wrong"},
	{SCALE_MISREAD, "scale misread", "llama-rope3", BLOCK_Q8_0, "A scale is misread in blocks of the type Q8_0"},
	{SCALE_MISREAD_PACKED, "scale misread, packed", "qwen3", BLOCK_Q8_0, "A scale is misread in blocks of the type Q8_0"},
	{EPSILON_WRONG, "norm epsilon wrong", "llama-rope3", BLOCK_F32, "The epsilon of the norms is wrong"},
	{EPSILON_WRONG, "norm epsilon wrong", "phi2", BLOCK_F32, "The epsilon of the norms is wrong"},
	{EPSILON_WRONG, "norm epsilon wrong", "qwen35", BLOCK_F32, "The epsilon of the norms is wrong"},
	{EXPERTS_SWAPPED, "order of experts", "qwen3moe", BLOCK_F32, "The order of the experts is wrong"},
	{EXPERTS_SWAPPED, "order of experts", "gpt-oss", BLOCK_F32, "The order of the experts is wrong"},
	{EXPERTS_SWAPPED, "order of experts", "deepseek3", BLOCK_F32, "The order of the experts is wrong"},
	{STATE_STAYS, "state not restored", "qwen35", BLOCK_F32, "The state is not restored"},
	{STATE_STAYS, "state not restored", "granitehybrid", BLOCK_F32, "The state is not restored"},
	{STATE_STAYS, "state not restored", "lfm2", BLOCK_F32, "The state is not restored"},
	{POSITION_ZERO, "position stuck at 0", "gemma4", BLOCK_F32, "The position is stuck at 0"},
	{POSITION_ZERO, "position stuck at 0", "exaone4", BLOCK_F32, "The position is stuck at 0"},
	{POSITION_ZERO, "position stuck at 0", "llama4", BLOCK_F32, "The position is stuck at 0"},
	{POSITION_ZERO, "position stuck at 0", "falcon-h1", BLOCK_F32, "The position is stuck at 0"},
	{POSITION_CACHE, "position from the cache", "gemma3n", BLOCK_F32, "The position is taken from the cache's length"},
	{POSITION_CACHE, "position from the cache", "lfm2", BLOCK_F32, "The position is taken from the cache's length"},
	{BASE_WRONG, "base wrong", "phi2", BLOCK_F32, "The base of the rotation is wrong"},
	{BASE_WRONG, "base wrong", "deepseek3", BLOCK_F32, "The base of the rotation is wrong"},
	{BASE_WRONG, "base wrong", "llama4", BLOCK_F32, "The base of the rotation is wrong"},
	{BASE_WRONG, "base wrong", "gpt-oss", BLOCK_F32, "The base of the rotation is wrong"},
	{BASE_WRONG, "base wrong", "minimax-m2", BLOCK_F32, "The base of the rotation is wrong"},
	{PAIRING_SWAPPED, "pairing swapped", "gemma4", BLOCK_F32, "The pairing of the rotation is swapped"},
	{PAIRING_SWAPPED, "pairing swapped", "deepseek3", BLOCK_F32, "The pairing of the rotation is swapped"},
	{PAIRING_SWAPPED, "pairing swapped", "llama4", BLOCK_F32, "The pairing of the rotation is swapped"},
	{PAIRING_ONE_HEAD, "pairing of one head", "qwen3", BLOCK_F32, "The pairing of the rotation is swapped"},
	{PAIRING_ONE_HEAD, "pairing of one head", "smollm3", BLOCK_F32, "The pairing of the rotation is swapped"},
	{OTHER_LAYERS_CACHE_LAST, "cache of a layer further off", "qwen3", BLOCK_F32, "The cache of another layer is read"},
	{OTHER_LAYERS_CACHE_LAST, "cache of a layer further off", "phi3", BLOCK_F32, "The cache of another layer is read"},
	{OTHER_LAYERS_CACHE, "cache of another layer", "deepseek3", BLOCK_F32, "The cache of another layer is read"},
	{OTHER_LAYERS_CACHE, "cache of another layer", "gemma3", BLOCK_F32, "The cache of another layer is read"},
	{HEADS_ROTATED, "head mapping rotated", "llama4", BLOCK_F32, "The mapping of heads is rotated"},
	{HEADS_ROTATED, "head mapping rotated", "gpt-oss", BLOCK_F32, "The mapping of heads is rotated"},
	{HEADS_ONE_GROUP, "mapping of one group", "qwen3", BLOCK_F32, "The mapping of heads is rotated"},
	{HEADS_ONE_GROUP, "mapping of one group", "gemma2", BLOCK_F32, "The mapping of heads is rotated"},
	{WINDOW_LAST_LAYER, "window of later layers", "gemma3", BLOCK_F32, "The window of attention is off by one"},
	{WINDOW_LAST_LAYER, "window of later layers", "cohere2", BLOCK_F32, "The window of attention is off by one"},
	{WINDOW_SHORTER, "window off by one", "cohere2", BLOCK_F32, "The window of attention is off by one"},
	{WINDOW_LONGER, "window off by one", "gemma4", BLOCK_F32, "The window of attention is off by one"},
	{WINDOW_LONGER, "chunks off by one", "llama4", BLOCK_F32, "The window of attention is off by one"},
	{NORM_WEIGHTS_LEFT_OUT, "norms without weights", "qwen3", BLOCK_F32, "The norms are wrong"},
	{EPSILON_LATER_LAYERS, "epsilon of later layers", "gemma3", BLOCK_F32, "The epsilon of the norms is wrong"},
	{EPSILON_LATER_LAYERS, "epsilon of later layers", "deepseek3", BLOCK_F32, "The epsilon of the norms is wrong"},
	{EXPERTS_SWAPPED, "order of experts", "mixtral", BLOCK_F32, "The order of the experts is wrong"},
	{EXPERTS_SWAPPED, "order of experts", "granitemoe", BLOCK_F32, "The order of the experts is wrong"},
	{EXPERTS_SWAPPED, "order of experts", "lfm2moe", BLOCK_F32, "The order of the experts is wrong"},
	{EXPERTS_SHIFTED, "experts shifted", "qwen3moe", BLOCK_F32, "The order of the experts is wrong"},
	{EXPERTS_SHIFTED, "experts shifted", "mixtral", BLOCK_F32, "The order of the experts is wrong"},
	{LAST_EXPERT_OTHER, "only the last expert", "qwen3moe", BLOCK_F32, "The order of the experts is wrong"},
	{LAST_EXPERT_OTHER, "only the last expert", "deepseek3", BLOCK_F32, "The order of the experts is wrong"},
	{LAST_EXPERT_OTHER, "only the last expert", "gemma4-moe", BLOCK_F32, "The order of the experts is wrong"},
	{LAST_EXPERT_OTHER, "only the last expert", "gpt-oss", BLOCK_F32, "The order of the experts is wrong"},
	{STATE_STAYS, "state not restored", "falcon-h1", BLOCK_F32, "The state is not restored"},
	{STATE_STAYS, "state not restored", "nemotron_h", BLOCK_F32, "The state is not restored"},
	{STATE_STAYS_PARTLY, "state partly restored", "qwen35", BLOCK_F32, "The state is not restored"},
	{STATE_STAYS_PARTLY, "state partly restored", "lfm2", BLOCK_F32, "The state is not restored"},
};

/* A window that is longer than what the doctor evaluates. */
static void plant_in_window(enum fault fault)
{
	struct family_model made = family_model_of("gemma2");
	struct error err;

	made.sizes.window = 300;
	must(family_model_save(&made, path, &err), &err);
	plant(fault);
	expect("long window off by one", "gemma2", fault == NO_FAULT ? NULL : "The window of attention is off by one");
	plant(NO_FAULT);
}

static void plant_in_engine(void)
{
	for (size_t i = 0; i < sizeof engine_faults / sizeof engine_faults[0]; i++) {
		save_family(engine_faults[i].family, engine_faults[i].type);
		plant(engine_faults[i].fault);
		expect(engine_faults[i].name, engine_faults[i].family, engine_faults[i].cause);
		plant(NO_FAULT);
		expect("-", engine_faults[i].family, NULL);
	}
}

#define MISREAD "A scale is misread in blocks of the type Q4_K"

/* Blocks of 256 weights: families are too narrow for them. */
static void plant_in_blocks(void)
{
	static const struct { enum fault fault; const char *name, *cause; } faults[] = {
		{NO_FAULT, "-", NULL},
		{NIBBLES_SWAPPED_Q4_K, "nibbles swapped", "Blocks of the type Q4_K are unpacked wrongly"},
		{SCALE_MISREAD_Q4_K, "scale misread", MISREAD}, {OFFSET_MISREAD_Q4_K, "offset misread", MISREAD},
		{SCALE_MISREAD_PACKED_Q4_K, "scale misread, packed", MISREAD},
		{OFFSET_MISREAD_PACKED_Q4_K, "offset misread, packed", MISREAD}};
	struct tiny_model tiny = tiny_model_default();
	struct error err;

	tiny.n_embd = tiny.n_ff = 256;
	tiny.type = BLOCK_Q4_K;
	must(tiny_model_save(&tiny, path, &err), &err);
	for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
		plant(faults[i].fault);
		expect(faults[i].name, "tiny, Q4_K", faults[i].cause);
	}
	plant(NO_FAULT);
}

/* Each token sees only itself. */
static void look_at_narrowest_window(void)
{
	struct tiny_model tiny = tiny_model_default();
	struct error err;

	tiny.window = 1;
	must(tiny_model_save(&tiny, path, &err), &err);
	expect("- (window of 1)", "tiny", NULL);
}

/* ---- of text ---- */

static const char chatml[] =
	"{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
	"{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";
static const char fitting[] =
	"{% for m in messages %}{% if m.role == 'user' %}Q: {{ m.content }}\n{% else %}A: {{ m.content }}{{ eos_token }}"
	"{% endif %}{% endfor %}{% if add_generation_prompt %}A:{% endif %}";
static const char twice[] =
	"{{ bos_token }}{{ bos_token }}{% for m in messages %}{{ m.content }}{{ eos_token }}{% endfor %}A:";

/* `adds_bos`: 1 or 0, -1: the file does not say. */
static void save_tiny(const char *tmpl, int adds_bos)
{
	struct tiny_model tiny = tiny_model_default();
	struct gguf_writer *w = tiny_model_writer(&tiny);
	struct error err;

	gguf_writer_set_string(w, "tokenizer.chat_template", tmpl, strlen(tmpl));
	if (adds_bos >= 0)
		gguf_writer_set_bool(w, "tokenizer.ggml.add_bos_token", adds_bos);
	must(gguf_writer_save(w, path, &err), &err);
	gguf_writer_free(w);
}

static void plant_in_text(void)
{
	save_tiny(fitting, -1);
	expect("-", "tiny", NULL);
	plant(BOS_MISSING);
	expect("BOS missing", "tiny", "BOS is missing");
	plant(BOS_DOUBLED);
	expect("BOS doubled", "tiny", "BOS is doubled");
	plant(NO_FAULT);
	save_tiny(fitting, 0);
	expect("BOS missing by the file", "tiny", "BOS is missing");
	save_tiny(twice, 0);
	expect("BOS doubled by a template", "tiny", "BOS is doubled");
	save_tiny(twice, 1);
	expect("- (only one is kept)", "tiny", NULL);
	save_tiny("\n{{ bos_token }}{% for m in messages %}{{ m.content }}{{ eos_token }}{% endfor %}A:", 1);
	expect("- (blanks before BOS)", "tiny", NULL);
	save_tiny("{{ bos_token }}\n{{ bos_token }}{% for m in messages %}{{ m.content }}{{ eos_token }}{% endfor %}A:", 1);
	expect("BOS doubled behind a line", "tiny", "BOS is doubled");
	save_tiny(chatml, -1);
	expect("wrong template", "tiny", "The chat template is another model's");
	save_tiny("{% for m in messages %}<user_text>{{ m.content }}</user_text>\n{% endfor %}<reply_text>", -1);
	expect("- (tags that are text)", "tiny", NULL);
	save_tiny("{% for m in messages %}{{ m.content }", -1);
	expect("broken template", "tiny", "The model's own chat template cannot be used");
}

/* ---- of files ---- */

static void *tensor_data(struct buf *file, const char *name, uint64_t *n_bytes)
{
	struct gguf *gguf;
	struct error err;
	const struct gguf_tensor *tensor;
	void *data;

	must(gguf_open_memory(&gguf, file->data, file->len, &err), &err);
	tensor = gguf_find_tensor(gguf, name);
	*n_bytes = tensor->n_bytes;
	data = file->data + ((const char *)tensor->data - file->data);
	gguf_close(gguf);
	return data;
}

static void write_file(const struct buf *file)
{
	FILE *out = fopen(path, "wb");

	if (!out || fwrite(file->data, 1, file->len, out) != file->len || fclose(out))
		abort();
}

static void plant_in_files(const char *family, enum block_type type)
{
	struct family_model made = family_model_of(family);
	struct buf file = {.max = MIB(64)};
	struct error err;
	uint64_t n_bytes, n;
	unsigned char *q, saved[2];

	made.type = type;
	must(family_model_write(&made, &file, &err), &err);
	q = tensor_data(&file, "blk.1.ffn_up.weight", &n_bytes);
	memcpy(saved, q + n_bytes / 34 / 2 * 34, 2);
	memcpy(q + n_bytes / 34 / 2 * 34, "\x00\x7e", 2); /* the scale of a block in the middle: NaN */
	write_file(&file);
	expect("NaN block", family, "The file is damaged: it has weights that are not numbers");
	memcpy(q + n_bytes / 34 / 2 * 34, saved, 2);
	memcpy(q, tensor_data(&file, "blk.2.ffn_up.weight", &n), n_bytes);
	write_file(&file);
	expect("tensor copied over another", family, "The file is damaged: a tensor was copied over another");
	buf_free(&file);
}

int main(void)
{
	int fd;

	snprintf(path, sizeof path, "/tmp/sotto-doctor-XXXXXX");
	fd = mkstemp(path);
	if (fd < 0)
		return 1;
	close(fd);
	plant_in_engine();
	plant_in_window(NO_FAULT);
	plant_in_window(WINDOW_LONGER);
	plant_in_window(WINDOW_SHORTER);
	plant_in_blocks();
	look_at_narrowest_window();
	plant_in_text();
	plant_in_files("qwen3", BLOCK_Q8_0);
	unlink(path);
	printf("%d failed\n", failures);
	return failures != 0;
}
