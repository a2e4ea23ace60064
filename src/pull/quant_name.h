/* What the names of model files say: which are models, and how they are quantised. Names only; nothing is opened. */
#ifndef SOTTO_PULL_QUANT_NAME_H
#define SOTTO_PULL_QUANT_NAME_H

#include <stdbool.h>

#include "base/buf.h"

/* What a file is, by its path in a repository. */
enum quant_file {
	QUANT_MODEL,
	QUANT_PICTURES, /* a projector for pictures: mmproj-F16.gguf */
	QUANT_DRAFT,    /* drafts tokens for another model: mtp-, eagle3-, dflash-, dspark- */
	QUANT_MATRIX,   /* what a quantiser read: imatrix */
	QUANT_OTHER,    /* not GGUF */
};
enum quant_file quant_file_of(const char *path);

/* Appends how a model is quantised, in upper case: "Q4_K_M" of "BF16/x-Q4_K_M-00001-of-00002.gguf", "UD-Q4_K_XL",
 * "I1-Q4_K_M"; where no part of the path is a type's name, what stands behind the name's last "-" or ".". */
enum status quant_name_put(struct buf *out, const char *path);
/* Bits that a weight takes in a type, in the mean of usual models; 0: not known. */
double quant_bits(const char *quant);
/* Whether the tag means this type: 2: it is the type; 1: it is a word of it, as "Q4_K_M" of "UD-Q4_K_M"; else 0. */
int quant_matches(const char *quant, const char *tag);
/* Whether llama.cpp's -hf takes the file for the tag: the path has the tag with "." or "-" behind it. */
bool quant_is_in_path(const char *path, const char *tag);

#endif
