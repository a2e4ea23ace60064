noinst_LIBRARIES += src/kernels/libkernels.a
src_kernels_libkernels_a_SOURCES = \
	src/kernels/attention.c src/kernels/attention.h \
	src/kernels/attention_body.h src/kernels/attention_kernels.h \
	src/kernels/bf16.h src/kernels/bf16_body.h \
	src/kernels/blocks.h \
	src/kernels/codebooks.c src/kernels/codebooks.h \
	src/kernels/compute.c src/kernels/compute.h \
	src/kernels/cpu.h \
	src/kernels/dot.h \
	src/kernels/float16.h \
	src/kernels/isa.c src/kernels/isa.h src/kernels/isa_body.h src/kernels/isa_generic.c \
	src/kernels/kv_layer.c src/kernels/kv_layer.h \
	src/kernels/matmul.c src/kernels/matmul.h \
	src/kernels/matmul_body.h src/kernels/matmul_floats.h src/kernels/matmul_gemm.h \
	src/kernels/matmul_pair.h \
	src/kernels/ops.c src/kernels/ops.h \
	src/kernels/peak.c src/kernels/peak.h \
	src/kernels/scan.c src/kernels/scan.h src/kernels/scan_body.h \
	src/kernels/ops_body.h src/kernels/ops_kernels.h \
	src/kernels/panels.c src/kernels/panels.h \
	src/kernels/panels_codebook.h src/kernels/panels_simd.h \
	src/kernels/peak_body.h src/kernels/peak_kernels.h src/kernels/peak_loop.h \
	src/kernels/quant.c src/kernels/quant.h \
	src/kernels/quantise_body.h \
	src/kernels/quant_codebook.c \
	src/kernels/quant_generic.c src/kernels/quant_generic.h \
	src/kernels/rope.c src/kernels/rope.h \
	src/kernels/simd.h src/kernels/simd_exp.h src/kernels/simd_generic.h \
	src/kernels/simd_select.h src/kernels/simd_wide_sums.h \
	src/kernels/threadpool.c src/kernels/threadpool.h \
	src/kernels/wait.h
if HAVE_FUTEX
src_kernels_libkernels_a_SOURCES += src/kernels/wait_futex.c
else
src_kernels_libkernels_a_SOURCES += src/kernels/wait_cond.c
endif
if HAVE_X86_ISA
src_kernels_libkernels_a_SOURCES += src/kernels/cpu_x86.c
else
if HAVE_ARM_ISA
src_kernels_libkernels_a_SOURCES += src/kernels/cpu_arm.c
else
src_kernels_libkernels_a_SOURCES += src/kernels/cpu_other.c
endif
endif
EXTRA_DIST += \
	src/kernels/cpu_x86.c src/kernels/cpu_arm.c src/kernels/cpu_other.c \
	src/kernels/wait_futex.c src/kernels/wait_cond.c
src_kernels_libkernels_a_CFLAGS = $(AM_CFLAGS) $(SOTTO_KERNEL_CFLAGS)

# One library and one file an instruction set, compiled for it: all functions in it
# are static (a copy of an inline function that the linker picked for all would not
# run everywhere), and only its tables are seen outside.
KERNEL_LIBS = src/kernels/libkernels.a
if HAVE_X86_ISA
noinst_LIBRARIES += src/kernels/libkernels_avx2.a src/kernels/libkernels_avx512.a
src_kernels_libkernels_avx2_a_SOURCES = src/kernels/isa_avx2.c src/kernels/simd_avx2.h src/kernels/simd_ymm.h
src_kernels_libkernels_avx2_a_CFLAGS = $(AM_CFLAGS) $(SOTTO_KERNEL_CFLAGS) $(SOTTO_AVX2_CFLAGS)
src_kernels_libkernels_avx512_a_SOURCES = src/kernels/isa_avx512.c src/kernels/simd_avx512.h
src_kernels_libkernels_avx512_a_CFLAGS = $(AM_CFLAGS) $(SOTTO_KERNEL_CFLAGS) $(SOTTO_AVX512_CFLAGS)
KERNEL_LIBS += src/kernels/libkernels_avx2.a src/kernels/libkernels_avx512.a
endif
if HAVE_AVXVNNI_ISA
# No flags of its own: the instruction is written where it is used.
noinst_LIBRARIES += src/kernels/libkernels_avxvnni.a
src_kernels_libkernels_avxvnni_a_SOURCES = src/kernels/isa_avxvnni.c src/kernels/simd_avxvnni.h
src_kernels_libkernels_avxvnni_a_CFLAGS = $(src_kernels_libkernels_avx2_a_CFLAGS)
KERNEL_LIBS += src/kernels/libkernels_avxvnni.a
endif
if HAVE_AVX512BF16_ISA
noinst_LIBRARIES += src/kernels/libkernels_avx512bf16.a
src_kernels_libkernels_avx512bf16_a_SOURCES = src/kernels/isa_avx512bf16.c
src_kernels_libkernels_avx512bf16_a_CFLAGS = $(AM_CFLAGS) $(SOTTO_KERNEL_CFLAGS) $(SOTTO_AVX512BF16_CFLAGS)
KERNEL_LIBS += src/kernels/libkernels_avx512bf16.a
endif
if HAVE_ARM_ISA
noinst_LIBRARIES += src/kernels/libkernels_neon.a
src_kernels_libkernels_neon_a_SOURCES = src/kernels/isa_neon.c src/kernels/simd_neon.h
src_kernels_libkernels_neon_a_CFLAGS = $(AM_CFLAGS) $(SOTTO_KERNEL_CFLAGS) $(SOTTO_NEON_CFLAGS)
KERNEL_LIBS += src/kernels/libkernels_neon.a
endif
