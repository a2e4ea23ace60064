/* Sleeping until a word changes: threads that pass a number round in a ring,
 * each asleep until it is its turn, and all at once at the end. Linked with
 * either way of sleeping; hangs where a wake-up is lost. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "kernels/wait.h"

enum { THREADS = 4, TURNS = 2000 };

static atomic_uint turn;
static unsigned plain; /* whose turn it is, may touch it */

static void *play(void *arg)
{
	unsigned index = *(const unsigned *)arg;

	for (unsigned next = index; next < TURNS; next += THREADS) {
		unsigned seen;

		while ((seen = atomic_load(&turn)) < next)
			wait_for_change(&turn, seen);
		plain++;
		atomic_fetch_add(&turn, 1);
		wait_wake(&turn);
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	unsigned index[THREADS];

	alarm(120);
	wait_for_change(&turn, 7); /* is not 7: comes back at once */
	for (unsigned i = 0; i < THREADS; i++) {
		index[i] = i;
		if (pthread_create(&threads[i], NULL, play, &index[i]))
			return 1;
	}
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("%u turns\n", plain);
	return plain != TURNS;
}
