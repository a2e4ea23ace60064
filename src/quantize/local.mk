noinst_LIBRARIES += src/quantize/libquantize.a
src_quantize_libquantize_a_SOURCES = \
	src/quantize/convert.c src/quantize/convert.h \
	src/quantize/encoder.c src/quantize/encoder.h \
	src/quantize/fit.c src/quantize/fit.h \
	src/quantize/part_file.c src/quantize/part_file.h \
	src/quantize/recipe.c src/quantize/recipe.h \
	src/quantize/quantize.c src/quantize/quantize.h \
	src/quantize/superblock.c src/quantize/superblock.h
src_quantize_libquantize_a_CFLAGS = $(AM_CFLAGS) $(SOTTO_KERNEL_CFLAGS)
