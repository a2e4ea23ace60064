check_PROGRAMS += tests/unit/catalog/test_catalog
TESTS += tests/unit/catalog/test_catalog
tests_unit_catalog_test_catalog_SOURCES = \
	tests/unit/catalog/test_beside.c \
	tests/unit/catalog/test_catalog.c \
	tests/unit/catalog/test_describe.c \
	tests/unit/catalog/test_memory.c \
	tests/unit/catalog/test_ollama_manifest.c \
	tests/unit/catalog/test_recommended_models.c \
	tests/unit/catalog/test_searcher.c
tests_unit_catalog_test_catalog_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_catalog_test_catalog_LDADD = tests/support/libsupport.a $(ENGINE_LIBS) src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)
