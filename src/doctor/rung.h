/* What the rungs of the ladder share. Private to this folder. */
#ifndef SOTTO_DOCTOR_RUNG_H
#define SOTTO_DOCTOR_RUNG_H

#include <stdint.h>

#include "doctor/doctor.h"
#include "doctor/record.h"
#include "encode/chat_template.h"
#include "encode/encode.h"
#include "engine/session.h"
#include "kernels/compute.h"
#include "model/model.h"
#include "model/weights.h"
#include "tokenizer/tokenizer.h"

/* The model that is looked at, with all that the rungs use of it. */
struct patient {
	struct engine_params params; /* a copy, with a context that is long enough for the rungs */
	struct compute compute;
	struct model *model;
	const struct plan *plan;
	const struct weights *weights;
	const struct gguf *gguf;
	struct tokenizer *tokenizer; /* NULL: the file has no vocabulary, or not one that can be read ... */
	struct error no_tokenizer;   /* ... for this reason */
	struct chat_template *tmpl;  /* NULL: likewise */
	struct error no_template;
	struct session *session;
	int32_t *ids;    /* [n_ids]: what the rungs evaluate */
	size_t n_ids;
	struct record record; /* what went through the model when they were evaluated in several batches */
	double perplexity;    /* of the built-in text; 0: not known */
};

struct rung {
	const char *name, *looks_at;
	/* Fills in all of *out but rung and looks_at. */
	enum status (*check)(struct patient *patient, struct diagnosis *out, struct error *err);
};

enum status patient_open(struct patient *patient, const struct engine_params *params, struct error *err) MUST_CHECK;
void patient_close(struct patient *patient);
/* Evaluates p->ids in batches of several sizes; their figures go to p->record. */
enum status patient_record(struct patient *patient, struct error *err) MUST_CHECK;
/* A session of this model for `n_ctx` tokens, other than p->session in whether it keeps a cache and, where `isa` is
 * given, in its instruction set. */
enum status patient_session(const struct patient *patient, bool cache, const struct compute *compute,
                            struct session **out, struct error *err) MUST_CHECK;
/* What the built-in text is as ids, with what the vocabulary puts before and after it. */
enum status patient_encode(const struct patient *patient, unsigned flags, struct token_list *out,
                           struct error *err) MUST_CHECK;
extern const char patient_text[];
/* Whether the model has no vocabulary, or where it is wanted no template; then the rung is skipped. */
bool patient_lacks_words(const struct patient *patient, bool wants_template, struct diagnosis *out);
/* A first question as the model sees it; encoded_free in every case. */
enum status patient_question(const struct patient *patient, struct encoded *out, struct error *err) MUST_CHECK;
/* Nothing but blanks and line ends. */
bool token_is_blank(const struct tokenizer *tokenizer, int32_t id);

/* Sets what a rung found; the text says what was seen. */
void diagnose_finding(struct diagnosis *out, const char *cause, const char *seen, ...) PRINTF_LIKE(3, 4);
void diagnose_remark(struct diagnosis *out, const char *text, ...) PRINTF_LIKE(2, 3);
void diagnose_fine(struct diagnosis *out, const char *text, ...) PRINTF_LIKE(2, 3);
void diagnose_skipped(struct diagnosis *out, const char *text, ...) PRINTF_LIKE(2, 3);
void diagnose_number(struct diagnosis *out, double number, const char *is);
/* The command that shows it, with the model's name in place of %s. */
void diagnose_show(struct diagnosis *out, const char *command, ...) PRINTF_LIKE(2, 3);

/* In the order of the ladder. */
enum status check_tensors(struct patient *patient, struct diagnosis *out, struct error *err);
enum status check_copies(struct patient *patient, struct diagnosis *out, struct error *err);
enum status check_blocks(struct patient *patient, struct diagnosis *out, struct error *err);
enum status check_products(struct patient *patient, struct diagnosis *out, struct error *err);
enum status check_isas(struct patient *patient, struct diagnosis *out, struct error *err);
enum status check_keys(struct patient *patient, struct diagnosis *out, struct error *err);
enum status check_norms(struct patient *patient, struct diagnosis *out, struct error *err);
enum status check_rotation(struct patient *patient, struct diagnosis *out, struct error *err);
enum status check_attention(struct patient *patient, struct diagnosis *out, struct error *err);
enum status check_windows(struct patient *patient, struct diagnosis *out, struct error *err);
enum status check_routes(struct patient *patient, struct diagnosis *out, struct error *err);
enum status check_experts(struct patient *patient, struct diagnosis *out, struct error *err);
enum status check_states(struct patient *patient, struct diagnosis *out, struct error *err);
enum status check_cache(struct patient *patient, struct diagnosis *out, struct error *err);
enum status check_batches(struct patient *patient, struct diagnosis *out, struct error *err);
enum status check_order(struct patient *patient, struct diagnosis *out, struct error *err);
enum status check_growth(struct patient *patient, struct diagnosis *out, struct error *err);
enum status check_tokenizer(struct patient *patient, struct diagnosis *out, struct error *err);
enum status check_template(struct patient *patient, struct diagnosis *out, struct error *err);
enum status check_bos(struct patient *patient, struct diagnosis *out, struct error *err);
enum status check_ends(struct patient *patient, struct diagnosis *out, struct error *err);
enum status check_perplexity(struct patient *patient, struct diagnosis *out, struct error *err);
enum status check_repetition(struct patient *patient, struct diagnosis *out, struct error *err);

#endif
