# What several test programs share.
check_LIBRARIES += tests/support/libsupport.a
tests_support_libsupport_a_SOURCES = \
	tests/support/asked_vocab.c tests/support/asked_vocab.h \
	tests/support/counting_model.c tests/support/counting_model.h \
	tests/support/cpu_time.h \
	tests/support/fake_server.c tests/support/fake_server.h \
	tests/support/faulter.c tests/support/faulter.h \
	tests/support/family_checks.c tests/support/family_checks.h \
	tests/support/family_model.c tests/support/family_model.h \
	tests/support/family_references.c tests/support/family_references.h \
	tests/support/family_specs.c \
	tests/support/folder.c tests/support/folder.h \
	tests/support/gguf_memory.c tests/support/gguf_memory.h \
	tests/support/harmony_model.c tests/support/harmony_model.h \
	tests/support/isa_bf16_dot.h tests/support/isa_bf16_generic.c \
	tests/support/isas.c tests/support/isas.h \
	tests/support/logits.c tests/support/logits.h \
	tests/support/loopback.c tests/support/loopback.h \
	tests/support/random.c tests/support/random.h \
	tests/support/safe_text.c tests/support/safe_text.h \
	tests/support/sha.c tests/support/sha.h \
	tests/support/random_blocks.c tests/support/random_blocks.h \
	tests/support/reference.c tests/support/reference.h \
	tests/support/save_gguf.c tests/support/save_gguf.h \
	tests/support/split_model.c tests/support/split_model.h \
	tests/support/tiny_checkpoint.c tests/support/tiny_checkpoint.h \
	tests/support/tiny_families.c tests/support/tiny_families.h \
	tests/support/tiny_model.c tests/support/tiny_model.h \
	tests/support/tiny_vocab.c tests/support/tiny_vocab.h
tests_support_libsupport_a_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests

# Twins of instruction sets that few machines have.
TEST_KERNEL_LIBS = $(KERNEL_LIBS)
if HAVE_AVXVNNI_ISA
check_LIBRARIES += tests/support/libkernels_evex.a
tests_support_libkernels_evex_a_SOURCES = tests/support/isa_avxvnni_evex.c
tests_support_libkernels_evex_a_CFLAGS = $(src_kernels_libkernels_avxvnni_a_CFLAGS)
TEST_KERNEL_LIBS += tests/support/libkernels_evex.a
endif
if HAVE_X86_ISA
check_LIBRARIES += tests/support/libtwin_avx512.a
tests_support_libtwin_avx512_a_SOURCES = tests/support/isa_bf16_avx512.c
tests_support_libtwin_avx512_a_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_support_libtwin_avx512_a_CFLAGS = $(AM_CFLAGS) $(SOTTO_KERNEL_CFLAGS) $(SOTTO_AVX512_CFLAGS)
TEST_KERNEL_LIBS += tests/support/libtwin_avx512.a
endif

# Where Criterion cannot run (tools/check-arm64).
EXTRA_DIST += tests/support/plain/criterion/criterion.h

# For scripts: writes a tiny model.
check_PROGRAMS += tests/support/make_tiny
tests_support_make_tiny_SOURCES = tests/support/make_tiny.c
tests_support_make_tiny_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_support_make_tiny_LDADD = tests/support/libsupport.a src/gguf/libgguf.a src/base/libbase.a

# And a tiny checkpoint.
check_PROGRAMS += tests/support/make_checkpoint
tests_support_make_checkpoint_SOURCES = tests/support/make_checkpoint.c
tests_support_make_checkpoint_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_support_make_checkpoint_LDADD = tests/support/libsupport.a src/base/libbase.a
