check_PROGRAMS += tests/unit/peak/test_peak
TESTS += tests/unit/peak/test_peak
tests_unit_peak_test_peak_SOURCES = tests/unit/peak/test_peak.c
tests_unit_peak_test_peak_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_peak_test_peak_LDADD = tests/support/libsupport.a src/peak/libpeak.a $(TEST_KERNEL_LIBS) \
	src/gguf/libgguf.a src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)
