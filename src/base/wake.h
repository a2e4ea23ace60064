/* A file descriptor that one thread makes readable to wake another from poll:
 * the worker wakes the UI, a signal handler wakes the main loop. */
#ifndef SOTTO_BASE_WAKE_H
#define SOTTO_BASE_WAKE_H

#include "base/error.h"

struct wake {
	int read_fd; /* to be polled for POLLIN */
	int write_fd;
};

enum status wake_init(struct wake *wake, struct error *err) MUST_CHECK;
void wake_deinit(struct wake *wake);
/* Any thread, and async-signal-safe: one write of one byte; a full pipe is as
 * good as a byte. */
void wake_signal(const struct wake *wake);
/* For the polling thread: reads what was written. */
void wake_drain(const struct wake *wake);

#endif
