/* A form: a line of text for each field, and a choice of one of several things. */
#ifndef SOTTO_VIEW_PANEL_FORM_H
#define SOTTO_VIEW_PANEL_FORM_H

#include "view/panel.h"

struct form_field {
	const char *name;
	const char *help;  /* shown while the field is selected */
	const char *value; /* at first */
	bool is_needed;    /* may not stay empty */
};

struct form {
	const char *title;
	const char *intro; /* above the fields; "" for none */
	const struct form_field *fields;
	size_t n_fields;
	const char *choice_name;    /* borrowed: what is chosen, and ... */
	const char *const *choices; /* ... from what, borrowed; none when n_choices is 0 */
	size_t n_choices;
	size_t choice;              /* at first */
};

/* Copies the texts but for the choices. PANEL_CHOSEN with PANEL_CLOSE when it is filled in. NULL
 * without memory. */
struct panel *panel_form_open(const struct form *form);

/* What is in a field now. Borrowed. */
const char *panel_form_name(const struct panel *panel, size_t field); /* NULL past the last */
const char *panel_form_value(const struct panel *panel, size_t field);
size_t panel_form_choice(const struct panel *panel);

#endif
