/* Converting a checkpoint beside the screen: a job that first looks what would be made, then makes it when told to.
 * One thread owns it and makes all calls. */
#ifndef SOTTO_CHECKPOINT_MAKER_H
#define SOTTO_CHECKPOINT_MAKER_H

#include "checkpoint/offer.h"

enum maker_state { MAKER_IDLE, MAKER_LOOKING, MAKER_OFFERS, MAKER_MAKING, MAKER_DONE, MAKER_FAILED };

struct maker;
/* `try_model`: convert_job.check, on the job's thread; may be NULL. */
enum status maker_create(struct maker **out, enum status (*try_model)(const char *path, struct error *err),
                         struct error *err) MUST_CHECK;
void maker_free(struct maker *maker); /* stops it and waits; NULL is fine */

/* STATUS_BUSY: it looks or makes. */
enum status maker_look(struct maker *maker, const char *path, const char *models, struct error *err) MUST_CHECK;
enum status maker_make(struct maker *maker, struct error *err) MUST_CHECK; /* in MAKER_OFFERS */
void maker_stop(struct maker *maker);

int maker_fd(const struct maker *maker); /* to be polled for POLLIN: maker_update; -1: nothing is under way */
bool maker_update(struct maker *maker);  /* true: the state has changed */
enum maker_state maker_state(const struct maker *maker);
const struct convert_offer *maker_offer(const struct maker *maker); /* from MAKER_OFFERS on */
const struct error *maker_error(const struct maker *maker);         /* in MAKER_FAILED */
double maker_fraction(const struct maker *maker);                   /* 0 .. 1 */

#endif
