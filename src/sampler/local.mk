noinst_LIBRARIES += src/sampler/libsampler.a
src_sampler_libsampler_a_SOURCES = \
	src/sampler/again.c src/sampler/again.h \
	src/sampler/again_rest.c src/sampler/again_rest.h \
	src/sampler/candidates.c src/sampler/candidates.h \
	src/sampler/chain.c src/sampler/chain.h \
	src/sampler/dry.c src/sampler/dry.h \
	src/sampler/exact.c src/sampler/exact.h \
	src/sampler/filters.c src/sampler/filters.h \
	src/sampler/mirostat.c src/sampler/mirostat.h \
	src/sampler/order.c src/sampler/order.h \
	src/sampler/params.c src/sampler/params.h \
	src/sampler/penalties.c src/sampler/penalties.h \
	src/sampler/rng.c src/sampler/rng.h \
	src/sampler/temperature.c src/sampler/temperature.h \
	src/sampler/top.c src/sampler/top.h
src_sampler_libsampler_a_CFLAGS = $(AM_CFLAGS) $(SOTTO_KERNEL_CFLAGS)
