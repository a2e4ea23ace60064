#include "pull/offer.h"

#include <stdlib.h>

void pull_offer_free(struct pull_offer *offer)
{
	for (size_t i = 0; i < offer->n_files; i++) {
		free(offer->files[i].path);
		free(offer->files[i].kind);
	}
	for (size_t i = 0; i < offer->n_choices; i++)
		free(offer->choices[i].quant);
	free(offer->files);
	free(offer->choices);
	free(offer->commit);
	free(offer->licence);
	free(offer->notes);
	free(offer->manifest);
	secret_free(offer->key);
	pull_name_free(&offer->name);
	*offer = (struct pull_offer){0};
}
