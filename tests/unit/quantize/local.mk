check_PROGRAMS += tests/unit/quantize/test_quantize
TESTS += tests/unit/quantize/test_quantize
tests_unit_quantize_test_quantize_SOURCES = \
	tests/unit/quantize/test_encoder.c \
	tests/unit/quantize/test_fit.c \
	tests/unit/quantize/test_recipe.c \
	tests/unit/quantize/test_save.c
tests_unit_quantize_test_quantize_CPPFLAGS = $(TEST_CPPFLAGS)
QUANTIZE_LIBS = src/quantize/libquantize.a $(KERNEL_LIBS) src/gguf/libgguf.a src/base/libbase.a
tests_unit_quantize_test_quantize_LDADD = tests/support/libsupport.a $(QUANTIZE_LIBS) $(TEST_LIBS) $(EXTERNAL_LIBS)

check_PROGRAMS += tests/unit/quantize/test_quantize_testdata
TESTS += tests/unit/quantize/test_quantize_testdata
tests_unit_quantize_test_quantize_testdata_SOURCES = tests/unit/quantize/test_quantize_testdata.c
tests_unit_quantize_test_quantize_testdata_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_quantize_test_quantize_testdata_LDADD = tests/support/libsupport.a src/quantize/libquantize.a $(ENGINE_LIBS) src/base/libbase.a $(EXTERNAL_LIBS)
