noinst_LIBRARIES += src/sampler/libsampler.a
src_sampler_libsampler_a_SOURCES =
