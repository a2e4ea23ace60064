check_PROGRAMS += tests/unit/models/test_models
TESTS += tests/unit/models/test_models
tests_unit_models_test_models_SOURCES = \
	tests/unit/models/test_catalog.c \
	tests/unit/models/test_describe.c \
	tests/unit/models/test_memory.c \
	tests/unit/models/test_offers.c \
	tests/unit/models/test_recommended.c
tests_unit_models_test_models_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_models_test_models_LDADD = tests/support/libsupport.a $(ENGINE_LIBS) src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)
