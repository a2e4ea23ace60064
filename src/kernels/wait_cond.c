/* POSIX alone: one condition variable for all words. */
#include "kernels/wait.h"

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

void wait_for_change(atomic_uint *word, unsigned seen)
{
	pthread_mutex_lock(&mutex);
	if (atomic_load(word) == seen)
		pthread_cond_wait(&changed, &mutex);
	pthread_mutex_unlock(&mutex);
}

void wait_wake(atomic_uint *word)
{
	(void)word;
	/* Under the mutex: whoever has compared the word is asleep by now. */
	pthread_mutex_lock(&mutex);
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&mutex);
}
