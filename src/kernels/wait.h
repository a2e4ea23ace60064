/* Sleeping until a word in memory changes. wait_futex.c has Linux's futexes do
 * it; wait_cond.c, for other systems, a condition variable. */
#ifndef SOTTO_KERNELS_WAIT_H
#define SOTTO_KERNELS_WAIT_H

#include <pthread.h>
#include <stdatomic.h>

/* Those who sleep, whatever the word. */
struct waiting {
	pthread_mutex_t mutex;  /* these two are wait_cond.c's */
	pthread_cond_t changed;
};

void waiting_init(struct waiting *waiting);
void waiting_deinit(struct waiting *waiting);

/* Sleeps while *word is `seen`; may return earlier. Whoever changes the word must call
 * waiting_wake afterwards. */
void waiting_sleep(struct waiting *waiting, atomic_uint *word, unsigned seen);
/* Wakes all who sleep because of this word. */
void waiting_wake(struct waiting *waiting, atomic_uint *word);

#endif
