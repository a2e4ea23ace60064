#include "ui/params.h"

#include "kept/measures.h"
#include "terminal/osc.h"

static const char *const start_with_names[] = {[START_LAST] = "last", [START_GUIDE] = "guide",
                                               [START_ASK] = "ask", NULL};

const struct option ui_options[] = {
#define X(c_type, field, ...) {.offset = offsetof(struct ui_params, field), __VA_ARGS__},
	UI_OPTIONS(X)
#undef X
};
const size_t ui_n_options = sizeof ui_options / sizeof ui_options[0];
