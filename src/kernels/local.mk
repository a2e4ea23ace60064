noinst_LIBRARIES += src/kernels/libkernels.a
src_kernels_libkernels_a_SOURCES = \
	src/kernels/attention.c src/kernels/attention.h \
	src/kernels/blocks.h \
	src/kernels/compute.h \
	src/kernels/cpu.c src/kernels/cpu.h \
	src/kernels/dot.h \
	src/kernels/float16.h \
	src/kernels/isa.c src/kernels/isa.h \
	src/kernels/matmul.c src/kernels/matmul.h \
	src/kernels/ops.c src/kernels/ops.h \
	src/kernels/quant.c src/kernels/quant.h \
	src/kernels/quant_generic.c src/kernels/quant_generic.h \
	src/kernels/rope.c src/kernels/rope.h \
	src/kernels/threadpool.c src/kernels/threadpool.h
src_kernels_libkernels_a_CFLAGS = $(AM_CFLAGS) $(SOTTO_KERNEL_CFLAGS)
