/* The rows of F6: this machine's model files, and the models of servers beside them. */
#ifndef SOTTO_UI_MODEL_ROWS_H
#define SOTTO_UI_MODEL_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "catalog/catalog.h"
#include "remote/lister.h"
#include "turn/turn.h"
#include "view/panel.h"

extern const struct list_extras model_rows_extras; /* its columns */

struct model_text;

/* Begins the value of a row that is not on this machine; what `sotto pull` fetches it by follows. Paths are absolute. */
#define MODEL_ROWS_PUBLISHED "pull:"

/* First the server's model in use, then the files that can be loaded, the models of servers, servers that are
 * offered, those that cannot be asked, published models that suit this machine, and the other files. A row's value is
 * the model's path. */
struct model_rows {
	struct list_item *items;  /* [n]; their texts are these rows', the catalog's and the list's */
	struct model_text *texts;
	size_t n;
};

/* NULL: not known yet. `is_printed`: each row is printed with all its columns, which a screen may have no room for, so
 * that its note need not say what they do. `model`: the one in memory; NULL: none. `fetched`: the name of the published one that is on its
 * way; NULL: none. False without memory; model_rows_free in every case. */
bool model_rows_make(struct model_rows *out, const struct catalog *catalog, const struct remote_list *remote,
                     const struct model_info *model, const char *fetched, bool is_printed);
bool model_rows_is_published(const char *value);
void model_rows_free(struct model_rows *rows);
bool model_rows_can_load(const struct catalog_entry *entry);

#endif
