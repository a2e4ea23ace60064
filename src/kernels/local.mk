noinst_LIBRARIES += src/kernels/libkernels.a
src_kernels_libkernels_a_SOURCES = \
	src/kernels/activations.c \
	src/kernels/attention.c src/kernels/attention.h \
	src/kernels/attention_body.h src/kernels/attention_kernels.h \
	src/kernels/attention_generic.c \
	src/kernels/bf16.h src/kernels/bf16_body.h \
	src/kernels/blocks.h \
	src/kernels/codebooks.c src/kernels/codebooks.h \
	src/kernels/compute.c src/kernels/compute.h \
	src/kernels/cpu.h \
	src/kernels/dot.h \
	src/kernels/float16.h \
	src/kernels/isa.c src/kernels/isa.h \
	src/kernels/kv_layer.c src/kernels/kv_layer.h \
	src/kernels/matmul.c src/kernels/matmul.h \
	src/kernels/matmul_body.h src/kernels/matmul_floats.h src/kernels/matmul_gemm.h \
	src/kernels/matmul_pair.h src/kernels/matmul_generic.c \
	src/kernels/ops.c src/kernels/ops.h \
	src/kernels/scan.c src/kernels/scan.h src/kernels/scan_body.h \
	src/kernels/ops_body.h src/kernels/ops_kernels.h src/kernels/ops_generic.c \
	src/kernels/panels.c src/kernels/panels.h src/kernels/panels_codebook.c \
	src/kernels/panels_codebook.h src/kernels/panels_pack.h src/kernels/panels_simd.h \
	src/kernels/peak.c src/kernels/peak.h src/kernels/peak_generic.c \
	src/kernels/quant.c src/kernels/quant.h \
	src/kernels/quantise_body.h \
	src/kernels/quant_codebook.c src/kernels/quant_few_bits.c \
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

# One library an instruction set, compiled for it: no function of these files
# but those of their tables may be seen outside (a copy of an inline function
# that the linker picked for all would not run everywhere).
KERNEL_LIBS = src/kernels/libkernels.a
if HAVE_X86_ISA
noinst_LIBRARIES += src/kernels/libkernels_avx2.a src/kernels/libkernels_avx512.a
src_kernels_libkernels_avx2_a_SOURCES = \
	src/kernels/attention_avx2.c \
	src/kernels/matmul_avx2.c \
	src/kernels/ops_avx2.c \
	src/kernels/peak_avx2.c src/kernels/peak_ymm.h \
	src/kernels/simd_avx2.h src/kernels/simd_ymm.h
src_kernels_libkernels_avx2_a_CFLAGS = $(AM_CFLAGS) $(SOTTO_KERNEL_CFLAGS) $(SOTTO_AVX2_CFLAGS)
src_kernels_libkernels_avx512_a_SOURCES = \
	src/kernels/attention_avx512.c \
	src/kernels/matmul_avx512.c \
	src/kernels/ops_avx512.c \
	src/kernels/peak_avx512.c \
	src/kernels/simd_avx512.h
src_kernels_libkernels_avx512_a_CFLAGS = $(AM_CFLAGS) $(SOTTO_KERNEL_CFLAGS) $(SOTTO_AVX512_CFLAGS)
KERNEL_LIBS += src/kernels/libkernels_avx2.a src/kernels/libkernels_avx512.a
endif
if HAVE_AVXVNNI_ISA
# No flags of its own: the instruction is written where it is used (vpdpbusd.h).
noinst_LIBRARIES += src/kernels/libkernels_avxvnni.a
avxvnni_sources = \
	src/kernels/matmul_avxvnni.c \
	src/kernels/peak_avxvnni.c src/kernels/peak_ymm.h \
	src/kernels/simd_avxvnni.h src/kernels/simd_ymm.h src/kernels/vpdpbusd.h
src_kernels_libkernels_avxvnni_a_SOURCES = $(avxvnni_sources)
src_kernels_libkernels_avxvnni_a_CFLAGS = $(src_kernels_libkernels_avx2_a_CFLAGS)
KERNEL_LIBS += src/kernels/libkernels_avxvnni.a
endif
# AVX-512's kernels and a product of BF16 matrices.
if HAVE_AVX512BF16_ISA
noinst_LIBRARIES += src/kernels/libkernels_avx512bf16.a
src_kernels_libkernels_avx512bf16_a_SOURCES = src/kernels/bf16_avx512.c
src_kernels_libkernels_avx512bf16_a_CFLAGS = $(AM_CFLAGS) $(SOTTO_KERNEL_CFLAGS) $(SOTTO_AVX512BF16_CFLAGS)
KERNEL_LIBS += src/kernels/libkernels_avx512bf16.a
endif
if HAVE_ARM_ISA
noinst_LIBRARIES += src/kernels/libkernels_neon.a
src_kernels_libkernels_neon_a_SOURCES = \
	src/kernels/attention_neon.c \
	src/kernels/matmul_neon.c \
	src/kernels/ops_neon.c \
	src/kernels/peak_neon.c \
	src/kernels/simd_neon.h
src_kernels_libkernels_neon_a_CFLAGS = $(AM_CFLAGS) $(SOTTO_KERNEL_CFLAGS) $(SOTTO_NEON_CFLAGS)
KERNEL_LIBS += src/kernels/libkernels_neon.a
endif
