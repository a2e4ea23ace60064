/* Threads that signals do not reach. */
#ifndef SOTTO_BASE_THREAD_H
#define SOTTO_BASE_THREAD_H

#include <pthread.h>

/* As pthread_create, with all signals blocked in the new thread so that they reach the main one.
 * Faults stay open, since a blocked one kills (and SIGBUS has a handler that lives through a
 * model file cut short). */
int thread_start(pthread_t *thread, void *(*run)(void *), void *arg);

#endif
