check_PROGRAMS += tests/unit/guide/test_guide
TESTS += tests/unit/guide/test_guide
EXTRA_DIST += tests/vectors/guide-facts.yaml tests/vectors/guide-facts.weights tests/vectors/guide-lookup.txt
tests_unit_guide_test_guide_SOURCES = \
	tests/unit/guide/test_edited.c \
	tests/unit/guide/test_facts.c \
	tests/unit/guide/test_look_up.c \
	tests/unit/guide/test_prompt.c \
	tests/unit/guide/test_ranker.c \
	tests/unit/guide/test_terms.c \
	tests/unit/guide/test_values.c \
	tests/unit/guide/test_vectors.c
tests_unit_guide_test_guide_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_guide_test_guide_LDADD = tests/support/libsupport.a src/guide/libguide.a $(ENGINE_LIBS) \
	src/config/libconfig.a src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)
