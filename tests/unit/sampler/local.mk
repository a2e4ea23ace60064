check_PROGRAMS += tests/unit/sampler/test_sampler
TESTS += tests/unit/sampler/test_sampler
tests_unit_sampler_test_sampler_SOURCES = \
	tests/unit/sampler/test_again.c \
	tests/unit/sampler/test_candidates.c \
	tests/unit/sampler/test_chain.c \
	tests/unit/sampler/test_exact.c \
	tests/unit/sampler/test_filters.c \
	tests/unit/sampler/test_order.c \
	tests/unit/sampler/test_params.c \
	tests/unit/sampler/test_penalties.c \
	tests/unit/sampler/test_rng.c \
	tests/unit/sampler/test_top.c \
	tests/unit/sampler/test_vectors.c
EXTRA_DIST += tests/vectors/samplers.txt
tests_unit_sampler_test_sampler_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_sampler_test_sampler_LDADD = src/sampler/libsampler.a src/base/libbase.a \
	$(TEST_LIBS) $(EXTERNAL_LIBS)
