#include "gguf/guard.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/* A slot is free while its size is 0. `size` is stored last and cleared first,
 * so that the handler, which takes no lock, sees whole entries only. */
struct slot {
	_Atomic uintptr_t base;
	_Atomic size_t size;
	_Atomic bool hit;
};

static struct slot slots[GUARD_MAX];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of writers */
static bool installed;
static struct sigaction previous;
static size_t page_size;

static void forward(int signal, siginfo_t *info, void *context)
{
	if (previous.sa_flags & SA_SIGINFO) {
		previous.sa_sigaction(signal, info, context);
	} else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
		previous.sa_handler(signal);
	} else { /* on return the instruction faults again and ends the program */
		struct sigaction fatal = {.sa_handler = SIG_DFL};

		sigaction(signal, &fatal, NULL);
	}
}

/* Calls only sigaction and mmap, a plain system call on Linux. */
static void on_sigbus(int signal, siginfo_t *info, void *context)
{
	uintptr_t address = (uintptr_t)info->si_addr;
	int saved_errno = errno;

	for (int i = 0; i < GUARD_MAX; i++) {
		size_t size = atomic_load(&slots[i].size);
		uintptr_t base = atomic_load(&slots[i].base);
		uintptr_t page = address & ~(uintptr_t)(page_size - 1);

		if (size == 0 || address < base || address - base >= size)
			continue;
		if (mmap((void *)page, size - (page - base), PROT_READ,
		         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
			break;
		atomic_store(&slots[i].hit, true);
		errno = saved_errno;
		return;
	}
	forward(signal, info, context);
	errno = saved_errno;
}

/* Under the lock. */
static enum status install(struct error *err)
{
	struct sigaction action = {.sa_sigaction = on_sigbus, .sa_flags = SA_SIGINFO | SA_ONSTACK};

	if (installed)
		return STATUS_OK;
	page_size = (size_t)sysconf(_SC_PAGESIZE);
	sigemptyset(&action.sa_mask);
	if (sigaction(SIGBUS, &action, &previous) != 0)
		return error_errno(err, errno, "cannot handle SIGBUS");
	installed = true;
	return STATUS_OK;
}

enum status guard_add(const void *base, size_t size, int *slot, struct error *err)
{
	enum status status;

	pthread_mutex_lock(&lock);
	status = install(err);
	for (int i = 0; !status && i < GUARD_MAX; i++) {
		if (atomic_load(&slots[i].size))
			continue;
		atomic_store(&slots[i].hit, false);
		atomic_store(&slots[i].base, (uintptr_t)base);
		atomic_store(&slots[i].size, size);
		*slot = i;
		goto out;
	}
	if (!status)
		status = error_set(err, STATUS_LIMIT, "more than %d model files are open", GUARD_MAX);
out:
	pthread_mutex_unlock(&lock);
	return status;
}

void guard_remove(int slot)
{
	pthread_mutex_lock(&lock);
	atomic_store(&slots[slot].size, 0);
	pthread_mutex_unlock(&lock);
}

bool guard_was_hit(int slot)
{
	return atomic_load(&slots[slot].hit);
}
