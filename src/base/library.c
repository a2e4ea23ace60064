#include "base/library.h"

#include <dlfcn.h>
#include <string.h>

void *library_open(const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);

		if (library)
			return library;
	}
	return NULL;
}

void library_close(void *library)
{
	dlclose(library);
}

/* POSIX wants function pointers to fit in what dlsym returns; ISO C has no cast for it. */
bool library_find(void *library, const char *name, void *function, size_t size)
{
	void *symbol = dlsym(library, name);

	memcpy(function, &symbol, size);
	return symbol != NULL;
}
