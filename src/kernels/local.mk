noinst_LIBRARIES += src/kernels/libkernels.a
src_kernels_libkernels_a_SOURCES =
