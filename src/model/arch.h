/* The table of architectures: a family is one file arch_*.c and one row.
 * Private to this folder. */
#ifndef SOTTO_MODEL_ARCH_H
#define SOTTO_MODEL_ARCH_H

#include "base/buf.h"
#include "model/forward.h"
#include "model/weights.h"

struct model {
	const struct arch *arch;
	struct gguf *gguf; /* owned */
	struct hparams hparams;
	struct weights weights;
	double *rope_frequency; /* [rope_dim / 2]: turns of 2 pi radians a position */
};

struct arch {
	const char *name; /* general.architecture, and the prefix of its keys */
	/* Checks and fills model->hparams from model->gguf. */
	enum status (*read_hparams)(struct hparams *hp, const struct gguf *gguf, struct error *err);
	const struct weights_table *weights;
	/* The whole pass, readable as the paper. */
	enum status (*forward)(const struct forward *f);
};

extern const struct arch arch_llama;

/* NULL when there is no such row. */
const struct arch *arch_find(struct gguf_string name);
/* Appends the names of all rows: "llama, ...". */
enum status arch_list(struct buf *out);

#endif
