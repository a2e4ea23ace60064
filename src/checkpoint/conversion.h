/* A conversion under way: private to this folder. Its parts fill it in, one after the other: the family its keys and
 * outputs (family_*.c), the tokenizer its keys (vocabulary.c), and write.c writes the file. */
#ifndef SOTTO_CHECKPOINT_CONVERSION_H
#define SOTTO_CHECKPOINT_CONVERSION_H

#include "base/buf.h"
#include "checkpoint/outputs.h"
#include "checkpoint/safetensors.h"
#include "checkpoint/settings.h"
#include "gguf/writer.h"

struct checkpoint_family;
struct floats;
struct sources;

struct conversion {
	const struct checkpoint *from;
	const struct floats *floats;  /* which tensors are scales of others; NULL: none is */
	struct settings_tree *config; /* config.json, with text_config laid over it */
	const char *architecture;     /* "llama" */
	const struct checkpoint_family *family;
	const struct sources *sources; /* during family_write: the checkpoint's tensors by name (sources.h) */
	struct gguf_writer *keys;     /* in the order of the reference's file */
	struct outputs outputs;
	uint64_t n_vocab;             /* tokens that vocabulary_write wrote */
	struct buf notes;             /* lines for the user: defaults that were used, what was left out */
	struct error err;             /* the first one; sticky, as gguf_writer's */
};

/* Sets err unless one is set. Always false. */
bool conversion_fail(struct conversion *c, enum status status, const char *format, ...) __attribute__((format(printf, 3, 4)));
void conversion_note(struct conversion *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* By a name in "architectures" of config.json, and "model_type" ("": none); NULL: none. What a family is stands in
 * family.h. */
const struct checkpoint_family *checkpoint_family_find(const char *class_name, const char *model_type);
/* "LlamaForCausalLM, ...". */
enum status checkpoint_family_list(struct buf *out);
/* general.* and ARCH.* into c->keys, in the reference's order, and all outputs; general.file_type is a placeholder. Sets
 * c->family and c->architecture. Runs after vocabulary_write (into other keys), whose n_vocab it may need. */
bool family_write(struct conversion *c, const struct checkpoint_family *family);

/* What is special about a family's tokenizer. */
enum vocabulary_rule {
	VOCABULARY_USUAL,          /* llama and its kin: tokenizer.model where there is one, else tokenizer.json of either kind;
	                            * add_space_prefix as tokenizer_config.json says */
	VOCABULARY_BPE,            /* tokenizer.json alone */
	VOCABULARY_GEMMA,          /* no space is put in front */
	VOCABULARY_GEMMA4,
	VOCABULARY_PLAIN,          /* qwen2 and its kin, granitehybrid: tokenizer.model, else byte-level BPE */
	VOCABULARY_PHI3,           /* byte-level BPE where tokenizer_config.json says GPT2Tokenizer, else tokenizer.model */
};
/* tokenizer.ggml.* and tokenizer.chat_template(s), general.sampling.* of generation_config.json. */
void vocabulary_write(struct conversion *c, enum vocabulary_rule rule);
void sampling_write(struct conversion *c);

#endif
