/* What a plain YAML scalar means, by YAML 1.1 as PyYAML's safe_load reads it:
 * yes and off are booleans, 0x1F, 017 and 1:30 numbers, 1e5 (no point) is a
 * text. Dates, and base 60 with a fraction, stay texts. */
#ifndef SOTTO_CONFIG_YAML_SCALAR_H
#define SOTTO_CONFIG_YAML_SCALAR_H

#include <stdbool.h>
#include <stdint.h>

enum yaml_scalar_kind {
	SCALAR_TEXT,
	SCALAR_NULL,
	SCALAR_BOOL,
	SCALAR_INT,
	SCALAR_FLOAT,
	SCALAR_TOO_BIG /* an integer that does not fit in 64 bits */
};

struct yaml_scalar {
	enum yaml_scalar_kind kind;
	bool boolean;
	int64_t integer;
	double number;
};

/* `text` has no quotes around it. */
struct yaml_scalar yaml_scalar_resolve(const char *text);

#endif
