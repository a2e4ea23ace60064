check_PROGRAMS += tests/unit/kernels/test_kernels
TESTS += tests/unit/kernels/test_kernels
tests_unit_kernels_test_kernels_SOURCES = \
	tests/unit/kernels/test_attention.c \
	tests/unit/kernels/test_bf16.c \
	tests/unit/kernels/test_float16.c \
	tests/unit/kernels/test_isa.c \
	tests/unit/kernels/test_matmul.c \
	tests/unit/kernels/test_ops.c \
	tests/unit/kernels/test_peak.c \
	tests/unit/kernels/test_scan.c \
	tests/unit/kernels/test_quant.c \
	tests/unit/kernels/test_rope.c \
	tests/unit/kernels/test_threadpool.c
tests_unit_kernels_test_kernels_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_kernels_test_kernels_LDADD = tests/support/libsupport.a $(TEST_KERNEL_LIBS) \
	src/gguf/libgguf.a src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)
