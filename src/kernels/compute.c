#include "kernels/compute.h"

#include "base/sys.h"
#include "kernels/threadpool.h"

enum status compute_open(struct compute *compute, const char *isa, size_t n_threads,
                         struct error *err)
{
	enum status status;

	*compute = (struct compute){0};
	status = isa_find(&compute->isa, isa, err);
	if (status)
		return status;
	return threadpool_create(&compute->pool, n_threads ? n_threads : (size_t)sys_cpu_count(),
	                         err);
}

void compute_close(struct compute *compute)
{
	threadpool_free(compute->pool);
	*compute = (struct compute){0};
}
