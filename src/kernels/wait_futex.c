/* futex(2): the kernel compares the word and goes to sleep in one step. */
#include <limits.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kernels/wait.h"

_Static_assert(sizeof(atomic_uint) == 4, "a futex has 32 bits");

void wait_for_change(atomic_uint *word, unsigned seen)
{
	/* Fails if the word has changed, or with a signal: return in both cases. */
	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
}

void wait_wake(atomic_uint *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}
