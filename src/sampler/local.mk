noinst_LIBRARIES += src/sampler/libsampler.a
src_sampler_libsampler_a_SOURCES = \
	src/sampler/params.c \
	src/sampler/params.h
