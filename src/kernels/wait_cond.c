/* POSIX alone: one condition variable for all words. */
#include "kernels/wait.h"

void waiting_init(struct waiting *waiting)
{
	pthread_mutex_init(&waiting->mutex, NULL);
	pthread_cond_init(&waiting->changed, NULL);
}

void waiting_deinit(struct waiting *waiting)
{
	pthread_cond_destroy(&waiting->changed);
	pthread_mutex_destroy(&waiting->mutex);
}

void waiting_sleep(struct waiting *waiting, atomic_uint *word, unsigned seen)
{
	pthread_mutex_lock(&waiting->mutex);
	if (atomic_load(word) == seen)
		pthread_cond_wait(&waiting->changed, &waiting->mutex);
	pthread_mutex_unlock(&waiting->mutex);
}

void waiting_wake(struct waiting *waiting, atomic_uint *word)
{
	(void)word;
	/* Under the mutex: whoever has compared the word is asleep by now. */
	pthread_mutex_lock(&waiting->mutex);
	pthread_cond_broadcast(&waiting->changed);
	pthread_mutex_unlock(&waiting->mutex);
}
