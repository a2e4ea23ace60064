/* Sleeping until a word in memory changes. wait_futex.c has Linux's futexes do
 * it; wait_cond.c, for other systems, a condition variable. */
#ifndef SOTTO_KERNELS_WAIT_H
#define SOTTO_KERNELS_WAIT_H

#include <stdatomic.h>

/* Sleeps while *word is `seen`; may return earlier. Whoever changes the word must call
 * wait_wake afterwards. */
void wait_for_change(atomic_uint *word, unsigned seen);
/* Wakes all threads that sleep because of this word. */
void wait_wake(atomic_uint *word);

#endif
