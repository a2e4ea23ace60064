/* The files of a tokenizer while they are converted, and each form that it can have. Private to this folder. */
#ifndef SOTTO_CHECKPOINT_VOCABULARY_JOB_H
#define SOTTO_CHECKPOINT_VOCABULARY_JOB_H

#include "checkpoint/vocabulary.h"

struct vocabulary_job {
	struct conversion *c;
	/* tokenizer.json */
	bool has_tokenizer;
	struct vocabulary tokenizer;
	struct settings_tree *normalizer, *pre_tokenizer, *post_processor, *decoder; /* NULL: none */
	/* tokenizer_config.json, NULL where it is missing or empty, and its text */
	struct settings_tree *config;
	char *config_text;
	size_t config_len;
	struct settings_tree *model; /* config.json as it is; NULL: none */
};

/* STATUS_OK and NULL where there is no such file; else the error is the conversion's. */
bool vocabulary_load(struct conversion *c, const char *name, size_t limit, char **text, size_t *len);

/* Each writes its keys, with those of tokens with a role; false: the conversion has failed.
 * Byte-level BPE. */
bool vocabulary_write_bpe(struct vocabulary_job *job);
/* BPE on plain UTF-8 that falls back to bytes, as SentencePiece's models become tokenizer.json: written as one. */
bool vocabulary_write_scores(struct vocabulary_job *job);
bool vocabulary_write_gemma4(struct vocabulary_job *job);
/* tokenizer.model. `is_phi3`: tokens that are added count as Phi-3's do. */
bool vocabulary_write_spm(struct vocabulary_job *job, bool is_phi3);

/* The keys of tokens with a role, and the chat templates. */
void vocabulary_write_special(struct vocabulary_job *job, size_t n_vocab);

#endif
