check_PROGRAMS += tests/unit/model/test_model
TESTS += tests/unit/model/test_model
tests_unit_model_test_model_SOURCES = \
	tests/unit/model/test_cache.c \
	tests/unit/model/test_differences.c \
	tests/unit/model/test_experts.c \
	tests/unit/model/test_family_defects.c \
	tests/unit/model/test_model.c \
	tests/unit/model/test_names.c \
	tests/unit/model/test_work.c
tests_unit_model_test_model_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_model_test_model_LDADD = tests/support/libsupport.a src/model/libmodel.a \
	$(KERNEL_LIBS) src/gguf/libgguf.a src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)
